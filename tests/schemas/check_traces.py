# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the trace of every family (`pimc compile --trace`), of several machines at once and of memristor tiles against the rules of the Trace Event Format that Perfetto reads by: keys and
types of its events, finite times, named processes and tracks, spans of a track that nest or follow each other, nothing after the run.

usage: check_traces.py PIMC"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

NESTING_SLACK_US = 1e-9  # of sums of doubles; times are written down to 1e-6


def run(*words):
    return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)


def only_numbers(text):
    raise ValueError(f"{text} is no JSON")


def number(event, key):
    value = event.get(key)
    assert isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value), f"{key} is {value!r}: {event}"
    assert value >= 0, f"{key} is negative: {event}"
    return value


def check_nesting(track, spans):
    """Complete events of a track: each within the one it begins in."""
    open_until = []
    begun = 0
    for start, end, event in spans:
        assert start >= begun, f"{track}: {event} is before the one above it"
        begun = start
        while open_until and open_until[-1] <= start + NESTING_SLACK_US:
            open_until.pop()
        assert not open_until or end <= open_until[-1] + NESTING_SLACK_US, f"{track}: {event} ends after the span that it is in"
        open_until.append(end)


def check(document):
    """\\return complete events."""
    assert set(document) == {"displayTimeUnit", "otherData", "traceEvents"}, set(document)
    assert document["displayTimeUnit"] in ("ns", "ms")
    named = {"process_name": set(), "thread_name": set()}
    tracks = {}
    for event in document["traceEvents"]:
        assert isinstance(event["name"], str) and event["name"], event
        assert all(type(event[key]) is int and event[key] >= 0 for key in ("pid", "tid")), event
        if event["ph"] == "M":
            assert set(event) == {"ph", "name", "pid", "tid", "args"}, event
            kind = event["name"]
            assert kind in ("process_name", "thread_name", "process_sort_index", "thread_sort_index"), event
            value = event["args"]["sort_index" if kind.endswith("sort_index") else "name"]
            assert type(value) is (int if kind.endswith("sort_index") else str), event
            if kind in named:
                who = event["pid"] if kind == "process_name" else (event["pid"], event["tid"])
                assert who not in named[kind], f"{who} is named twice"
                named[kind].add(who)
            continue
        assert event["ph"] == "X" and set(event) == {"ph", "name", "cat", "pid", "tid", "ts", "dur"}, event
        assert isinstance(event["cat"], str), event
        start = number(event, "ts")
        tracks.setdefault((event["pid"], event["tid"]), []).append((start, start + number(event, "dur"), event))
    for (process, thread), spans in tracks.items():
        assert process in named["process_name"], f"process {process} has no name"
        assert (process, thread) in named["thread_name"], f"track {process}/{thread} has no name"
        check_nesting(f"track {process}/{thread}", spans)
    assert tracks, "there are no spans"
    return sum(len(spans) for spans in tracks.values())


def main():
    pimc = sys.argv[1]
    target_of = {}
    for target in json.loads(run(pimc, "targets", "--json").stdout)["targets"]:
        target_of.setdefault(target["backend"], target["id"])
    families = {backend["id"] for backend in json.loads(run(pimc, "version", "--json").stdout)["backends"]}
    assert families == set(target_of), families ^ set(target_of)
    tiny = ["sample:tiny-gpt", "--bind", "past=7"]
    runs = [[family, "compile", *tiny, "--verify", "0", "--target", target] for family, target in sorted(target_of.items())]
    runs += [["crossbar, low latency", "compile", *tiny, "--target", target_of["crossbar"], "--crossbar", "mode=ll"],
             ["several machines", "system", *tiny, "--system", "gpu-hbm-crossbar"],
             ["several machines, predicted", "system", *tiny, "--system", "gpu-hbm-crossbar", "--predict"],
             ["memristor tiles", "cinm", "mm", "--small", "--size", "8", "--target", "memristor"]]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "trace.json")
        for what, *words in runs:
            done = run(pimc, *words, "--trace", str(file))
            try:
                assert done.returncode == 0, done.stderr
                spans = check(json.loads(file.read_text(), parse_constant=only_numbers))
                print(f"{what}: {spans} spans")
                file.unlink()
            except (AssertionError, KeyError, ValueError) as error:
                failed += 1
                print(f"FAIL: {what}: {type(error).__name__} {str(error)[:1000]}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
