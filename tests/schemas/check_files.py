# SPDX-License-Identifier: GPL-3.0-or-later
"""Files for others, opened by others: pictures of a report by librsvg, the report as PDF by poppler, a project by the sqlite3 program, what desktops read
by their validators.

usage: check_files.py PIMC SOURCE"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import numpy
import pimstudio

TOOLS = ["rsvg-convert", "pdftoppm", "pdftotext", "sqlite3", "desktop-file-validate", "appstreamcli", "update-mime-database"]


def run(*words, text=True, given=None):
    done = subprocess.run([str(word) for word in words], input=given, stdin=None if given is not None else subprocess.DEVNULL, capture_output=True, text=text)
    assert done.returncode == 0, f"{words}: {done.stdout!r} {done.stderr!r}"
    return done.stdout


def pixels(pdf, page):
    """[row][column][red, green, blue] of a page."""
    image = run("pdftoppm", "-r", 96, "-f", page, "-l", page, pdf, text=False)
    head = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", image)
    width, height = int(head[1]), int(head[2])
    return numpy.frombuffer(image, numpy.uint8, offset=head.end()).reshape(height, width, 3)


def has_colour(image, colour):
    """At least as many pixels as a stroke has."""
    return int((numpy.abs(image.astype(int) - numpy.array(colour)) <= 3).all(axis=2).sum()) >= 8


def colours(svg):
    """Of its boxes that are wide and high enough to be seen."""
    inks = dict(re.findall(r"\.f-(\w+) \{ fill: #([0-9a-f]{6});", svg))
    boxes = re.findall(r'<rect class="f-(\w+)" x="[0-9.-]+" y="[0-9.-]+" width="([0-9.]+)" height="([0-9.]+)"', svg)
    return {tuple(bytes.fromhex(inks[ink])) for ink, width, height in boxes if float(width) >= 6 and float(height) >= 6}


def check_pictures(folder):
    """\returns the colours of those that the report has as well."""
    plan = pimstudio.compile("sample:tiny-gpt", "attacc")
    of_report = [plan.breakdown().svg, plan.slowest_ops(20).svg]
    for number, svg in enumerate([*of_report, pimstudio.load("sample:tiny-gpt").picture().svg, plan.simulate().timeline().svg]):
        (folder / "picture.svg").write_text(svg, encoding="utf-8")
        run("rsvg-convert", "-f", "pdf", "-o", folder / "picture.pdf", folder / "picture.svg")
        drawn = pixels(folder / "picture.pdf", 1)
        assert len(colours(svg)) >= 2, f"picture {number} has boxes"
        for colour in colours(svg):
            assert has_colour(drawn, colour), f"picture {number} has no #{bytes(colour).hex()} as librsvg draws it"
    return set().union(*map(colours, of_report))


def check_report(folder, expected_colours):
    pages = int(re.search(r"Pages:\s+(\d+)", run("pdfinfo", folder / "report.pdf"))[1])
    in_pdf = [pixels(folder / "report.pdf", page) for page in range(1, pages + 1)]
    for colour in expected_colours:
        assert any(has_colour(page, colour) for page in in_pdf), f"the PDF has no #{bytes(colour).hex()}"
    words = run("pdftotext", "-layout", folder / "report.pdf", "-")
    for expected in ("tiny-gpt", "AttAcc"):
        assert expected in words, f'the PDF does not say "{expected}"'
    for page, image in enumerate(in_pdf):
        assert (image < 200).any(), f"page {page + 1} of the PDF is empty"


def rows(pimc, project):
    return run(pimc, "sql", project, "SELECT * FROM v_runs", "--json")


def check_project(pimc, folder):
    project = folder / "runs.pimproj"
    assert run("sqlite3", project, "PRAGMA integrity_check").strip() == "ok"
    assert run("sqlite3", project, "PRAGMA foreign_key_check").strip() == ""
    # Debian's sqlite3 has no working .recover; what a dump leaves out is put back.
    pragmas = "".join(f"PRAGMA {name} = {run('sqlite3', project, f'PRAGMA {name}').strip()};\n" for name in ("user_version", "application_id"))
    copied = folder / "copied.pimproj"
    run("sqlite3", copied, given=run("sqlite3", project, ".dump") + pragmas)
    assert run("sqlite3", copied, "PRAGMA integrity_check").strip() == "ok"
    found = rows(pimc, project)
    assert "attacc" in found
    assert rows(pimc, copied) == found, "a copy that went through text has the same runs"


def check_desktop(source, folder):
    resources = source / "resources"
    run("desktop-file-validate", resources / "pimstudio.desktop")
    metadata = resources / "org.pimstudio.PimStudio.metainfo.xml"
    run("appstreamcli", "validate", "--no-net", metadata)
    mime = folder / "mime"
    (mime / "packages").mkdir(parents=True)
    shutil.copy(resources / "pimstudio-mime.xml", mime / "packages" / "pimstudio.xml")
    run("update-mime-database", mime)
    globs = (mime / "globs2").read_text()
    entry = (resources / "pimstudio.desktop").read_text()
    for kind, glob in (("application/x-pimstudio-project", "*.pimproj"), ("application/x-onnx", "*.onnx")):
        assert f":{kind}:{glob}" in globs, kind
        assert f"{kind};" in entry and f"<mediatype>{kind}</mediatype>" in metadata.read_text(), kind


def main(pimc, source):
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    if missing:
        print("not installed:", *missing)
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run(pimc, "compile", "sample:tiny-gpt", "--target", "attacc", "--project", folder / "runs.pimproj", "--report", folder / "report.html", "--pdf",
            folder / "report.pdf")
        check_report(folder, check_pictures(folder))
        check_project(pimc, folder)
        check_desktop(pathlib.Path(source), folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
