// The menu of narrow screens, the search and the buttons that copy. Pages read as well without it.
"use strict";
const root = document.currentScript.dataset.root;
const $ = (id) => document.getElementById(id);

// ---- The menu ----

$("menu").addEventListener("click", () => {
  const open = document.body.classList.toggle("menu");
  $("menu").setAttribute("aria-expanded", String(open));
});
const here = document.querySelector('#navigation [aria-current="page"]');
if (here) $("navigation").scrollTop = Math.max(0, here.offsetTop - $("navigation").clientHeight / 2);

// ---- Commands to copy ----

for (const block of document.querySelectorAll("pre.console, pre.sh, pre.c, pre.python, pre.sql")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    const commands = [...block.querySelectorAll("code > b")].map((line) => line.textContent.replace(/^\$ /, ""));
    await navigator.clipboard.writeText(commands.length ? commands.join("\n") : block.querySelector("code").textContent.trim());
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
  const frame = document.createElement("div");
  frame.className = "block";
  block.replaceWith(frame);
  frame.append(block, button);
}

// ---- The search: every word must begin a word of a section, in its text, its heading or the title of its page ----

const field = $("search"), found = $("found");
let index = null, marked = -1;

// The index is a script, because pages that are opened from a directory may load scripts but no data.
function load() {
  if (load.begun) return;
  load.begun = true;
  const script = document.createElement("script");
  script.src = root + "/search-index.js";
  script.addEventListener("load", () => {
    index = [];
    for (const [place, title, weight, sections] of window.searchIndex)
      for (const [anchor, heading, text] of sections) index.push({ place, title, weight, anchor, heading, text, words: " " + (title + " " + heading).toLowerCase() + " ", body: " " + text.toLowerCase() });
    show();
  });
  document.head.append(script);
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

// How well a section fits: 0 if a word is missing.
function score(section, patterns) {
  let sum = 0;
  for (const pattern of patterns) {
    const inHeading = pattern.test(" " + section.heading.toLowerCase()), inTitle = pattern.test(section.words);
    const times = (section.body.match(new RegExp(pattern, "g")) || []).length;
    if (!inTitle && !times) return 0;
    sum += (inHeading ? 12 : 0) + (inTitle ? 4 : 0) + Math.log2(1 + times) * (400 / (400 + section.body.length)) * 4 + 0.1;
  }
  if (patterns.length > 1 && (section.words + section.body).includes(patterns.phrase)) sum += 10;
  return sum * section.weight;
}

function excerpt(section, patterns) {
  const phrase = section.body.indexOf(patterns.phrase), at = Math.max(0, (phrase < 0 ? section.body.search(patterns[0]) : phrase) - 1), from = Math.max(0, section.text.lastIndexOf(" ", Math.max(0, at - 50)));
  const piece = document.createElement("span");
  const text = (from ? "… " : "") + section.text.slice(from, from + 150).replace(/\s\S*$/, "").trim() + (from + 150 < section.text.length ? " …" : "");
  let rest = 0;
  for (const match of text.matchAll(new RegExp(patterns.map((pattern) => pattern.source).join("|"), "gi"))) {
    const start = match.index + match[0].search(/[a-z0-9]/i);
    piece.append(text.slice(rest, start));
    const mark = document.createElement("mark");
    mark.textContent = text.slice(start, match.index + match[0].length);
    piece.append(mark);
    rest = match.index + match[0].length;
  }
  piece.append(text.slice(rest));
  return piece;
}

function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  marked = -1;
  found.replaceChildren();
  found.hidden = !words.length;
  if (!words.length || !index) return;
  const patterns = words.map((word) => new RegExp((/^\w/.test(word) ? "(?:^|[^a-z0-9])" : "") + escaped(word)));
  patterns.phrase = words.join(" ");
  const hits = index.map((section) => ({ section, fit: score(section, patterns) })).filter((hit) => hit.fit > 0);
  hits.sort((a, b) => b.fit - a.fit);
  const shown = new Map(), few = hits.filter(({ section }) => shown.set(section.place, (shown.get(section.place) || 0) + 1).get(section.place) <= 3);
  for (const { section } of few.slice(0, 20)) {
    const link = document.createElement("a"), head = document.createElement("b"), where = document.createElement("i");
    link.href = root + "/" + section.place + (section.anchor ? "#" + section.anchor : "");
    head.textContent = section.heading || section.title;
    where.textContent = section.heading && section.heading !== section.title ? section.title : section.place.replace(/\.html$/, "");
    link.append(head, where, excerpt(section, patterns));
    found.append(link);
  }
  const last = document.createElement("p");
  last.textContent = hits.length ? `${hits.length} section${hits.length === 1 ? "" : "s"}` : `Nothing found for “${field.value.trim()}”`;
  found.append(last);
}

function mark(step) {
  const links = [...found.querySelectorAll("a")];
  if (!links.length) return;
  if (links[marked]) links[marked].classList.remove("on");
  marked = (marked + step + links.length) % links.length;
  links[marked].classList.add("on");
  links[marked].scrollIntoView({ block: "nearest" });
}

field.addEventListener("focus", load);
field.addEventListener("input", () => (load(), show()));
field.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    mark(event.key === "ArrowDown" ? 1 : -1);
  } else if (event.key === "Enter") {
    const link = found.querySelector("a.on") || found.querySelector("a");
    if (link) link.click();
  } else if (event.key === "Escape") {
    field.value = "";
    show();
    field.blur();
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !/INPUT|TEXTAREA|SELECT/.test(document.activeElement.tagName)) {
    event.preventDefault();
    field.focus();
  }
});
document.addEventListener("click", (event) => {
  if (event.target.closest("#found a")) document.body.classList.remove("menu");
  if (!event.target.closest(".search") || event.target.closest("#found a")) found.hidden = true;
});
