"""Whether a Chat Completions endpoint lets one in, asked before a framework is put around it: frameworks
dial only when the caller has spoken, and what is wrong then looks like the agent's failure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from offhook_adapters.openai_realtime.config import OPENAI
from offhook_adapters.wires.trouble import failed_connect

if TYPE_CHECKING:
    from openai import AsyncOpenAI

__all__ = ["knock"]

_SECONDS: Final = 20.0


async def knock(client: AsyncOpenAI, key: str) -> None:
    """Asks for the models there are; a client that is not let in is closed. An endpoint that has no such
    list counts as open.

    Raises:
        VendorUnusable: it refuses the key.
        VendorError: it can't be reached, or is of no use for now.
    """
    from openai import APIError, NotFoundError

    try:
        await client.with_options(timeout=_SECONDS, max_retries=0).models.list()
    except NotFoundError:
        return
    except APIError as error:
        await client.close()
        where = urlsplit(str(client.base_url)).netloc.rpartition("@")[2]
        raise failed_connect(error, OPENAI, where, key, check="OPENAI_BASE_URL") from None
