// SPDX-License-Identifier: GPL-3.0-or-later
// Finds sections that hold all words, those with them in the heading first: as the help window of the program does.
"use strict";

const root = document.body.dataset.root;
const field = document.getElementById("search");
const results = document.getElementById("results");
const contents = document.getElementById("contents");
const excerptLength = 140;
const most = 60;

// A script and no fetch(), which pages that were opened as files may not use; loaded once somebody searches.
let index = null;
function loadIndex() {
    index ??= new Promise((done, failed) => {
        const script = document.createElement("script");
        script.src = root + "search_index.js";
        script.onload = () => done(searchIndex);
        script.onerror = failed;
        document.head.append(script);
    });
    return index;
}

function excerpt(text, word) {
    const lines = text.split("\n");
    const line = lines.find(each => each.toLowerCase().includes(word)) ?? lines[0];
    if (line.length <= excerptLength)
        return line;
    const at = Math.max(0, line.toLowerCase().indexOf(word) - excerptLength / 2);
    return (at > 0 ? "…" : "") + line.slice(at, at + excerptLength) + "…";
}

function find(sections, words) {
    const holds = text => words.every(word => text.toLowerCase().includes(word));
    const inHeading = [], inText = [];
    for (const [url, title, heading, text] of sections)
        if (holds(heading + " " + text))
            (holds(heading) ? inHeading : inText).push({url, title, text: excerpt(text, words[0])});
    return inHeading.concat(inText);
}

function marked(text, words) {
    const part = document.createDocumentFragment();
    const pattern = new RegExp("(" + words.map(word => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|") + ")", "gi");
    text.split(pattern).forEach((piece, number) => {
        const node = number % 2 ? document.createElement("mark") : document.createTextNode("");
        node.textContent = piece;
        part.append(node);
    });
    return part;
}

function entry({url, title, text}, words) {
    const item = document.createElement("li"), link = document.createElement("a"), line = document.createElement("p");
    link.href = root + url;
    link.append(marked(title, words));
    line.append(marked(text, words));
    item.append(link, line);
    return item;
}

function note(text) {
    const item = document.createElement("li");
    item.className = "note";
    item.textContent = text;
    return item;
}

async function search() {
    const asked = field.value;
    const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
    contents.hidden = words.length > 0;
    results.hidden = words.length === 0;
    if (words.length === 0)
        return;
    let sections = [];
    try {
        sections = await loadIndex();
    } catch {
        results.replaceChildren(note("search_index.js could not be read. It belongs beside index.html."));
        return;
    }
    if (asked !== field.value)
        return; // typed on while the index was read
    const hits = find(sections, words);
    results.replaceChildren(...hits.slice(0, most).map(hit => entry(hit, words)));
    if (hits.length > most)
        results.append(note(`${hits.length - most} more. Add a word.`));
    if (hits.length === 0)
        results.append(note(`Nothing found for “${asked.trim()}”. Try fewer words.`));
}

field.form.hidden = false;
field.addEventListener("focus", loadIndex, {once: true});
field.addEventListener("input", search);
field.form.addEventListener("submit", event => {
    event.preventDefault();
    results.querySelector("a")?.click();
});
document.addEventListener("keydown", event => {
    if (event.key === "/" && !event.ctrlKey && !event.altKey && !event.metaKey && document.activeElement !== field) {
        event.preventDefault();
        field.focus();
    } else if (event.key === "Escape" && document.activeElement === field) {
        field.value = "";
        search();
    }
});
results.addEventListener("click", event => {
    if (event.target.closest("a"))
        document.getElementById("menu").checked = false; // a place on this page is behind the menu of a phone
});
field.value ||= new URLSearchParams(location.search).get("q") ?? ""; // index.html?q=words is a link to what is found
search(); // also back from a page that was found

const current = contents.querySelector("[aria-current]"), side = contents.parentElement;
side.scrollTop = current.offsetTop - side.clientHeight / 2; // only that of the side bar: the page begins at its top
