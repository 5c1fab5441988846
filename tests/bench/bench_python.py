# SPDX-License-Identifier: GPL-3.0-or-later
"""How much longer a compile takes from Python than with pimc, each in a process of its own: interpreter, import and all. Medians over rounds,
in ms; in a round both run one after the other, so that a busy moment is that of both, and "more" is the median of the differences. Fails where
Python takes more than 50 ms longer.

    PYTHONPATH=build/release/python PIM_PIMC=build/release/pimc PIM_RESOURCE_DIR=resources python3 tests/bench/bench_python.py
"""
import os
import statistics
import subprocess
import sys
import time

ROUNDS, MOST_MS = 15, 50
CASES = [("sample:tiny-gpt", "attacc"), ("sample:tiny-gpt", "dynaplasia"), ("sample:resnet50", "aim"), ("sample:bert-base", "hbm-pim")]


def milliseconds(command):
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return 1000 * (time.perf_counter() - begin)


def compare(one, other):
    """Medians of both, and of how much longer the other takes. The first round warms up."""
    rounds = [(milliseconds(one), milliseconds(other)) for _ in range(ROUNDS + 1)][1:]
    return *(statistics.median(column) for column in zip(*rounds)), statistics.median(b - a for a, b in rounds)


def main():
    pimc = os.environ["PIM_PIMC"]
    python = [sys.executable, "-c"]
    empty, imported, _ = compare([*python, "pass"], [*python, "import pimstudio"])
    started = statistics.median(milliseconds([pimc, "version"]) for _ in range(ROUNDS))
    print(f"python alone {empty:.1f} ms, with import pimstudio {imported:.1f} ms; pimc version {started:.1f} ms")
    print(f"{'model':18} {'target':12} {'pimc':>8} {'Python':>8} {'more':>8}")
    worst = 0.0
    for model, target in CASES:
        program = f"import pimstudio; print(pimstudio.compile({model!r}, {target!r}, options={{'verify': 0}}).total_ns)"
        command, module, more = compare([pimc, "compile", model, "--target", target, "--verify", "0", "--quiet"], [*python, program])
        print(f"{model:18} {target:12} {command:8.1f} {module:8.1f} {more:8.1f}")
        worst = max(worst, more)
    print(f"at most {worst:.1f} ms more; {MOST_MS} are allowed")
    return worst > MOST_MS


if __name__ == "__main__":
    sys.exit(main())
