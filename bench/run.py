#!/usr/bin/env python3
"""Measures flamelane and its peers side by side, on the same files, in one run.

Every contender is a child process; its cost is its CPU time (user and system), because wall time on a
shared machine is noise. `bench/setup.sh` installs the peers first.
"""

import argparse
import pathlib
import platform
import sys

import inputs
import measure
from contenders import BENCH, ROOT, contenders

BASE = "flamelane report"
"""The contender that the last column compares with."""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sizes", default="10,200,1000", help="MB of the generated traces")
    parser.add_argument("--no-gz", action="store_true", help="leave out the gzip copies")
    parser.add_argument("--input", nargs="+", metavar="FILE", help="measure these files instead")
    parser.add_argument("--rounds", type=int, default=7, help="most runs of each contender")
    parser.add_argument("--budget", type=float, default=60, metavar="SECONDS",
                        help="a contender whose runs took this long together drops out")
    parser.add_argument("--only", default="", help="names of contenders, with commas between them")
    parser.add_argument("--skip", default="", help="names of contenders to leave out")
    parser.add_argument("--cap", action="append", default=[], metavar="NAME=MB",
                        help="largest unpacked input for a contender")
    parser.add_argument("--python", default=str(BENCH / "out/venv/bin/python"), help="interpreter with the peers")
    parser.add_argument("--reference-fold", metavar="SCRIPT", help="measure this plain-Python fold too")
    parser.add_argument("--write", metavar="FILE", help="put the tables between the marks of this page")
    return parser.parse_args()


def main():
    options = arguments()
    everybody = chosen(contenders(options.python, options.reference_fold), options)
    caps = {name: float(mb) for name, mb in (cap.split("=") for cap in options.cap)}
    sections = [machine()]
    for file in files(options):
        sections.append(section(file, everybody, caps, options))
        print(sections[-1], flush=True)
    if options.write:
        put(pathlib.Path(options.write), "\n\n".join(sections))


def chosen(everybody, options):
    """The contenders that the command line leaves in."""
    only = {name for name in options.only.split(",") if name}
    skip = set(options.skip.split(","))
    unknown = (only | skip) - {contender.name for contender in everybody} - {""}
    if unknown:
        sys.exit(f"error: no contender {', '.join(sorted(unknown))}")
    return [one for one in everybody if one.name not in skip and (not only or one.name in only)]


def files(options):
    """The inputs, plain before packed."""
    if options.input:
        return options.input
    sizes = [int(size) for size in options.sizes.split(",")]
    packings = (False,) if options.no_gz else (False, True)
    return [str(inputs.trace(mb, packed)) for mb in sizes for packed in packings]


def section(file, everybody, caps, options):
    """One heading and one table."""
    unpacked = inputs.unpacked_mb(file)
    size = pathlib.Path(file).stat().st_size / 1e6
    able = [one for one in everybody if file.endswith(one.endings)]
    run = {one.name: one.command(file) for one in able if unpacked <= caps.get(one.name, one.max_mb)}
    print(f"{file}: {', '.join(run)}", file=sys.stderr, flush=True)
    costs = measure.in_alternation(run, options.rounds, options.budget)
    packed = f", {size:,.1f} MB packed" if file.endswith(".gz") else ""
    heading = f"### `{pathlib.Path(file).name}`: {unpacked:,.1f} MB{packed}"
    return "\n".join([heading, "", *table(able, costs)])


def table(able, costs):
    """The lines of a Markdown table, one row a contender."""
    medians = {name: measure.median(runs) for name, runs in costs.items()}
    base = medians.get(BASE)
    yield f"| contender | does | CPU s | wall s | peak MB | CPU against `{BASE}` | runs |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: |"
    for one in able:
        cost = medians.get(one.name)
        if cost is None:
            yield f"| {one.name} | {one.does} | not run | | | | 0 |"
            continue
        ratio = f"{cost.cpu_s / base.cpu_s:.2f}" if base else ""
        figures = f"{cost.cpu_s:.3f} | {cost.wall_s:.3f} | {cost.peak_mb:,.0f}"
        yield f"| {one.name} | {one.does} | {figures} | {ratio} | {len(costs[one.name])} |"


def machine():
    """One sentence on where the figures come from."""
    cpu = "unknown CPU"
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            cpu = line.split(":", 1)[1].strip()
            break
    return f"Medians, measured on: {cpu}, {platform.system()} {platform.release()}, Python {platform.python_version()}."


def put(page, text):
    """Replaces what stands between the two marks of `page`."""
    start, end = "<!-- measured: start -->", "<!-- measured: end -->"
    before, found, rest = page.read_text().partition(start)
    _, found_end, after = rest.partition(end)
    if not (found and found_end):
        sys.exit(f"error: {page} lacks the marks {start} and {end}")
    page.write_text(f"{before}{start}\n\n{text}\n\n{end}{after}")


if __name__ == "__main__":
    try:
        main()
    except measure.Failed as failed:
        sys.exit(f"error: {failed}")
