# SPDX-License-Identifier: GPL-3.0-or-later
"""How much longer a compile takes from Python than with pimc, each in a process of its own: interpreter, import and all. Medians over rounds
that take turns, in ms. Fails where Python takes more than 50 ms longer.

    PYTHONPATH=build/release/python PIM_PIMC=build/release/pimc PIM_RESOURCE_DIR=resources python3 tests/bench/bench_python.py
"""
import os
import statistics
import subprocess
import sys
import time

ROUNDS, MOST_MS = 15, 50
CASES = [("sample:tiny-gpt", "attacc"), ("sample:tiny-gpt", "dynaplasia"), ("sample:resnet50", "aim"), ("sample:bert-base", "hbm-pim")]


def milliseconds(*words):
    begin = time.perf_counter()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    return 1000 * (time.perf_counter() - begin)


def medians(*commands):
    """They take turns, so that a busy moment is everybody's; the first round warms up."""
    rounds = [[milliseconds(*command) for command in commands] for _ in range(ROUNDS + 1)][1:]
    return [statistics.median(column) for column in zip(*rounds)]


def main():
    pimc = os.environ["PIM_PIMC"]
    python = [sys.executable, "-c"]
    empty, imported = medians([*python, "pass"], [*python, "import pimstudio"])
    print(f"python alone {empty:.1f} ms, with import pimstudio {imported:.1f} ms")
    print(f"{'model':18} {'target':12} {'pimc':>8} {'Python':>8} {'more':>8}")
    worst = 0.0
    for model, target in CASES:
        program = f"import pimstudio; print(pimstudio.compile({model!r}, {target!r}, options={{'verify': 0}}).to_dict()['total_ns'])"
        command, module = medians([pimc, "compile", model, "--target", target, "--verify", "0", "--json", "--quiet"], [*python, program])
        print(f"{model:18} {target:12} {command:8.1f} {module:8.1f} {module - command:8.1f}")
        worst = max(worst, module - command)
    print(f"at most {worst:.1f} ms more; {MOST_MS} are allowed")
    return worst > MOST_MS


if __name__ == "__main__":
    sys.exit(main())
