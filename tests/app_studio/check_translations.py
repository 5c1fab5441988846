# SPDX-License-Identifier: GPL-3.0-or-later
"""Translations are complete and keep what texts are made of. usage: check_translations.py SOURCES [LUPDATE]

With lupdate (Qt's, of the packages that build needs) also: the files hold every text of the sources and no other, and each
text is looked up under the name that the file has it under.
"""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

PLACEHOLDER = re.compile(r"%L?[0-9]{1,2}|%n")
TAG = re.compile(r"</?[a-z]+[^>]*>")
MNEMONIC = re.compile(r"&(?![a-z]+;)(\w)")


def counted(pattern, text):
    return collections.Counter(pattern.findall(text))


def ending(text):
    """What ends it that a reader relies on: a dialog follows, a value follows, a question is asked."""
    visible = text.split("\t")[0].rstrip()
    return visible[-1:] if visible[-1:] in "….:?" else ""


def edges(text):
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]


def differences(source, text):
    """What one translation lost or gained, as words."""
    checks = {
        "placeholders": counted(PLACEHOLDER, source) == counted(PLACEHOLDER, text),
        "marks of HTML": counted(TAG, source) == counted(TAG, text),
        "number of …": source.count("…") == text.count("…"),
        "end": ending(source) == ending(text),
        "space at its ends": edges(source) == edges(text),
        "line breaks": source.count("\n") == text.count("\n"),
        "shortcut": source.partition("\t")[2] == text.partition("\t")[2] or "\n" in source,
        "mnemonic": len(MNEMONIC.findall(source)) == len(MNEMONIC.findall(text)),
    }
    return [what for what, holds in checks.items() if not holds]


def messages(file):
    """Context, source and message of all texts of a .ts file."""
    for context in ElementTree.parse(file).getroot().iter("context"):
        for message in context.iter("message"):
            yield context.findtext("name"), message.findtext("source"), message


def wrong_in(file):
    for context, source, message in messages(file):
        where = f"{file.name}: {context}: {source!r}"
        translation = message.find("translation")
        if translation.get("type"):
            yield f"{where} is {translation.get('type')}"
            continue
        forms = [form.text or "" for form in translation.iter("numerusform")] or [translation.text or ""]
        for text in forms:
            if not text.strip():
                yield f"{where} is not translated"
            elif lost := differences(source, text):
                yield f"{where} and {text!r} differ: {', '.join(lost)}"


def wrong_against_sources(file, sources, lupdate):
    with tempfile.TemporaryDirectory() as folder:
        fresh = pathlib.Path(folder) / file.name
        ran = subprocess.run(
            [lupdate, "-I", sources, "-extensions", "cpp,h", "-locations", "none", sources / "views",
             sources / "app" / "studio", "-ts", fresh],
            capture_output=True, text=True, check=False)  # fmt: skip
        if ran.returncode:
            return [f"lupdate failed: {ran.stderr}"]
        # A text whose class it does not find is looked up under another name than the file has.
        wrong = [line for line in ran.stderr.splitlines() if line.strip()]
        have = {(context, source) for context, source, _ in messages(file)}
        need = {(context, source) for context, source, _ in messages(fresh)}
    wrong += [f"{file.name} lacks {text} of {context}" for context, text in sorted(need - have)]
    wrong += [f"{file.name} has {text} of {context}, which no source has" for context, text in sorted(have - need)]
    if need != have:
        wrong.append("cmake --build FOLDER --target update_translations brings the file up to date; translate what is new")
    return wrong


def main():
    sources = pathlib.Path(sys.argv[1])
    lupdate = sys.argv[2] if len(sys.argv) > 2 else None
    files = sorted((sources / "resources" / "translations").glob("*.ts"))
    wrong = [] if files else ["there are no translations"]
    for file in files:
        wrong += wrong_in(file)
        if lupdate:
            wrong += wrong_against_sources(file, sources, lupdate)
    for line in wrong:
        print(line)
    sys.exit(1 if wrong else 0)


main()
