"""R-H3: a swollen power bank goes back without a label."""

from __future__ import annotations

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Structure, Task, Tier, Topic
from offhook_industries.customer_support.tasks._cues import (
    ANYTHING,
    ELSE,
    HOLD,
    IDENTITY,
    OUTCOME,
    any_of,
    money,
)
from offhook_industries.customer_support.tasks._declining import confirm_wish_rule, declining_rules
from offhook_industries.customer_support.tasks._examples import ROUTINE, fires, silent
from offhook_industries.customer_support.tasks._identity import gate_calls, identity_rules
from offhook_industries.customer_support.tasks._people import person, traits_of
from offhook_industries.customer_support.tasks._returning import (
    LABEL,
    STARTED,
    agree_rule,
    fee_first_rule,
    return_calls,
    started_topic,
)

__all__ = ["task"]

_REFUND = "79.99"
_WORKING = r"\b(?:one|just a) moment\b"
_KIT = any_of(
    r"\b(?:kit|courier|recovery box|recovery kit|fireproof|fire-proof|special (?:box|container"
    r"|packaging)|pick(?:ed)? (?:it )?up)\b",
)
_SAFE = any_of(
    r"\b(?:any ?one|anybody|somebody|people|kids|children|pets|anything) (?:\w+ )?(?:near|around|next to"
    r"|close to)"
    r" (?:it|that)\b",
    r"\b(?:well away|far (?:enough )?away|away) from it\b|\b(?:giving|coming) off\b|\bwhere(?:'s| is) it "
    r"sitting\b",
    r"\bhave you (?:\w+ )?(?:moved|put|unplugged|stopped|placed|taken|set|disconnected)\b",
    r"\b(?:hot|warm|smok\w+|leak\w*|fire|smell\w*|hiss\w*|burn\w*|hurt|injured|safe|plugged|unplug\w*"
    r"|charging|charger|spark\w*)\b"
    r"[^.!]*(?:\?|$)",
    r"\b(?:are|is) (?:you|everyone|anyone|it|the (?:power bank|battery))\b[^.!]*\b(?:ok|okay|safe|hurt"
    r"|all right|hot|warm|"
    r"unplugged|smoking|leaking|plugged)\b",
    r"\bwhere (?:is|are|do you have|have you put)\b[^.!]*\b(?:it|power bank|battery|now)\b",
)
_WRONG = any_of(
    r"\bwhat(?:'s| is) it doing\b|\bhow come\b|\bwhat's up with\b",
    r"\bwhat (?:did|do|have) you (?:notice\w*|see|seen|saw|observe\w*)\b",
    r"\bwhat(?:'s| is| was| seems| exactly)?\b[^.!]{0,30}\b(?:happen\w*|wrong|the matter|problem|issue"
    r"|going on|condition|reason)\b",
    r"\b(?:why|reason)\b[^.!]*\b(?:return\w*|send\w*|back|label)\b",
    r"\breasons? (?:for|why)\b",
    r"\b(?:describe|tell me (?:more|about|what))\b",
    r"\bis it (?:defective|damaged|broken|swollen|faulty)\b",
)


def task(pack: str) -> Task:
    who = person("Julia Santos", "power bank")
    return Task(
        pack=pack,
        id="R-H3",
        title="Return label on a swollen power bank",
        category="reception",
        tier=Tier.HARD,
        structure=Structure(tool_calls=9, constrained_args=9, rows_written=3),
        intent=Intent(
            opening="Hi, my power bank is swelling up. I need a label so I can mail it back to you.",
            conduct=(
                "You want to send the swollen power bank back and get your money.",
                "It is swollen but not hot. You have unplugged it and put it away from everything.",
                "Give name and phone number, ZIP code and card digits as soon as you are asked.",
                f"Agree only after they have told you that you get ${_REFUND} back.",
                "Accept that there is no label and that a courier brings a box for it.",
                "When the return is started and you know how it goes back, thank them and hang up.",
            ),
            closing="Okay, that's all. Thanks, bye.",
            satisfied=("said:agree", "heard:started", "heard:kit"),
        ),
        traits=traits_of(who),
        rules=(
            _done(),
            agree_rule(_REFUND, None, f"Yes, ${_REFUND} back is fine. Please start the return."),
            _how_back(),
            _it_is_safe(),
            _swollen(),
            fee_first_rule(_REFUND),
            confirm_wish_rule(
                r"\b(?:return\w*|power bank|send|label|swollen|swelling)\b",
                "Yes, that's right.",
                "So you'd like to return a swollen power bank, is that right?",
                "You're looking to send back a power bank, correct?",
                "Just to confirm, you want a label for the power bank?",
                unless=("heard:refund",),
            ),
            *identity_rules(who),
            *declining_rules(),
        ),
        expected=(
            *gate_calls(who),
            ExpectedCall("search_kb", free_text={"query": "swollen power bank battery"}),
            ExpectedCall("get_order", arguments={"order_number": who.order_number}),
            *return_calls(who.order_number, "recall_or_safety"),
            ExpectedCall("create_return_label", carry={"rma_number": "confirm_return.rma_number"}),
        ),
        topics=(
            Topic("refund", Cues(all_of=(money(_REFUND),))),
            started_topic(),
            Topic("kit", Cues(all_of=(_KIT,), none_of=(r"\?",))),
        ),
    )


def _it_is_safe() -> Rule:
    return Rule(
        id="it-is-safe",
        when="The agent asks whether the power bank is hot, smoking, leaking or plugged in, where it is, "
        "or whether "
        "the caller is safe",
        not_when=("when it only tells what to do with it", "when it asks who is calling, or for a proof"),
        line="It's swollen but not hot. I've unplugged it, and it's outside on the concrete.",
        cues=Cues(
            all_of=(_SAFE, r"\?|\b(?:is|are|has|have) (?:it|you|the|any ?one|anybody|everyone)\b"),
            none_of=(*IDENTITY, r"\b(?:shall|should|would you like|do you want)\b", r"\$"),
        ),
        order=18,
        tests=(
            *fires(
                "Is it hot, or is there any smoke?",
                "Are you safe, and is the power bank unplugged?",
                "Where is the battery now?",
                "Has it leaked or is it still charging?",
            ),
            *silent(*ROUTINE, "Please keep it away from anything that burns.", "What's wrong with it?"),
        ),
    )


def _swollen() -> Rule:
    return Rule(
        id="swollen",
        when="The agent asks what is wrong with the power bank, what happened to it, or why the caller "
        "returns it",
        not_when=(
            "when it asks whether it is hot or safe",
            "when it asks who is calling, for a proof or the order",
        ),
        line="The battery is swollen, so it isn't safe any more.",
        cues=Cues(all_of=(_WRONG,), none_of=(*IDENTITY, r"\b(?:anything|something) else\b", r"\$")),
        order=20,
        tests=(
            *fires(
                "What exactly is wrong with it?",
                "May I ask the reason for the return?",
                "Can you tell me what happened to the power bank?",
            ),
            *silent(*ROUTINE, "Is it hot right now?", "Is there anything else?"),
        ),
    )


def _how_back() -> Rule:
    agreed = ("heard:refund", "said:agree")
    return Rule(
        id="how-back",
        when="The caller has agreed to the refund, and the agent says that the return is started, offers "
        "to sort out how "
        "it comes back, or asks whether there is anything else, and has said nothing of a box or a courier",
        not_when=("while it is still working on it",),
        line="And how do I send it back to you? Can I have the label?",
        cues=Cues(
            all_of=(
                any_of(
                    STARTED,
                    OUTCOME,
                    ELSE,
                    LABEL,
                    r"\bhow\b[^.!]*\b(?:back|return|send|gets?|comes?|goes)\b[^.!]*\b(?:us|back|it)\b",
                ),
            ),
            none_of=(
                HOLD,
                r"\b(?:one|just a) moment\b",
                r"\blet me\b(?! know)",
                r"\bi'll (?:now )?(?:start|set|process)\b",
            ),
        ),
        after=("said:agree",),
        unless=("heard:kit",),
        order=10,
        tests=(
            *fires(
                "Your return is started. The number is RMA-44039281.",
                "That's done, and $79.99 goes back to your card. Anything else?",
                "Would you like a label now?",
                given=agreed,
            ),
            *silent("One moment while I start that.", given=agreed),
            *silent("A courier brings you a fireproof box for it.", given=(*agreed, "heard:started")),
            *silent(*ROUTINE),
        ),
    )


def _done() -> Rule:
    agreed = ("heard:refund", "said:agree", "heard:started")
    return Rule(
        id="done",
        when="The return is started, and the agent has said, in this turn or before, that a courier "
        "brings a box "
        "for it or takes it along, whatever it asks or offers after that",
        not_when=("when it says so before the return is started",),
        line="Okay, no label then, I'll wait for the box. That's all, thanks. Bye.",
        cues=Cues(all_of=(ANYTHING,), none_of=(HOLD,)),
        after=("said:agree", "heard:started", "heard:kit"),
        order=4,
        ends_call=True,
        tests=(
            *fires(
                "It can't go by mail, so a courier brings you a fireproof box and takes the battery along.",
                "I can't give you a label for a swollen battery. A recovery kit is on its way to you.",
                "The courier picks it up within two days. Anything else?",
                given=agreed,
            ),
            *silent("Let me see how it goes back.", "Your return is started.", given=agreed),
            *silent("A courier will bring you a box for it."),
        ),
    )
