"""Data, styles and scripts as one HTML page that needs nothing else. Shared by the report and the viewer."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import math
import re
from importlib import resources
from typing import Final

from offhook.storage import clean_text

__all__ = ["asset", "html_page"]

_SLOT: Final = re.compile(r"/\*([A-Z]+)\*/")


def html_page(*, title: str, kind: str, data: object, script: str, style: str = "") -> str:
    """A whole page: ``common.js`` and ``script`` draw ``data`` into an empty frame.

    Args:
        kind: what stands beside the product's name at the top.
        data: plain JSON data; the script finds it parsed, as ``data``.
        style: added to ``page.css``.
    """
    drawing = f'"use strict";\n{asset("common.js")}\n{script}'
    shown = clean_text(_json(data))
    filled = {
        "POLICY": _policy(drawing),
        "TITLE": html.escape(clean_text(title)),
        "KIND": html.escape(kind),
        "STYLE": asset("page.css") + style,
        # A "<" in somebody's words could end the script element that holds the data.
        "DATA": shown.replace("<", "\\u003c"),
        "SCRIPT": drawing,
    }
    # All slots in one pass: words of a call may look like a slot themselves.
    return _SLOT.sub(lambda slot: filled[slot[1]], asset("page.html"))


def _json(data: object) -> str:
    def told(value: object) -> str:
        return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)

    try:
        return told(data)
    except ValueError:  # a browser would refuse the whole page for one NaN
        return told(_measured(data))


def _measured(data: object) -> object:
    """The same data, with None for every number that is not finite."""
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, dict):
        return {key: _measured(value) for key, value in data.items()}
    return [_measured(value) for value in data] if isinstance(data, list | tuple) else data


def asset(name: str, package: str = "offhook.report") -> str:
    """The text of a file that lies in a package."""
    return resources.files(package).joinpath(name).read_text(encoding="utf-8")


def _policy(script: str) -> str:
    """Nothing but our own script runs, and nothing is loaded but sound from the same place: words that slip
    through as markup stay harmless.
    """
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        "img-src data:; media-src 'self' data:; form-action 'self'; base-uri 'none'"
    )
