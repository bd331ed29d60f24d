// The page Explore: selects, sorts and shows what site/explore/*.json holds. All numbers
// are the library's. What is chosen stands in the address. Names become text only.
(() => {
  "use strict";

  const place = document.getElementById("bb-explore");
  if (!place) return;
  const folder = new URL("explore/", document.currentScript.src);
  const FEW = 60; // rows that are shown before somebody has chosen
  const ORDERS = { "": "as measured", up: "smallest ratio first", down: "largest ratio first" };

  function make(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  }

  // Controls

  let count = 0;
  function select(text, options, chosen, changed) {
    const id = `bb-explore-${(count += 1)}`;
    const box = make("select", { id });
    for (const [value, shown] of options) {
      const option = make("option", {}, shown);
      option.value = value;
      option.selected = value === chosen;
      box.append(option);
    }
    box.addEventListener("change", () => changed(box.value));
    return make("div", { class: "field" }, make("label", { for: id }, text), box);
  }

  function checks(text, options, chosen, changed) {
    const list = make("fieldset", {}, make("legend", {}, text));
    const boxes = options.map((value) => {
      const box = make("input", { type: "checkbox" });
      box.value = value;
      box.checked = chosen.has(value);
      box.addEventListener("change", told);
      list.append(make("label", {}, box, ` ${value}`));
      return box;
    });
    function told() {
      changed(boxes.filter((box) => box.checked).map((box) => box.value));
    }
    const set = (checked) => () => {
      for (const box of boxes) box.checked = checked;
      told();
    };
    for (const [name, checked] of [["all", true], ["none", false]]) {
      const button = make("button", { type: "button" }, `${name} ${text.toLowerCase()}`);
      button.addEventListener("click", set(checked));
      list.append(button);
    }
    const counted = make("span", {}, `${chosen.size} of ${options.length}`);
    return make("details", { class: "choice" },
      make("summary", {}, `${text}: `, counted), list);
  }

  // What is chosen, in the address

  const read = () => new URLSearchParams(location.hash.slice(1));

  function choose(changes) {
    const state = read();
    for (const [key, value] of Object.entries(changes)) {
      state.delete(key);
      if (Array.isArray(value)) {
        for (const one of value.length ? value : [""]) state.append(key, one);
      } else if (value) state.set(key, value);
    }
    history.replaceState(null, "", `#${state}`);
    show();
  }

  // Data

  const loaded = new Map();
  function load(name) {
    if (!loaded.has(name)) {
      const answer = fetch(new URL(`${encodeURIComponent(name)}.json`, folder))
        .then((found) => {
          if (!found.ok) throw new Error(`${name}.json: ${found.status}`);
          return found.json();
        });
      answer.catch(() => loaded.delete(name));
      loaded.set(name, answer);
    }
    return loaded.get(name);
  }

  function cellOf([me, keys, unit, direction, value, low, high, runs], texts) {
    return { me, keys, unit: texts[unit], direction: texts[direction], value, low, high,
      runs };
  }

  function rowsOf(metric, base, texts) {
    const ratios = metric.bases[base]?.rows ?? [];
    return ratios.map(([n, ratio, from, to, verdict, more, baseValue, baseRuns, note]) => ({
      ...cellOf(metric.cells[n], texts), ratio, from, to, verdict: texts[verdict], more,
      baseValue, baseRuns, note: texts[note],
    }));
  }

  function values(metric, texts) {
    return metric.cells.map((cell) => ({
      ...cellOf(cell, texts), ratio: null, from: null, to: null, verdict: "", more: null,
      baseValue: null, baseRuns: 0, note: "",
    }));
  }

  const distinct = (items) => [...new Set(items)];
  const number = (value) => value === null ? "" : value >= 1000
    ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(4)));
  const ratio = (value) => value === null ? "" : value.toFixed(3);

  function verdict(row) {
    if (!row.verdict || row.verdict === "no interval") return row.verdict;
    return row.verdict + (row.more > 0 ? ` +${row.more}` : "");
  }

  function interval(row) {
    return row.from === null ? "" : `${ratio(row.from)} to ${ratio(row.to)}`;
  }

  // Table and CSV

  function table(rows, keys, caption) {
    const heads = [...keys, "compared", "unit", "base", "value", "ratio", "95% interval",
      "verdict", "runs", "notes"];
    const body = make("tbody");
    const notes = new Map();
    const noted = (text) => text.split("; ").filter(Boolean).map((part) => {
      if (!notes.has(part)) notes.set(part, `[${notes.size + 1}]`);
      return notes.get(part);
    }).join(" ");
    for (const row of rows) {
      const line = make("tr");
      row.keys.forEach((value, n) => line.append(
        n ? make("td", {}, value) : make("th", { scope: "row" }, value)));
      const runs = row.baseRuns ? `${row.baseRuns}+${row.runs.length}` : row.runs.length;
      const kind = row.verdict === "improved" ? "bb-better"
        : row.verdict === "regressed" ? "bb-worse" : "";
      line.append(make("td", {}, row.me), make("td", {}, row.unit),
        make("td", { class: "n" }, number(row.baseValue)),
        make("td", { class: "n", title: `runs: ${row.runs.join(", ")}` }, number(row.value)),
        make("td", { class: "n" }, ratio(row.ratio)),
        make("td", { class: "n" }, interval(row)),
        make("td", { class: kind }, verdict(row)), make("td", { class: "n" }, String(runs)),
        make("td", {}, noted(row.note)));
      body.append(line);
    }
    const head = make("tr", {}, ...heads.map((name) => make("th", { scope: "col" }, name)));
    const box = make("div", { class: "bb-table", role: "region", tabindex: "0",
      "aria-label": "Table of the chosen cells" },
    make("table", {}, make("caption", {}, caption), make("thead", {}, head), body));
    const feet = [...notes].map(([text, mark]) => make("p", { class: "note" }, `${mark} ${text}`));
    feet.push(make("p", { class: "note" }, "+N behind a verdict: further runs on each " +
      "side that would find a change as large as the margin with 80% power."));
    return [box, ...feet];
  }

  // As cli/csv_text.py: no text of others is a formula of a spreadsheet.
  function cell(value) {
    let text = value === null || value === undefined ? "" : String(value);
    const isNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text);
    if (/^[=+\-@\t\r]/.test(text) && !isNumber) text = `'${text}`;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  }

  function csv(rows, keys, base, metric) {
    const heads = ["metric", ...keys, "base", "compared", "unit", "direction",
      "value_base", "value", "relative", "low", "high", "verdict", "further_runs",
      "n_base", "n", "values", "note"];
    const lines = rows.map((row) => [metric, ...row.keys, base, row.me, row.unit,
      row.direction, row.baseValue, row.value, row.ratio, row.from, row.to, row.verdict,
      row.more, row.baseRuns, row.runs.length, row.runs.join(" "), row.note]);
    return [heads, ...lines].map((line) => line.map(cell).join(",")).join("\n") + "\n";
  }

  function download(text, name) {
    const link = make("a", { download: name });
    link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  // The page

  const controls = make("form", { class: "controls", "aria-label": "What is shown" });
  const said = make("p", { role: "status" });
  const result = make("div", { class: "result" });
  controls.addEventListener("submit", (event) => event.preventDefault());
  place.append(controls, said, result);
  let drawn = () => {};
  new ResizeObserver(() => drawn()).observe(place);

  function studies(index, state) {
    const fits = (entry) => ["machine", "engine"].every((key) =>
      !state.get(key) || entry[`${key}s`].includes(state.get(key)));
    const some = index.filter(fits);
    const any = (name, key) => [["", `any ${name}`],
      ...distinct(index.flatMap((entry) => entry[key])).sort().map((v) => [v, v])];
    const again = (key) => (value) => choose({ [key]: value });
    const slug = some.some((e) => e.study === state.get("study"))
      ? state.get("study") : some[0]?.study;
    return { slug, fields: [
      select("Machine", any("machine", "machines"), state.get("machine") ?? "",
        again("machine")),
      select("Engine", any("engine", "engines"), state.get("engine") ?? "",
        again("engine")),
      select("Study", some.map((e) => [e.study, `${e.study}: ${e.title}`]), slug,
        (value) => open(value)),
    ] };
  }

  // Another study has other steps and versions: of the choice only the filters stay.
  function open(slug) {
    const old = read();
    const state = new URLSearchParams();
    for (const key of ["machine", "engine"]) if (old.get(key)) state.set(key, old.get(key));
    state.set("study", slug);
    history.replaceState(null, "", `#${state}`);
    show();
  }

  let turn = 0;
  async function show() {
    const mine = (turn += 1);
    const state = read();
    let index, data, chosen;
    try {
      index = await load("index");
      chosen = studies(index, state);
      if (chosen.slug) data = await load(chosen.slug);
    } catch (error) {
      said.textContent = location.protocol === "file:"
        ? "A browser reads no data from file://: python3 -m http.server -d _site 8000"
        : `The data cannot be read (${error.message}): load the page again.`;
      return;
    }
    if (mine !== turn) return;
    const focused = [...controls.querySelectorAll("select, input, button, summary")]
      .indexOf(document.activeElement);
    const opened = [...controls.querySelectorAll("details")].map((d) => d.open);
    controls.replaceChildren(...chosen.fields);
    result.replaceChildren();
    drawn = () => {};
    if (!data) {
      said.textContent = index.length ? "No published study has this engine on this machine."
        : "No study is published yet.";
    } else view(state, data);
    [...controls.querySelectorAll("details")].forEach((d, n) => { d.open = opened[n]; });
    if (focused >= 0) {
      controls.querySelectorAll("select, input, button, summary")[focused]?.focus();
    }
  }

  function view(state, data) {
    const names = Object.keys(data.metrics);
    const name = names.includes(state.get("metric")) ? state.get("metric") : names[0];
    const metric = data.metrics[name];
    const bases = Object.keys(metric.bases);
    const wanted = state.get("base") ?? data.base;
    const base = bases.includes(wanted) ? wanted : bases.includes(data.base)
      ? data.base : bases[0];
    const compared = rowsOf(metric, base, data.texts);
    const all = compared.length ? compared : values(metric, data.texts);
    const steps = distinct(all.map((row) => row.keys[0]));
    const others = distinct(all.map((row) => row.me));
    const given = (key, there, usual) => new Set(state.has(key)
      ? state.getAll(key).filter((v) => there.includes(v)) : usual);
    const other = given("other", others, all.length > FEW ? others.slice(-1) : others);
    const step = given("step", steps, steps);
    controls.append(
      select("Metric", names.map((n) => [n, n]), name, (v) => choose({ metric: v })),
      select("Base", bases.map((b) => [b, b]), base, (v) => choose({ base: v, other: "" })),
    );
    let rows = all.filter((row) => other.has(row.me) && step.has(row.keys[0]));
    metric.keys.forEach((key, n) => {
      const there = distinct(all.map((row) => row.keys[n]));
      if (n === 0 || there.length < 2) return;
      const param = `dim.${key}`;
      controls.append(select(key, [["", "all"], ...there.map((v) => [v, v || "none"])],
        state.get(param) ?? "", (v) => choose({ [param]: v })));
      if (state.get(param)) rows = rows.filter((row) => row.keys[n] === state.get(param));
    });
    const sort = Object.keys(ORDERS).includes(state.get("sort")) ? state.get("sort") : "";
    controls.append(
      select("Order", Object.entries(ORDERS), sort, (v) => choose({ sort: v })),
      checks("Compared", others, other, (v) => choose({ other: v })),
      checks("Steps", steps, step, (v) => choose({ step: v })),
    );
    if (sort) {
      const sign = sort === "up" ? 1 : -1;
      rows = rows.toSorted((a, b) => sign * ((a.ratio ?? Infinity) - (b.ratio ?? Infinity)));
    }
    const why = metric.why || metric.bases[base]?.why || "";
    said.textContent = `${rows.length} of ${all.length} rows. ${why ? `No ratios: ${why}` : ""}`;
    // Everything that decides what is shown, also what nobody has chosen yet.
    const link = new URLSearchParams(state);
    for (const [key, value] of [["study", data.study], ["metric", name], ["base", base]]) {
      if (value !== undefined) link.set(key, value);
    }
    for (const [key, set] of [["other", other], ["step", step]]) {
      link.delete(key);
      if (key === "step" && set.size === steps.length) continue;
      for (const value of set.size ? set : [""]) link.append(key, value);
    }
    const anchor = make("a", { href: `#${link}` }, "Link to this selection");
    const button = make("button", { type: "button" }, "Download CSV");
    button.addEventListener("click", () =>
      download(csv(rows, metric.keys, base, name), `${data.study}-${name}.csv`));
    const post = make("a", { href: `posts/${encodeURIComponent(data.study)}/index.html` },
      "The post");
    result.append(make("p", { class: "actions" }, anchor, button, post));
    const better = distinct(rows.map((r) => r.direction)).join("/").replace("none", "neither");
    const caption = `${name}, ${better || "neither"} is better, relative to ${base}`;
    const points = rows.filter((row) => row.ratio > 0).map((row) => ({
      label: [...row.keys, row.me].filter(Boolean).join(" "), ratio: row.ratio,
      low: row.from, high: row.to, verdict: row.verdict,
      told: `${ratio(row.ratio)} ${interval(row) && `(${interval(row)})`} ${verdict(row)}`,
    }));
    if (points.length) {
      const box = make("div", { class: "drawing" });
      const figure = make("figure", {}, box, make("figcaption", {},
        `${caption}: ratio on a logarithmic scale with its 95% interval; the band is the ` +
        `margin of ${Number((100 * data.margin).toPrecision(3))}%. ▲ improved, ▼ regressed, ` +
        "◆ changed, ■ equivalent, ○ undecided or without an interval."));
      result.append(figure);
      let width = 0;
      drawn = () => {
        if (box.clientWidth === width || !box.clientWidth) return;
        width = box.clientWidth;
        box.replaceChildren(window.benchbookRatios.draw(points, data.margin, width,
          `${caption}. ${points.length} ratios; the table below has each.`));
      };
      drawn();
    }
    if (rows.length) result.append(...table(rows, metric.keys, caption));
  }

  window.addEventListener("hashchange", show);
  show();
})();
