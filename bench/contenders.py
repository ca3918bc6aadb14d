"""Who runs in the benchmark, and how."""

import dataclasses
import os
import pathlib
import typing

BENCH = pathlib.Path(__file__).resolve().parent
ROOT = BENCH.parent


@dataclasses.dataclass(frozen=True)
class Contender:
    """One program, or one way of using it."""

    name: str
    does: str
    command: typing.Callable[[str], list]
    """The command line for an input file."""
    max_mb: float = float("inf")
    """The largest unpacked input that it is given: beyond, it takes too long."""
    endings: tuple = (".json", ".gz")
    """The inputs that it can read."""


def release_folder():
    """Where cargo puts what it builds in release mode."""
    return pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release"


def floors(way):
    """A contender of `crates/read/examples/floors.rs`."""
    return lambda file: [str(release_folder() / "examples" / "floors"), way, file]


def flamelane(*arguments):
    """The product itself; `FILE` stands for the input."""
    program = str(release_folder() / "flamelane")
    return lambda file: [program, *(file if word == "FILE" else word for word in arguments)]


def peer(python, script):
    """A peer that is a Python library, used by a few lines in `peers/`."""
    return lambda file: [str(python), str(BENCH / "peers" / script), file]


def contenders(python, reference_fold):
    """Everybody; `python` is the interpreter with the peers, `reference_fold` a script or nothing."""
    everybody = [
        Contender("read", "reads the file in 256 KB pieces: the floor", floors("chunks")),
        Contender("inflate", "zlib-rs alone, as flamelane uses it", floors("inflate"), endings=(".gz",)),
        Contender("flamelane parse", "file to columns", floors("parse")),
        Contender(
            "flamelane fold",
            "GPU time by stack, as folded text",
            flamelane("fold", "FILE", "--whole", "--weight", "gpu", "-o", "/dev/null"),
        ),
        Contender(
            "flamelane report",
            "everything: health, verdict, findings, all weights, JSON",
            flamelane("report", "FILE", "--format", "json"),
        ),
        Contender("serde_json", "typed, borrowed, streamed; no columns", floors("serde"), endings=(".json",)),
        Contender("orjson", "`orjson.loads`, gc off; no analysis", peer(python, "load_orjson.py"), 1100),
        Contender("json", "`json.load`; no analysis", peer(python, "load_json.py"), 1100),
        Contender(
            "HTA",
            "load, temporal, idle and kernel breakdown, pictures off",
            peer(python, "holistic.py"),
            250,
        ),
    ]
    if reference_fold:
        command = lambda file: [str(python), str(reference_fold), file]
        does = "GPU time by stack in plain Python, exact"
        everybody.append(Contender("reference fold", does, command, 250))
    return everybody
