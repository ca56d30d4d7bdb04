"""How long one may file, in general, by kind of matter and state. Each figure names the statute it is from.

General rules only: discovery rules, notice periods, tolling and repose are left to an attorney. Where a state
has no figure for a kind of matter, the firm's line says that an attorney works the deadline out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from offhook_industries.legal.states import STATE_CODES

__all__ = ["limits"]

# kinds of matter | state period statute; periods are months (24m) or days (180d).
_LIMITS: Final = """\
auto_accident premises_liability product_liability dog_bite
GA 24m O.C.G.A. 9-3-33
NY 36m CPLR 214(5)
NC 36m N.C. Gen. Stat. 1-52(16)
PA 24m 42 Pa.C.S. 5524(2)
TX 24m Tex. Civ. Prac. & Rem. Code 16.003(a)
CA 24m Cal. Code Civ. Proc. 335.1

auto_accident premises_liability dog_bite
IL 24m 735 ILCS 5/13-202
OR 24m ORS 12.110(1)
WA 36m RCW 4.16.080(2)

auto_accident premises_liability
FL 24m Fla. Stat. 95.11 (negligence, as amended in 2023)
OH 24m Ohio R.C. 2305.10(A)

auto_accident
CO 36m C.R.S. 13-80-101(1)(n)

premises_liability dog_bite
CO 24m C.R.S. 13-80-102(1)(a)

product_liability
CO 24m C.R.S. 13-80-106(1)
IL 24m 735 ILCS 5/13-213(d)
OH 24m Ohio R.C. 2305.10(A)
OR 24m ORS 30.905(1)
WA 36m RCW 7.72.060(3)

medical_malpractice
CA 12m Cal. Code Civ. Proc. 340.5
CO 24m C.R.S. 13-80-102.5(1)
FL 24m Fla. Stat. 95.11 (medical malpractice)
GA 24m O.C.G.A. 9-3-71(a)
IL 24m 735 ILCS 5/13-212(a)
NY 30m CPLR 214-a
NC 36m N.C. Gen. Stat. 1-15(c)
OH 12m Ohio R.C. 2305.113(A)
OR 24m ORS 12.110(4)
PA 24m 42 Pa.C.S. 5524(2)
TX 24m Tex. Civ. Prac. & Rem. Code 74.251(a)
WA 36m RCW 4.16.350(3)

wrongful_death
CA 24m Cal. Code Civ. Proc. 335.1
CO 24m C.R.S. 13-80-102(1)(d)
FL 24m Fla. Stat. 95.11 (wrongful death)
GA 24m O.C.G.A. 9-3-33
IL 24m 740 ILCS 180/2
NY 24m EPTL 5-4.1(1)
NC 24m N.C. Gen. Stat. 1-53(4)
OH 24m Ohio R.C. 2125.02
OR 36m ORS 30.020(1)
PA 24m 42 Pa.C.S. 5524(2)
TX 24m Tex. Civ. Prac. & Rem. Code 16.003(b)
WA 36m RCW 4.16.080(2)

employment
CA 36m Cal. Gov. Code 12960(e)
CO 300d C.R.S. 24-34-403
FL 365d Fla. Stat. 760.11(1)
GA 180d 42 U.S.C. 2000e-5(e)(1)
IL 24m 775 ILCS 5/7A-102(A)(1)
NY 36m CPLR 214(2)
NC 180d 42 U.S.C. 2000e-5(e)(1)
OH 24m Ohio R.C. 4112.051
OR 60m ORS 659A.875(1)
PA 180d 43 P.S. 959(h)
TX 180d Tex. Lab. Code 21.202(a)
WA 36m RCW 4.16.080(2)

workers_compensation
CA 12m Cal. Lab. Code 5405
CO 24m C.R.S. 8-43-103(2)
FL 24m Fla. Stat. 440.19(1)
GA 12m O.C.G.A. 34-9-82(a)
IL 36m 820 ILCS 305/6(d)
NY 24m N.Y. Workers' Comp. Law 28
NC 24m N.C. Gen. Stat. 97-24(a)
OH 12m Ohio R.C. 4123.84(A)
PA 36m 77 P.S. 602
TX 12m Tex. Lab. Code 409.003
WA 12m RCW 51.28.050

consumer
CA 36m Cal. Civ. Code 1783
CO 36m C.R.S. 6-1-115
FL 48m Fla. Stat. 95.11 (statutory liability)
GA 24m O.C.G.A. 10-1-401(a)(1)
IL 36m 815 ILCS 505/10a(e)
NY 36m CPLR 214(2)
NC 48m N.C. Gen. Stat. 75-16.2
OH 24m Ohio R.C. 1345.10(C)
OR 12m ORS 646.638(6)
PA 72m 42 Pa.C.S. 5527(b)
TX 24m Tex. Bus. & Com. Code 17.565
WA 48m RCW 19.86.120"""

_UNITS: Final = {"m": "months", "d": "days"}


def limits() -> Iterator[tuple[str, str, int, str, str]]:
    """Rows of ``filing_limits``: kind of matter, state, amount, unit, statute."""
    names = {code: name for name, code in STATE_CODES.items()}
    for block in _LIMITS.split("\n\n"):
        head, *lines = block.splitlines()
        for line in lines:
            match = re.fullmatch(r"([A-Z]{2}) ([0-9]+)([md]) (.+)", line)
            if match is None:
                raise ValueError(f"no filing limit in {line!r}: expected state, period and statute")
            for matter_type in head.split():
                yield matter_type, names[match[1]], int(match[2]), _UNITS[match[3]], match[4]
