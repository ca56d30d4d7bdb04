from __future__ import annotations

import pytest

from offhook_caller.minds import MindUnavailable
from offhook_caller.openai_mind import settings_from


def test_a_password_in_the_url_is_refused_and_not_shown() -> None:
    environment = {
        "OFFHOOK_CALLER_MODEL": "m",
        "OFFHOOK_CALLER_API_KEY": "k",
        "OFFHOOK_CALLER_BASE_URL": "http://user:opensesame@127.0.0.1/v1",
    }
    with pytest.raises(MindUnavailable, match="put the key in OFFHOOK_CALLER_API_KEY") as caught:
        settings_from(environment)
    assert "opensesame" not in str(caught.value)


@pytest.mark.parametrize("key", ["sk-one two", "sk-\u043a\u043b\u044e\u0447-0123456789", "sk-line\nbreak"])
def test_a_key_that_no_header_could_carry_is_refused_and_not_shown(key: str) -> None:
    with pytest.raises(MindUnavailable, match="key holds a blank or another character") as caught:
        settings_from({"OFFHOOK_CALLER_MODEL": "m", "OFFHOOK_CALLER_API_KEY": key})
    assert key not in str(caught.value)
