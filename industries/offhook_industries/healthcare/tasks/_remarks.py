"""What an agent says that no caller has to answer: remarks, told by what they hold and by what they lack.

They go with the patterns of `offhook_industries.healthcare.tasks._cues`. A remark that is recognised by its
full stop is not recognised without one: unpunctuated words may be a question.
"""

from __future__ import annotations

from typing import Final

from offhook_industries.common.cues import any_of

__all__ = ["ASKING", "REMARKS", "STATEMENT"]

ASKING: Final = (
    r"\?|\b(?:may|can|could|shall|should|would|do|did|are|have|will) (?:i|you|we)\b"
    r"|(?:^\W*(?:(?:and|so|okay|ok|now|alright|then|great|well)\W+)*|[,;] |\b(?:and|so|but|or) )"
    r"(?:is|was|are|does|did|do|will|would|could|can|has|should) (?:that|this|it|the|your|there|they)\b"
    r"|\b(?:please|tell me|give me|i(?:'ll)? (?:just |also )?need|want me|like me|let me know|who's|when's"
    r"|where's|how's)\b"
    r"|(?<!checking )(?<!see )(?<!know )(?<!up )(?<!, )\b(?:what|whats|what's|which|who|whose|when|where"
    r"|how|why)\b"
    r"|,? (?:right|correct|yes|yeah|okay|ok|alright|all right)\W*$"
)
STATEMENT: Final = rf"^(?!.*(?:{ASKING})).*[.!]$"
"""What ends in a full stop and asks for nothing. Unpunctuated words may be a question."""
_FIRST: Final = (
    r"(?:okay|ok|alright|all right|great|good|perfect|got it|right|understood|thanks|thank you|i"
    r" understand|i see"
    r"|i hear you|sure|so|yes|well|lovely|fine|of course|no problem|noted)"
)
_BUT: Final = r"\b(?:but|though|however|unfortunately|and (?:i've|it's|your|we))\b"
_WELL: Final = (
    r"(?:good|great|okay|ok|perfect|thanks|thank you|lovely|wonderful|got it|noted|fine|understood|i see"
    r"|i understand)"
)
_DOING: Final = (
    r"(?:sending|texting|e-?mailing|adding|putting|placing|cancell?ing|moving|switching|booking|reserving"
    r"|typing|writing|noting|making|setting|getting (?:the|that|it|your|you)|scrolling|reading|checking"
    r"|pulling|opening|saving|filing"
    r"|filling|entering|scheduling|searching)"
)
_TELLS: Final = (
    r"\b(?:is|are|was|were|has|have|do|does|don't|doesn't|not|no|yes|yep|takes?|takes|accepts?|can|can't"
    r"|costs?"
    r"|runs?|starts?|owe|owes|will|free|open|full)\b|'(?:s|re|ve|ll)\b|[0-9$]"
)
REMARKS: Final = any_of(
    # What was just heard, said again: "Okay, so you'd like to cancel it."
    rf"^(?!.*(?:{ASKING}|{_BUT}))(?:\W*{_FIRST}\b)+(?: \w+){{0,1}}?\W*you(?:'d| would| do| did)? ?(?:just"
    rf" |only |still )*"
    r"(?:like|want|need|wish|don't want|don't need|don't have|said|mentioned|asked|take no|'re (?:asking"
    r"|calling|looking"
    r"|(?:\w+ )?(?:fine|okay|ok|happy|good|comfortable|all right|alright) with|not taking|new|his|her"
    r"|their|the"
    r" (?:mom|mother|parent)))\b.*[.!]$",
    rf"^(?!.*(?:{ASKING}))(?:\W*\w+)?\W*so (?:it's|that's|it is|that is|no|you|you're|none|a|an"
    rf"|the)\b[^?]*, {_WELL}[.!]$",
    rf"^(?!.*(?:{ASKING}))(?!.*(?:{_TELLS})).*, (?:{_WELL}|sure|of course)(?:,? {_WELL})*[.!]$",
    r"^(?!.*\?).*\bi(?:'ve| have) (?:noted|written|put|got) (?:that|it|this)(?: (?:down|in|here))?[.!]$",
    r"^(?!.*\?).*\b(?:is|that's|it's|all)?(?: \w+){0,4} noted[.!]$",
    r"\byou don't recogni[sz]e\b[^?]*[.!]$|\bi understand (?:that's|that is|it's|this is|that must) an?"
    r" ?\w*[.!]$",
    r"^(?:i understand|understood|i see), \w+ doesn't work\b|\bno \w+ needed\b(?!.*\b(?:your?|we|at)\b)",
    rf"^(?!.*(?:\?|{_BUT}|\b(?:your|our|at the)\b))(?:\W*{_FIRST}\b)*\W*you don't (?:take|have to|need to"
    rf"|want)\b.*[.!]$",
    rf"^(?!.*(?:{ASKING}|{_BUT})).*\b(?:i|we) won't (?:look|cancel|move|book|touch|change|text"
    rf"|send)\b.*[.!]$",
    # What is being done right now: "I'm sending the text now."
    rf"^(?!.*(?:{ASKING}))(?!.*\b(?:and|but) (?:it|they|there|we|yes|no|the|that)\b).*\b(?:i'm|i am) "
    rf"(?:just |now |also |already |still )*{_DOING}\b(?! (?:you (?:through|in touch|with)"
    rf"|[^.?!]{{0,25}}(?:dollars|\$)))",
    # A topic and the wait for it: "The waitlist, sure, one second."
    rf"^(?!.*(?:{ASKING}|\b(?:connect|transfer)|\bget (?:someone|somebody|you)\b))(?:(?!{_TELLS})[^?])*,"
    rf" (?:(?:sure|okay|ok|yes|right|of course|so),? )*(?:let me|(?:just )?(?:one|a)"
    r" (?:moment|second|sec|minute)|hold on|hang on|bear with me)\b[^,?]*$",
    r"^(?!.*\b(?:connect|transfer)\w*\b).*\b(?:put|place|have|putting|placing|keep) you on (?:a )?(?:\w+"
    r" )?hold\b"
    r"|\b(?:mind holding|mind if i put you on|okay to hold|can you hold|could you hold)\b",
    rf"^(?!.*(?:{ASKING})).*\b(?:once|when|whenever) you(?:'re| are) (?:all"
    rf" )?booked\b[^.?!]{{0,30}}\b(?:number|name)\b",
    r"\b(?:people|patients|folks|everyone|everybody) (?:\w+ )?(?:ask|asks|wonder|wonders)\b"
    r"|\b(?:people|patients|folks) can always\b|\b(?:is|are) an? (?:\w+ )?question\b"
    r"|\b(?:normal|common|natural|understandable) (?:not )?to\b|\btake (?:that|your|this) (?:question"
    r"|call)\b",
    r"^(?!.*(?:\?|\b(?:what|which|who|may i|can i|could)\b)).*\bgive me (?:just )?(?:a|one) (?:moment"
    r"|second|sec"
    r"|minute) (?:to|while|and i'll)\b",
)
"""A remark: what was heard said again, what is being done, or a hold with its topic. No rule answers one."""
