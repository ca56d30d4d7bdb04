"""Planning, placing and grading calls."""

from offhook.runner._gradepool import default_grade_workers, grade_calls
from offhook.runner._layers import WrongSelection
from offhook.runner._regrade import Regrade, accept_regrade, compared_regrade, read_named
from offhook.runner._versions import (
    Change,
    Named,
    OtherVersion,
    RegradeRecord,
    current_versions,
    other_versions,
    regrades,
)
from offhook.runner.call import CallFailed, CallRefused, place_call
from offhook.runner.conditions import (
    VARIANTS,
    UnusableProfile,
    WrongCondition,
    check_conditions,
    profiles_of,
    split_conditions,
    stamp_of,
)
from offhook.runner.engines import EngineChoice, choose_engines, default_slots
from offhook.runner.grade import GradedCall, GradeDesk, load_evidence, verdict_of
from offhook.runner.kit import CallKit, follower_plan, make_kit
from offhook.runner.options import RunOptions
from offhook.runner.plan import PlannedCall, UnknownName, WrongLine, assign_voices, pick_tasks, plan_calls
from offhook.runner.routing import PUBLIC_PORT, ToolsUnreachable, check_routing, is_routed, lacking_for_tools
from offhook.runner.run import (
    BrokenPack,
    OpenRun,
    carry_out,
    new_run,
    resume_run,
    summarise,
    summary_of,
)
from offhook.runner.seats import DEFAULT_AT_ONCE, Seats, TooManyAtOnce, seats_for
from offhook.runner.spending import CALL_SECONDS, CapReached, Charge, CostUnknown, Spending, list_price
from offhook.runner.stored import Damaged, StoredRun, damage_of, read_run
from offhook.runner.work import Done, LocalWorker, work_all

__all__ = [
    "CALL_SECONDS",
    "DEFAULT_AT_ONCE",
    "PUBLIC_PORT",
    "VARIANTS",
    "BrokenPack",
    "CallFailed",
    "CallKit",
    "CallRefused",
    "CapReached",
    "Change",
    "Charge",
    "CostUnknown",
    "Damaged",
    "Done",
    "EngineChoice",
    "GradeDesk",
    "GradedCall",
    "LocalWorker",
    "Named",
    "OpenRun",
    "OtherVersion",
    "PlannedCall",
    "Regrade",
    "RegradeRecord",
    "RunOptions",
    "Seats",
    "Spending",
    "StoredRun",
    "TooManyAtOnce",
    "ToolsUnreachable",
    "UnknownName",
    "UnusableProfile",
    "WrongCondition",
    "WrongLine",
    "WrongSelection",
    "accept_regrade",
    "assign_voices",
    "carry_out",
    "check_conditions",
    "check_routing",
    "choose_engines",
    "compared_regrade",
    "current_versions",
    "damage_of",
    "default_grade_workers",
    "default_slots",
    "follower_plan",
    "grade_calls",
    "is_routed",
    "lacking_for_tools",
    "list_price",
    "load_evidence",
    "make_kit",
    "new_run",
    "other_versions",
    "pick_tasks",
    "place_call",
    "plan_calls",
    "profiles_of",
    "read_named",
    "read_run",
    "regrades",
    "resume_run",
    "seats_for",
    "split_conditions",
    "stamp_of",
    "summarise",
    "summary_of",
    "verdict_of",
    "work_all",
]
