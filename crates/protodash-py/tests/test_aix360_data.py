"""The data of AIX360's examples: a questionnaire of NHANES and Gaussian rows."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from conftest import optional
from protodash.aix360 import ProtodashExplainer, get_Gaussian_Data, get_Processed_NHANES_Data

optional("pandas")


def ibm_double(value: float | None) -> bytes:
    """A number in the format of SAS transport files: a sign, an exponent of 16 and 14 hexadecimal digits."""
    if value is None:
        return b"." + bytes(7)
    if value == 0:
        return bytes(8)
    exponent, size = 64, abs(value)
    while size >= 1:
        exponent, size = exponent + 1, size / 16
    while size < 1 / 16:
        exponent, size = exponent - 1, size * 16
    return bytes([exponent | (128 if value < 0 else 0)]) + round(size * 2**56).to_bytes(7, "big")


def transport_file(columns: dict[str, list[float | None]]) -> bytes:
    """A SAS transport file of numbers, written from its specification (TS-140)."""

    def header(name: str, tail: str) -> bytes:
        return f"HEADER RECORD*******{name:<8}HEADER RECORD!!!!!!!{tail}".ljust(80).encode()

    def padded(data: bytes, fill: bytes) -> bytes:
        return data + fill * (-len(data) % 80)

    moment = b"01JAN26:00:00:00"
    text = header("LIBRARY", "0" * 30)
    text += b"SAS     SAS     SASLIB  9.1     Linux   ".ljust(64) + moment + moment.ljust(80)
    text += header("MEMBER", "000000000000000001600000000140") + header("DSCRPTR", "0" * 30)
    text += b"SAS     ANSWERS SASDATA 9.1     Linux   ".ljust(64) + moment + moment.ljust(80)
    text += header("NAMESTR", f"000000{len(columns):04d}00000000000000000000")
    names = b""
    for place, name in enumerate(columns):
        names += struct.pack(">hhhh8s40s8shhh2s8shhl", 1, 0, 8, place + 1, name.ljust(8).encode(), b" " * 40, b" " * 8,
                             0, 0, 0, b"  ", b" " * 8, 0, 0, 8 * place) + bytes(52)  # fmt: skip
    text += padded(names, b" ") + header("OBS", "0" * 30)
    rows = zip(*columns.values(), strict=True)
    return text + padded(b"".join(ibm_double(value) for row in rows for value in row), b" ")


def test_a_questionnaire_is_encoded_as_in_aix360(tmp_path):
    columns = {"SEQN": [73557, 73558, 73559, 73560], "Q1": [1, 2, None, 2], "Q2": [0, 9, 0, 77.5]}
    (tmp_path / "Q_H.XPT").write_bytes(transport_file(columns))
    encoded, original = get_Processed_NHANES_Data(tmp_path / "Q_H.XPT")
    assert original.tolist() == [[1, 0], [2, 9], [0, 0], [2, 77.5]]
    # The answers 0, 1, 2 to the first question, then 0, 9, 77.5 to the second.
    assert encoded.tolist() == [[0, 1, 0, 1, 0, 0], [0, 0, 1, 0, 1, 0], [1, 0, 0, 1, 0, 0], [0, 0, 1, 0, 0, 1]]
    _, indices, _ = ProtodashExplainer().explain(encoded, encoded, m=2)
    assert len(indices) == 2


def test_a_file_that_is_missing_or_of_another_format_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        get_Processed_NHANES_Data(tmp_path / "missing.XPT")
    (tmp_path / "other.XPT").write_text("a,b\n1,2\n")
    with pytest.raises(ValueError):
        get_Processed_NHANES_Data(tmp_path / "other.XPT")


def test_gaussian_rows_are_those_of_aix360_and_leave_the_random_state_alone():
    np.random.seed(5)
    expected = np.random.normal()
    np.random.seed(5)
    X, Y = get_Gaussian_Data(4, 6, 3)
    assert np.random.normal() == expected
    np.random.seed(0)
    raw = np.random.normal(0.0, 1.0, (6, 4)), np.random.normal(0.0, 1.0, (3, 4))
    for rows, normal in zip((X, Y), raw, strict=True):
        assert np.allclose(rows, normal / np.linalg.norm(normal, axis=1)[:, None], rtol=1e-15, atol=0)
