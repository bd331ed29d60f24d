// Makes flame graphs interactive: click or Enter zooms, Escape leaves, a search marks.
// Each svg.flame is complete without this: its frames are svg elements placed in percent,
// and the title of a frame is its label, and below that what it costs.
(() => {
  "use strict";

  const SVG = "http://www.w3.org/2000/svg";
  const LETTER = 6.3; // px, as in charts/flame.py
  const ROW = 20;

  function made(tag, properties, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  // The frames as a tree: a frame's parent is the one above it that holds its middle.
  function frames(svg) {
    const nodes = [...svg.querySelectorAll(".flame-frames > svg")].map((element) => {
      const title = element.querySelector("title");
      const [label, ...facts] = title.textContent.split("\n");
      title.remove(); // the browser's own tooltip would lie over ours
      return {
        element, label, facts, parent: null, children: [],
        x: parseFloat(element.getAttribute("x")),
        width: parseFloat(element.getAttribute("width")),
        y: parseFloat(element.getAttribute("y")),
      };
    });
    const rows = Map.groupBy ? Map.groupBy(nodes, (node) => node.y) : grouped(nodes);
    for (const node of nodes) {
      const middle = node.x + node.width / 2;
      const above = rows.get(node.y - ROW) ?? [];
      node.parent = above.find((a) => a.x <= middle && middle <= a.x + a.width) ?? null;
      node.parent?.children.push(node);
    }
    return nodes;
  }

  function grouped(nodes) {
    const rows = new Map();
    for (const node of nodes) rows.set(node.y, [...(rows.get(node.y) ?? []), node]);
    return rows;
  }

  function below(node, found = new Set()) {
    found.add(node);
    for (const child of node.children) below(child, found);
    return found;
  }

  function fit(node, width) {
    const letters = Math.floor((width - 6) / LETTER);
    let text = node.element.querySelector("text");
    if (!text) {
      if (letters < 3) return;
      text = document.createElementNS(SVG, "text");
      text.setAttribute("x", "3");
      text.setAttribute("y", "14");
      node.element.append(text);
    }
    const whole = node.label.length <= letters;
    const cut = letters < 3 ? "" : `${node.label.slice(0, letters - 1)}…`;
    text.textContent = whole ? node.label : cut;
  }

  function axis(group, whole, unit) {
    const rough = 10 ** Math.floor(Math.log10(whole / 3));
    const step = rough * [1, 2, 5, 10].find((k) => whole / (rough * k) <= 5);
    const ticks = [[100, unit, "end"]];
    for (let i = 0; i * step <= whole; i += 1) {
      const at = (100 * i * step) / whole;
      const shown = String(Number((i * step).toPrecision(4)));
      if (at <= 88) ticks.push([at, shown, i ? "middle" : "start"]);
    }
    group.replaceChildren(...ticks.map(([at, words, anchor]) => {
      const text = document.createElementNS(SVG, "text");
      text.setAttribute("x", `${at}%`);
      text.setAttribute("y", "14");
      text.setAttribute("text-anchor", anchor);
      text.textContent = words;
      return text;
    }));
  }

  function enhance(svg) {
    const figure = svg.parentElement;
    const nodes = frames(svg);
    const root = nodes.find((node) => !node.parent);
    if (!root) return;
    const owner = new Map(nodes.map((node) => [node.element, node]));
    const { whole, unit } = svg.dataset;
    let zoomed = root;
    let focused = root;

    const search = made("input", {
      type: "search", placeholder: "Search frames", autocomplete: "off", spellcheck: false,
    });
    search.setAttribute("aria-label", "Search frames of the graph");
    const reset = made("button", { type: "button", textContent: "Reset zoom", disabled: true });
    const said = made("output", { className: "flame-said" });
    const tools = made("div", { className: "flame-tools" }, search, reset, said);
    const tip = made("div", { className: "flame-tip", hidden: true });
    tip.setAttribute("role", "tooltip");
    svg.before(tools);
    figure.append(tip);

    function cost(percent) {
      const share = `${percent.toFixed(1)}% of all`;
      if (unit === "%") return share;
      return `${Number(((percent * whole) / 100).toPrecision(3))} ${unit}, ${share}`;
    }

    function tell() {
      const words = [];
      const text = search.value.trim();
      if (text) words.push(found(text));
      if (zoomed !== root) words.push(`Zoomed: ${zoomed.label}, ${zoomed.facts[0]}`);
      said.textContent = words.join(". ");
    }

    // Frames below a hit are part of it: nothing is counted twice.
    function found(text) {
      const hits = nodes.filter((node) => node.element.classList.contains("flame-hit"));
      const outer = hits.filter((node) => {
        for (let up = node.parent; up; up = up.parent) {
          if (up.element.classList.contains("flame-hit")) return false;
        }
        return true;
      });
      const percent = outer.reduce((sum, node) => sum + node.width, 0);
      const frames = `${hits.length} frame${hits.length === 1 ? "" : "s"}`;
      return hits.length ? `“${text}”: ${cost(percent)} in ${frames}` : `“${text}”: no frame`;
    }

    function mark() {
      const text = search.value.trim().toLowerCase();
      for (const { element, label } of nodes) {
        const hit = text !== "" && label.toLowerCase().includes(text);
        element.classList.toggle("flame-hit", hit);
        element.classList.toggle("flame-miss", text !== "" && !hit);
      }
      tell();
    }

    function draw() {
      const inside = below(zoomed);
      const above = new Set();
      for (let up = zoomed.parent; up; up = up.parent) above.add(up);
      const room = svg.clientWidth;
      for (const node of nodes) {
        const shown = inside.has(node) || above.has(node);
        node.element.style.display = shown ? "" : "none";
        node.element.classList.toggle("flame-above", above.has(node));
        if (!shown) continue;
        const x = above.has(node) ? 0 : (100 * (node.x - zoomed.x)) / zoomed.width;
        const width = above.has(node) ? 100 : (100 * node.width) / zoomed.width;
        node.element.setAttribute("x", `${x}%`);
        node.element.setAttribute("width", `${width}%`);
        fit(node, (room * width) / 100);
      }
      axis(svg.querySelector(".flame-axis"), (whole * zoomed.width) / 100, unit);
    }

    function zoom(node) {
      zoomed = node;
      reset.disabled = node === root;
      draw();
      tell();
    }

    function point(node, x, y) {
      tip.replaceChildren(made("b", { textContent: node.label }),
        ...node.facts.map((fact) => made("div", { textContent: fact })));
      tip.hidden = false;
      const box = figure.getBoundingClientRect();
      const left = Math.min(x - box.left + 12, box.width - tip.offsetWidth);
      tip.style.left = `${Math.max(left, 0)}px`;
      tip.style.top = `${y - box.top + 16}px`;
    }

    function focus(node) {
      focused.element.setAttribute("tabindex", "-1");
      node.element.setAttribute("tabindex", "0");
      focused = node;
      node.element.focus();
    }

    // What a key leads to from a frame; siblings and cousins of one row are neighbours.
    function beside(node, key) {
      if (key === "ArrowUp") return node.parent;
      const drawn = (other) => other.element.style.display !== "none";
      if (key === "ArrowDown") return node.children.find(drawn);
      const row = nodes.filter((other) => other.y === node.y && drawn(other));
      row.sort((a, b) => a.x - b.x);
      return row[row.indexOf(node) + (key === "ArrowRight" ? 1 : -1)];
    }

    const at = (event) => owner.get(event.target.closest?.("svg"));
    svg.addEventListener("click", (event) => {
      const node = at(event);
      if (node) zoom(node);
    });
    svg.addEventListener("pointermove", (event) => {
      const node = event.pointerType === "mouse" && at(event);
      if (node) point(node, event.clientX, event.clientY);
      else tip.hidden = true;
    });
    svg.addEventListener("pointerleave", () => { tip.hidden = true; });
    svg.addEventListener("focusin", (event) => {
      const node = at(event);
      if (!node || !node.element.matches(":focus-visible")) return;
      const box = node.element.getBoundingClientRect();
      point(node, box.left, box.bottom - 10);
    });
    svg.addEventListener("focusout", () => { tip.hidden = true; });
    svg.addEventListener("keydown", (event) => {
      const node = at(event);
      if (!node) return;
      if (event.key === "Enter" || event.key === " ") zoom(node);
      else if (!event.key.startsWith("Arrow")) return;
      else {
        const next = beside(node, event.key);
        if (next) focus(next);
      }
      event.preventDefault();
    });
    figure.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      tip.hidden = true;
      if (event.target === search && search.value) {
        search.value = "";
        mark();
      } else zoom(root);
    });
    search.addEventListener("input", mark);
    reset.addEventListener("click", () => zoom(root));

    svg.setAttribute("role", "group");
    for (const { element, label, facts } of nodes) {
      element.setAttribute("role", "button");
      element.setAttribute("tabindex", element === root.element ? "0" : "-1");
      element.setAttribute("aria-label", [label, ...facts].join(", "));
    }
    new ResizeObserver(draw).observe(svg);
    draw();
    figure.dataset.state = "interactive";
  }

  for (const svg of document.querySelectorAll("svg.flame")) enhance(svg);
})();
