# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the commands of the cookbook as they stand, one after the other in one folder, looks at the files that it says they write, and compares
the pages of its PDF with stored pictures.

usage: run_cookbook.py COOKBOOK.md FOLDER-OF-PIMC FOLDER-OF-PICTURES
Blocks in Python need torch; where there is none, the commands below them get their file from `pimc zoo`. Pictures need pdftoppm; PIM_WRITE_PICTURES=1
writes them."""
import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

LARGEST_STEP, LARGEST_SHARE = 40, 0.01  # of 255 shades; of the pixels of a page
WRITES = re.compile(r"(?:>|--pdf|--trace|--project|--report) *([\w.-]+\.(?:csv|json|bib|pdf|pimproj|html))")


def has_torch():
    return subprocess.run([sys.executable, "-c", "import torch, torchvision"], capture_output=True).returncode == 0


def blocks(text):
    """(section, kind, code) in order; kind: "python" or "sh"."""
    section, code, fence = "", [], None
    for line in text.splitlines() + [""]:
        if fence is not None:
            if line.startswith("```"):
                yield section, fence, "\n".join(code) + "\n"
                code, fence = [], None
            else:
                code.append(line)
        elif line.startswith("    "):
            code.append(line[4:])
        else:
            if code:
                yield section, "sh", "\n".join(code) + "\n"
                code = []
            if line.startswith("```"):
                fence = line[3:]
            if line.startswith("## "):
                section = line[3:]


def pages(pdf):
    """Each as a PGM in shades of gray, so small that words are gray lines and only what is where can be told."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=pdf.parent))
    subprocess.run(["pdftoppm", "-gray", "-scale-to", "96", pdf, folder / "page"], check=True, stdin=subprocess.DEVNULL)
    return {f"{pdf.stem}-{int(page.stem.removeprefix('page-'))}.pgm": page.read_bytes() for page in folder.iterdir()}


def shades(pgm):
    """(width and height, gray of each pixel)"""
    head = re.match(rb"P5\s+(\d+)\s+(\d+)\s+255\s", pgm)
    return (head[1], head[2]), pgm[head.end():]


def compare(pdf, pictures):
    """What is drawn on each page is what was; other versions of poppler and of fonts may draw edges a little otherwise."""
    drawn = pages(pdf)
    if os.environ.get("PIM_WRITE_PICTURES"):
        for name, page in drawn.items():
            (pictures / name).write_bytes(page)
    stored = {path.name for path in pictures.glob(f"{pdf.stem}-*.pgm")}
    assert stored == set(drawn), f"pages {sorted(drawn)}, not {sorted(stored)}"
    for name, page in drawn.items():
        size, now = shades(page)
        was_size, was = shades((pictures / name).read_bytes())
        assert size == was_size, f"{name}: {size}, not {was_size}"
        off = sum(abs(a - b) > LARGEST_STEP for a, b in zip(now, was, strict=True))
        assert off <= LARGEST_SHARE * len(was), f"{name}: {off} of {len(was)} pixels look otherwise"


def look(path):
    """A file that a command wrote is of its kind, and holds something."""
    data = path.read_bytes()
    if path.suffix == ".json":
        assert json.loads(data), path
    elif path.suffix == ".csv":
        rows = list(csv.reader(data.decode().splitlines()))
        assert len(rows) > 1 and all(len(row) == len(rows[0]) for row in rows), path
    elif path.suffix == ".bib":
        text = data.decode()
        assert text.count("@") == 6 and text.count("{") == text.count("}"), path
    elif path.suffix == ".pdf":
        assert data.startswith(b"%PDF-") and data.rstrip().endswith(b"%%EOF") and b"/Subtype /Image" not in data, path
    elif path.suffix == ".pimproj":
        assert data.startswith(b"SQLite format 3"), path
    else:
        assert data, path


def main():
    page, pimc, pictures = map(pathlib.Path, sys.argv[1:4])
    environment = {**os.environ, "PATH": f"{pimc}:{os.environ['PATH']}"}
    torch, poppler = has_torch(), shutil.which("pdftoppm")
    seen, commands, compared, failed = [], 0, 0, 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for section, kind, code in blocks(page.read_text()):
            if section not in seen:
                seen.append(section)
            if kind == "python" and not torch:
                kind, code = "sh", "pimc zoo resnet18 --no-weights -o resnet18.onnx\n"
            for command in [code] if kind == "python" else code.splitlines():
                line = [sys.executable, "-c", command] if kind == "python" else ["bash", "-o", "pipefail", "-c", command]
                done = subprocess.run(line, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
                commands += 1
                problem = done.stderr[-2000:] if done.returncode else ""
                for file in [] if problem or kind == "python" else WRITES.findall(command):
                    try:
                        look(folder / file)
                        if poppler and file.endswith(".pdf"):
                            compare(folder / file, pictures)
                            compared += 1
                    except (AssertionError, OSError, ValueError, subprocess.CalledProcessError) as error:
                        problem = f"{file}: {error}"
                if not problem and kind == "sh" and ">" not in command and not done.stdout:
                    problem = "it says nothing"
                if problem:
                    failed += 1
                    print(f"FAIL: {section}: {command.strip()}\n{problem}")
    print(f"{len(seen)} recipes, {commands} commands, {compared} PDF compared with pictures, {failed} failed")
    return 1 if failed or len(seen) < 10 or commands < 20 or (poppler and compared == 0) else 0


if __name__ == "__main__":
    sys.exit(main())
