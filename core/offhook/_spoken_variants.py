"""Words with two usual spellings, folded to one: contractions, abbreviations, closed compounds, British and
American forms. Only pairs that sound alike, or that recognisers write for one another, belong here.

No word of a right-hand side is the left-hand side of another entry; folding ends after one step.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

# Sounds of hesitation. Words ("like", "well", "you know") and answers ("mm-hmm", "uh-huh") are no fillers,
# and "er" is kept: it is also the emergency room.
FILLERS: Final = frozenset({"um", "umm", "ummm", "uh", "uhh", "uhm", "erm", "hm", "hmm", "hmmm"})

_NOT_WORDS: Final = "do does did is are was were have has had would could should must need might ought are"
CONTRACTIONS: Final = MappingProxyType(
    {
        **{f"{verb}nt": f"{verb} not" for verb in _NOT_WORDS.split()},
        "won't": "will not",
        "can't": "can not",
        "cant": "can not",
        "cannot": "can not",
        "shan't": "shall not",
        "ain't": "is not",
        "aint": "is not",
        "let's": "let us",
        "y'all": "you all",
        "gonna": "going to",
        "wanna": "want to",
        "gotta": "got to",
        "gimme": "give me",
        "lemme": "let me",
        "dunno": "do not know",
        "kinda": "kind of",
        "sorta": "sort of",
        "outta": "out of",
        "hafta": "have to",
        "coulda": "could have",
        "shoulda": "should have",
        "woulda": "would have",
        "c'mon": "come on",
        "im": "i am",
        "ive": "i have",
        "youre": "you are",
        "youve": "you have",
        "theyre": "they are",
        "theyve": "they have",
        "weve": "we have",
        "thats": "that is",
        "whats": "what is",
        "theres": "there is",
        "ma'am": "ma'am",
        "o'clock": "o'clock",
    }
)
ENDINGS: Final = (("n't", "not"), ("'m", "am"), ("'re", "are"), ("'ve", "have"), ("'ll", "will"))

ABBREVIATIONS: Final = MappingProxyType(
    {
        "okay": "ok",
        "okey": "ok",
        "mister": "mr",
        "missus": "mrs",
        "doctor": "dr",
        "professor": "prof",
        "junior": "jr",
        "senior": "sr",
        "street": "st",
        "saint": "st",
        "ave": "avenue",
        "blvd": "boulevard",
        "rd": "road",
        "ln": "lane",
        "hwy": "highway",
        "pkwy": "parkway",
        "apt": "apartment",
        "ste": "suite",
        "bldg": "building",
        "dept": "department",
        "appt": "appointment",
        "acct": "account",
        "approx": "approximately",
        "ext": "extension",
        "vs": "versus",
        "tel": "telephone",
        "pct": "percent",
        "incl": "including",
        "inc": "incorporated",
        "corp": "corporation",
        "ltd": "limited",
        "etc": "et cetera",
        "tues": "tuesday",
        "tue": "tuesday",
        "thu": "thursday",
        "thur": "thursday",
        "thurs": "thursday",
        "fri": "friday",
        "hyphen": "dash",
        "usd": "dollars",
    }
)
_CLOSED: Final = (
    "zip code|voice mail|web site|check up|follow up|pick up|drop off|set up|log in|sign up|sign in|"
    "call back|health care|good bye|any more|no one|a lot|work around|walk in|care giver|child care|"
    "sun screen|"
    "up front|back order|price match|in store|on line|off line|area code|pass word|user name|smart phone|"
    "cell phone|head phones|ear buds|sound bar|lap top|key board|post code|add on|trade in"
)
_SOUND_ALIKE: Final = {
    "yea": "yeah",
    "til": "till",
    "thru": "through",
    "tho": "though",
    "cuz": "because",
    "cos": "because",
    "mam": "ma'am",
    "oclock": "o'clock",
    "thankyou": "thank you",
    "byebye": "bye bye",
    "mhm": "mm hmm",
    "mmhm": "mm hmm",
    "mmhmm": "mm hmm",
    "nuhuh": "uhuh",
    "alright": "all right",
    "alrighty": "all righty",
    "percents": "percent",
    "cent": "cents",
}
_BRITISH_WORDS: Final = (
    "grey:gray greys:grays greyer:grayer centre:center centres:centers centred:centered theatre:theater "
    "metre:meter metres:meters kilometre:kilometer kilometres:kilometers centimetre:centimeter "
    "centimetres:centimeters millimetre:millimeter millimetres:millimeters litre:liter litres:liters "
    "millilitre:milliliter millilitres:milliliters fibre:fiber cheque:check cheques:checks defence:defense "
    "offence:offense licence:license licences:licenses licenced:licensed practise:practice "
    "practised:practiced practising:practicing enrol:enroll enrols:enrolls enrolment:enrollment "
    "fulfil:fulfill fulfils:fulfills fulfilment:fulfillment instalment:installment "
    "instalments:installments catalogue:catalog catalogues:catalogs dialogue:dialog tyre:tire tyres:tires "
    "kerb:curb storey:story storeys:stories plough:plow sceptical:skeptical ageing:aging "
    "judgement:judgment judgements:judgments acknowledgement:acknowledgment programme:program "
    "programmes:programs learnt:learned burnt:burned spelt:spelled dreamt:dreamed towards:toward "
    "afterwards:afterward jewellery:jewelry pyjamas:pajamas mould:mold moult:molt paediatric:pediatric "
    "paediatrician:pediatrician anaesthetic:anesthetic anaesthesia:anesthesia orthopaedic:orthopedic "
    "gynaecologist:gynecologist diarrhoea:diarrhea oestrogen:estrogen haemoglobin:hemoglobin "
    "oedema:edema eczematous:eczematous analyse:analyze analysed:analyzed analysing:analyzing "
    "paralysed:paralyzed counsellor:counselor counsellors:counselors travelled:traveled "
    "travelling:traveling traveller:traveler travellers:travelers cancelled:canceled "
    "cancelling:canceling labelled:labeled labelling:labeling modelled:modeled modelling:modeling "
    "fuelled:fueled totalled:totaled signalled:signaled dialled:dialed dialling:dialing "
    "channelled:channeled levelled:leveled fuelling:fueling woollen:woolen skilful:skillful "
    "wilful:willful draught:draft draughty:drafty whisky:whiskey aeroplane:airplane "
    "enquiry:inquiry enquiries:inquiries enquire:inquire cosy:cozy gaol:jail sulphur:sulfur"
)
_OUR: Final = "col fav hon behavi neighb lab flav hum harb rum arm od vap endeav sav parl tum vig"
_OUR_ENDINGS: Final = ("", "s", "ed", "ing", "ite", "ites", "able", "hood", "al", "y", "ful", "less")
_ISE: Final = (
    "organ recogn real apolog author custom final item priorit special summar util emphas categor minim "
    "maxim optim personal standard mobil memor critic local steril hospital immun initial capital "
    "digit visual moistur stabil normal legal general formal modern neutral penal symbol synchron"
)
_ISE_ENDINGS: Final = ("e", "ed", "es", "er", "ers", "ing", "ation", "ations")
_BRITISH: Final = {
    **dict(pair.split(":") for pair in _BRITISH_WORDS.split()),
    **{f"{stem}our{ending}": f"{stem}or{ending}" for stem in _OUR.split() for ending in _OUR_ENDINGS},
    **{f"{stem}is{ending}": f"{stem}iz{ending}" for stem in _ISE.split() for ending in _ISE_ENDINGS},
}
VARIANTS: Final = MappingProxyType(
    {
        **_BRITISH,
        **_SOUND_ALIKE,
        **{phrase.replace(" ", ""): phrase for phrase in _CLOSED.split("|")},
    }
)
# Letters said one by one that are written as a word.
_ACRONYMS_WORDS: Final = (
    "tv id pin usa atm ceo faq sms vip usb url gps dob ssn mri icu dna hd pc llc hmo ppo ct iv ok ups usps "
    "fbi irs cpa dui dvd lcd led oled hdmi cd spf std hiv ekg ecg otc rx gp asap eta rsvp diy mvp"
)
ACRONYMS: Final = frozenset(_ACRONYMS_WORDS.split())
# Written behind a number only; singular, plural.
UNITS: Final = MappingProxyType(
    {
        "lb": ("pound", "pounds"),
        "lbs": ("pound", "pounds"),
        "kg": ("kilogram", "kilograms"),
        "kgs": ("kilogram", "kilograms"),
        "kilos": ("kilogram", "kilograms"),
        "g": ("gram", "grams"),
        "mg": ("milligram", "milligrams"),
        "ml": ("milliliter", "milliliters"),
        "oz": ("ounce", "ounces"),
        "km": ("kilometer", "kilometers"),
        "cm": ("centimeter", "centimeters"),
        "mm": ("millimeter", "millimeters"),
        "mi": ("mile", "miles"),
        "ft": ("foot", "feet"),
        "hr": ("hour", "hours"),
        "hrs": ("hour", "hours"),
        "min": ("minute", "minutes"),
        "mins": ("minute", "minutes"),
        "sec": ("second", "seconds"),
        "secs": ("second", "seconds"),
        "yr": ("year", "years"),
        "yrs": ("year", "years"),
        "wk": ("week", "weeks"),
        "wks": ("week", "weeks"),
        "mo": ("month", "months"),
        "mos": ("month", "months"),
        "gb": ("gigabyte", "gigabytes"),
        "mb": ("megabyte", "megabytes"),
        "tb": ("terabyte", "terabytes"),
        "mph": ("mile per hour", "miles per hour"),
    }
)
