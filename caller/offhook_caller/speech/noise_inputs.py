"""Turns the random draws inside an ONNX model into inputs, by editing the file's protocol-buffer fields.

A runtime seeds such draws when a session is created and goes on from there, so equal calls differ unless
each pays for a new session (about 0.4 s for a voice). Fed from outside, the noise is whatever the caller's
seeded generator gives. Every ``RandomNormalLike`` of ``x`` becomes ``Slice(noise, 0, Shape(x))``: the
caller feeds noise of at least that shape.

Field numbers are those of ``onnx.proto``: ModelProto.graph 7; GraphProto.node 1, input 11; NodeProto.input
1, output 2, name 3, op_type 4; ValueInfoProto.name 1, type 2; TypeProto.tensor_type 1; Tensor.elem_type 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import attrs

__all__ = ["NoisyModel", "with_noise_inputs"]

_FLOAT: Final = 1
_INT64: Final = 7
_WIRE_VARINT: Final = 0
_WIRE_BYTES: Final = 2
_WIRE_FIXED: Final = {1: 8, 5: 4}


@attrs.frozen(repr=False)
class NoisyModel:
    """The edited model, and the names of its new inputs.

    ``noise_inputs`` are floats, in graph order; ``starts_input`` takes three ``int64`` zeros.
    """

    model: bytes
    noise_inputs: tuple[str, ...]
    starts_input: str


@attrs.frozen
class _Field:
    number: int
    wire: int
    start: int
    body: int
    end: int


def with_noise_inputs(model: bytes) -> NoisyModel:
    """Edits a serialised ONNX model.

    Raises:
        ValueError: the bytes are no such model, or it draws no noise.
    """
    starts = "offhook_noise_starts"
    try:
        (graph,) = [field for field in _fields(model, 0, len(model)) if field.number == 7]
        edited, noise = _edited_graph(model, graph, starts)
    except (IndexError, UnicodeDecodeError, ValueError) as error:
        raise ValueError("not an ONNX model") from error
    if not noise:
        raise ValueError("the model draws no noise")
    inputs = [_value_info(name, _FLOAT) for name in noise] + [_value_info(starts, _INT64)]
    body = b"".join([edited, *(_bytes_field(11, value) for value in inputs)])
    return NoisyModel(model[: graph.start] + _bytes_field(7, body) + model[graph.end :], tuple(noise), starts)


def _edited_graph(model: bytes, graph: _Field, starts: str) -> tuple[bytes, list[str]]:
    kept: list[bytes] = []
    noise: list[str] = []
    copied = graph.body
    for field in _fields(model, graph.body, graph.end):
        if field.number != 1:
            continue
        node = [inner for inner in _fields(model, field.body, field.end) if inner.wire == _WIRE_BYTES]
        if _first(model, node, 4) != "RandomNormalLike":
            continue
        like, output = _first(model, node, 1), _first(model, node, 2)
        noise.append(f"{output}_noise")
        shape = f"{output}_shape"
        kept += [
            model[copied : field.start],
            _node("Shape", (like,), shape),
            _node("Slice", (noise[-1], starts, shape), output),
        ]
        copied = field.end
    kept.append(model[copied : graph.end])
    return b"".join(kept), noise


def _first(model: bytes, node: list[_Field], number: int) -> str:
    return next((model[field.body : field.end].decode() for field in node if field.number == number), "")


def _fields(data: bytes, start: int, end: int) -> Iterator[_Field]:
    while start < end:
        key, body = _varint(data, start)
        number, wire = key >> 3, key & 7
        if wire == _WIRE_VARINT:
            _, stop = _varint(data, body)
        elif wire == _WIRE_BYTES:
            length, body = _varint(data, body)
            stop = body + length
        elif wire in _WIRE_FIXED:
            stop = body + _WIRE_FIXED[wire]
        else:
            raise ValueError(f"wire type {wire}")
        if stop > end:
            raise ValueError("field runs past its message")
        yield _Field(number, wire, start, body, stop)
        start = stop


def _varint(data: bytes, start: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[start]
        start += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, start
        shift += 7


def _varint_bytes(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _bytes_field(number: int, body: bytes) -> bytes:
    return _varint_bytes(number << 3 | _WIRE_BYTES) + _varint_bytes(len(body)) + body


def _node(operator: str, inputs: tuple[str, ...], output: str) -> bytes:
    parts = [_bytes_field(1, name.encode()) for name in inputs]
    parts += [
        _bytes_field(2, output.encode()),
        _bytes_field(3, output.encode()),
        _bytes_field(4, operator.encode()),
    ]
    return _bytes_field(1, b"".join(parts))


def _value_info(name: str, element: int) -> bytes:
    tensor = _varint_bytes(1 << 3 | _WIRE_VARINT) + _varint_bytes(element)
    return _bytes_field(1, name.encode()) + _bytes_field(2, _bytes_field(1, tensor))
