"""The closed vocabularies of the front desk: plans, reasons for a visit, visit types, services, medications.

Database and tools are both made from these, so a word that a tool takes always stands in its table.
"""

from __future__ import annotations

from typing import Final

import attrs

from offhook.packs import Choice

__all__ = [
    "ALLERGY_SERVICES",
    "ALLERGY_VISITS",
    "CONCERNS",
    "COSMETIC_SERVICES",
    "MEDICATIONS",
    "PLANS",
    "VISIT_TYPES",
    "Concern",
    "CosmeticService",
    "Medication",
    "Plan",
    "VisitType",
]


@attrs.frozen
class Plan:
    """An insurance plan. ``share`` is how many of 100 offices take it; ``note`` is what to add when asked."""

    choice: Choice
    title: str
    share: int
    needs_referral: bool = False
    note: str = ""


@attrs.frozen
class VisitType:
    choice: Choice
    title: str
    family: str
    minutes: int


@attrs.frozen
class Concern:
    """A reason for a visit, the visit it needs, and whether one must ask if it can wait."""

    choice: Choice
    visit_type: str
    ask_urgency: bool = False


@attrs.frozen
class CosmeticService:
    choice: Choice
    title: str
    price: str
    typical: str


@attrs.frozen
class Medication:
    """A medication on the closed formulary. ``route`` is how a refill goes: see the table ``formulary``."""

    choice: Choice
    title: str
    route: str = "refill"


def _plan(
    value: str, title: str, share: int, aliases: tuple[str, ...], *, referral: bool = False, note: str = ""
) -> Plan:
    return Plan(Choice(value, f"insured with {title}", aliases), title, share, referral, note)


PLANS: Final = (
    _plan(
        "aetna",
        "Aetna",
        80,
        ("aetna", "etna", "aetna ppo"),
        note="Aetna's own HMO products are checked under their names",
    ),
    _plan(
        "aetna_open_access_elect_choice",
        "Aetna Open Access Elect Choice",
        35,
        (
            "open access elect choice",
            "elect choice",
            "aetna open access",
            "aetna elect choice",
            "etna open access elect choice",
            "open access select choice",
            "aetna open access select choice",
        ),
        note="no referral is needed inside the network, and there is no cover outside it",
    ),
    _plan(
        "aetna_medicare_advantage",
        "Aetna Medicare Advantage",
        45,
        ("aetna medicare advantage", "aetna medicare", "etna medicare"),
    ),
    _plan("cigna", "Cigna", 75, ("cigna", "signa", "sigma", "signal")),
    _plan(
        "unitedhealthcare",
        "UnitedHealthcare",
        60,
        ("united healthcare", "united health care", "united health", "uhc"),
    ),
    _plan("oxford", "Oxford", 50, ("oxford health", "oxford health plans")),
    _plan("oscar", "Oscar Health", 30, ("oscar health", "oscar insurance")),
    _plan(
        "blue_cross",
        "Blue Cross Blue Shield",
        70,
        ("blue cross blue shield", "bluecross blueshield", "bluecross", "blue shield", "bcbs"),
    ),
    _plan("emblemhealth", "EmblemHealth", 40, ("emblem health", "emblem"), referral=True),
    _plan("fidelis", "Fidelis Care", 25, ("fidelis care",), referral=True),
    _plan("healthfirst", "Healthfirst", 25, ("health first",), referral=True),
    _plan("humana", "Humana", 40, ("humana gold",)),
    _plan(
        "medicare",
        "Medicare",
        90,
        ("original medicare", "medicare part b", "medicare b"),
        note="this is Original Medicare; an Advantage plan is checked under the name on its card",
    ),
    _plan("medicaid", "Medicaid", 15, ("state medicaid",), referral=True),
    _plan("tricare", "TRICARE", 30, ("tri care",), referral=True),
    _plan("magnacare", "MagnaCare", 35, ("magna care",)),
)


def _visit(
    value: str, title: str, family: str, minutes: int, meaning: str, aliases: tuple[str, ...] = ()
) -> VisitType:
    return VisitType(Choice(value, meaning, aliases), title, family, minutes)


VISIT_TYPES: Final = (
    _visit(
        "medical_visit",
        "medical visit",
        "medical",
        20,
        "seeing a dermatologist about a skin, hair or nail problem",
        ("new patient visit", "first visit"),
    ),
    _visit(
        "follow_up",
        "follow-up visit",
        "medical",
        15,
        "looking at the same spot again a few weeks on",
        ("follow-up", "followup", "follow-up visit", "follow-up appointment"),
    ),
    _visit(
        "skin_check",
        "skin check",
        "medical",
        30,
        "having a mole or the whole skin looked over",
        ("full skin exam", "mole check", "body check"),
    ),
    _visit(
        "mohs_consult",
        "Mohs surgery consult",
        "surgical",
        45,
        "talking about surgery for a skin cancer that was found",
        ("mohs", "moes", "mohs consult", "mohs evaluation"),
    ),
    _visit(
        "excision",
        "excision",
        "surgical",
        45,
        "having a cyst or growth cut out",
        ("removal", "cyst removal"),
    ),
    _visit(
        "allergy_evaluation",
        "allergy evaluation",
        "allergy",
        40,
        "finding out with a doctor whether something is an allergy",
        ("allergy visit", "allergy consult"),
    ),
    _visit(
        "allergy_skin_testing",
        "allergy skin test",
        "allergy",
        60,
        "being tested for allergies with small pricks on the skin",
        ("skin testing", "allergy testing", "allergy test"),
    ),
    _visit(
        "patch_testing",
        "patch test",
        "allergy",
        30,
        "having patches put on the back to find a contact allergy",
        ("patch test", "patches"),
    ),
    _visit(
        "allergy_shot",
        "allergy shot",
        "allergy",
        15,
        "getting the next shot of a series against allergies",
        ("allergy shots", "allergy injection", "immunotherapy"),
    ),
    _visit(
        "cosmetic_consult",
        "cosmetic consult",
        "cosmetic",
        30,
        "talking about a treatment for looks, paid by oneself",
        ("cosmetic", "cosmetic consultation", "consult", "consultation", "cosmetic appointment"),
    ),
)


def _concern(
    value: str, visit_type: str, meaning: str, aliases: tuple[str, ...] = (), *, ask: bool = False
) -> Concern:
    return Concern(Choice(value, meaning, aliases), visit_type, ask)


CONCERNS: Final = (
    _concern("acne", "medical_visit", "pimples and breakouts", ("breakouts", "pimples")),
    _concern(
        "rash",
        "medical_visit",
        "red, itching or painful skin that came up lately or spreads",
        ("rashes", "shingles"),
        ask=True,
    ),
    _concern("eczema", "medical_visit", "dry, itching patches that keep coming back", ("dermatitis",)),
    _concern("psoriasis", "medical_visit", "thick, scaly plaques on elbows, knees or scalp"),
    _concern("hair_loss", "medical_visit", "losing or thinning hair", ("losing hair", "thinning hair")),
    _concern(
        "nail_problem", "medical_visit", "a nail that is discoloured, thick or ingrown", ("nail fungus",)
    ),
    _concern("wart", "medical_visit", "warts on hands or feet", ("warts",)),
    _concern(
        "mole_check",
        "skin_check",
        "a mole or spot that has changed or looks odd",
        ("mole", "moles", "a spot"),
        ask=True,
    ),
    _concern(
        "full_skin_exam",
        "skin_check",
        "a yearly look over the whole skin",
        ("skin exam", "full body check", "skin cancer screening", "yearly skin check"),
    ),
    _concern(
        "skin_cancer",
        "mohs_consult",
        "a skin cancer that a biopsy has found and that has to come off",
        ("skin cancer", "basal cell", "squamous cell", "melanoma", "mohs"),
        ask=True,
    ),
    _concern(
        "cyst_or_growth", "excision", "a cyst, lump or skin tag to be cut out", ("cyst", "lump", "skin tag")
    ),
    _concern(
        "hives_or_allergy",
        "allergy_evaluation",
        "hives, or a reaction to food, pollen or pets",
        ("hives", "allergies", "allergic reaction"),
        ask=True,
    ),
    _concern(
        "contact_allergy",
        "patch_testing",
        "skin that reacts to creams, metal or cosmetics where they touch it",
        ("contact dermatitis",),
    ),
    _concern(
        "follow_up",
        "follow_up",
        "looking at the same spot again a few weeks on",
        ("follow-up", "followup"),
    ),
)

ALLERGY_SERVICES: Final = (
    Choice(
        "skin_testing",
        "being tested for allergies with small pricks on the skin",
        ("skin test", "allergy skin testing", "allergy testing", "allergy test"),
    ),
    Choice("patch_testing", "patches on the back that find a contact allergy", ("patch test", "patch tests")),
    Choice(
        "allergy_shot",
        "the next shot of a series against allergies",
        ("allergy shots", "shot", "allergy injection", "injection"),
    ),
    Choice(
        "allergy_evaluation",
        "seeing the allergy doctor to find out what it is",
        ("evaluation", "allergy visit"),
    ),
)
ALLERGY_VISITS: Final = (
    ("skin_testing", "allergy_skin_testing"),
    ("patch_testing", "patch_testing"),
    ("allergy_shot", "allergy_shot"),
    ("allergy_evaluation", "allergy_evaluation"),
)
"""Which visit type each allergy service is."""


def _service(
    value: str, title: str, price: str, typical: str, meaning: str, aliases: tuple[str, ...] = ()
) -> CosmeticService:
    return CosmeticService(Choice(value, meaning, aliases), title, price, typical)


COSMETIC_SERVICES: Final = (
    _service(
        "botox",
        "Botox",
        "$14.00 a unit",
        "most areas take 20 to 40 units, so $280.00 to $560.00",
        "injections that relax frown lines and wrinkles",
        ("botulinum", "wrinkle injections"),
    ),
    _service(
        "cheek_filler",
        "cheek filler",
        "$850.00 a syringe",
        "most people take one or two syringes",
        "filler injected to lift the cheeks",
        ("cheek fillers", "cheeks", "filler for my cheeks"),
    ),
    _service(
        "lip_filler",
        "lip filler",
        "$700.00 a syringe",
        "one syringe is usual",
        "filler injected to make lips fuller",
        ("lip fillers", "lips"),
    ),
    _service(
        "microneedling",
        "microneedling",
        "$375.00 a session",
        "a series is three sessions, four weeks apart",
        "fine needles against scars and pores",
        ("micro needling", "needling"),
    ),
    _service(
        "chemical_peel",
        "a chemical peel",
        "$175.00 a session",
        "a series is three to six sessions",
        "an acid that renews the surface of the skin",
        ("peel", "chemical peels"),
    ),
    _service(
        "laser_hair_removal",
        "laser hair removal",
        "$200.00 a session for a small area",
        "six to eight sessions are usual",
        "removing hair for good with a laser",
        ("hair removal",),
    ),
    _service(
        "laser_resurfacing",
        "laser resurfacing",
        "$950.00 a session for the face",
        "one to three sessions are usual",
        "a laser against deep lines and scars",
        ("resurfacing",),
    ),
    _service(
        "ipl_photofacial",
        "an IPL photofacial",
        "$325.00 a session",
        "three sessions are usual",
        "light against red and brown spots",
        ("ipl", "photofacial", "photo facial"),
    ),
    _service(
        "kybella_chin",
        "Kybella for the chin",
        "$600.00 a vial",
        "two to four vials in all are usual",
        "injections that dissolve fat under the chin",
        ("kybella", "double chin"),
    ),
    _service(
        "tattoo_removal",
        "tattoo removal",
        "$250.00 a session for a small tattoo",
        "six to ten sessions are usual",
        "taking a tattoo off with a laser",
        ("tattoo",),
    ),
)


def _medication(
    value: str, title: str, meaning: str, aliases: tuple[str, ...] = (), *, route: str = "refill"
) -> Medication:
    return Medication(Choice(value, meaning, aliases), title, route)


MEDICATIONS: Final = (
    _medication(
        "triamcinolone",
        "triamcinolone cream",
        "a steroid cream for itching patches",
        ("triamcinolone cream", "triamcinolone acetonide", "kenalog"),
    ),
    _medication(
        "isotretinoin",
        "isotretinoin",
        "the strong acne capsules that need a check every month",
        ("accutane", "acutane", "absorica", "claravis"),
        route="programme",
    ),
    _medication(
        "tretinoin", "tretinoin cream", "an acne and wrinkle cream for the night", ("retin a", "retin-a")
    ),
    _medication("clindamycin", "clindamycin lotion", "an antibiotic lotion for acne", ("cleocin",)),
    _medication("doxycycline", "doxycycline", "an antibiotic capsule for acne or rosacea", ("doxy",)),
    _medication("hydrocortisone", "hydrocortisone cream", "a mild steroid cream", ("cortisone",)),
    _medication(
        "ketoconazole", "ketoconazole shampoo", "a shampoo against fungus and dandruff", ("nizoral",)
    ),
    _medication("spironolactone", "spironolactone", "a tablet for hormonal acne", ("aldactone",)),
    _medication("clobetasol", "clobetasol ointment", "a strong steroid ointment", ("temovate",)),
    _medication("tacrolimus", "tacrolimus ointment", "a steroid-free eczema ointment", ("protopic",)),
    _medication(
        "methotrexate",
        "methotrexate",
        "a weekly tablet for psoriasis that needs blood tests",
        ("trexall",),
        route="programme",
    ),
    _medication(
        "dupilumab",
        "dupilumab",
        "an injection for eczema every two weeks",
        ("dupixent", "do pixent"),
        route="authorization",
    ),
)
