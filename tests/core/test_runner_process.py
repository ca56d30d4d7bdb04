"""Worker processes that do several jobs at once, and die; notes of calls that are held beside each other."""

from __future__ import annotations

import asyncio
import errno
import logging
import multiprocessing
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection

import pytest

from offhook.clock import run_real
from offhook.runner._process import WorkerDied, WorkerProcess, serve_jobs
from offhook.runner._trouble import CallLog
from offhook.runner.deployments import Deployments
from offhook.sessions import AgentConfig, Deployment
from tests.core._stand import RealTimePlatform


def meeting_main(pipe: Connection, size: int) -> None:
    """Each job waits until ``size`` of them are in hand, then is answered in its own way."""
    together = threading.Barrier(size)

    def work(job: str) -> object:
        together.wait(30)
        if job == "die":
            os._exit(7)
        if job == "wait":
            threading.Event().wait()
        if job == "unsendable":
            return threading.Lock()
        return LookupError(job) if job == "raise" else f"{job} by {os.getpid()}"

    serve_jobs(pipe, work, at_once=size)


def test_jobs_are_done_at_once_and_each_gets_its_own_answer() -> None:
    process = WorkerProcess(meeting_main, 3)
    with ThreadPoolExecutor(3) as pool:
        a, b, c = (pool.submit(process.ask, job) for job in ("a", "b", "raise"))
        assert a.result().startswith("a by ")
        assert b.result() == a.result().replace("a", "b", 1)
        with pytest.raises(LookupError, match="raise"):
            c.result()
    process.close()


@pytest.mark.parametrize(("deadly", "how"), [("die", "exit code 7"), ("unsendable", "exit code 1")])
def test_a_death_is_told_to_all_who_wait_and_the_next_job_has_a_new_worker(deadly: str, how: str) -> None:
    process = WorkerProcess(meeting_main, 2)
    with ThreadPoolExecutor(2) as pool:
        for answer in [pool.submit(process.ask, job) for job in ("wait", deadly)]:
            with pytest.raises(WorkerDied, match=how):
                answer.result()
        assert [job.result()[:5] for job in [pool.submit(process.ask, job) for job in ("a", "b")]] == [
            "a by ",
            "b by ",
        ]
    process.close()


def test_closing_a_worker_that_never_started_does_nothing() -> None:
    before = multiprocessing.active_children()
    WorkerProcess(meeting_main, 1).close()
    assert multiprocessing.active_children() == before


def test_calls_held_at_once_keep_their_notes_apart() -> None:
    log = logging.getLogger("offhook.toolserver")
    together = threading.Barrier(2)

    async def holding(text: str) -> None:
        await asyncio.to_thread(log.error, text)

    def call(text: str) -> CallLog:
        with CallLog() as notes:
            together.wait(30)
            run_real(holding(text))
            together.wait(30)
        return notes

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(call, ("first", "second"))
    assert (first.texts, second.texts) == (["first"], ["second"])
    with CallLog() as notes:
        log.error("full", exc_info=OSError(errno.ENOSPC, "no space left"))
    assert notes.disk_error is not None
    assert first.disk_error is None


def test_calls_that_begin_together_share_one_deployment() -> None:
    made: list[str] = []

    class Slow(RealTimePlatform):
        async def deploy(self, agent: AgentConfig) -> Deployment:
            await asyncio.sleep(0.01)
            made.append(agent.sha256)
            return await super().deploy(agent)

    async def all_at_once() -> list[Deployment]:
        deployments, adapter = Deployments(), Slow("slow")
        agent = AgentConfig("a", "prompt", "hello", (), "abc")
        return await asyncio.gather(*(deployments.deployed(adapter, agent) for _ in range(3)))

    assert len(set(map(id, run_real(all_at_once())))) == 1
    assert made == ["abc"]
