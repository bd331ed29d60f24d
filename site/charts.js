// Makes the charts of a post interactive and fits them to the page.
// Each figure.bb-chart holds a static SVG and its spec; the SVG stays wherever this fails.
// Colours need nothing here: text has the page's own, and lines are grey on any page.
(() => {
  "use strict";

  const figures = [...document.querySelectorAll("figure.bb-chart")];
  if (figures.length === 0) return;
  const here = document.currentScript.src;

  const options = {
    renderer: "svg",
    tooltip: { theme: "bb" },
    actions: { export: true, source: false, compiled: false, editor: false },
    patch: renamed,
    logLevel: 1, // errors: a layer without a row in some panel has no extent, rightly so
  };

  // The name of a mark becomes a class, and Quarto lays out what has one that begins so.
  function renamed(spec) {
    for (const mark of spec.marks ?? []) {
      if (/^(column|page|panel|margin)-/.test(mark.name ?? "")) mark.name = `bb-${mark.name}`;
      renamed(mark);
    }
    return spec;
  }

  const LETTER = 8; // px of a letter of 14 px
  const PANEL = 150; // px that the narrowest panel needs
  const NARROW = 520; // px: less is a phone

  // Vega does not break lines. `after`: what a line may end with.
  function broken(text, letters, after = " ") {
    const lines = [""];
    for (const word of text.match(new RegExp(`[^${after}]+[${after}]*|[${after}]+`, "g")) ?? []) {
      if (lines.at(-1) && (lines.at(-1) + word).trimEnd().length > letters) lines.push("");
      lines[lines.length - 1] += word;
    }
    return lines.map((line) => line.trimEnd());
  }

  // Names as an expression that breaks each where that is no harm.
  function inLines(names, letters) {
    const lines = names.map((name) => [name, broken(name, letters, "_.,/ -")]);
    return `(${JSON.stringify(Object.fromEntries(lines))})[datum.label]`;
  }

  function each(node, visit) {
    if (node === null || typeof node !== "object") return;
    visit(node);
    for (const [key, child] of Object.entries(node)) {
      if (key !== "datasets" && key !== "data") each(child, visit);
    }
  }

  // A chart made by hand may have a title that is only a string.
  function fitTitle(spec, room) {
    if (!spec.title) return;
    const { text, subtitle, ...look } = spec.title.text ? spec.title : { text: spec.title };
    const lines = (words, letter) => broken([words].flat().join(" "), room / letter);
    spec.title = { ...look, text: lines(text, 10) };
    if (subtitle) spec.title.subtitle = lines(subtitle, 7.4);
  }

  function fitLegends(spec, room) {
    each(spec, ({ legend, scale }) => {
      if (!legend || !scale?.domain || !legend.columns) return;
      const names = scale.domain.map(String);
      const longest = Math.max(...names.map((name) => name.length));
      const letters = Math.floor((room - 40) / LETTER);
      legend.columns = Math.max(1, Math.floor(room / (40 + LETTER * longest)));
      if (longest > letters) legend.labelExpr = inLines(names, letters);
    });
  }

  // On a phone long names leave no room beside them: each stands above its row.
  function raiseNames(plot, room) {
    const axes = [];
    each(plot, ({ encoding }) => {
      if (encoding?.y?.axis && Array.isArray(encoding.y.sort)) axes.push(encoding.y);
    });
    const longest = Math.max(0, ...axes.flatMap((y) => y.sort.map((name) => name.length)));
    if (!plot.height?.step || longest * LETTER < room / 4) return;
    plot.height.step += 22;
    for (const y of axes) {
      Object.assign(y.axis, {
        domain: false, ticks: false, labelAlign: "left", labelPadding: 0,
        labelLimit: room, labelOffset: 8 - plot.height.step / 2,
      });
    }
  }

  // As many panels side by side as can be read, with their names in as many lines.
  function fitPanels(part, room) {
    const { facet, spec: plot } = part;
    const made = Math.min(part.columns ?? Infinity, facet.sort?.length ?? 1);
    const axes = part.resolve?.scale?.y === "independent" ? 70 : 0; // beside each panel
    const least = Math.max(PANEL, 0.75 * (plot.width ?? 0)) + axes;
    part.columns = Math.min(made, Math.max(1, Math.floor(room / least)));
    if (room < NARROW) raiseNames(plot, room);
    plot.width = Math.max(PANEL, Math.floor((room - 80) / part.columns) - 30);
    const letters = (part.columns === 1 ? room : plot.width - 20) / 9.2;
    facet.header = { ...facet.header, labelExpr: inLines(facet.sort ?? [], letters),
      labelLimit: part.columns === 1 ? room : plot.width };
  }

  function fit(spec, room) {
    fitTitle(spec, room);
    fitLegends(spec, room);
    const parts = spec.vconcat ?? [spec];
    for (const part of parts.filter((one) => one.facet)) fitPanels(part, room);
    if (spec.mark || spec.layer) {
      if (room < NARROW) raiseNames(spec, room);
      spec.width = room - 80;
    }
    return Math.max(...parts.map((part) => part.columns ?? 1));
  }

  const total = (drawing) => drawing.querySelector("svg.marks").viewBox.baseVal.width;

  // What stands beside the panels has a width only when it is drawn.
  async function fill(view, drawing, room, columns, single) {
    const own = single ? "width" : "";
    const { signals } = view.getState({
      data: () => false, signals: (name) => name === own || name.endsWith("child_width"),
    });
    const over = total(drawing) - room;
    if (Math.abs(over) < 2 || Object.keys(signals).length === 0) return;
    for (const [name, width] of Object.entries(signals)) {
      view.signal(name, Math.max(PANEL / 1.5, Math.floor(width - over / columns)));
    }
    await view.resize().runAsync();
  }

  // What is folded away has no width yet.
  const roomOf = (figure) => figure.clientWidth || figure.closest("main")?.clientWidth || 640;

  const drawn = new Map(); // figure: the room it was drawn for, and its view

  async function draw(figure) {
    const room = roomOf(figure);
    const before = drawn.get(figure);
    drawn.set(figure, { ...before, room });
    const spec = JSON.parse(figure.querySelector('script[type="application/json"]').text);
    const columns = fit(spec, room);
    const drawing = document.createElement("div");
    drawing.className = "bb-view";
    drawing.hidden = true;
    figure.append(drawing);
    try {
      const made = await window.vegaEmbed(drawing, spec, options);
      const single = Boolean(spec.mark || spec.layer);
      await fill(made.view, drawing, room, columns, single);
      await fill(made.view, drawing, room, columns, single); // labels move with the first
      drawn.set(figure, { room, made });
    } catch (error) {
      drawing.remove();
      throw error;
    }
    const still = figure.querySelector(".bb-view");
    const picture = drawing.querySelector("svg.marks");
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label",
      still.querySelector("svg.marks").getAttribute("aria-label"));
    for (const part of picture.children) part.setAttribute("aria-hidden", "true");
    drawing.querySelector("summary")?.setAttribute("aria-label", "Save the chart");
    before?.made?.finalize();
    still.remove();
    drawing.hidden = false;
    figure.dataset.state = "interactive";
  }

  const drawOrSay = (figure) => draw(figure)
    .catch((error) => console.warn("chart stays static:", error.message));

  // What is folded has no width: its chart is drawn when it opens.
  function whenOpen(figure, act) {
    const fold = figure.closest("details:not([open])");
    if (!fold) return act();
    return fold.addEventListener("toggle", () => whenOpen(figure, act), { once: true });
  }

  // A phone is turned: drawn anew for the room there is.
  const sizes = new ResizeObserver(async (entries) => {
    for (const { target: figure } of entries) {
      const room = figure.clientWidth;
      if (room && Math.abs(room - (drawn.get(figure)?.room ?? room)) > 24) await drawOrSay(figure);
    }
  });

  const vega = document.createElement("script");
  vega.type = "module";
  vega.src = new URL("vega.js", here).href;
  vega.onload = () => {
    for (const figure of figures) {
      whenOpen(figure, async () => {
        await drawOrSay(figure);
        sizes.observe(figure);
      });
    }
  };
  document.head.append(vega);
})();
