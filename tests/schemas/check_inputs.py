# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of targets, hosts and systems: what we accept is what a full validator of JSON Schema accepts, for all that are shipped and for those with
something changed at random.

usage: check_inputs.py PIMC SOURCE JUDGE_JSON"""
import copy
import json
import pathlib
import random
import re
import subprocess
import sys

import jsonschema

CHANGES = 60  # of each file
FORMATS = jsonschema.FormatChecker(formats=[])
FORMATS.checks("id")(lambda value: not isinstance(value, str) or not value or re.fullmatch("[a-z0-9_-]+", value))
FORMATS.checks("dotted-name")(lambda value: not isinstance(value, str) or re.fullmatch(r"[a-zA-Z0-9_]+(\.[a-zA-Z0-9_]+)+", value))
VALUES = [None, True, False, 0, 1, -1, 2, 8, 64, 1.0, 1.5, -0.5, 1e18, "", "x", "Id", "a.b", "a..b", "GB/s", "f16", "ä" * 2, "ä" * 64, "ä" * 1500, "ä" * 2001, "x" * 1000, [], [1, 1], ["a"], {}, {"value": 1}]


def places(document, path=()):
    """Of all values: how they are reached."""
    yield path
    if isinstance(document, dict):
        for key in document:
            yield from places(document[key], path + (key,))
    elif isinstance(document, list):
        for index, item in enumerate(document):
            yield from places(item, path + (index,))


def at(document, path):
    for step in path:
        document = document[step]
    return document


def changed(document, chance):
    """A copy with one or two changes."""
    document = copy.deepcopy(document)
    for _ in range(chance.choice([1, 1, 1, 2])):
        path = chance.choice([path for path in places(document) if path] or [()])
        if not path:
            return document
        holder, last = at(document, path[:-1]), path[-1]
        value = holder[last]
        kind = chance.randrange(8)
        if kind == 0:
            del holder[last]
        elif kind == 1 and isinstance(holder, dict):
            holder[chance.choice(["x", "Unknown", "unit", "value", "ä" * 40, last + "s"])] = holder.pop(last)
        elif kind == 2 and isinstance(value, list) and value:
            value.append(copy.deepcopy(chance.choice(value)))
        elif kind == 3 and isinstance(value, (int, float)) and not isinstance(value, bool):
            holder[last] = chance.choice([-value, value + 0.5, float(value), value * 1000000, 0])
        elif kind == 4 and isinstance(value, str):
            holder[last] = chance.choice([value.upper(), value + " ", value * 30, value[:1], "ä" + value])
        elif kind == 5:
            holder[last] = copy.deepcopy(at(document, chance.choice(list(places(document)))))
        else:
            holder[last] = copy.deepcopy(chance.choice(VALUES))
    return document


def judged(judge, schema, definition, documents):
    lines = "".join(json.dumps(document, ensure_ascii=False) + "\n" for document in documents)
    done = subprocess.run([judge, schema, definition], input=lines, capture_output=True, text=True, encoding="utf-8", check=True)
    verdicts = done.stdout.splitlines()
    assert len(verdicts) == len(documents), done.stderr
    return verdicts


def check(judge, schema_file, definition, files):
    schema = json.loads(schema_file.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator({**schema, "$ref": "#/$defs/" + definition}, format_checker=FORMATS)
    chance = random.Random(1)
    documents, names = [], []
    for file in files:
        shipped = json.loads(file.read_text(encoding="utf-8"))
        for number in range(CHANGES + 1):
            documents.append(changed(shipped, chance) if number else shipped)
            names.append(f"{file.name}, change {number}" if number else file.name)
    rejected = 0
    for name, document, ours in zip(names, documents, judged(judge, schema_file, definition, documents)):
        theirs = next(iter(validator.iter_errors(document)), None)
        rejected += theirs is not None
        assert (ours == "valid") == (theirs is None), f"{name}: we say {ours!r}, jsonschema says {str(theirs)[:400]!r}\n{json.dumps(document)[:2000]}"
        assert "change" in name or theirs is None, f"{name}: {theirs}"
    assert len(files) >= 2 and rejected > len(documents) / 3 and rejected < len(documents) - len(files), f"{definition}: {rejected} of {len(documents)} rejected"
    print(f"{definition}: {len(files)} files and {len(documents) - len(files)} changed ones, {rejected} rejected by both")


def main():
    judge, resources = sys.argv[3], pathlib.Path(sys.argv[2]) / "resources"
    for definition, folder, schema in [("target", "targets", "targets"), ("host", "targets/hosts", "targets"), ("system", "systems", "systems")]:
        files = sorted(file for file in (resources / folder).glob("*.json") if not file.name.endswith(".schema.json"))
        check(judge, resources / schema / f"{schema[:-1]}.schema.json", definition, files)


main()
