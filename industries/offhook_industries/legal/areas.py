"""Kinds of matter: those the firm handles, how it charges for them, and those it always declines."""

from __future__ import annotations

from typing import Final

import attrs

__all__ = ["AREAS", "Area"]


@attrs.frozen
class Area:
    """``meaning`` is what a caller with such a matter talks about; ``aliases`` name it outright. ``fee_kind``
    is ``contingency``, ``hourly``, or ``none`` for what the firm does not handle.
    """

    matter_type: str
    title: str
    fee_kind: str
    meaning: str
    aliases: tuple[str, ...] = ()

    @property
    def handled(self) -> bool:
        return self.fee_kind != "none"


AREAS: Final = (
    Area(
        "auto_accident",
        "auto accident",
        "contingency",
        "a crash on the road: a car, truck, van, bus, motorcycle or bicycle hit me",
        ("car accident", "car crash", "car wreck", "traffic accident", "truck accident", "rear ended"),
    ),
    Area(
        "premises_liability",
        "premises liability",
        "contingency",
        "hurt by a fall or an unsafe condition in a store, building, stairway or other property",
        ("slip and fall", "slipped", "tripped", "unsafe property"),
    ),
    Area(
        "medical_malpractice",
        "medical malpractice",
        "contingency",
        "an operation, a surgery, a doctor or a hospital went wrong and harmed me",
        ("malpractice", "medical negligence", "operation", "surgery", "operated on", "surgeon"),
    ),
    Area(
        "product_liability",
        "product liability",
        "contingency",
        "a defective product, device, tool or drug injured me",
        ("defective product", "faulty product"),
    ),
    Area(
        "wrongful_death",
        "wrongful death",
        "contingency",
        "somebody in the family died through another's fault",
    ),
    Area("dog_bite", "dog bite", "contingency", "bitten or attacked by an animal", ("bitten by a dog",)),
    Area(
        "employment",
        "employment",
        "contingency",
        "fired, let go, harassed, discriminated against or not paid by an employer",
        ("wrongful termination", "discrimination", "retaliation", "unpaid overtime", "lost my job"),
    ),
    Area(
        "workers_compensation",
        "workers' compensation",
        "contingency",
        "hurt while working, on the job or at a work site",
        ("workers comp", "worker's compensation", "work injury", "hurt at work", "hurt on the job"),
    ),
    Area(
        "consumer",
        "consumer protection",
        "hourly",
        "cheated or misled by a dealer, seller, warranty company, contractor or debt collector",
        ("consumer protection", "consumer case", "consumer matter", "lemon law"),
    ),
    Area(
        "bankruptcy",
        "bankruptcy",
        "none",
        "too many debts, wants to go bankrupt",
        ("chapter 7", "chapter 13"),
    ),
    Area(
        "immigration",
        "immigration",
        "none",
        "a visa, green card, asylum or deportation",
        ("visa", "green card", "citizenship"),
    ),
    Area(
        "family_law",
        "family law",
        "none",
        "divorce, custody, adoption or child support",
        ("divorce", "custody"),
    ),
    Area(
        "criminal_defense",
        "criminal defense",
        "none",
        "arrested or charged with a crime",
        ("criminal charge",),
    ),
    Area(
        "estate_planning",
        "estate planning",
        "none",
        "a will, a trust, an inheritance or probate",
        ("probate",),
    ),
    Area("real_estate", "real estate", "none", "buying or selling a house, a title or a boundary"),
    Area(
        "landlord_tenant",
        "landlord and tenant",
        "none",
        "an eviction, a lease, rent or a deposit a landlord keeps",
        ("eviction",),
    ),
    Area("tax", "tax", "none", "owes the revenue service or is being audited", ("taxes", "tax audit")),
    Area("intellectual_property", "intellectual property", "none", "a patent, trademark or copyright"),
    Area("business_dispute", "business dispute", "none", "a contract, partner or supplier of a business"),
)
