// Makes the charts of a post interactive.
// Each figure.bb-chart holds a static SVG and its spec; the SVG stays wherever this fails.
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
  };

  // The name of a mark becomes a class, and Quarto lays out what has one that begins so.
  function renamed(spec) {
    for (const mark of spec.marks ?? []) {
      if (/^(column|page|panel|margin)-/.test(mark.name ?? "")) mark.name = `bb-${mark.name}`;
      renamed(mark);
    }
    return spec;
  }

  // Vega does not break the lines of a title.
  function broken(text, letters) {
    const lines = [""];
    for (const word of [text].flat().join(" ").split(" ")) {
      const line = `${lines.at(-1)} ${word}`.trim();
      if (line.length > letters && lines.at(-1)) lines.push(word);
      else lines[lines.length - 1] = line;
    }
    return lines;
  }

  function titled(title, room) {
    if (!title) return title;
    const { text, subtitle, ...rest } = title.text ? title : { text: title };
    const lines = { ...rest, frame: "bounds", text: broken(text, room / 10.5) };
    return subtitle ? { ...lines, subtitle: broken(subtitle, room / 8) } : lines;
  }

  // On a narrow page one plot, or one column of plots, is drawn anew to fit; any other
  // chart shrinks with its SVG. `size` is the width of the chart as it was made.
  function fitted(spec, room, size) {
    if (size <= room) return spec;
    const channels = Object.keys(spec.encoding ?? {});
    const single = (spec.mark || spec.layer) && !["row", "column", "facet"]
      .some((name) => channels.includes(name));
    const column = spec.facet && !spec.facet.column && (spec.facet.row || spec.columns === 1);
    const plot = single ? spec : column ? spec.spec : {};
    if (typeof plot.width !== "number") return spec;
    const legend = { orient: "bottom", ...spec.config?.legend, columns: 1 };
    const narrow = {
      ...spec,
      title: titled(spec.title, room),
      config: { ...spec.config, legend },
    };
    if (single) {
      return { ...narrow, width: room, autosize: { type: "fit-x", contains: "padding" } };
    }
    const width = Math.max(160, room - (size - plot.width));
    return { ...narrow, spec: { ...plot, width } };
  }

  async function draw(figure) {
    const source = figure.querySelector('script[type="application/json"]').text;
    const still = figure.querySelector("svg.marks");
    const size = still.viewBox.baseVal.width;
    const spec = fitted(JSON.parse(source), figure.clientWidth, size);
    const drawing = document.createElement("div");
    drawing.className = "bb-view";
    drawing.hidden = true;
    figure.append(drawing);
    try {
      await window.vegaEmbed(drawing, spec, options);
    } catch (error) {
      drawing.remove();
      throw error;
    }
    const picture = drawing.querySelector("svg.marks");
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", still.getAttribute("aria-label"));
    for (const part of picture.children) part.setAttribute("aria-hidden", "true");
    drawing.querySelector("summary")?.setAttribute("aria-label", "Save the chart");
    still.parentElement.remove();
    drawing.hidden = false;
    figure.dataset.state = "interactive";
  }

  // What is folded has no width: its chart is drawn when it opens.
  function whenOpen(figure, act) {
    const fold = figure.closest("details:not([open])");
    if (!fold) return act();
    return fold.addEventListener("toggle", () => whenOpen(figure, act), { once: true });
  }

  const vega = document.createElement("script");
  vega.type = "module";
  vega.src = new URL("vega.js", here).href;
  vega.onload = () => {
    for (const figure of figures) {
      whenOpen(figure, () => draw(figure)
        .catch((error) => console.warn("chart stays static:", error.message)));
    }
  };
  document.head.append(vega);
})();
