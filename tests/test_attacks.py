"""Files made to harm whoever loads them: refused in a sentence, at once, without much memory.

What a forger reaches who also computes the right checksum is tried beside the reader itself, in
`crates/engine/src/model_file/tests.rs`, and by `make fuzz`.
"""

import io
import json
import pickle
import subprocess
import sys
import zipfile

import numpy as np
import pytest

import lapwing

MEGABYTES = 64
"""How much more memory than before loading may take."""


def good():
    model = lapwing.Model()
    model.learn([[1.0, 0.0, 2.0], [0.0, 1.0, 1.0]], [1, 0])
    return model.__getstate__()


def container(header, arrays=b""):
    """What begins like a safetensors file, whatever its header says."""
    if not isinstance(header, bytes):
        header = json.dumps(header).encode()
    return len(header).to_bytes(8, "little") + header + arrays


def with_arrays(**arrays):
    """A header that calls itself a model, with the infos of arrays."""
    length = int.from_bytes(good()[:8], "little")
    words = json.loads(good()[8 : 8 + length])["__metadata__"]
    return {"__metadata__": words} | arrays


def info(shape, start, end, dtype="F32"):
    return {"dtype": dtype, "shape": shape, "data_offsets": [start, end]}


def zipped():
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("archive/data.pkl", bytes(50_000_000))
    return content.getvalue()


def numpy_file():
    content = io.BytesIO()
    np.save(content, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    return content.getvalue()


class Harm:
    def __reduce__(self):
        return exec, ("raise SystemExit('this file was executed')",)


HASH = info([8], 8, 16, "U8")
ATTACKS = {
    "a pickle that runs code": lambda: pickle.dumps(Harm()),
    "a zip bomb": zipped,
    "a NumPy file of objects": numpy_file,
    "cut in the header": lambda: good()[:100],
    "cut in the arrays": lambda: good()[:-12],
    "twice": lambda: good() * 2,
    "header of no length": lambda: container(b""),
    "header of almost 100 MB": lambda: (99_999_999).to_bytes(8, "little") + b"{" * 1000,
    "header of 2^64 bytes": lambda: (2**64 - 1).to_bytes(8, "little") + b"{}",
    "header nested deeply": lambda: container(b'{"a":' * 100_000),
    "header nested in lists": lambda: container(b'{"__metadata__":' + b"[" * 1_000_000),
    "header that is no object": lambda: container(b'["lapwing"]'),
    "header that is not UTF-8": lambda: container(b'{"\xff":1}'),
    "words that are no text": lambda: container({"__metadata__": {"lapwing": 7}}),
    "no description": lambda: container({"__metadata__": {}, "xxh3": info([8], 0, 8, "U8")}),
    "description of nothing": lambda: container(
        {"__metadata__": {"lapwing": ""}, "xxh3": info([8], 0, 8, "U8")}, bytes(8)
    ),
    "no arrays": lambda: container(with_arrays()),
    "huge array": lambda: container(with_arrays(mean=info([2**40], 0, 2**42), xxh3=HASH)),
    "shape that overflows": lambda: container(
        with_arrays(mean=info([2**33, 2**33], 0, 8), xxh3=HASH), bytes(16)
    ),
    "offsets that overlap": lambda: container(
        with_arrays(mean=info([2], 0, 8), variance=info([2], 4, 12), xxh3=HASH), bytes(16)
    ),
    "offsets beyond the end": lambda: container(
        with_arrays(mean=info([2], 0, 8), xxh3=info([8], 2**62, 2**62 + 8, "U8")), bytes(16)
    ),
    "offsets that go back": lambda: container(
        with_arrays(mean=info([2], 8, 0), xxh3=HASH), bytes(16)
    ),
    "negative offsets": lambda: container(with_arrays(mean=info([2], -8, 0), xxh3=HASH), bytes(16)),
    "a hole": lambda: container(with_arrays(mean=info([1], 0, 4), xxh3=HASH), bytes(16)),
    "unknown dtype": lambda: container(
        with_arrays(mean=info([2], 0, 8, "PICKLE"), xxh3=HASH), bytes(16)
    ),
    "dtype of another width": lambda: container(
        with_arrays(mean=info([2], 0, 8, "F64"), xxh3=HASH), bytes(16)
    ),
    "an array twice": lambda: container(
        json.dumps(with_arrays(mean=info([2], 0, 8))).encode()[:-1]
        + b', "mean": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}',
        bytes(16),
    ),
}


@pytest.mark.parametrize("name", list(ATTACKS))
def test_an_attack_is_refused_in_a_sentence(name, tmp_path):
    path = tmp_path / "attack.lapwing"
    path.write_bytes(ATTACKS[name]())
    with pytest.raises(ValueError, match=f"^{path}: ") as refused:
        lapwing.load(path)
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < len(str(path)) + 300


def test_attacks_take_no_memory(tmp_path):
    """All of them, and a large sparse file, by a process that may have little more memory."""
    for place, make in enumerate(ATTACKS.values()):
        (tmp_path / f"{place}.lapwing").write_bytes(make())
    with (tmp_path / "sparse.lapwing").open("wb") as file:
        file.write((2**20).to_bytes(8, "little") + b"{")
        file.truncate(2**36)
    script = f"""
import pathlib, resource, lapwing
used = int(pathlib.Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + {MEGABYTES << 20},) * 2)
for path in sorted(pathlib.Path({str(tmp_path)!r}).iterdir()):
    try:
        lapwing.load(path)
    except ValueError:
        print(path.name)
"""
    command = [sys.executable, "-c", script]
    out = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert len(out.stdout.split()) == len(ATTACKS) + 1
