"""Opening the parts of a call side by side."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from offhook_adapters.wires.vendor import VendorUnusable

__all__ = ["all_of"]


async def all_of(*works: Coroutine[Any, Any, None]) -> None:
    """Does all of them at once. When one fails the rest are cancelled.

    Raises:
        Exception: what the first to fail raised, or one that no other call would escape.
    """
    try:
        async with asyncio.TaskGroup() as group:
            for work in works:
                group.create_task(work)
    except* Exception as failed:
        errors = failed.exceptions
        raise next((error for error in errors if isinstance(error, VendorUnusable)), errors[0]) from None
