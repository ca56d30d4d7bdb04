"""Where stores and customers are: every state's share of stores, and towns with ZIP prefix and area code.

Towns, ZIP prefixes and area codes are real; every address, store and phone number made from them is invented.
"""

from __future__ import annotations

from typing import Final

import attrs

__all__ = ["Town", "states", "towns"]

# state weight: town zip3 area, ...
_PLACES: Final = """\
AL 14: Birmingham 352 205, Huntsville 358 256, Mobile 366 251, Montgomery 361 334, Tuscaloosa 354 205
AK 4: Anchorage 995 907, Fairbanks 997 907, Juneau 998 907
AZ 26: Phoenix 850 602, Tucson 857 520, Mesa 852 480, Flagstaff 860 928, Glendale 853 623, Yuma 853 928
AR 9: Little Rock 722 501, Fayetteville 727 479, Jonesboro 724 870, Fort Smith 729 479
CA 118: Los Angeles 900 213, San Diego 921 619, San Jose 951 408, Fresno 937 559, Sacramento 958 916, \
Oakland 946 510, Bakersfield 933 661, Riverside 925 951, Irvine 926 949, Santa Rosa 954 707, \
Modesto 953 209, Redding 960 530
CO 20: Denver 802 303, Colorado Springs 809 719, Fort Collins 805 970, Boulder 803 303, \
Grand Junction 815 970
CT 12: Hartford 061 860, New Haven 065 203, Stamford 069 203, Danbury 068 203
DE 4: Wilmington 198 302, Dover 199 302, Newark 197 302
DC 2: Washington 200 202
FL 70: Miami 331 305, Tampa 336 813, Orlando 328 407, Jacksonville 322 904, Sarasota 342 941, \
Tallahassee 323 850, Fort Myers 339 239, Gainesville 326 352, Boca Raton 334 561
GA 33: Atlanta 303 404, Savannah 314 912, Augusta 309 706, Macon 312 478, Athens 306 706, \
Marietta 300 770
HI 5: Honolulu 968 808, Hilo 967 808, Kahului 967 808
ID 6: Boise 837 208, Idaho Falls 834 208, Coeur d'Alene 838 208
IL 40: Chicago 606 312, Naperville 605 630, Springfield 627 217, Peoria 616 309, Rockford 611 815, \
Evanston 602 847
IN 21: Indianapolis 462 317, Fort Wayne 468 260, Evansville 477 812, South Bend 466 574, \
Bloomington 474 812
IA 10: Des Moines 503 515, Cedar Rapids 524 319, Davenport 528 563, Ames 500 515
KS 10: Wichita 672 316, Overland Park 662 913, Topeka 666 785, Lawrence 660 785
KY 13: Louisville 402 502, Lexington 405 859, Bowling Green 421 270, Paducah 420 270
LA 14: New Orleans 701 504, Baton Rouge 708 225, Lafayette 705 337, Shreveport 711 318
ME 5: Portland 041 207, Bangor 044 207, Augusta 043 207
MD 20: Baltimore 212 410, Rockville 208 301, Annapolis 214 410, Frederick 217 301
MA 23: Boston 021 617, Worcester 016 508, Springfield 011 413, Lowell 018 978, Quincy 021 617
MI 31: Detroit 482 313, Grand Rapids 495 616, Ann Arbor 481 734, Lansing 489 517, Flint 485 810, \
Traverse City 496 231
MN 19: Minneapolis 554 612, Saint Paul 551 651, Duluth 558 218, Rochester 559 507, Bloomington 554 952
MS 8: Jackson 392 601, Gulfport 395 228, Hattiesburg 394 601, Tupelo 388 662
MO 19: Saint Louis 631 314, Kansas City 641 816, Springfield 658 417, Columbia 652 573
MT 4: Billings 591 406, Missoula 598 406, Bozeman 597 406
NE 7: Omaha 681 402, Lincoln 685 402, Grand Island 688 308
NV 11: Las Vegas 891 702, Reno 895 775, Henderson 890 702, Carson City 897 775
NH 6: Manchester 031 603, Nashua 030 603, Concord 033 603
NJ 27: Newark 071 973, Jersey City 073 201, Trenton 086 609, Cherry Hill 080 856, Edison 088 732
NM 7: Albuquerque 871 505, Santa Fe 875 505, Las Cruces 880 575
NY 56: New York 100 212, Brooklyn 112 718, Buffalo 142 716, Rochester 146 585, Albany 122 518, \
Syracuse 132 315, White Plains 106 914, Hempstead 115 516
NC 31: Charlotte 282 704, Raleigh 276 919, Greensboro 274 336, Asheville 288 828, Wilmington 284 910, \
Durham 277 919
ND 3: Fargo 581 701, Bismarck 585 701, Grand Forks 582 701
OH 36: Columbus 432 614, Cleveland 441 216, Cincinnati 452 513, Toledo 436 419, Akron 443 330, \
Dayton 454 937
OK 12: Oklahoma City 731 405, Tulsa 741 918, Norman 730 405, Lawton 735 580
OR 14: Portland 972 503, Lake Oswego 970 503, Eugene 974 541, Bend 977 541, Medford 975 541, \
Salem 973 503
PA 38: Philadelphia 191 215, Pittsburgh 152 412, Allentown 181 610, Harrisburg 171 717, Erie 165 814, \
Scranton 185 570
RI 4: Providence 029 401, Warwick 028 401
SC 16: Columbia 292 803, Charleston 294 843, Greenville 296 864, Myrtle Beach 295 843
SD 3: Sioux Falls 571 605, Rapid City 577 605
TN 21: Nashville 372 615, Memphis 381 901, Knoxville 379 865, Chattanooga 374 423, Murfreesboro 371 615
TX 88: Houston 770 713, Dallas 752 214, Austin 787 512, San Antonio 782 210, Fort Worth 761 817, \
El Paso 799 915, Lubbock 794 806, Corpus Christi 784 361, Plano 750 972, McAllen 785 956
UT 12: Salt Lake City 841 801, Provo 846 801, Ogden 844 801, Saint George 847 435
VT 3: Burlington 054 802, Rutland 057 802
VA 26: Richmond 232 804, Norfolk 235 757, Arlington 222 703, Roanoke 240 540, Virginia Beach 234 757
WA 23: Seattle 981 206, Spokane 992 509, Tacoma 984 253, Bellevue 980 425, Vancouver 986 360, \
Yakima 989 509
WV 5: Charleston 253 304, Huntington 257 304, Morgantown 265 304
WI 18: Milwaukee 532 414, Madison 537 608, Green Bay 543 920, Eau Claire 547 715
WY 3: Cheyenne 820 307, Casper 826 307
"""


@attrs.frozen
class Town:
    name: str
    state: str
    zip3: str
    area: str


def states() -> tuple[tuple[str, int], ...]:
    """Every state (and the District) with its share of stores."""
    heads = (line.split(":", 1)[0].split() for line in _PLACES.splitlines())
    return tuple((state, int(weight)) for state, weight in heads)


def towns() -> dict[str, tuple[Town, ...]]:
    """The towns of each state, largest first."""
    found: dict[str, tuple[Town, ...]] = {}
    for line in _PLACES.splitlines():
        head, rest = line.split(": ", 1)
        state = head.split()[0]
        parts = (entry.rsplit(" ", 2) for entry in rest.split(", "))
        found[state] = tuple(Town(name, state, zip3, area) for name, zip3, area in parts)
    return found
