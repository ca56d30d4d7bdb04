"""The virtual-time loop: when things happen, in which order, and what it refuses."""

from __future__ import annotations

import asyncio
import gc
import socket
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offhook import clock
from offhook.clock import RealIORefused, VirtualDeadlock, VirtualTimeLoop, run_real, run_virtual


async def _now() -> float:
    return asyncio.get_running_loop().time()


def test_time_starts_at_zero_and_jumps_exactly() -> None:
    async def main() -> list[float]:
        loop = asyncio.get_running_loop()
        seen = [loop.time()]
        await asyncio.sleep(0.1)
        seen.append(loop.time())
        await asyncio.sleep(86_400 * 3)
        seen.append(loop.time())
        return seen

    assert run_virtual(main()) == [0.0, 0.1, 0.1 + 86_400 * 3]


@given(st.floats(0.001, 1e6), st.floats(1e-12, 1e-8))
def test_no_timer_fires_before_its_time(first: float, later: float) -> None:
    async def main() -> list[float]:
        loop = asyncio.get_running_loop()
        early: list[float] = []
        for when in (first, first + later):
            loop.call_at(when, lambda when=when: early.append(loop.time() - when))
        await asyncio.sleep(first + 1)
        return early

    assert run_virtual(main()) == [0.0, 0.0]


def test_who_waits_for_the_rest_of_a_while_comes_to_its_end() -> None:
    async def main() -> int:
        loop = asyncio.get_running_loop()
        frames = asyncio.create_task(_frames())
        until, rounds = 9.0, 0
        while (left := until - loop.time()) > 0:
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.Event().wait(), left)
            rounds += 1
            if rounds > 10:
                break
        frames.cancel()
        return rounds

    async def _frames() -> None:
        for _ in range(1000):
            await asyncio.sleep(0.02)

    assert run_virtual(main()) <= 2


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.5]), max_size=40))
def test_timers_fire_by_deadline_then_by_scheduling_order(deadlines: list[float]) -> None:
    async def main() -> list[tuple[float, int]]:
        loop = asyncio.get_running_loop()
        fired: list[tuple[float, int]] = []
        for index, deadline in enumerate(deadlines):
            loop.call_at(deadline, fired.append, (deadline, index))
        await asyncio.sleep(3)
        return fired

    assert run_virtual(main()) == sorted((deadline, index) for index, deadline in enumerate(deadlines))


def test_cancelled_timers_do_not_fire_nor_hold_the_clock() -> None:
    async def main() -> tuple[list[int], float]:
        loop = asyncio.get_running_loop()
        fired: list[int] = []
        timers = [loop.call_at(1.0 + index, fired.append, index) for index in range(300)]
        for timer in timers[1:]:
            timer.cancel()
        await asyncio.sleep(0.5)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1000):
                await asyncio.Event().wait()
        return fired, loop.time()

    assert run_virtual(main()) == ([0], 1000.5)


def test_the_clock_stands_still_while_an_executor_job_runs() -> None:
    async def main() -> tuple[float, str, list[float]]:
        loop = asyncio.get_running_loop()
        ticks: list[float] = []
        gate = threading.Event()
        job = loop.run_in_executor(None, lambda: (gate.wait(10), "done")[1])
        loop.call_later(5.0, lambda: ticks.append(loop.time()))
        # The job ends only after another thread, in real time, has opened the gate.
        threading.Timer(0.05, gate.set).start()
        result = await job
        at = loop.time()
        await asyncio.sleep(10)
        return at, result, ticks

    assert run_virtual(main()) == (0.0, "done", [5.0])


def test_results_of_jobs_arrive_in_the_order_they_were_handed_out() -> None:
    async def main() -> list[int]:
        loop = asyncio.get_running_loop()
        finished: list[int] = []
        gates = [threading.Event() for _ in range(4)]

        def job(index: int) -> int:
            # Each lets the one before it end: they end in reverse order.
            gates[index].wait(10)
            if index:
                gates[index - 1].set()
            return index

        async def one(index: int) -> None:
            finished.append(await loop.run_in_executor(None, job, index))

        async with asyncio.TaskGroup() as group:
            for index in range(4):
                group.create_task(one(index))
            await asyncio.sleep(0)
            gates[3].set()
        return finished

    assert run_virtual(main()) == [0, 1, 2, 3]


def test_a_job_that_waits_for_a_later_one_does_not_hang() -> None:
    async def main() -> list[str]:
        loop = asyncio.get_running_loop()
        gate = threading.Event()
        first = loop.run_in_executor(None, lambda: f"first {gate.wait(10)}")
        second = await loop.run_in_executor(None, lambda: "second")
        gate.set()
        return [second, await first]

    with asyncio.Runner(loop_factory=lambda: VirtualTimeLoop(order_patience=0.05)) as runner:
        assert runner.run(main()) == ["second", "first True"]


def test_a_cancelled_job_is_not_answered_and_holds_the_clock_while_it_runs() -> None:
    async def main() -> tuple[bool, bool, float]:
        loop = asyncio.get_running_loop()
        ended: list[bool] = []
        gate = threading.Event()
        job = loop.run_in_executor(None, lambda: ended.append(gate.wait(10)))
        await asyncio.sleep(0)
        job.cancel()
        threading.Timer(0.05, gate.set).start()
        await asyncio.sleep(1)
        return job.cancelled(), ended == [True], loop.time()

    assert run_virtual(main()) == (True, True, 1.0)


def test_a_job_may_call_back_into_the_loop() -> None:
    async def main() -> tuple[str, float]:
        loop = asyncio.get_running_loop()

        async def answer(word: str) -> str:
            return word.upper()

        def job() -> str:
            return asyncio.run_coroutine_threadsafe(answer("yes"), loop).result(10)

        return await loop.run_in_executor(None, job), loop.time()

    assert run_virtual(main()) == ("YES", 0.0)


def test_a_job_is_awaited_even_by_a_coroutine_that_polls() -> None:
    async def main() -> bool:
        job = asyncio.get_running_loop().run_in_executor(None, lambda: True)
        while not job.done():  # noqa: ASYNC110
            await asyncio.sleep(0)
        return job.result()

    assert run_virtual(main()) is True


def test_a_jobs_exception_comes_out_of_the_await() -> None:
    async def main() -> None:
        await asyncio.to_thread(int, "seven")

    with pytest.raises(ValueError, match="seven"):
        run_virtual(main())


def test_jobs_left_over_are_waited_for_at_the_end() -> None:
    ended: list[bool] = []

    async def main() -> None:
        gate = threading.Event()
        threading.Timer(0.05, gate.set).start()
        asyncio.get_running_loop().run_in_executor(None, lambda: ended.append(gate.wait(10)))

    run_virtual(main())
    assert ended == [True]


def test_deadlock_is_reported_with_who_waits() -> None:
    async def waits_forever() -> None:
        await asyncio.Event().wait()

    with pytest.raises(VirtualDeadlock, match=r"waits_forever:\d+"):
        run_virtual(waits_forever())


def test_deadlock_after_time_has_passed_names_the_time() -> None:
    async def main() -> None:
        await asyncio.sleep(2.5)
        await asyncio.get_running_loop().create_future()

    with pytest.raises(VirtualDeadlock, match=r"at 2\.500 s"):
        run_virtual(main())


Refusal = Callable[[asyncio.AbstractEventLoop, socket.socket], Awaitable[object]]


async def _add_reader(loop: asyncio.AbstractEventLoop, sock: socket.socket) -> None:
    loop.add_reader(sock, print)


@pytest.mark.parametrize(
    "ask",
    [
        lambda loop, sock: asyncio.open_connection("127.0.0.1", 9),
        lambda loop, sock: asyncio.start_server(print, "127.0.0.1", 0),
        lambda loop, sock: loop.create_datagram_endpoint(asyncio.DatagramProtocol),
        lambda loop, sock: loop.sock_recv(sock, 1),
        lambda loop, sock: loop.sock_sendall(sock, b"x"),
        lambda loop, sock: loop.sock_connect(sock, ("127.0.0.1", 9)),
        lambda loop, sock: loop.sock_accept(sock),
        lambda loop, sock: loop.getaddrinfo("localhost", 80),
        lambda loop, sock: asyncio.create_subprocess_exec("true"),
        lambda loop, sock: asyncio.create_subprocess_shell("true"),
        _add_reader,
    ],
)
def test_real_io_is_refused_with_what_to_do(ask: Refusal) -> None:
    async def main() -> None:
        with socket.socket() as sock:
            await ask(asyncio.get_running_loop(), sock)

    with pytest.raises(RealIORefused, match=r"run_real\(\)"):
        run_virtual(main())


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_an_unmanaged_thread_is_refused_on_both_sides() -> None:
    raised: list[BaseException] = []

    async def main() -> None:
        loop = asyncio.get_running_loop()
        waiting = loop.create_future()

        def outside() -> None:
            try:
                loop.call_soon_threadsafe(waiting.set_result, None)
            except RealIORefused as error:
                raised.append(error)

        thread = threading.Thread(target=outside, name="stray")
        thread.start()
        thread.join()
        await waiting

    with pytest.raises(RealIORefused, match=r"'stray'.*run_in_executor"):
        run_virtual(main())
    assert len(raised) == 1


def test_leftovers_are_cancelled_and_generators_closed() -> None:
    log: list[str] = []

    async def forever() -> None:
        try:
            await asyncio.sleep(1e9)
        except asyncio.CancelledError:
            log.append("cancelled")
            raise

    async def generator():
        try:
            while True:
                yield 1
        finally:
            log.append("closed")

    async def main() -> str:
        task = asyncio.create_task(forever())
        numbers = generator()
        await anext(numbers)
        await asyncio.sleep(1)
        log.append(f"running={not task.done()}")
        log.append("end")
        return str(numbers is not None)

    assert run_virtual(main()) == "True"
    gc.collect()
    assert sorted(log) == ["cancelled", "closed", "end", "running=True"]


def test_compute_runs_in_place_in_virtual_time_and_in_a_thread_in_real_time() -> None:
    async def main() -> tuple[int, bool]:
        return await clock.compute(threading.get_ident), clock.is_virtual()

    here = threading.get_ident()
    assert run_virtual(main()) == (here, True)
    ident, virtual = run_real(main())
    assert ident != here
    assert virtual is False


def test_compute_passes_arguments_and_errors() -> None:
    async def main() -> tuple[int, str]:
        with pytest.raises(ZeroDivisionError):
            await clock.compute(divmod, 1, 0)
        return await clock.compute(int, "ff", base=16), "ok"

    assert run_virtual(main()) == (255, "ok")
    assert run_real(main()) == (255, "ok")


def test_sleep_until_is_absolute_and_returns_at_once_when_past() -> None:
    async def main() -> list[float]:
        loop = asyncio.get_running_loop()
        seen = []
        for deadline in (0.3, 0.1, 0.7):
            await clock.sleep_until(deadline)
            seen.append(loop.time())
        return seen

    assert run_virtual(main()) == [0.3, 0.3, 0.7]


def test_ticker_beats_do_not_drift_when_the_consumer_is_slow() -> None:
    async def main() -> list[clock.Tick]:
        ticks = []
        async for tick in clock.deadline_ticker(0.02, start=1.0):
            ticks.append(tick)
            if tick.index == 1:
                await asyncio.sleep(0.05)
            if tick.index == 5:
                break
        return ticks

    ticks = run_virtual(main())
    assert [tick.deadline for tick in ticks] == [1.0 + index * 0.02 for index in range(6)]
    assert [round(tick.late, 6) for tick in ticks] == [0, 0, 0.03, 0.01, 0, 0]


@pytest.mark.parametrize("period", [0.0, -1.0, float("nan")])
def test_ticker_refuses_a_period_that_is_not_positive(period: float) -> None:
    async def main() -> None:
        await anext(clock.deadline_ticker(period))

    with pytest.raises(ValueError, match="period must be positive"):
        run_virtual(main())


def test_equal_programs_take_equal_courses() -> None:
    async def main() -> list[tuple[float, int]]:
        log: list[tuple[float, int]] = []

        async def worker(number: int) -> None:
            for step in range(20):
                await asyncio.sleep((number * 7 + step) % 5 / 10)
                await asyncio.get_running_loop().run_in_executor(None, sum, range(number * 500))
                log.append((await _now(), number))

        async with asyncio.TaskGroup() as group:
            for number in range(6):
                group.create_task(worker(number))
        return log

    assert run_virtual(main()) == run_virtual(main())


def test_a_closed_loop_takes_nothing() -> None:
    loop = VirtualTimeLoop()
    loop.close()
    with pytest.raises(RuntimeError, match="closed"):
        loop.call_later(1, print)
    with pytest.raises(RuntimeError, match="closed"):
        loop.run_in_executor(None, print)
