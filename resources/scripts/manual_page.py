#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the manual page of pimc from the help that it prints: manual_page.py PIMC FILE."""
import re
import subprocess
import sys


def help_of(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def roff(text):
    lines = []
    for line in text.rstrip().split("\n"):
        line = line.replace("\\", "\\e").replace("-", "\\-")
        lines.append("\\&" + line if line[:1] in (".", "'") else line)
    return "\n".join(lines)


def main():
    pimc, out = sys.argv[1], sys.argv[2]
    version = help_of(pimc, "--version").split()[1]
    overview = help_of(pimc, "--help")
    verbs = re.findall(r"^  ([a-z][a-z-]*)(?:,[a-z-]+)*\s", overview, re.M)
    page = [f'.TH PIMC 1 "" "PIM Studio {version}" "User Commands"', ".SH NAME",
            "pimc \\- compile neural networks for processing\\-in\\-memory hardware", ".SH SYNOPSIS",
            ".B pimc\n.I VERB\n[OPTIONS]", ".SH DESCRIPTION", ".nf", roff(overview), ".fi", ".SH VERBS"]
    for verb in verbs:
        page += [f".SS {roff(verb)}", ".nf", roff(help_of(pimc, verb, "--help")), ".fi"]
    page += [".SH SEE ALSO", ".BR pimstudio (1)"]
    with open(out, "w", encoding="utf-8") as file:
        file.write("\n".join(page) + "\n")


main()
