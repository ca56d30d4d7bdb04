"""T2-H4: a phone is returned by mail, then the caller asks for the refund."""

from __future__ import annotations

from offhook.packs import Cues, ExpectedCall, Intent, Rule, Structure, Task, Tier, Topic
from offhook_industries.customer_support.tasks._cues import (
    ASKS_EMAIL,
    ASKS_ZIP,
    ELSE,
    HOLD,
    IDENTITY,
    NOT_YET,
    OUTCOME,
    any_of,
    money,
)
from offhook_industries.customer_support.tasks._declining import confirm_wish_rule, declining_rules
from offhook_industries.customer_support.tasks._examples import ROUTINE, fires, silent
from offhook_industries.customer_support.tasks._identity import gate_calls, identity_rules
from offhook_industries.customer_support.tasks._people import Person, person, traits_of
from offhook_industries.customer_support.tasks._returning import (
    HOW_BACK,
    LABEL,
    STARTED,
    agree_rule,
    fee_first_rule,
    opened_rule,
    return_calls,
    started_topic,
    why_return_rule,
)
from offhook_industries.customer_support.tasks._telling import told_rule

__all__ = ["task"]

_FEE, _REFUND = "45.00", "1054.99"
_SENT = any_of(
    r"\blabel\b[^?]*\b(?:sent|e-?mailed|on its way|on the way|in your (?:inbox|e-?mail)|coming|gone out"
    r"|went out|"
    r"should (?:be|arrive)|will (?:be|arrive)|has been)\b",
    r"\b(?:sent|e-?mailed)\b[^?]*\blabel\b",
    r"\b(?:sent|e-?mailed) (?:it|that)(?: over| off| out| along| across)*(?: to\b|\W*$)",
    r"\b(?:that's|it's|that is|it is|that has|it has|label's)(?: been| just| all| now| already)* "
    r"(?:sent|e-?mailed|on its way|on the way)\b",
)
_STAGE = any_of(
    r"\b(?:wait|waiting|await\w*|pending)\b[^?]*\b(?:item|phone|device|it|return|receiv\w*|arrive\w*|package"
    r"|refund|you)\b",
    r"\bonce (?:we|it|the|they|your|you)\b[^?]*\b(?:receive\w*|arrives?|checked|check|get|back|in|here)\b",
    r"\b(?:after|when|until|as soon as)\b[^?]*\b(?:receive\w*|arrives?|checked in|check (?:it"
    r"|the phone) in|gets? (?:here|back)|"
    r"reaches|comes? (?:in|back))\b",
    r"\b(?:not|hasn't|haven't|nothing|no|nothing's)\b[^?]*\b(?:issued|received|processed|checked in"
    r"|arrived|sent"
    r"|paid|paid out|gone out|moved|refunded)\b",
    r"\b(?:has|have|needs?) to (?:get|arrive|come|reach|be)\b[^?]*\b(?:first|here|back|in)\b",
    r"\brefund\b[^?]*\b(?:posts?|three to seven|3 to 7|business days)\b",
)


def task(pack: str) -> Task:
    who = person("Samuel Porter", "phone")
    return Task(
        pack=pack,
        id="T2-H4",
        title="Return the phone, label, then refund status",
        category="returns",
        tier=Tier.HARD,
        structure=Structure(tool_calls=8, constrained_args=10, rows_written=3),
        intent=Intent(
            opening="Hi, I want to send back a phone. I don't like it after all.",
            conduct=(
                "You want to return an opened phone by mail. Nothing is wrong with it.",
                "Give name and phone number, ZIP code and card digits as soon as you are asked.",
                f"Agree only after they have told you that you get ${_REFUND} back.",
                "When the return is started, ask for the return label by e-mail.",
                "When the label is on its way, ask where your refund for the return stands.",
                "When they have told you, thank them and hang up.",
            ),
            closing="Thanks, that was all. Bye.",
            satisfied=("said:agree", "heard:label-sent", "heard:stage"),
        ),
        traits=traits_of(who),
        rules=(
            _told(),
            _refund_where(),
            _label_please(),
            _email(who),
            agree_rule(_REFUND, _FEE, "Yes, $1,054.99 back is fine. Please start the return."),
            why_return_rule("Nothing's wrong with it, I just changed my mind."),
            opened_rule("Yes, it's been opened."),
            fee_first_rule(_REFUND),
            confirm_wish_rule(
                r"\b(?:return\w*|phone|send)\b",
                "Yes, that's right.",
                "So you'd like to return a phone, is that right?",
                "You're looking to send back a phone you bought, correct?",
                "Just to confirm, you want to send the phone back by mail?",
                unless=("heard:refund",),
            ),
            *identity_rules(who),
            *declining_rules(),
        ),
        expected=(
            *gate_calls(who),
            *return_calls(who.order_number, "changed_mind"),
            ExpectedCall("create_return_label", carry={"rma_number": "confirm_return.rma_number"}),
            ExpectedCall(
                "get_refund_status", arguments={"order_number": who.order_number, "refund_for": "return"}
            ),
        ),
        topics=(
            Topic("refund", Cues(all_of=(money(_REFUND),))),
            started_topic(),
            Topic("label-sent", Cues(all_of=(_SENT,), none_of=(NOT_YET, r"\?"))),
            Topic("stage", Cues(all_of=(_STAGE,), none_of=(r"\?",))),
        ),
    )


def _told() -> Rule:
    asked = ("heard:refund", "said:agree", "heard:label-sent", "said:refund-where")
    return told_rule(
        "where the refund stands, after the caller asked for it",
        "stage",
        any_of(_STAGE, r"\brefund\b"),
        "Okay, then I'll send it off. Thanks, that was all. Bye.",
        (
            *fires(
                "It's waiting for the phone to come back. Once we've checked it in, it posts in three to "
                "seven days.",
                "The refund hasn't been issued yet, we issue it when the phone arrives.",
                "Your refund of $1,054.99 is pending until we receive the item. Anything else?",
                given=asked,
            ),
            *silent("One moment, I'm looking at your refund.", "Which refund do you mean?", given=asked),
            *silent(*ROUTINE, "Once we've received it, the refund posts in three to seven days."),
        ),
        after=("said:refund-where",),
    )


def _refund_where() -> Rule:
    agreed = ("heard:refund", "said:agree", "heard:started")
    return Rule(
        id="refund-where",
        when="The agent has said that the label was sent or is on its way, in this turn or before, "
        "whatever else it "
        "says about the return; or, after the caller asked for the refund, it asks which refund is meant",
        not_when=(
            "when it only offers to send the label",
            "when it says where the refund for the return stands",
        ),
        line="Thanks. And where does the refund for that return stand right now?",
        cues=Cues(
            all_of=(any_of(_SENT, ELSE, r"\b(?:which|what) refund\b", r"\brefund\b[^.!]*\?"),),
            none_of=(*IDENTITY,),
        ),
        after=("heard:label-sent",),
        order=8,
        tests=(
            *fires(
                "I've e-mailed the return label to the address on file.",
                "The label is on its way to your inbox. Anything else I can do?",
                "Your prepaid label has been sent.",
                given=agreed,
            ),
            *fires("Is there anything else?", given=(*agreed, "heard:label-sent")),
            *silent("Would you like a return label by e-mail?", given=agreed),
            *silent(*ROUTINE),
        ),
    )


def _label_please() -> Rule:
    agreed = ("heard:refund", "said:agree")
    return Rule(
        id="label-please",
        when="The caller has agreed to the refund, and the agent says that the return is started, offers "
        "a label, or "
        "asks how the phone comes back or whether there is anything else, while no label has been sent",
        not_when=("when it says that the label was sent", "while it is still working on it"),
        line="Great. Please e-mail me the return label.",
        cues=Cues(
            all_of=(
                any_of(
                    STARTED,
                    OUTCOME,
                    ELSE,
                    LABEL,
                    HOW_BACK,
                ),
            ),
            none_of=(
                HOLD,
                r"\baddress\b|\bshould the label go\b|\b(?:which|what) e-?mail\b|\bwhere (?:do|shall"
                r"|should|can|may) i\b",
                r"\b(?:one|just a) moment\b",
                r"\blet me\b(?! know)",
                r"\bi'll (?:now )?(?:start|set|process)\b",
            ),
        ),
        after=("said:agree",),
        unless=("heard:label-sent",),
        order=10,
        tests=(
            *fires(
                "Your return is started. The number is RMA-44953161.",
                "All set. Would you like a prepaid label by e-mail?",
                "Would you rather bring it to a store or mail it?",
                "That's done. Anything else?",
                given=agreed,
            ),
            *silent("One moment while I start the return.", given=agreed),
            *silent(*ROUTINE),
            *silent("I've e-mailed you the return label.", given=(*agreed, "heard:started")),
        ),
    )


def _email(who: Person) -> Rule:
    return Rule(
        id="email",
        when="The agent asks for the caller's e-mail address, or whether the one on the account is right "
        "for the label",
        not_when=("when it says that something was sent there",),
        line=f"Use the one on the account, {who.email}.",
        cues=Cues(
            all_of=(
                any_of(ASKS_EMAIL, r"\baddress\b", r"\bdot com\b|@|\bat example\b"),
                r"\?|\b(?:what|which|where|confirm|tell me|need)\b",
            ),
            none_of=(
                _SENT,
                ASKS_ZIP,
                r"\b(?:would you like|do you want|did you want|you wanting|want to|shall i|shall we"
                r"|should i|should we"
                r"|like me to|want me to)\b[^.!]*\blabel\b",
                r"\b(?:store|mail)\b[^.!]*\bor\b",
                r"\b(?:summary|confirmation|details|receipt|copy)\b",
            ),
        ),
        order=9,
        tests=(
            *fires(
                "What's the best e-mail address for the label?",
                "Which email should I send it to?",
                "Can you confirm the e-mail on your account?",
            ),
            *silent(*ROUTINE, "Would you like me to e-mail you a return label?"),
        ),
    )
