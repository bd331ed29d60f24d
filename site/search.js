// The preview's search; Quarto has its own. Reads search.json, which has the text of
// every section, when somebody begins to type. A page is found if it has every word, in
// any order; shown is its section that has most of them, or a section each word.
(() => {
  "use strict";

  const place = document.getElementById("bb-search");
  if (!place) return;
  const site = new URL("..", document.currentScript.src);
  const MOST = 12;

  const input = document.createElement("input");
  input.type = "search";
  input.placeholder = "Search";
  input.setAttribute("aria-label", "Search all posts");
  input.setAttribute("aria-controls", "bb-found");
  const found = document.createElement("div");
  found.id = "bb-found";
  found.setAttribute("role", "status");
  found.hidden = true;
  place.append(input, found);

  let index;
  function sections() {
    index ??= fetch(new URL("search.json", site)).then((answer) => answer.json());
    return index;
  }

  const wordsOf = (query) => query.toLowerCase().split(/\s+/).filter(Boolean);

  // What of the words a section has: a word in its heading counts more than in its text.
  function hits(section, words) {
    const heading = `${section.title} ${section.section}`.toLowerCase();
    const text = section.text.toLowerCase();
    const has = words.filter((word) => heading.includes(word) || text.includes(word));
    const score = has.length * 10 + has.filter((word) => heading.includes(word)).length;
    return { section, has, score };
  }

  function search(all, words) {
    const pages = new Map();
    for (const section of all) {
      const hit = hits(section, words);
      if (hit.has.length === 0) continue;
      const page = section.href.split("#")[0];
      pages.set(page, [...(pages.get(page) ?? []), hit]);
    }
    return [...pages.values()]
      .filter((page) => new Set(page.flatMap((hit) => hit.has)).size === words.length)
      .map((page) => page.reduce((best, hit) => (hit.score > best.score ? hit : best)))
      .sort((one, other) => other.score - one.score);
  }

  // The text around the first word, with every word marked.
  function excerpt(text, words) {
    const at = Math.min(...words.map((word) => text.toLowerCase().indexOf(word))
      .filter((position) => position >= 0), text.length);
    const from = at === text.length ? 0 : Math.max(0, at - 50);
    let part = text.slice(from, from + 150);
    if (from > 0) part = `… ${part.replace(/^\S*\s/, "")}`;
    if (from + 150 < text.length) part = `${part.replace(/\s\S*$/, "")} …`;
    const line = document.createElement("span");
    line.className = "excerpt";
    const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    for (const piece of part.split(new RegExp(`(${escaped.join("|")})`, "i"))) {
      const marked = words.includes(piece.toLowerCase());
      const node = document.createElement(marked ? "mark" : "span");
      node.textContent = piece;
      line.append(node);
    }
    return line;
  }

  function entry({ section }, words) {
    const link = document.createElement("a");
    link.href = new URL(section.href, site).href;
    const title = document.createElement("strong");
    title.textContent = section.title;
    link.append(title);
    if (section.section) link.append(` › ${section.section}`);
    link.append(excerpt(section.text, words));
    return link;
  }

  function say(text) {
    const line = document.createElement("p");
    line.textContent = text;
    found.append(line);
  }

  async function show() {
    const words = wordsOf(input.value);
    if (words.length === 0) {
      found.hidden = true;
      return;
    }
    let all;
    try {
      all = await sections();
    } catch {
      found.replaceChildren();
      say("The search needs a server: python3 -m http.server -d _site 8000");
      found.hidden = false;
      return;
    }
    if (wordsOf(input.value).join() !== words.join()) return;
    const results = search(all, words);
    found.replaceChildren(...results.slice(0, MOST).map((result) => entry(result, words)));
    const more = results.length - MOST;
    if (results.length === 0) say(`No page has all of: ${words.join(", ")}.`);
    if (more > 0) say(`${more} more: another word narrows them down.`);
    found.hidden = false;
  }

  input.addEventListener("input", show);
  input.addEventListener("focus", show);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") found.hidden = true;
  });
  document.addEventListener("click", (event) => {
    if (!place.contains(event.target)) found.hidden = true;
  });

  // A section may lie in something folded.
  function unfold() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let at = target; at; at = at.parentElement) {
      if (at.tagName === "DETAILS") at.open = true;
    }
    if (target) target.scrollIntoView();
  }
  window.addEventListener("hashchange", unfold);
  if (location.hash) unfold();
})();
