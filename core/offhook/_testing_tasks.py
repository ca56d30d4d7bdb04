"""The tasks of the bicycle pack and the follower's words for it."""

from __future__ import annotations

from typing import Final

from offhook.packs import (
    Ask,
    Cues,
    CueTest,
    ExpectedCall,
    FollowerGuide,
    Intent,
    Rule,
    Structure,
    Task,
    Tier,
    ToolGuide,
    Topic,
    Trait,
)
from offhook.values import ValueKind

__all__ = ["GUIDE", "TASKS"]

_WHICH: Final = Ask(
    ("service",),
    "Which service would you like: a standard tune-up, a brake overhaul, or wheel truing?",
    "Sorry, which one is it: tune-up, brakes, or wheel?",
)

GUIDE: Final = FollowerGuide(
    tools=(
        ToolGuide(
            "get_service_price",
            asks=(_WHICH,),
            say="A {get_service_price.service} is {get_service_price.price}.",
        ),
        ToolGuide(
            "find_customer",
            asks=(
                Ask(
                    ("full_name", "phone"),
                    "What is your full name, and the phone number we have on file?",
                    "I can't find that. Please say your full name again, and the phone number slowly.",
                ),
            ),
            hold="Let me look that up.",
            say="Thank you, {find_customer.first_name}.",
            refused={"no_match": "I couldn't find a customer with those details."},
            retry=("no_match", "invalid_argument"),
        ),
        ToolGuide(
            "verify_owner",
            asks=(
                Ask(
                    ("postal_code", "frame_last4"),
                    "What is your ZIP code, and what are the last four digits of the frame number?",
                    "That isn't what we have. Please say the ZIP code and the four digits again, one by one.",
                ),
            ),
            say="Thank you, that's all I need to check.",
            refused={"not_verified": "That isn't what we have on file."},
            retry=("not_verified", "invalid_argument"),
        ),
        ToolGuide(
            "quote_repair", asks=(_WHICH,), refused={"already_booked": "Your bicycle is booked in already."}
        ),
        ToolGuide(
            "confirm_repair",
            propose="A {quote_repair.service} for your {quote_repair.model} is {quote_repair.price}."
            " Shall I book it?",
            consent="price_accepted",
            carry={"quote_id": "quote_repair.quote_id"},
            say="Your {confirm_repair.service} is booked for {confirm_repair.price}.",
        ),
        ToolGuide(
            "leave_note",
            asks=(
                Ask(
                    ("note",),
                    "Is there anything our mechanic should know?",
                    "Sorry, what should I write down for our mechanic?",
                ),
            ),
            say="I've written that down for the workshop.",
        ),
        ToolGuide("transfer_to_human"),
        ToolGuide("end_call"),
    ),
    unclear="Sorry, I didn't catch that. Could you say it again?",
    closing="Is there anything else I can do for you?",
    goodbye="Thanks for calling Fernhill. Goodbye.",
    sorry="I'm sorry, I can't sort this out myself. I'm passing you to the desk.",
)

_ASKS_NAME: Final = r"\b(your|full|first|last|and) (\w+ )?name\b"
_ELSE: Final = r"\b(anything|something|what) else\b"

_PRICE_TASK: Final = Task(
    pack="bicycle-repair",
    id="B-E1",
    title="Ask what a standard tune-up costs",
    category="prices",
    tier=Tier.EASY,
    structure=Structure(tool_calls=1, constrained_args=1, rows_written=0),
    intent=Intent(
        opening="Hello, how much is a standard tune-up at the moment?",
        conduct=("You only want the price.", "You don't book anything and you don't give your name."),
        closing="Thank you, bye.",
        satisfied=("heard:price",),
    ),
    traits=(Trait("service", ValueKind.TEXT, "standard tune-up"),),
    rules=(
        Rule(
            id="which-service",
            when="The agent asks which service the caller means",
            not_when=("when telling a price",),
            line="The standard tune-up.",
            cues=Cues(
                all_of=(r"\b(which|what)\b.*\b(service|one|kind|work)\b",), none_of=(r"\$|dollars", _ELSE)
            ),
            tests=(
                CueTest("Which service would you like to know about?", True),
                CueTest("What kind of service is that, a tune-up or a brake overhaul?", True),
                CueTest("Sorry, which one is it: tune-up, brakes, or wheel?", True),
                CueTest("A standard tune-up is $85.00.", False),
                CueTest("What is your full name?", False),
                CueTest("Is there anything else I can do for you?", False, ("heard:price",)),
            ),
        ),
        Rule(
            id="who",
            when="The agent asks for a name or a phone number",
            line="I'd rather not say, I only want the price.",
            cues=Cues(all_of=(rf"{_ASKS_NAME}|\bphone number\b",), none_of=(_ELSE,)),
            tests=(
                CueTest("May I have your full name?", True),
                CueTest("What is your phone number?", True),
                CueTest("Could you tell me your name and phone number first?", True),
                CueTest("Which service would you like?", False),
                CueTest("A standard tune-up is eighty-five dollars.", False),
                CueTest("Let me look that up.", False),
            ),
        ),
        Rule(
            id="done",
            when="The agent asks whether there is anything else, after it has told the price",
            not_when=("before the price has been told",),
            line="No, that's all. Thank you, bye.",
            cues=Cues(all_of=(_ELSE + r"|\b(more|other)\b.*\bhelp\b",)),
            after=("heard:price",),
            ends_call=True,
            tests=(
                CueTest("Is there anything else I can do for you?", True, ("heard:price",)),
                CueTest("What else can I help you with?", True, ("heard:price",)),
                CueTest("Can I do something else for you today?", True, ("heard:price",)),
                CueTest("Is there anything else I can do for you?", False),
                CueTest("Which service would you like?", False),
                CueTest("May I have your full name?", False, ("heard:price",)),
            ),
        ),
    ),
    expected=(ExpectedCall("get_service_price", arguments={"service": "tune_up"}),),
    topics=(Topic("price", Cues(all_of=(r"\$ ?85|\beighty[ -]five\b|\b85\b",))),),
    forbidden_tools=("confirm_repair",),
)

_BOOKING_TASK: Final = Task(
    pack="bicycle-repair",
    id="B-H1",
    title="Book a brake overhaul once the price is read back",
    category="repairs",
    tier=Tier.HARD,
    structure=Structure(tool_calls=5, constrained_args=6, rows_written=4),
    intent=Intent(
        opening="Hi, I'd like to bring my bike in for a brake overhaul.",
        conduct=(
            "Give your name, phone number, ZIP code and frame digits when you are asked for them.",
            "Agree to the price once it has been read back to you.",
            "Ask for the note about the squeal when you are asked what the mechanic should know.",
        ),
        closing="Thank you, goodbye.",
        satisfied=("heard:booked", "said:note"),
    ),
    traits=(
        Trait("full_name", ValueKind.NAME, "Nadia Okafor"),
        Trait("phone", ValueKind.PHONE, "541-555-0148"),
        Trait("postal_code", ValueKind.ZIP, "97405"),
        Trait("frame_last4", ValueKind.DIGITS, "7730"),
        Trait("service", ValueKind.TEXT, "brake overhaul"),
    ),
    rules=(
        Rule(
            id="identity",
            when="The agent asks for the caller's name, the phone number, or both",
            not_when=("when asking for the ZIP code or the frame number",),
            line="Nadia Okafor, 541-555-0148.",
            cues=Cues(
                all_of=(rf"{_ASKS_NAME}|\bphone( number)?\b",),
                none_of=(r"\b(zip|postal|frame)\b", r"\bcall you\b", _ELSE),
            ),
            order=10,
            tests=(
                CueTest("What is your full name, and the phone number we have on file?", True),
                CueTest("Can I get your name, please?", True),
                CueTest("Please say your full name again, and the phone number slowly.", True),
                CueTest("What is your ZIP code, and the last four digits of the frame number?", False),
                CueTest("Which service would you like?", False),
                CueTest("Thank you, Nadia.", False),
            ),
        ),
        Rule(
            id="verify",
            when="The agent asks for the ZIP code, the last four of the frame number, or both",
            not_when=("when asking for a name or a phone number only",),
            line="ZIP 97405, and the frame number ends in 7730.",
            cues=Cues(
                all_of=(r"\b(zip|postal) ?code\b|\bframe\b|\bfour digits\b",), none_of=(r"\bphone\b", _ELSE)
            ),
            order=20,
            tests=(
                CueTest(
                    "What is your ZIP code, and what are the last four digits of the frame number?", True
                ),
                CueTest("Please say the ZIP code and the four digits again, one by one.", True),
                CueTest("Could you read me the last four of the frame?", True),
                CueTest("What is your full name and phone number?", False),
                CueTest("A brake overhaul for your Larkspur 7 is $64.00. Shall I book it?", False),
                CueTest("Is there anything our mechanic should know?", False),
            ),
        ),
        Rule(
            id="service",
            when="The agent asks which service or what is wrong with the bicycle",
            not_when=("when reading a price back",),
            line="A brake overhaul, please.",
            cues=Cues(
                all_of=(r"\b(which|what)\b.*\b(service|one|kind|repair|work|wrong)\b",),
                none_of=(r"\$|dollars", _ELSE, r"\bmechanic\b", r"\bwrite down\b"),
            ),
            order=30,
            tests=(
                CueTest(
                    "Which service would you like: a standard tune-up, a brake overhaul, or wheel truing?",
                    True,
                ),
                CueTest("What kind of repair do you need?", True),
                CueTest("Sorry, which one is it: tune-up, brakes, or wheel?", True),
                CueTest("What is your full name, and the phone number we have on file?", False),
                CueTest("Sorry, what should I write down for our mechanic?", False),
                CueTest("A brake overhaul is $64.00. Shall I book it?", False),
            ),
        ),
        Rule(
            id="accept",
            when="The agent reads back the price of sixty-four dollars and asks whether to book",
            not_when=("before a price has been read back", "after the booking is made"),
            line="Yes, please book it for sixty-four dollars.",
            cues=Cues(
                all_of=(
                    r"\b(shall|should|may|can|want|like)\b.*\b(book|schedule|go ahead|proceed)\b|\bbook it\b",
                ),
                none_of=(r"\bis booked\b", r"\b(which|what)\b.*\b(service|one)\b"),
            ),
            after=("heard:price",),
            unless=("heard:booked",),
            order=40,
            tests=(
                CueTest("A brake overhaul for your Larkspur 7 is $64.00. Shall I book it?", True),
                CueTest("That comes to sixty-four dollars. Would you like me to go ahead and book?", True),
                CueTest("Should I book it?", True, ("heard:price",)),
                CueTest("Shall I book it?", False),
                CueTest("Your brake overhaul is booked for $64.00.", False, ("heard:price", "said:accept")),
                CueTest("What is your ZIP code?", False, ("heard:price",)),
            ),
        ),
        Rule(
            id="note",
            when="The agent asks whether the workshop or the mechanic should know anything",
            not_when=("when only saying that it has been written down",),
            line="Please note that the rear brake squeals in the rain.",
            cues=Cues(
                all_of=(r"\b(mechanic|workshop)\b.*\bknow\b|\bwrite down\b|\b(add|leave) a note\b",),
                none_of=(r"\bwritten that down\b",),
            ),
            first_n=2,
            order=45,
            tests=(
                CueTest("Is there anything our mechanic should know?", True),
                CueTest("Sorry, what should I write down for our mechanic?", True),
                CueTest("Would you like to leave a note for the workshop?", True),
                CueTest("I've written that down for the workshop.", False, ("said:note",)),
                CueTest("Is there anything else I can do for you?", False, ("said:note",)),
                CueTest("Let me look that up.", False),
            ),
        ),
        Rule(
            id="done",
            when="The agent asks whether there is anything else, with the repair booked and the note taken",
            not_when=("before the repair is booked",),
            line="That's everything, thank you. Bye.",
            cues=Cues(all_of=(_ELSE + r"|\b(more|other)\b.*\bhelp\b",), none_of=(r"\bmechanic\b",)),
            after=("heard:booked", "said:note"),
            order=60,
            ends_call=True,
            tests=(
                CueTest("Is there anything else I can do for you?", True, ("heard:booked", "said:note")),
                CueTest("What else can I help with?", True, ("heard:booked", "said:note")),
                CueTest("Can I do something else for you?", True, ("heard:booked", "said:note")),
                CueTest("Is there anything else I can do for you?", False),
                CueTest("Is there anything our mechanic should know?", False, ("heard:booked",)),
                CueTest("I've written that down for the workshop.", False, ("heard:booked", "said:note")),
            ),
        ),
    ),
    expected=(
        ExpectedCall("find_customer", arguments={"full_name": "Nadia Okafor", "phone": "541-555-0148"}),
        ExpectedCall("verify_owner", arguments={"postal_code": "97405", "frame_last4": "7730"}),
        ExpectedCall("quote_repair", arguments={"service": "brakes"}),
        ExpectedCall(
            "confirm_repair", arguments={"price_accepted": True}, carry={"quote_id": "quote_repair.quote_id"}
        ),
        ExpectedCall("leave_note", free_text={"note": "The rear brake squeals in the rain."}),
    ),
    topics=(
        Topic("price", Cues(all_of=(r"\$ ?64|\bsixty[ -]four\b|\b64\b",))),
        Topic(
            "booked",
            Cues(
                all_of=(r"\b(is|are|have|been|'ve) (now )?booked\b|\bbooked (you )?in\b",),
                none_of=(r"\balready\b",),
            ),
        ),
    ),
)

TASKS: Final = (_PRICE_TASK, _BOOKING_TASK)
