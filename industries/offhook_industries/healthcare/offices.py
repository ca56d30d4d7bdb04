"""The 160 offices of Straus Dermatology: names that are said on the phone, and where they are.

Towns, ZIP prefixes and area codes are real; every office, address and phone number is invented. Within a
region offices stand in the order in which one travels through it, so that the next one in the list is near.
"""

from __future__ import annotations

from typing import Final

import attrs

__all__ = ["OFFICES", "Office", "office_id"]


@attrs.frozen
class Office:
    """One office. ``aliases`` are further words for it as callers say, or recognisers write, them."""

    name: str
    region: str
    state: str
    zip_prefix: str
    area: str
    aliases: tuple[str, ...] = ()

    @property
    def location_id(self) -> str:
        return office_id(self.name)


def office_id(name: str) -> str:
    """``"Park Avenue"`` as ``"park_avenue"``."""
    return "_".join(name.lower().replace(".", "").split())


# region | state | ZIP prefix | area code: office (alias; alias), ...
_TABLE: Final = """\
New York City|NY|100|212: Washington Heights, Harlem, Carnegie Hill, Upper West Side, Lincoln Square, \
Columbus Circle, Upper East Side, Park Avenue (park ave; park av), Murray Hill, Hudson Yards, Chelsea, \
Gramercy, Union Square, Tribeca, Financial District
New York City|NY|112|718: Brooklyn Heights, Park Slope, Williamsburg, Bushwick, Flatbush, Bay Ridge, \
Bensonhurst, Sheepshead Bay
New York City|NY|113|718: Long Island City, Astoria, Rego Park, Forest Hills, Flushing, Bayside, \
Jamaica Estates, Howard Beach
New York City|NY|104|718: Riverdale, Fordham, Pelham Bay
New York City|NY|103|718: New Dorp, Great Kills
Long Island|NY|115|516: Great Neck, Manhasset, Lake Success, Garden City, Valley Stream, \
Rockville Centre (rockville center), Merrick, Massapequa, Syosset, Plainview
Long Island|NY|117|631: Huntington, Commack, Smithtown, Babylon, Patchogue, Port Jefferson, Riverhead, \
Southampton
Hudson Valley|NY|105|914: Yonkers, New Rochelle, Scarsdale, White Plains, Rye Brook, Tarrytown, \
Mount Kisco (mt kisco), Peekskill
Hudson Valley|NY|125|845: Nanuet, Carmel, Fishkill, Newburgh, Middletown, Poughkeepsie, Kingston
New Jersey|NJ|070|201: Hoboken, Jersey City, Bayonne, Fort Lee, Englewood, Teaneck, Hackensack, Paramus, \
Ridgewood
New Jersey|NJ|070|973: Clifton, Nutley, Montclair (mont clair), Verona, Caldwell, Totowa, Sparta, Denville, \
Morristown, Livingston, Short Hills
New Jersey|NJ|088|908: Westfield (west field), Bridgewater, Somerset, Flemington, Metuchen, Edison, \
Woodbridge, East Brunswick, Princeton
New Jersey|NJ|077|732: Red Bank, Eatontown, Freehold, Manalapan, Howell, Toms River
New Jersey|NJ|080|856: Cherry Hill, Moorestown, Marlton, Voorhees, Glassboro, Vineland, Northfield
Connecticut|CT|068|203: Greenwich, Stamford, Norwalk, Westport, Fairfield, Trumbull, Ridgefield, Danbury, \
Southbury, Milford, Hamden
Connecticut|CT|060|860: West Hartford, Glastonbury
Philadelphia|PA|191|215: Rittenhouse Square, Bala Cynwyd, Ardmore, Bryn Mawr, Newtown Square, \
King of Prussia, Exton, West Chester, Jenkintown, Willow Grove, Lansdale, Doylestown, Langhorne
Philadelphia|PA|181|610: Allentown, Bethlehem
Central Florida|FL|347|407: Windermere (windemere; winder mere; wintermere), \
Winter Garden (wintergarden), Winter Park, Altamonte Springs, Lake Nona, Kissimmee, Clermont, \
Ocala, Daytona Beach
South Florida|FL|334|561: Palm Beach Gardens, Delray Beach, Boca Raton, Coral Springs, Fort Lauderdale, \
Aventura, Coral Gables
Gulf Coast|FL|342|941: Tampa Palms, Lakeland, Clearwater, Bradenton, Sarasota
"""


def _parsed() -> tuple[Office, ...]:
    offices = []
    for line in _TABLE.splitlines():
        place, _, names = line.partition(": ")
        region, state, zip_prefix, area = place.split("|")
        for entry in names.split(", "):
            name, _, more = entry.strip().rstrip(")").partition(" (")
            aliases = tuple(alias.strip() for alias in more.split(";") if alias.strip())
            offices.append(Office(name, region, state, zip_prefix, area, aliases))
    return tuple(offices)


OFFICES: Final = _parsed()
