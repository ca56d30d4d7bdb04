"""Invented people, drawn by code from lists with a fixed seed. Nobody looked at how hard a name is to hear.

Telephone numbers are of the fictional 555-01xx block, mail addresses of the reserved example domains, and
names are joined at random within one of sixteen origins, so that each origin comes up equally often.
"""

from __future__ import annotations

import datetime as dt
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import attrs
import numpy as np

from offhook.streams import stream

__all__ = ["NAMES_BY_ORIGIN", "Identity", "draw_identities"]

_Lists = tuple[tuple[str, ...], tuple[str, ...]]


def _lists(first: str, last: str) -> _Lists:
    return tuple(first.split()), tuple(last.split())


NAMES_BY_ORIGIN: Final[Mapping[str, _Lists]] = MappingProxyType(
    {
        "Arabic": _lists(
            "Amina Yusuf Samira Tariq Hanan Walid Zaynab Faris", "Haddad Mansour Khalil Nasser Farouk Aziz"
        ),
        "Chinese": _lists("Wei Xiu Jun Mei-Ling Hao Lan Jian Yan", "Zhang Huang Xu Liang Zhou Tang Deng"),
        "English": _lists(
            "Harriet Graham Beverly Clifford Joyce Warren Tamsin Rowan",
            "Whitaker Pemberton Holloway Ashdown Thornton Barlow",
        ),
        "Filipino": _lists(
            "Rosario Benigno Liwayway Ernesto Marisol Crispin",
            "Bautista Magsaysay Dimaculangan Santos Aquino",
        ),
        "French": _lists(
            "Margaux Thibault Solange Etienne Odile Bastien Celeste",
            "Beaumont Lefebvre Chevalier Moreau Delacroix Fontaine",
        ),
        "German and Dutch": _lists(
            "Annelise Dieter Saskia Joost Liesl Hendrik Greta",
            "Vogel Kruger Brandt Visser Dekker Hoffmann Schreiber",
        ),
        "Greek and Turkish": _lists(
            "Stavros Eleftheria Kostas Despina Mehmet Aylin Emre",
            "Papadakis Stamatis Karras Yilmaz Demir Kaplan Nikolaidis",
        ),
        "Hindi and Tamil": _lists(
            "Anjali Vikram Meenakshi Rohan Kavitha Suresh Deepa",
            "Chatterjee Iyer Bhatt Krishnan Malhotra Raman Desai",
        ),
        "Irish and Scottish": _lists(
            "Orla Declan Fionnuala Callum Aoife Hamish Ciara",
            "Gallagher Brennan Mackenzie Doherty Sinclair Quinn",
        ),
        "Italian and Portuguese": _lists(
            "Giovanna Massimo Fiorella Rui Leonor Duarte Chiara",
            "Bellini Marchetti Esposito Carvalho Teixeira Figueiredo",
        ),
        "Japanese and Korean": _lists(
            "Haruka Takeshi Yumi Kazuo Ji-woo Seung Min-seo",
            "Nakamura Watanabe Ishikawa Park Kwon Choi Matsuda",
        ),
        "Polish and Czech": _lists(
            "Agnieszka Tomasz Zuzana Radek Malgorzata Piotr Jolana",
            "Kowalczyk Novotny Wisniewski Dvorak Zielinski Horak",
        ),
        "Russian and Ukrainian": _lists(
            "Svetlana Oleksandr Yelena Bohdan Ludmila Maksim Oksana",
            "Petrenko Sokolov Kovalenko Morozova Shevchuk Orlov",
        ),
        "Spanish": _lists(
            "Guadalupe Ignacio Pilar Rodrigo Ximena Osvaldo Catalina",
            "Villanueva Cisneros Quintero Escobedo Zamora Rentería",
        ),
        "Vietnamese and Thai": _lists(
            "Thuy Quang Anh Somchai Niran Huong Kanya", "Pham Tran Vuong Srisai Chaiyasit Dang"
        ),
        "West and East African": _lists(
            "Adaobi Tunde Makena Selam Yaw Folasade Wanjiru Okello",
            "Okonkwo Adeyemi Mensah Kamau Tesfaye Boateng Mwangi",
        ),
    }
)

_AREAS: Final = (206, 213, 303, 312, 404, 415, 512, 541, 602, 617, 702, 718, 808, 917)
_DOMAINS: Final = ("example.com", "example.net", "example.org")
# Businesses leave out the two letters that are taken for digits.
_ORDER_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ"
_FIRST_BIRTHDAY: Final = dt.date(1938, 1, 1)
_BIRTHDAYS: Final = 365 * 67
_MOST_CENTS: Final = 250_000
_OPENING_HOUR: Final = 7
_HOURS_OPEN: Final = 14


@attrs.frozen
class Identity:
    """One invented caller with one value of each kind, as it would be written on file."""

    origin: str
    name: str
    phone: str
    zip: str
    digits: str
    date: str
    amount: str
    email: str
    order_number: str
    time: str


def draw_identities(count: int, seed: int) -> tuple[Identity, ...]:
    """The first ``count`` people of a seed; origins take turns, and a longer draw starts with a shorter one's
    people."""
    origins = tuple(NAMES_BY_ORIGIN)
    return tuple(
        _identity(origins[index % len(origins)], index, stream(seed, f"identity {index}", "hearing"), seed)
        for index in range(count)
    )


def _identity(origin: str, index: int, rng: np.random.Generator, seed: int) -> Identity:
    firsts, lasts = (
        _shuffled(names, seed, f"{origin} {which}")
        for names, which in zip(NAMES_BY_ORIGIN[origin], ("first", "last"), strict=True)
    )
    turn = index // len(NAMES_BY_ORIGIN)
    first, last = firsts[turn % len(firsts)], lasts[turn % len(lasts)]
    hour = _OPENING_HOUR + int(rng.integers(_HOURS_OPEN))
    birthday = _FIRST_BIRTHDAY + dt.timedelta(days=int(rng.integers(_BIRTHDAYS)))
    cents = int(rng.integers(100, _MOST_CENTS))
    return Identity(
        origin=origin,
        name=f"{first} {last}",
        phone=f"{_AREAS[int(rng.integers(len(_AREAS)))]}-555-01{int(rng.integers(100)):02d}",
        zip=_figures(rng, 5),
        digits=_figures(rng, 4),
        date=f"{birthday:%B} {birthday.day}, {birthday.year}",
        amount=f"${cents // 100:,}.{cents % 100:02d}",
        email=_email(first, last, rng),
        order_number=f"{''.join(_ORDER_LETTERS[int(rng.integers(24))] for _ in range(2))}-{_figures(rng, 7)}",
        time=f"{(hour - 1) % 12 + 1}:{5 * int(rng.integers(12)):02d} {'AM' if hour < 12 else 'PM'}",
    )


def _shuffled(names: tuple[str, ...], seed: int, purpose: str) -> tuple[str, ...]:
    order = stream(seed, "names", purpose).permutation(len(names))
    return tuple(names[int(at)] for at in order)


def _figures(rng: np.random.Generator, count: int) -> str:
    return "".join(str(int(figure)) for figure in rng.integers(10, size=count))


def _email(first: str, last: str, rng: np.random.Generator) -> str:
    """Three usual patterns: anna.berg@, aberg47@ and anna_berg@."""
    given, family = _plain(first), _plain(last)
    pattern = int(rng.integers(3))
    local = (
        f"{given}.{family}",
        f"{given[0]}{family}{int(rng.integers(10, 100))}",
        f"{given}_{family}",
    )[pattern]
    return f"{local}@{_DOMAINS[int(rng.integers(len(_DOMAINS)))]}"


def _plain(name: str) -> str:
    """Lower-case ASCII letters of a name."""
    flat = unicodedata.normalize("NFKD", name).casefold()
    return "".join(char for char in flat if char.isascii() and char.isalpha())
