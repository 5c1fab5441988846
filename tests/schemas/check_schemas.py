# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds what `pimc VERB --json` prints against resources/schemas/VERB.json, by a validator that is not ours.

usage: check_schemas.py PIMC SOURCES [VERB …]
The verbs are those whose help has --json: one without a schema or without a sample (samples.txt) fails, and so does a schema that lets
a renamed key pass. Needs python3-jsonschema."""
import concurrent.futures
import copy
import json
import pathlib
import re
import shlex
import string
import subprocess
import sys
import tempfile

import jsonschema

# Figures that only some machines have, beside others of their own: a renamed one is another figure.
FIGURES = {"sweep": {"simulated_macs_per_s", "simulated_ns", "system_energy_pj", "power_w"}}


def run(pimc, words, folder):
    return subprocess.run([pimc, *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)


def verbs_with_json(pimc):
    overview = run(pimc, ["--help"], ".").stdout
    verbs = re.findall(r"^  ([a-z][a-z-]*)(?:, ?[a-z-]+)*\s", overview, re.M)
    assert len(verbs) > 30, "the list of verbs is not found in the help"
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        helps = list(pool.map(lambda verb: run(pimc, [verb, "--help"], ".").stdout, verbs))
    return [verb for verb, text in zip(verbs, helps) if re.search(r"^ *--json\b", text, re.M)]


def write_inputs(folder, golden):
    def rows(source, picked):
        lines = (golden / source).read_text().splitlines()
        return "\n".join([lines[0], *[lines[i] for i in picked]]) + "\n"

    files = {
        "attention.json": '{"ops": {"/layers.0/mlp/fc1/MatMul": {"placement": "host"}}}',
        "gemv.txt": "def gemv(W[64][256], x[256], y[64]):\n    for m in range(64):\n        for k in range(256):\n"
                    "            y[m] += W[m][k] * x[k]\n",
        "kernels.csv": "kernel,param,tasklets,dma_block_bytes\nVA,256,2,256\n",
        "micro.csv": rows("upmem/upimulator_micro_freqfix.csv", [1, 2]),
        "layers.csv": "N,CB,CT,F,pe,tasklets\n2048,48,16,768,64,16\n7,8,16,9,4,2\n",
        "mappings.csv": rows("upmem/pimdl_space_predicted.csv", [1]) + "bad,7,8,16,9,4,2,4,1,1,1,0,0,1,1,1,1,1\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text)


def samples(sources):
    """(line, exit code, words) in order."""
    golden = sources / "tests" / "golden"
    for line in (sources / "tests" / "schemas" / "samples.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        code, _, rest = line.partition(":") if re.match(r"\d+:", line) else ("0", "", line)
        words = shlex.split(string.Template(rest).substitute(golden=golden, sources=sources))
        yield rest, int(code), words


def problems_of(validator, document):
    for error in sorted(validator.iter_errors(document), key=lambda e: list(e.absolute_path))[:5]:
        best = jsonschema.exceptions.best_match([error]) or error
        yield f"$.{'.'.join(map(str, best.absolute_path))}: {best.message[:300]}"


def renamed(document):
    """The document with one key of it renamed, for every key of its outermost object, or of the first object of its list."""
    for key in document[0] if isinstance(document, list) and document and isinstance(document[0], dict) else \
            document if isinstance(document, dict) else []:
        changed = copy.deepcopy(document)
        part = changed[0] if isinstance(changed, list) else changed
        part[key + "_renamed"] = part.pop(key)
        yield key, changed


def main():
    pimc, sources, only = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    folder_of_schemas = sources / "resources" / "schemas"
    of_targets = json.loads((sources / "resources" / "targets" / "target.schema.json").read_text())
    failed = []
    verbs = verbs_with_json(pimc)
    schemas = {path.stem: json.loads(path.read_text()) for path in sorted(folder_of_schemas.glob("*.json"))}
    sampled = {words[0] for _, _, words in samples(sources) if "--json" in words}
    listed = run(pimc, ["schema"], ".").stdout.split()
    for what, names in {"without a schema": set(verbs) - set(schemas), "with a schema, but no --json": set(schemas) - set(verbs),
                        "without a sample": set(verbs) - sampled, "not in `pimc schema`": set(verbs) ^ set(listed)}.items():
        if names:
            failed.append(f"{what}: {', '.join(sorted(names))}")
    for verb, schema in schemas.items():
        jsonschema.Draft202012Validator.check_schema(schema)
        if schema["$schema"] != "https://json-schema.org/draft/2020-12/schema" or not schema.get("title"):
            failed.append(f"{verb}: no draft, or no title")
    for verb in listed[:1]:
        if json.loads(run(pimc, ["schema", verb], ".").stdout) != schemas.get(verb):
            failed.append(f"`pimc schema {verb}` prints something else")
    checked = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_inputs(folder, sources / "tests" / "golden")
        for line, code, words in samples(sources):
            if only and words[0] not in only and not any(flag in words for flag in ("--project", "--out", "-o", "--output", "--to")):
                continue
            done = run(pimc, words, folder)
            if done.returncode != code:
                failed.append(f"{line}\n  exit code {done.returncode}: {done.stderr.strip()[-500:]}")
                continue
            if "--json" not in words or words[0] not in schemas:
                continue
            document = json.loads(done.stdout, parse_constant=lambda text: failed.append(f"{line}\n  {text} is no JSON"))
            checked += 1
            validator = jsonschema.Draft202012Validator(schemas[words[0]])
            failed += [f"{line}\n  {problem}" for problem in problems_of(validator, document)]
            if words[0] == "targets" and "format" in document:  # a file that could be given with --targets
                failed += [f"{line}\n  {problem}" for problem in problems_of(jsonschema.Draft202012Validator(of_targets), document)]
            for key, changed in renamed(document):
                if key not in FIGURES.get(words[0], ()) and validator.is_valid(changed):
                    failed.append(f"{line}\n  \"{key}\" can be renamed and the schema does not see it")
    for problem in failed:
        print("FAIL:", problem)
    print(f"{len(verbs)} verbs, {checked} documents, {len(failed)} failed")
    return 1 if failed or (not only and checked < len(verbs)) else 0


if __name__ == "__main__":
    sys.exit(main())
