"""C1-E1 and C3-E1: does one office take one plan? The callers say nothing of themselves."""

from __future__ import annotations

from offhook.packs import Cues, Intent, Rule, Task
from offhook_industries.common.examples import fires, silent
from offhook_industries.healthcare.tasks._answers import IN_GENERAL, plan_told
from offhook_industries.healthcare.tasks._build import build, plan_taken
from offhook_industries.healthcare.tasks._cues import ASKING_IDENTITY, CHECKING
from offhook_industries.healthcare.tasks._facts import asks_office, asks_plan
from offhook_industries.healthcare.tasks._refusals import no_booking, no_details, usual_refusals

__all__ = ["tasks"]


def tasks(pack: str) -> tuple[Task, ...]:
    return (
        _question(
            pack,
            "C1-E1",
            "Aetna coverage at Park Avenue",
            "new-patient",
            opening="Hi, does your Park Avenue office take Aetna?",
            plan=("aetna", "Aetna", "It's plain Aetna, a PPO."),
            office=("park_avenue", "Park Avenue"),
        ),
        _question(
            pack,
            "C3-E1",
            "UnitedHealthcare at Brooklyn Heights",
            "coverage",
            opening="Hello, I'd like to know if Brooklyn Heights takes UnitedHealthcare.",
            plan=("unitedhealthcare", "UnitedHealthcare", "It's just UnitedHealthcare."),
            office=("brooklyn_heights", "Brooklyn Heights"),
        ),
    )


def _question(
    pack: str,
    task_id: str,
    title: str,
    category: str,
    *,
    opening: str,
    plan: tuple[str, str, str],
    office: tuple[str, str],
) -> Task:
    plan_id, plan_name, plan_line = plan
    location_id, office_name = office
    closing = "Okay, that answers it. Thank you, goodbye."
    return build(
        pack,
        task_id,
        title,
        category,
        (1, 2, 0),
        Intent(
            opening=opening,
            conduct=(
                f"You only want to know whether the {office_name} office takes {plan_name}.",
                "You give no details about yourself and book nothing.",
                "Take the answer for that office, a yes or a no, thank them and hang up.",
                "An answer about plans or offices in general is not enough.",
            ),
            closing=closing,
            satisfied=("said:answer",),
        ),
        (
            plan_told(plan_name, office_name, closing, ends=True),
            _this_office(plan_name, office_name),
            asks_plan(plan_line),
            asks_office(f"The {office_name} office."),
            no_booking(),
            no_details(),
            *usual_refusals(),
        ),
        (plan_taken(plan_id, location_id),),
    )


def _this_office(plan: str, office: str) -> Rule:
    return Rule(
        id="this-office",
        when=f"The agent speaks of plans or offices in general, without saying whether {office} takes {plan}",
        not_when=("when it only says that it will check", "when it asks something"),
        line=f"I mean {office} in particular. Does it take {plan}?",
        cues=Cues(
            like=(
                "It depends on the office.",
                "Our offices accept most insurance plans.",
                "Not every location takes the same plans.",
            ),
            all_of=(
                r"\b(?:take|takes|taken|accept|accepts|accepted|works?|working with|on every|on (?:all"
                r"|each)|have it|has it|problem"
                r"|issue|the same|honou?r|participat\w+|contracted"
                r"|cover(?:s|ed)?|network|depends|coverage"
                r"|varies|vary|differs?)\b",
                rf"{IN_GENERAL}|"
                r"\b(?:most|many|a lot of|lots of|various|different|several|all|wide|variety|major|depends"
                r"|varies|vary|(?:good|broad|large|big) (?:range|number|mix)|range of|a number of|plenty of"
                r"|(?:across|throughout) (?:the|our)|in general|generally)\b",
            ),
            none_of=(ASKING_IDENTITY, CHECKING),
            threshold=0.75,
        ),
        order=23,
        tests=(
            *fires(
                "We accept most major insurance plans.",
                "What is covered varies from office to office.",
                "Many of our locations take a wide range of plans.",
            ),
            *silent(
                f"Yes, {office} takes {plan}.",
                "Let me check that for you.",
                "Which plan do you have?",
            ),
        ),
    )
