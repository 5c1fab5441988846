#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes a web site from the help: static pages with a side bar and a search that need no server and no network.

usage: make_site.py [--help-folder FOLDER] [--run] FOLDER
  --help-folder FOLDER   what it is made from: contents.json, *.md, images, notebooks; by default resources/help
  --run                  run the notebooks, so that their pages show results; needs the package pimstudio

Markdown is read by markdown-it as CommonMark with tables, which is what the help window of the program reads; anchors are those of
its headingAnchor() (app/studio/help_library.cpp). A link, an anchor or a picture that is not there ends it with file and line, and
leaves FOLDER as it was."""
import argparse
import html
import json
import pathlib
import posixpath
import re
import shutil
import sys
import tempfile
from urllib.parse import unquote

from markdown_it import MarkdownIt
from pygments import highlight as highlighted
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

HERE = pathlib.Path(__file__).resolve().parent
PRODUCT = "PIM Studio"
STATIC = ("site.css", "search.js")
INDEX = "search_index.js"
IS_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:", re.I)


def anchor_of(heading):
    """As headingAnchor() of the program, of the text that is shown."""
    text = " ".join(re.sub(r"[*_`|]+", " ", heading).split())
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def coloured(code, language):
    try:
        lexer = get_lexer_by_name(language)
    except ClassNotFound:
        return html.escape(code)
    return highlighted(code, lexer, HtmlFormatter(nowrap=True))


def shown(inline):
    """Text of a paragraph as it is read."""
    return "".join(" " if token.type in ("softbreak", "hardbreak") else
                   token.content if token.type in ("text", "code_inline") else "" for token in inline.children)


def reader():
    markdown = MarkdownIt("commonmark", {"html": False, "highlight": lambda code, language, _: coloured(code, language)})
    markdown.enable(["table", "strikethrough"])

    def heading_end(tokens, at, _options, _env):
        anchor = tokens[at - 2].attrs.get("id")
        mark = f' <a class="anchor" href="#{anchor}" aria-label="Link to this section">#</a>' if anchor and tokens[at].tag != "h1" else ""
        return f"{mark}</{tokens[at].tag}>\n"

    markdown.renderer.rules["table_open"] = lambda *_: '<div class="table"><table>\n'
    markdown.renderer.rules["table_close"] = lambda *_: "</table></div>\n"
    markdown.renderer.rules["heading_close"] = heading_end
    return markdown


class Page:
    """A page of the help: Markdown, or a notebook, which is Markdown and code with results."""

    def __init__(self, name, path, folder):
        self.name, self.path = name, path
        self.file = path.relative_to(folder).as_posix()  # as links name it
        self.source = ""
        self.problems = []  # (line, text)
        self.headings = []  # (level, anchor, text)
        self.links = []  # (token, its attribute, line), inside the text
        self.parts = []  # tokens of Markdown, or cells of code
        try:
            self.source = path.read_text(encoding="utf-8")
            self.parts = [self.read(self.source)] if path.suffix == ".md" else list(self.cells())
        except (KeyError, TypeError, ValueError) as error:
            self.problems.append((getattr(error, "lineno", 1), f"cannot be read as {path.suffix} in UTF-8: {error!r}"))
        else:
            if not self.headings or self.headings[0][0] != 1:
                self.problems.append((1, "a page begins with its title, # ..."))
        self.title = self.headings[0][2] if self.headings else name

    def cells(self):
        for cell in json.loads(self.source)["cells"]:
            text = "".join(cell["source"])
            if cell["cell_type"] == "markdown":
                yield self.read(text)
            elif cell["cell_type"] == "code":
                yield {"code": text, "outputs": cell["outputs"]}

    def read(self, text):
        tokens = MARKDOWN.parse(text)
        for at, token in enumerate(tokens):
            if token.type != "inline":
                continue
            if tokens[at - 1].type == "heading_open":
                self.heading(tokens[at - 1], shown(token), self.line(shown(token), token.map[0]))
            for child in token.children:
                for attribute in ("href", "src"):
                    if attribute in child.attrs:
                        self.links.append((child, attribute, self.line(unquote(child.attrs[attribute]), token.map[0])))
        return tokens

    def heading(self, token, text, line):
        anchor = anchor_of(text)
        if any(anchor == each for _, each, _ in self.headings):
            self.problems.append((line, f'two headings have the anchor "{anchor}", and links reach the first alone'))
        else:
            token.attrSet("id", anchor)
        self.headings.append((int(token.tag[1]), anchor, text))

    def line(self, text, begin):
        """Line of the file, from 1, with the text; lines of a cell are not those of its notebook."""
        begin = 0 if self.path.suffix == ".ipynb" else begin
        lines = self.source.splitlines()
        return next((number for number, line in enumerate(lines[begin:], begin + 1) if text in line), begin + 1)

    def sections(self):
        """(anchor, heading, text) of what a search finds; the anchor of the page itself is empty."""
        found = [["", self.title, []]]
        for part in self.parts:
            if isinstance(part, dict):
                found[-1][2].append(part["code"])
                continue
            for at, token in enumerate(part):
                if token.type in ("fence", "code_block"):
                    found[-1][2].append(token.content)
                elif token.type == "inline" and part[at - 1].type != "heading_open":
                    found[-1][2].append(shown(token))
                elif token.type == "inline" and part[at - 1].tag != "h1":
                    found.append([anchor_of(shown(token)), shown(token), []])
        return [(anchor, heading, "\n".join(" ".join(line.split()) for text in texts for line in text.splitlines() if line.strip()))
                for anchor, heading, texts in found]


MARKDOWN = reader()


class Site:
    """All pages in the order of contents.json, as the help window shows them."""

    def __init__(self, folder):
        self.folder = folder
        self.problems = []  # "file:line: what"
        self.groups = []  # (title, [Page])
        self.pictures = set()
        left = {path.relative_to(folder).with_suffix("").as_posix(): path
                for pattern in ("*.md", "notebooks/*.ipynb") for path in sorted(folder.glob(pattern))}
        contents = folder / "contents.json"
        try:
            source = contents.read_text(encoding="utf-8")
            titles = [(str(group["title"]), [str(name) for name in group["pages"]]) for group in json.loads(source)]
        except (KeyError, TypeError, ValueError) as error:
            self.problem(contents, getattr(error, "lineno", 1), f'is no list of groups with "title" and "pages": {error!r}')
            self.pages = []
            return
        for title, names in titles:
            self.groups.append((title, []))
            for name in names:
                if name in left:
                    self.groups[-1][1].append(Page(name, left.pop(name), folder))
                else:
                    line = next((number for number, line in enumerate(source.splitlines(), 1) if f'"{name}"' in line), 1)
                    self.problem(contents, line, f'there is no page "{name}", or it is named twice')
        for path in left.values():
            self.problem(path, 1, "contents.json does not name this page")
        self.groups.append(("More", [Page(name, path, folder) for name, path in left.items()]))  # so that links to it hold
        self.pages = [page for _, pages in self.groups for page in pages]
        self.by_file = {page.file: page for page in self.pages}
        for page in self.pages:
            for line, text in page.problems:
                self.problem(page.path, line, text)
            for token, attribute, line in page.links:
                self.resolve(page, token, attribute, line)

    def problem(self, path, line, text):
        self.problems.append(f"{path}:{line}: {text}")

    def url(self, page):
        return "index.html" if page is self.pages[0] else f"{page.name}.html"

    def relative(self, url, page):
        return posixpath.relpath(url, posixpath.dirname(self.url(page)) or ".")

    def resolve(self, page, token, attribute, line):
        """Makes a link to a file of the help one to a page of the site."""
        link = unquote(token.attrs[attribute])
        if IS_ELSEWHERE.match(link) and attribute == "href":
            if not link.startswith(("https://", "mailto:")):
                self.problem(page.path, line, f'link to "{link}": only https:// and mailto: lead out of the help')
            return
        file, _, anchor = link.partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(page.file), file)) if file else page.file
        if attribute == "src":
            if target.startswith("images/") and (self.folder / target).is_file():
                self.pictures.add(target)
                token.attrSet("src", self.relative(target, page))
                if target.endswith(".svg"):
                    token.attrSet("class", "drawing")
                token.attrSet("loading", "lazy")
            else:
                self.problem(page.path, line, f'picture "{link}": there is no such file in images')
            return
        to = self.by_file.get(target)
        if to is None:
            self.problem(page.path, line, f'link to "{link}": there is no page "{target}"')
        elif anchor and all(anchor != each for _, each, _ in to.headings):
            known = ", ".join(each for _, each, _ in to.headings[1:]) or "none"
            self.problem(page.path, line, f'link to "{link}": "{to.file}" has no heading "{anchor}"; it has {known}')
        else:
            token.attrSet("href", (self.relative(self.url(to), page) if file else "") + (f"#{anchor}" if anchor else ""))

    def write(self, out, results):
        """results: by name of a page, the outputs of each cell of code, which are else those that the file has."""
        for name in sorted(self.pictures):
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.folder / name, out / name)
        for name in STATIC:
            shutil.copyfile(HERE / name, out / name)
        for page in self.pages:
            file = out / self.url(page)
            file.parent.mkdir(parents=True, exist_ok=True)
            body = self.body(page, out, results.get(page.name))
            file.write_text(self.document(page, body), encoding="utf-8")
        sections = [[self.url(page) + (f"#{anchor}" if anchor else ""), page.title if not anchor else f"{page.title} › {heading}", heading, text]
                    for page in self.pages for anchor, heading, text in page.sections()]
        rows = ",\n".join(json.dumps(section, ensure_ascii=False) for section in sections)
        (out / INDEX).write_text(f"const searchIndex = [\n{rows}\n];\n", encoding="utf-8")

    def body(self, page, out, results):
        code_cells = 0
        pieces = []
        for part in page.parts:
            if not isinstance(part, dict):
                pieces.append(MARKDOWN.renderer.render(part, MARKDOWN.options, {}))
                continue
            outputs = part["outputs"] if results is None else results[code_cells]
            code_cells += 1
            pieces.append(f'<pre class="cell"><code>{coloured(part["code"], "python").rstrip()}</code></pre>\n')
            for number, output in enumerate(outputs, 1):
                pieces.append(self.output(page, output, out, f"{code_cells}-{number}"))
        return "".join(pieces)

    def output(self, page, output, out, number):
        """The richest form that an output of a cell has."""
        data = output.get("data", {})
        if "image/svg+xml" in data:
            picture = f"{page.name}-{number}.svg"
            (out / picture).parent.mkdir(parents=True, exist_ok=True)
            (out / picture).write_text("".join(data["image/svg+xml"]), encoding="utf-8")
            return f'<p><img class="drawing" src="{self.relative(picture, page)}" alt="Result of the code above" loading="lazy"></p>\n'
        if "text/html" in data:
            return f'<div class="table result">{"".join(data["text/html"])}</div>\n'
        text = "".join(data.get("text/plain", output.get("text", "")))
        return f'<pre class="result">{html.escape(text.rstrip())}</pre>\n'

    def document(self, page, body):
        at = self.pages.index(page)
        steps = [(self.pages[to], kind, label) for to, kind, label in ((at - 1, "previous", "←"), (at + 1, "next", "→"))
                 if 0 <= to < len(self.pages)]
        values = {
            "title": html.escape(PRODUCT if at == 0 else f"{page.title} – {PRODUCT}"),
            "root": self.relative("index.html", page).removesuffix("index.html"),
            "contents": "".join(self.group(title, pages, page) for title, pages in self.groups if pages),
            "body": body,
            "on_this_page": self.on_this_page(page),
            "steps": "".join(f'<a rel="{"prev" if kind == "previous" else "next"}" class="{kind}" href="{self.relative(self.url(to), page)}">'
                             f'{label} {html.escape(to.title)}</a>' for to, kind, label in steps)}
        return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match.group(1)], (HERE / "page.html").read_text(encoding="utf-8"))

    def group(self, title, pages, current):
        items = "".join(f'<li><a href="{self.relative(self.url(page), current)}"{" aria-current=page" if page is current else ""}>'
                        f"{html.escape(page.title)}</a></li>\n" for page in pages)
        return f"<h2>{html.escape(title)}</h2>\n<ul>\n{items}</ul>\n"

    @staticmethod
    def on_this_page(page):
        sections = [(anchor, text) for level, anchor, text in page.headings if level == 2]
        if len(sections) < 2:
            return ""
        items = "".join(f'<li><a href="#{anchor}">{html.escape(text)}</a></li>\n' for anchor, text in sections)
        return f'<nav class="here" aria-label="On this page">\n<h2>On this page</h2>\n<ul>\n{items}</ul>\n</nav>\n'


def is_ours(folder):
    """Only a site is replaced, never another folder of somebody's."""
    return not folder.exists() or folder.is_dir() and (not any(folder.iterdir()) or (folder / INDEX).is_file())


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("--help-folder", type=pathlib.Path, default=HERE.parent / "help")
    parser.add_argument("--run", action="store_true")
    parser.add_argument("folder", type=pathlib.Path)
    given = parser.parse_args()
    if not is_ours(given.folder):
        sys.exit(f'error: "{given.folder}" has other files than a site; name a new or an empty folder')
    if not (given.help_folder / "contents.json").is_file():
        sys.exit(f'error: "{given.help_folder}" has no contents.json, so it is no folder of help pages')
    site = Site(given.help_folder)
    if site.problems:
        count = f"{len(site.problems)} problem{'s' * (len(site.problems) != 1)}"
        sys.exit("\n".join([*site.problems, f"error: {count} in the help, so no site was made"]))
    results = {}
    if given.run:
        import notebooks

        for page in site.pages:
            if page.path.suffix == ".ipynb":
                print(f"running {page.file}", file=sys.stderr)
                try:
                    results[page.name] = notebooks.results_of(page.path)
                except notebooks.Failed as failed:
                    sys.exit(f"{failed}\nerror: a notebook failed, so no site was made")
    given.folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=given.folder.parent, prefix=".site-") as made:
        out = pathlib.Path(made) / "site"
        out.mkdir()
        site.write(out, results)
        if given.folder.exists():
            shutil.rmtree(given.folder)
        out.rename(given.folder)
    print(f"{len(site.pages)} pages, {sum(len(page.links) for page in site.pages)} links and pictures: {given.folder / 'index.html'}")


if __name__ == "__main__":
    main()
