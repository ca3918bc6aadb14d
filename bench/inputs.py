"""The traces that the benchmark reads: generated once, kept in `bench/out/`."""

import gzip
import os
import pathlib
import shutil
import subprocess
import tempfile

from contenders import BENCH, ROOT

OUT = BENCH / "out"

GENERATOR = "FLAMELANE_MAKE_TRACE"
"""Names another generator, a Python script called as `SCRIPT OUT --mb N`, instead of the house's own."""


def trace(mb, packed=False):
    """The path of a generated trace of about `mb` MB, its gzip copy when `packed`."""
    OUT.mkdir(parents=True, exist_ok=True)
    plain = OUT / f"trace-{mb}mb.json"
    if not plain.exists():
        with tempfile.TemporaryDirectory(dir=OUT) as folder:
            unfinished = pathlib.Path(folder) / plain.name
            subprocess.run(generate(unfinished, mb), check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
            unfinished.rename(plain)
    return pack(plain) if packed else plain


def generate(out, mb):
    """The command that writes a trace."""
    script = os.environ.get(GENERATOR)
    if script:
        return ["python3", script, str(out), "--mb", str(mb)]
    return ["cargo", "xtask", "make-trace", str(out), "--mb", str(mb)]


def pack(plain):
    """The path of the gzip copy of `plain`, at gzip's own default level."""
    packed = pathlib.Path(f"{plain}.gz")
    if not packed.exists():
        unfinished = packed.with_suffix(".part")
        with open(plain, "rb") as source, gzip.open(unfinished, "wb", compresslevel=6) as sink:
            shutil.copyfileobj(source, sink, 1 << 20)
        unfinished.rename(packed)
    return packed


def unpacked_mb(file):
    """The size of what `file` holds, in MB of 10^6 bytes."""
    plain = pathlib.Path(str(file).removesuffix(".gz"))
    if plain.exists():
        return plain.stat().st_size / 1e6
    with gzip.open(file) as source:
        return sum(len(piece) for piece in iter(lambda: source.read(1 << 20), b"")) / 1e6
