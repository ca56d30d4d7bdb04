"""Holding drills with a platform, storing what happened, and marking it.

run = new_drill_run(DrillOptions(platform="acme", out=Path("runs/acme")), PluginHost.discover())
summary = carry_out_drills(run, stop=threading.Event())
"""

from offhook.drillrun._agent import drill_agent
from offhook.drillrun._folder import DRILLS_VERSION, DrillFolder, DrillManifest
from offhook.drillrun._one import DrillKit, Outcome, place_drill, tape_names
from offhook.drillrun._page import write_drill_page
from offhook.drillrun._plan import PlannedDrill, pick_drills, plan_drills
from offhook.drillrun._records import DRILL_RECORD_VERSION, BadMark, mark_of
from offhook.drillrun._run import (
    DrillDone,
    DrillOptions,
    OpenDrillRun,
    carry_out_drills,
    mark_again,
    new_drill_run,
    resume_drill_run,
)
from offhook.drillrun._summary import DrillResult, DrillSummary, read_drill_run

__all__ = [
    "DRILLS_VERSION",
    "DRILL_RECORD_VERSION",
    "BadMark",
    "DrillDone",
    "DrillFolder",
    "DrillKit",
    "DrillManifest",
    "DrillOptions",
    "DrillResult",
    "DrillSummary",
    "OpenDrillRun",
    "Outcome",
    "PlannedDrill",
    "carry_out_drills",
    "drill_agent",
    "mark_again",
    "mark_of",
    "new_drill_run",
    "pick_drills",
    "place_drill",
    "plan_drills",
    "read_drill_run",
    "resume_drill_run",
    "tape_names",
    "write_drill_page",
]
