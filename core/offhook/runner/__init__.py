"""Planning, placing and grading calls."""

from offhook.runner.call import CallFailed, CallRefused, place_call
from offhook.runner.engines import EngineChoice, choose_engines, default_slots
from offhook.runner.grade import GradeDesk, load_evidence, verdict_of
from offhook.runner.kit import CallKit, follower_plan, make_kit
from offhook.runner.options import RunOptions
from offhook.runner.plan import PlannedCall, UnknownName, assign_voices, pick_tasks, plan_calls
from offhook.runner.run import OpenRun, carry_out, new_run, resume_run, summary_of
from offhook.runner.work import Done, LocalWorker, work_all

__all__ = [
    "CallFailed",
    "CallKit",
    "CallRefused",
    "Done",
    "EngineChoice",
    "GradeDesk",
    "LocalWorker",
    "OpenRun",
    "PlannedCall",
    "RunOptions",
    "UnknownName",
    "assign_voices",
    "carry_out",
    "choose_engines",
    "default_slots",
    "follower_plan",
    "load_evidence",
    "make_kit",
    "new_run",
    "pick_tasks",
    "place_call",
    "plan_calls",
    "resume_run",
    "summary_of",
    "verdict_of",
    "work_all",
]
