#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Damages ONNX files in 200 ways and checks that pimc takes each one calmly.

    mutate_onnx.py PIMC SEED.onnx [SEED.onnx ...] [--count 200] [--seed 1] [--keep DIR]

For every damaged file `pimc inspect FILE --json` must, within 10 s, either
  * exit 0 with JSON on standard output, or
  * exit 1 with exactly one error line on standard error and nothing that looks like a crash.
Exit 2 (a bug), a signal or a timeout is a failure; the file is then kept and named. Same seed, same files.
"""
import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

TIMEOUT_S = 10
# Larger seeds only make the run slow: their bytes are weights.
LARGE_SEED = 4 << 20


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def read_varint(data, at):
    value = shift = 0
    while at < len(data) and shift < 70:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return value, at
    raise ValueError("no number")


def fields(data, start, end, depth=0, limit=4000):
    """(tag_at, id, wire, payload_at, payload_end) of every field that can be read, nested ones too."""
    found, at = [], start
    while at < end and len(found) < limit:
        try:
            tag, after = read_varint(data, at)
            wire, number = tag & 7, tag >> 3
            if number == 0 or wire not in (0, 1, 2, 5):
                return found
            if wire == 0:
                payload, stop = after, read_varint(data, after)[1]
            elif wire == 2:
                length, payload = read_varint(data, after)
                stop = payload + length
            else:
                payload, stop = after, after + (8 if wire == 1 else 4)
        except ValueError:
            return found
        if stop > end:
            return found
        found.append((at, number, wire, payload, stop))
        if wire == 2 and depth < 6 and 2 <= stop - payload < 1 << 20:
            found += fields(data, payload, stop, depth + 1, limit - len(found))
        at = stop
    return found


def flip_bits(data, rng, _):
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8, 64))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def truncate(data, rng, _):
    return data[:rng.randrange(len(data))]


def edit_length(data, rng, known):
    at, number, wire, payload, stop = rng.choice([f for f in known if f[2] == 2])
    length = stop - payload
    new = rng.choice((0, length + 1, max(length - 1, 0), length * 2, 1 << 31, 1 << 62, (1 << 64) - 1))
    return data[:at] + varint(number << 3 | wire) + varint(new) + data[payload:]


def duplicate_chunk(data, rng, known):
    at, _, _, _, stop = rng.choice(known)
    where = rng.choice(known)[0]
    return data[:where] + data[at:stop] * rng.choice((1, 1, 2, 50)) + data[where:]


def remove_chunk(data, rng, known):
    at, _, _, _, stop = rng.choice(known)
    return data[:at] + data[stop:]


def huge_number(data, rng, known):
    """A dimension, a type, an attribute, … becomes an extreme."""
    numbers = [f for f in known if f[2] == 0]
    at, number, _, _, stop = rng.choice(numbers or known)
    value = rng.choice((0, 1, 1 << 31, 1 << 32, 1 << 40, (1 << 63) - 1, 1 << 63, (1 << 64) - 1))
    return data[:at] + varint(number << 3) + varint(value) + data[stop:]


def swap_fields(data, rng, known):
    first, second = sorted((rng.choice(known), rng.choice(known)))
    if second[0] < first[4]:
        return remove_chunk(data, rng, known)
    return (data[:first[0]] + data[second[0]:second[4]] + data[first[4]:second[0]] + data[first[0]:first[4]]
            + data[second[4]:])


def change_id(data, rng, known):
    at, _, wire, payload, stop = rng.choice(known)
    tag = varint(rng.randrange(1, 30) << 3 | wire)
    middle = varint(stop - payload) if wire == 2 else b""
    return data[:at] + tag + middle + data[payload:]


def deep_nesting(data, rng, _):
    """Graph in attribute in node in graph in …, or groups, far deeper than any model."""
    body = b""
    kind = rng.randrange(3)
    if kind == 0:
        return data + b"\x0b" * 1_000_000
    if kind == 1:
        return b"\x0b" * 500_000 + b"\x0c" * 500_000 + data
    for _ in range(3000):
        attribute = b"\x32" + varint(len(body)) + body + b"\xa0\x01\x05"
        node = b"\x22\x02If" + b"\x2a" + varint(len(attribute)) + attribute
        body = b"\x0a" + varint(len(node)) + node
    return data + b"\x3a" + varint(len(body)) + body


def garbage(data, rng, _):
    at = rng.randrange(len(data))
    noise = bytes(rng.randrange(256) for _ in range(rng.randrange(1, 200)))
    return data[:at] + noise + data[at + (len(noise) if rng.random() < 0.5 else 0):]


MUTATIONS = [flip_bits, flip_bits, truncate, edit_length, duplicate_chunk, remove_chunk, huge_number, huge_number,
             swap_fields, change_id, deep_nesting, garbage]


def verdict(pimc, path):
    """None if all is well, else what is wrong; and the exit code."""
    environment = dict(os.environ, ASAN_OPTIONS="exitcode=99:" + os.environ.get("ASAN_OPTIONS", ""))
    try:
        run = subprocess.run([pimc, "inspect", path, "--json"], capture_output=True, timeout=TIMEOUT_S, env=environment)
    except subprocess.TimeoutExpired:
        return f"took longer than {TIMEOUT_S} s", None
    lines = [l for l in run.stderr.decode("utf-8", "replace").splitlines() if l.strip()]
    if run.returncode == 0:
        try:
            json.loads(run.stdout)
        except ValueError as error:
            return f"exit 0 but no JSON on standard output: {error}", 0
        return None, 0
    if run.returncode != 1:
        return f"exit code {run.returncode}: {' | '.join(lines[-3:])[:300]}", run.returncode
    if len(lines) != 1:
        return f"{len(lines)} lines on standard error instead of one: {' | '.join(lines[:4])[:300]}", 1
    return None, 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pimc")
    parser.add_argument("seeds", nargs="+", metavar="SEED.onnx")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--keep", metavar="DIR", help="write the files that fail here (default: the temporary folder)")
    options = parser.parse_args()

    rng = random.Random(options.seed)
    sources = []
    for name in options.seeds:
        with open(name, "rb") as file:
            data = file.read()
        if len(data) > LARGE_SEED:
            sys.exit(f"{name}: {len(data) >> 20} MiB is too large for a seed; take a model below {LARGE_SEED >> 20} MiB")
        sources.append((os.path.basename(name), data, fields(data, 0, len(data))))

    keep = options.keep or tempfile.mkdtemp(prefix="pim_fuzz_")
    os.makedirs(keep, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="pim_mutants_") as folder:
        jobs = []
        for index in range(options.count):
            name, data, known = sources[index % len(sources)]
            mutate = MUTATIONS[index // len(sources) % len(MUTATIONS)]
            path = os.path.join(folder, f"{index:04d}_{mutate.__name__}_{name}")
            with open(path, "wb") as file:
                file.write(mutate(data, rng, known))
            jobs.append(path)
        with ThreadPoolExecutor(options.jobs) as pool:
            results = list(pool.map(lambda path: verdict(options.pimc, path), jobs))
        codes, failures = collections.Counter(), 0
        for path, (problem, code) in zip(jobs, results):
            codes[code] += 1
            if problem:
                failures += 1
                kept = os.path.join(keep, os.path.basename(path))
                os.replace(path, kept)
                print(f"FAIL {kept}: {problem}")
    print(f"{options.count} mutated files: {codes[0]} accepted, {codes[1]} refused with a message, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
