from __future__ import annotations

import pytest

from offhook_adapters.reference.minds.desk import MindError
from offhook_adapters.reference.minds.openai_mind import endpoint_from

SET = {"OPENAI_API_KEY": "k", "OFFHOOK_AGENT_MODEL": "m"}


def test_a_password_in_the_url_is_refused_and_not_shown() -> None:
    with pytest.raises(MindError, match="put the key in OPENAI_API_KEY") as caught:
        endpoint_from({**SET, "OFFHOOK_AGENT_BASE_URL": "http://user:opensesame@127.0.0.1/v1"})
    assert "opensesame" not in str(caught.value)


def test_a_plain_url_is_taken() -> None:
    endpoint = endpoint_from({**SET, "OFFHOOK_AGENT_BASE_URL": "http://127.0.0.1:9/v1/"})
    assert endpoint.base_url == "http://127.0.0.1:9/v1"
