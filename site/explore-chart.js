// The chart of the page Explore: a line per ratio, its interval around a mark whose shape
// says the verdict. Names become text, never markup.
window.benchbookRatios = (() => {
  "use strict";

  const SVG = "http://www.w3.org/2000/svg";
  const ROW = 22;
  const MARKS = {
    improved: ["var(--bb-better)", "M0,-6 6,5 -6,5Z", true],
    regressed: ["var(--bb-worse)", "M0,6 6,-5 -6,-5Z", true],
    changed: ["var(--bb-ink)", "M0,-6 6,0 0,6 -6,0Z", true],
    equivalent: ["var(--bb-ink)", "M-4.5,-4.5H4.5V4.5H-4.5Z", true],
  };
  const OTHER = ["var(--bb-soft)", "M-5,0A5,5 0 1 1 5,0A5,5 0 1 1 -5,0Z", false];

  function add(parent, name, attributes, text) {
    const node = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (text !== undefined) node.textContent = text;
    parent.append(node);
    return node;
  }

  const TICKS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.7, 0.8, 0.9, 0.95, 1, 1.05, 1.1, 1.2,
    1.5, 2, 3, 5, 10, 20, 50, 100];

  // Ticks in the range, those next to 1 first, none nearer than 44 px to another.
  function ticks(low, high, x) {
    const inside = TICKS.filter((t) => t >= low && t <= high);
    inside.sort((a, b) => Math.abs(Math.log(b)) - Math.abs(Math.log(a)));
    const kept = [1];
    for (const tick of inside) {
      if (kept.every((other) => Math.abs(x(other) - x(tick)) > 44)) kept.push(tick);
    }
    return kept;
  }

  // rows: {label, ratio, low, high, verdict}; width in px; margin is a share.
  function draw(rows, margin, width, said) {
    const narrow = width < 600;
    const row = narrow ? 2 * ROW - 6 : ROW;
    const longest = Math.max(...rows.map((r) => r.label.length));
    const left = narrow ? 8 : Math.min(0.45 * width, 7 * longest + 16);
    const room = Math.floor((narrow ? width - 16 : left - 12) / 6.8);
    const ends = rows.flatMap((r) => [r.ratio, r.low, r.high]).filter((v) => v > 0);
    const low = Math.max(Math.min(1 - 2 * margin, ...ends), 0.005) / 1.02;
    const high = Math.min(Math.max(1 + 2 * margin, ...ends), 200) * 1.02;
    const x = (value) => {
      const share = Math.log(value / low) / Math.log(high / low);
      return left + (width - left - 12) * Math.min(1, Math.max(0, share));
    };
    const height = rows.length * row + 30;
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("width", width);
    svg.setAttribute("height", height);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", said);
    add(svg, "rect", { x: x(1 - margin), y: 0, width: x(1 + margin) - x(1 - margin),
      height: height - 24, fill: "var(--bb-line)", opacity: 0.6 });
    for (const tick of ticks(low, high, x)) {
      add(svg, "line", { x1: x(tick), x2: x(tick), y1: 0, y2: height - 22,
        stroke: tick === 1 ? "var(--bb-ink)" : "var(--bb-line)" });
      add(svg, "text", { x: x(tick), y: height - 6, "text-anchor": "middle",
        class: "tick" }, String(tick));
    }
    rows.forEach((one, n) => {
      const y = n * row + (narrow ? row - 10 : row / 2);
      const short = one.label.length > room ? `${one.label.slice(0, room - 1)}…` : one.label;
      const at = narrow ? { x: 8, y: n * row + 14 }
        : { x: left - 8, y: y + 4, "text-anchor": "end" };
      add(svg, "text", at, short);
      const [colour, path, filled] = MARKS[one.verdict.split(" ")[0]] ?? OTHER;
      const group = add(svg, "g", { class: "ratio" });
      add(group, "title", {}, `${one.label}: ${one.told}`);
      if (one.low !== null) {
        add(group, "line", { x1: x(one.low), x2: x(one.high), y1: y, y2: y,
          stroke: colour, "stroke-width": 2 });
      }
      add(group, "path", { d: path, transform: `translate(${x(one.ratio)},${y})`,
        fill: filled ? colour : "var(--bb-paper)", stroke: colour, "stroke-width": 1.5 });
    });
    return svg;
  }

  return { draw };
})();
