#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the manual page of a program from the help that it prints: manual_page.py PROGRAM FILE.1.gz."""
import gzip
import os
import re
import subprocess
import sys

NAMES = {"pimc": "compile neural networks for processing-in-memory hardware",
         "pimstudio": "desktop IDE for processing-in-memory hardware"}


def help_of(*words):
    without_display = dict(os.environ, QT_QPA_PLATFORM="offscreen")
    return subprocess.run(words, check=True, capture_output=True, text=True, env=without_display).stdout


def roff(text):
    lines = []
    for line in text.rstrip().split("\n"):
        line = line.replace("\\", "\\e").replace("-", "\\-")
        lines.append("\\&" + line if line[:1] in (".", "'") else line)
    return "\n".join(lines)


def as_printed(text):
    return [".nf", roff(text), ".fi"]


def main():
    program, out = sys.argv[1], sys.argv[2]
    name = os.path.basename(program)
    other = next(each for each in NAMES if each != name)
    version = help_of(program, "--version").split()[-1]
    overview = help_of(program, "--help")
    overview = overview.replace(program, name)
    verbs = re.findall(r"^  ([a-z][a-z-]*)(?:, ?[a-z-]+)*\s", overview, re.M) if name == "pimc" else []
    page = [f'.TH {name.upper()} 1 "" "PIM Studio {version}" "User Commands"', ".SH NAME",
            f"{name} \\- {roff(NAMES[name])}", ".SH SYNOPSIS", f".B {name}",
            ".I VERB\n[OPTIONS]" if verbs else "[OPTIONS]\n.I [FILE]", ".SH DESCRIPTION", *as_printed(overview)]
    # "Exit code 0: done; 1: …" of the overview, once more where people look for it.
    codes = re.search(r"^Exit code (.*)\.$", overview, re.M)
    if codes:
        page.append(".SH EXIT STATUS")
        for code, meaning in re.findall(r"(\d+): ([^;]+)", codes.group(1)):
            page += [".TP", f".B {code}", roff(meaning)]
    if verbs:
        page.append(".SH VERBS")
    for verb in verbs:
        text = help_of(program, verb, "--help")
        page += [f".SS {roff(verb)}", *as_printed(text)]
        below = text.partition("\nSubcommands:\n")[2].partition("\n\n")[0]
        for word in re.findall(r"^  ([a-z][a-z-]*)\s", below, re.M):
            page += [f".SS {roff(verb)} {word}", *as_printed(help_of(program, verb, word, "--help"))]
    page += [".SH SEE ALSO", f".BR {other} (1)"]
    with open(out, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:  # the same help, the same bytes
        packed.write(("\n".join(page) + "\n").encode("utf-8"))


main()
