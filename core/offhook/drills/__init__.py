"""What a drill is: it draws, it conducts a meeting with one agent, and it marks what reached the far end.

``draw`` fixes everything random beforehand, ``conduct`` gives the orders and logs what was heard and when,
``mark`` is a pure function of the record. So a drill can be replayed, audited and marked again, but not
learned.
"""

from offhook.drills._cast import cast_voices
from offhook.drills._contract import (
    CastMember,
    Drill,
    DrillGround,
    DrillMark,
    DrillRecord,
    HeardSpeech,
    MarkPart,
    MarkState,
    Moment,
    SpokenLine,
)
from offhook.drills._ear import AUDIBLE, Ear, Stretch, audible_part
from offhook.drills._ground import HANG_OVER_SECONDS, LONGEST_WAIT_SECONDS, Ground
from offhook.drills._slide import Slide

__all__ = [
    "AUDIBLE",
    "HANG_OVER_SECONDS",
    "LONGEST_WAIT_SECONDS",
    "CastMember",
    "Drill",
    "DrillGround",
    "DrillMark",
    "DrillRecord",
    "Ear",
    "Ground",
    "HeardSpeech",
    "MarkPart",
    "MarkState",
    "Moment",
    "Slide",
    "SpokenLine",
    "Stretch",
    "audible_part",
    "cast_voices",
]
