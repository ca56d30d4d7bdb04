"""The benchmark's published tables: the structure of all 90 tasks, and what each tier comes to."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from statistics import fmean

import pytest

from offhook.host import PluginHost
from offhook.packs import Task, Tier

# Pack, id, title, tier, tool calls, constrained arguments, rows written.
PUBLISHED = (
    ("customer-support", "R-E1", "Demands a person immediately", "easy", 1, 1, 1),
    ("customer-support", "R-H3", "Return label on a swollen power bank", "hard", 9, 9, 3),
    ("customer-support", "R-H4", "Scam report, then the Bellwether return window", "hard", 7, 12, 1),
    ("customer-support", "R-M3", "Caller reads out a full card number", "medium", 4, 5, 0),
    ("customer-support", "R-M4", "Fake 399 charge, no money sent", "medium", 3, 7, 1),
    ("customer-support", "T1-E1", "Haul-away with a delivery", "easy", 1, 1, 0),
    ("customer-support", "T1-H2", "Late range delivery change", "hard", 5, 6, 3),
    ("customer-support", "T1-H4", "Cancel a shipped laptop, then the return window", "hard", 4, 5, 0),
    ("customer-support", "T1-M2", "Cancel an unshipped speaker", "medium", 4, 5, 2),
    ("customer-support", "T1-M4", "Quote a late range delivery change", "medium", 4, 6, 1),
    ("customer-support", "T2-E1", "General return window", "easy", 1, 1, 0),
    ("customer-support", "T2-H1", "Return a phone with the restocking fee", "hard", 7, 9, 3),
    ("customer-support", "T2-H4", "Return the phone, label, then refund status", "hard", 8, 10, 3),
    ("customer-support", "T2-M1", "Activatable window as a Total member", "medium", 4, 5, 0),
    ("customer-support", "T2-M2", "Laptop past the 15-day window", "medium", 4, 5, 0),
    ("customer-support", "T3-E1", "Third-party repair and the warranty", "easy", 0, 0, 0),
    ("customer-support", "T3-H1", "Book a Total-covered bench repair", "hard", 5, 9, 1),
    ("customer-support", "T3-H3", "Book a bench visit then cancel it", "hard", 6, 9, 1),
    ("customer-support", "T3-M1", "Total coverage on a laptop that will not charge", "medium", 4, 6, 0),
    ("customer-support", "T3-M2", "Dropped-phone protection-plan deductible", "medium", 4, 6, 0),
    ("customer-support", "T4-E1", "Plus and Total membership pricing", "easy", 2, 2, 0),
    ("customer-support", "T4-H1", "Cancel Plus after one save offer", "hard", 5, 5, 3),
    ("customer-support", "T4-H3", "Cancel Total after the proration readback", "hard", 5, 5, 3),
    ("customer-support", "T4-M2", "Already on Total", "medium", 3, 4, 0),
    ("customer-support", "T4-M3", "No membership on the account", "medium", 3, 4, 0),
    ("customer-support", "T5-E1", "Price Match Guarantee policy", "easy", 1, 1, 0),
    ("customer-support", "T5-H1", "Halo soundbar price match at Rivertide", "hard", 5, 7, 2),
    ("customer-support", "T5-H2", "Marketplace headphone price match", "hard", 5, 5, 1),
    ("customer-support", "T5-M1", "Price match on an open-box TV", "medium", 4, 5, 0),
    ("customer-support", "T5-M4", "Price not lower on the Halo", "medium", 4, 7, 0),
    ("healthcare", "C1-E1", "Aetna coverage at Park Avenue", "easy", 1, 2, 0),
    ("healthcare", "C1-H2", "Hours, Medicare, then an urgent rash booking", "hard", 5, 13, 1),
    ("healthcare", "C1-H3", "Oscar Health coverage then a new-patient booking", "hard", 6, 16, 2),
    ("healthcare", "C1-M2", "Cigna coverage then a new-patient booking", "medium", 4, 11, 1),
    ("healthcare", "C1-M3", "Allergy skin testing at Park Avenue", "medium", 1, 2, 1),
    ("healthcare", "C2-E1", "Medical cancellation policy", "easy", 0, 0, 0),
    ("healthcare", "C2-H2", "Allergy shot for a child", "hard", 6, 9, 1),
    ("healthcare", "C2-H3", "Cancel the August 21 cosmetic consult", "hard", 7, 11, 2),
    ("healthcare", "C2-M2", "Cancel a September follow-up", "medium", 2, 4, 1),
    ("healthcare", "C2-M4", "Move the September Windermere follow-up", "medium", 3, 6, 1),
    ("healthcare", "C3-E1", "UnitedHealthcare at Brooklyn Heights", "easy", 1, 2, 0),
    ("healthcare", "C3-H1", "Aetna Open Access Elect Choice at Park Avenue", "hard", 6, 16, 2),
    ("healthcare", "C3-H2", "Out-of-pocket cost without a member ID", "hard", 6, 16, 2),
    ("healthcare", "C3-M1", "Copay for a Park Avenue visit", "medium", 1, 4, 0),
    ("healthcare", "C3-M3", "Medicare at Windermere then a booking", "medium", 4, 11, 1),
    ("healthcare", "C4-E1", "Botox cost inquiry", "easy", 1, 1, 0),
    ("healthcare", "C4-H2", "Botox on an existing cosmetic consult", "hard", 5, 6, 0),
    ("healthcare", "C4-H4", "Existing patient Botox after Windermere cannot do cosmetic", "hard", 9, 15, 1),
    ("healthcare", "C4-M1", "Microneedling consult", "medium", 5, 9, 1),
    ("healthcare", "C4-M2", "Cheek filler consult", "medium", 4, 8, 1),
    ("healthcare", "C5-E1", "Paying by card over the phone", "easy", 0, 0, 0),
    ("healthcare", "C5-H1", "Large balance, cannot pay in full", "hard", 9, 11, 1),
    ("healthcare", "C5-H2", "Balance question then move August 20 visit", "hard", 5, 7, 1),
    ("healthcare", "C5-M1", "Unrecognized bill", "medium", 3, 3, 0),
    ("healthcare", "C5-M4", "Explain the visit charge, do not pay", "medium", 3, 3, 0),
    ("healthcare", "R-E1", "Ask for a person", "easy", 1, 2, 0),
    ("healthcare", "R-H1", "What the biopsy results say", "hard", 8, 15, 1),
    ("healthcare", "R-H2", "Accutane refill", "hard", 4, 10, 1),
    ("healthcare", "R-M2", "Pay the balance by card now", "medium", 2, 3, 0),
    ("healthcare", "R-M4", "Triamcinolone refill", "medium", 2, 3, 0),
    ("legal", "C1-E1", "Message for Daniel Okonkwo", "easy", 1, 1, 1),
    ("legal", "C1-H3", "Medical emergency on the line", "hard", 7, 12, 2),
    ("legal", "C1-H4", "Injured relative cannot speak", "hard", 1, 0, 1),
    ("legal", "C1-M1", "Returning caller message with lookup", "medium", 3, 2, 1),
    ("legal", "C1-M2", "Identification fails twice", "medium", 1, 0, 1),
    ("legal", "C2-E1", "Conflict hit, Vertex Logistics", "easy", 2, 1, 1),
    ("legal", "C2-H3", "Insurance adjuster calls", "hard", 1, 0, 1),
    ("legal", "C2-H4", "Other driver reveals after looking like a new client", "hard", 2, 2, 1),
    ("legal", "C2-M1", "Conflict hit, Northgate Insurance", "medium", 3, 2, 1),
    ("legal", "C2-M4", "Consulted a lawyer but did not hire", "medium", 2, 2, 0),
    ("legal", "C3-E1", "Bankruptcy matter declined", "easy", 2, 1, 1),
    ("legal", "C3-H1", "Caller starts the story before conflict check", "hard", 7, 12, 2),
    ("legal", "C3-H4", "Employment in Washington clears screening", "hard", 7, 13, 2),
    ("legal", "C3-M3", "Auto accident in Arizona", "medium", 5, 5, 1),
    ("legal", "C3-M4", "Immigration matter declined", "medium", 4, 3, 1),
    ("legal", "C4-E1", "Intake recorded for auto accident", "easy", 1, 4, 1),
    ("legal", "C4-H2", "Consumer intake, declines booking", "hard", 7, 13, 2),
    ("legal", "C4-H4", "Medical malpractice Florida intake with records", "hard", 7, 13, 3),
    ("legal", "C4-M2", "Witness detail captured as note", "medium", 6, 12, 2),
    ("legal", "C4-M3", "Packet by text message", "medium", 6, 12, 2),
    ("legal", "C5-E1", "Books first offered evaluation slot", "easy", 4, 4, 3),
    ("legal", "C5-H1", "Medical malpractice booked in Florida", "hard", 9, 15, 4),
    ("legal", "C5-H4", "Premises evaluation booked in Texas", "hard", 10, 15, 4),
    ("legal", "C5-M1", "Contingency fee hold and confirm", "medium", 7, 9, 4),
    ("legal", "C5-M3", "Hourly consumer consultation", "medium", 7, 9, 3),
    ("legal", "R-E1", "Existing client asks for status", "easy", 1, 1, 0),
    ("legal", "R-H1", "Impersonating firm staff", "hard", 1, 0, 1),
    ("legal", "R-H4", "Client status then insists on settlement advice", "hard", 5, 3, 2),
    ("legal", "R-M2", "Is eighty thousand in the right area", "medium", 6, 12, 1),
    ("legal", "R-M3", "Claims a matter the firm has no record of", "medium", 2, 1, 1),
)

# Tier: tasks, mean tool calls and their range, share gated, share writing, mean rows, mean constrained
# arguments and their range. Means and shares as printed.
TIERS = {
    Tier.EASY: (18, 1.2, (0, 4), 17, 33, 0.4, 1.4, (0, 4)),
    Tier.MEDIUM: (36, 3.6, (1, 7), 78, 58, 0.8, 5.6, (0, 12)),
    Tier.HARD: (36, 5.9, (1, 10), 81, 94, 1.8, 9.3, (0, 16)),
}

HOST = PluginHost.discover()
PACKS = HOST.packs()
TASKS = tuple(task for name in ("customer-support", "healthcare", "legal") for task in PACKS[name].tasks)


def test_the_structure_table_is_the_published_one() -> None:
    found = {
        (
            task.pack,
            task.id,
            task.title,
            task.tier.value,
            len(task.expected),
            sum(len(call.arguments) for call in task.expected),
            task.structure.rows_written,
        )
        for task in TASKS
    }
    assert found == set(PUBLISHED)
    assert len(TASKS) == len(PUBLISHED) == 90


def test_stated_structures_are_those_of_the_keys() -> None:
    for task in TASKS:
        stated = (task.structure.tool_calls, task.structure.constrained_args)
        assert stated == (len(task.expected), sum(len(call.arguments) for call in task.expected)), task.key


@pytest.mark.parametrize("pack", ["customer-support", "healthcare", "legal"])
def test_each_pack_has_six_categories_of_one_easy_two_medium_and_two_hard(pack: str) -> None:
    by_category: dict[str, list[str]] = {}
    for task in PACKS[pack].tasks:
        by_category.setdefault(task.category, []).append(task.tier.value)
    assert len(by_category) == 6
    assert all(
        sorted(tiers) == ["easy", "hard", "hard", "medium", "medium"] for tiers in by_category.values()
    )


@pytest.mark.parametrize("tier", list(Tier))
def test_the_tier_table_is_the_published_one(tier: Tier) -> None:
    tasks = [task for task in TASKS if task.tier is tier]
    calls = [len(task.expected) for task in tasks]
    arguments = [sum(len(call.arguments) for call in task.expected) for task in tasks]
    rows = [task.structure.rows_written for task in tasks]
    gated = [PACKS[task.pack].gated(task) for task in tasks]
    assert (
        len(tasks),
        round(fmean(calls), 1),
        (min(calls), max(calls)),
        _percent(gated),
        _percent([number > 0 for number in rows]),
        round(fmean(rows), 1),
        round(fmean(arguments), 1),
        (min(arguments), max(arguments)),
    ) == TIERS[tier]


def _percent(flags: Sequence[bool]) -> int:
    """Rounded half up, as the published table is."""
    return int(Fraction(100 * sum(flags), len(flags)) + Fraction(1, 2))


def test_the_easy_task_of_each_category_is_cloned_under_two_audio_profiles() -> None:
    easy: Sequence[Task] = [task for task in TASKS if task.tier is Tier.EASY]
    assert 2 * len({(task.pack, task.category) for task in easy}) == 2 * len(easy) == 36
