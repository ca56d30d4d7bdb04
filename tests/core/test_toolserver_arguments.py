"""Arguments: canonical when valid, a refusal that names the field when not."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from offhook.packs import Choice, Parameter, Tool, ToolRefusal
from offhook.testing_pack import bicycle_pack
from offhook.toolserver import agent_config, choice_words, tool_schemas, validate_arguments
from offhook.values import ValueKind


def tool_of(*parameters: Parameter) -> Tool:
    return Tool("book", "Books.", parameters, lambda context, arguments: {})


def refusal_of(tool: Tool, arguments: dict[str, Any]) -> ToolRefusal:
    with pytest.raises(ToolRefusal) as caught:
        validate_arguments(tool, arguments)
    return caught.value


PLAN = Parameter(
    "plan",
    ValueKind.TEXT,
    "Which plan",
    choices=(
        Choice("plus_monthly", "paying by month", ("Plus", "monthly plan")),
        Choice("total", "everything"),
    ),
)


@pytest.mark.parametrize(
    ("kind", "sent", "canonical"),
    [
        (ValueKind.NAME, "  Sean O’Brien ", "Sean O'Brien"),
        (ValueKind.PHONE, "(541) 555 0148", "541-555-0148"),
        (ValueKind.ZIP, "97405-1234", "97405"),
        (ValueKind.ZIP, 97405, "97405"),
        (ValueKind.DIGITS, "77-30", "7730"),
        (ValueKind.EMAIL, "Nadia@Example.com", "nadia@example.com"),
        (ValueKind.DATE, "March 12, 2026", "2026-03-12"),
        (ValueKind.TIME, "2:30 PM", "14:30"),
        (ValueKind.AMOUNT, 1499, 1499),
        (ValueKind.AMOUNT, "$14.99", 1499),
        (ValueKind.AMOUNT, 14.99, 1499),
        (ValueKind.ORDER_NUMBER, "ke 4498870", "KE-4498870"),
        (ValueKind.YES_NO, True, True),
        (ValueKind.YES_NO, False, False),
        (ValueKind.YES_NO, "true", True),
        (ValueKind.YES_NO, "yes", True),
        (ValueKind.YES_NO, "No", False),
        (ValueKind.TEXT, "side   gate", "side gate"),
    ],
)
def test_values_come_out_canonical(kind: ValueKind, sent: object, canonical: object) -> None:
    clean = validate_arguments(tool_of(Parameter("value", kind, "A value")), {"value": sent})
    assert clean == {"value": canonical}
    assert type(clean["value"]) is type(canonical)


@pytest.mark.parametrize("sent", ["plus_monthly", "Plus-Monthly", "PLUS", " monthly  plan ", "plus monthly"])
def test_a_choice_is_known_by_its_value_and_aliases(sent: str) -> None:
    assert validate_arguments(tool_of(PLAN), {"plan": sent}) == {"plan": "plus_monthly"}


def test_choice_words_are_folded() -> None:
    assert choice_words(PLAN.choices[0]) == {"plus monthly", "plus", "monthly plan"}


@pytest.mark.parametrize(
    ("parameter", "sent", "told"),
    [
        (PLAN, "gold", "expected one of plus_monthly, total"),
        (PLAN, 3, "expected one of plus_monthly, total"),
        (PLAN, {"plan": "total"}, "expected one of plus_monthly, total"),
        (Parameter("value", ValueKind.DIGITS, "Four", length=4), "773", "expected 4 digits, got 3"),
        (Parameter("value", ValueKind.DIGITS, "Four", length=4), 773.5, "expected text"),
        (Parameter("value", ValueKind.DIGITS, "Four", length=4), True, "expected text"),
        (Parameter("value", ValueKind.PHONE, "Phone"), "555-0148", "ten digits"),
        (Parameter("value", ValueKind.DATE, "Day"), "2026-02-30", "expected a day"),
        (Parameter("value", ValueKind.YES_NO, "Agreed"), "perhaps", "yes or no"),
        (Parameter("value", ValueKind.YES_NO, "Agreed"), 1, "yes or no"),
        (Parameter("value", ValueKind.AMOUNT, "Sum"), 10**30, "ten billion"),
        (Parameter("value", ValueKind.AMOUNT, "Sum"), "9" * 60_000, "ten billion"),
        (Parameter("value", ValueKind.TEXT, "Note"), "   ", "empty"),
        (Parameter("value", ValueKind.TEXT, "Note"), "a\0b", "NUL"),
        (Parameter("value", ValueKind.TEXT, "Note"), ["a"], "expected text"),
    ],
)
def test_a_refusal_names_the_field_and_what_was_expected(
    parameter: Parameter, sent: object, told: str
) -> None:
    refusal = refusal_of(tool_of(parameter), {parameter.name: sent})
    assert (refusal.code, refusal.field, refusal.status) == ("invalid_argument", parameter.name, 422)
    assert told in refusal.message
    assert len(refusal.message) <= 400


def test_required_unknown_and_absent() -> None:
    tool = tool_of(
        Parameter("day", ValueKind.DATE, "The day"), Parameter("why", ValueKind.TEXT, "Why", required=False)
    )
    assert refusal_of(tool, {}).field == "day"
    assert refusal_of(tool, {"day": None}).field == "day"
    unknown = refusal_of(tool, {"day": "2026-03-12", "hour": "9"})
    assert unknown.field == "hour"
    assert "day, why" in unknown.message
    assert validate_arguments(tool, {"why": None, "day": "2026-03-12"}) == {"day": "2026-03-12"}
    assert refusal_of(tool_of(), {"x" * 500: 1}).message == "book has no such argument; it takes no arguments"


def test_arguments_come_in_the_order_of_the_parameters() -> None:
    tool = tool_of(Parameter("a", ValueKind.TEXT, "A"), Parameter("b", ValueKind.TEXT, "B"))
    assert list(validate_arguments(tool, {"b": "2", "a": "1"})) == ["a", "b"]


def test_schemas_say_what_validation_takes() -> None:
    pack = bicycle_pack()
    schemas = {schema.name: schema.parameters for schema in tool_schemas(pack)}
    assert list(schemas) == list(pack.agent.tools)
    assert schemas["verify_owner"] == {
        "type": "object",
        "properties": {
            "postal_code": {"type": "string", "description": "The customer's ZIP code (five digits)"},
            "frame_last4": {
                "type": "string",
                "description": "The last four digits of the frame number (4 digits)",
            },
        },
        "required": ["postal_code", "frame_last4"],
        "additionalProperties": False,
    }
    assert schemas["get_service_price"]["properties"]["service"]["enum"] == ["tune_up", "brakes", "wheel"]
    assert schemas["confirm_repair"]["properties"]["price_accepted"]["type"] == "boolean"
    assert schemas["transfer_to_human"]["required"] == []


def test_the_agents_hash_covers_prompt_greeting_and_tools() -> None:
    pack = bicycle_pack()
    same, other = (
        agent_config(bicycle_pack()),
        attrs.evolve(pack, agent=attrs.evolve(pack.agent, greeting="Hi.")),
    )
    assert agent_config(pack).sha256 == same.sha256
    fewer = attrs.evolve(pack, agent=attrs.evolve(pack.agent, tools=pack.agent.tools[1:]))
    assert len({agent_config(pack).sha256, agent_config(other).sha256, agent_config(fewer).sha256}) == 3


@pytest.mark.parametrize(("sent", "cents"), [(1499, 1499), (1499.0, 1499), (14.99, 1499), ("$14.99", 1499)])
def test_an_amount_without_a_fraction_is_whole_cents(sent: object, cents: int) -> None:
    tool = Tool("pay", "Pays.", (Parameter("amount", ValueKind.AMOUNT, "what is paid"),), lambda _, a: a)
    assert validate_arguments(tool, {"amount": sent}) == {"amount": cents}
