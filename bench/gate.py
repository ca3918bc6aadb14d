#!/usr/bin/env python3
"""The speed gate: fails when flamelane costs more CPU than it may, against floors measured beside it.

Only ratios of CPU time are judged, so the machine's own speed does not matter; medians of runs in
alternation, with slack, and a rule that fails is measured again before it counts.
"""

import argparse
import dataclasses
import sys

import inputs
import measure
from contenders import flamelane, floors

SLACK = 1.2
ROUNDS = 3
RUNS = 9


@dataclasses.dataclass(frozen=True)
class Rule:
    """`what` may cost at most `most` times the CPU of `against`; below `least` it did not do its work."""

    what: str
    against: str
    most: float
    least: float = 0.0

    def ratio(self, medians):
        return medians[self.what].cpu_s / medians[self.against].cpu_s

    def allows(self, ratio):
        return self.least <= ratio <= self.most * SLACK

    def __str__(self):
        return f"{self.what} / {self.against}"


RULES = [
    Rule("parse", "read", 4.0, least=1.0),
    Rule("parse", "serde_json", 1 / 3),
    Rule("fold", "parse", 1.5, least=0.8),
    Rule("parse gz", "inflate", 1.8, least=1.0),
]


def commands(plain, packed):
    """Everything that a rule names."""
    fold = flamelane("fold", "FILE", "--whole", "--weight", "gpu", "-o", "/dev/null")
    return {
        "read": floors("chunks")(plain),
        "parse": floors("parse")(plain),
        "serde_json": floors("serde")(plain),
        "fold": fold(plain),
        "inflate": floors("inflate")(packed),
        "parse gz": floors("parse")(packed),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mb", type=int, default=40, help="size of the generated trace")
    mb = parser.parse_args().mb
    everything = commands(str(inputs.trace(mb)), str(inputs.trace(mb, packed=True)))
    best = {}
    open_rules = RULES
    for _ in range(ROUNDS):
        names = {name for rule in open_rules for name in (rule.what, rule.against)}
        wanted = {name: command for name, command in everything.items() if name in names}
        runs = measure.in_alternation(wanted, RUNS, float("inf"))
        medians = {name: measure.median(costs) for name, costs in runs.items()}
        for rule in open_rules:
            best[rule] = min(best.get(rule, float("inf")), rule.ratio(medians))
        open_rules = [rule for rule in open_rules if not rule.allows(best[rule])]
        if not open_rules:
            break
    for rule, ratio in best.items():
        verdict = "FAILED" if rule in open_rules else "ok"
        print(f"{verdict:>6}  {rule!s:<20} {ratio:5.2f} x CPU, at most {rule.most:.2f} x {SLACK}")
    sys.exit(1 if open_rules else 0)


if __name__ == "__main__":
    try:
        main()
    except measure.Failed as failed:
        sys.exit(f"error: {failed}")
