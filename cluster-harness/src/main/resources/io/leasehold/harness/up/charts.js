"use strict";

/* Line charts in SVG: a time of two minutes, the newest on the right. */
const Charts = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const SPAN = 120;
  const HEIGHT = 170;
  const LEFT = 46;
  const BOTTOM = 20;
  const TOP = 8;

  function shape(name, attributes) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  /** The smallest round number that is not below a value. */
  function roundUp(value) {
    const power = Math.pow(10, Math.floor(Math.log10(Math.max(value, 1e-9))));
    return [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((step) => step >= value);
  }

  /**
   * Makes a chart inside an element.
   *
   * lines: name, color (a CSS variable), dash, and value(sample), which is undefined for a gap.
   * format: how a value is written.
   */
  function chart(inside, title, least, format) {
    const svg = shape("svg", { role: "img", "aria-label": title });
    const legend = document.createElement("ul");
    legend.className = "legend";
    inside.append(svg, legend);
    const entries = new Map();

    function keyed(line) {
      let entry = entries.get(line.name);
      if (!entry) {
        const item = document.createElement("li");
        const swatch = shape("svg", { width: 26, height: 4, "aria-hidden": "true" });
        const stroke = shape("path", { d: "M0 2H26" });
        const figure = document.createElement("b");
        stroke.style.stroke = `var(${line.color})`;
        if (line.dash) stroke.setAttribute("stroke-dasharray", line.dash);
        swatch.append(stroke);
        item.append(swatch, line.name + " ", figure);
        legend.append(item);
        entry = { item, figure };
        entries.set(line.name, entry);
      }
      return entry;
    }

    function draw(samples, lines) {
      const width = Math.max(240, inside.clientWidth);
      const last = samples.length ? samples[samples.length - 1].number : 0;
      const x = (number) => LEFT + (1 - (last - number) / SPAN) * (width - LEFT - 8);
      const all = lines.flatMap((line) => samples.map(line.value)).filter((value) => value !== undefined);
      const top = roundUp(Math.max(least, ...all));
      const y = (value) => HEIGHT - BOTTOM - (Math.min(value, top) / top) * (HEIGHT - BOTTOM - TOP);
      const shapes = [];
      for (const part of [0, 0.5, 1]) {
        const at = y(top * part);
        shapes.push(shape("line", { x1: LEFT, x2: width - 8, y1: at, y2: at }));
        const text = shape("text", { x: LEFT - 8, y: at + 4, "text-anchor": "end" });
        text.textContent = part ? format(top * part) : "0";
        shapes.push(text);
      }
      for (const [ago, words] of [[120, "2 min ago"], [60, "1 min ago"], [0, "now"]]) {
        const text = shape("text", { x: x(last - ago), y: HEIGHT - 4, "text-anchor": ago === 120 ? "start" : ago ? "middle" : "end" });
        text.textContent = words;
        shapes.push(text);
      }
      for (const line of lines) {
        let way = "";
        let isDown = false;
        for (const sample of samples) {
          const value = line.value(sample);
          if (value === undefined) {
            isDown = false;
            continue;
          }
          way += `${isDown ? "L" : "M"}${x(sample.number).toFixed(1)} ${y(value).toFixed(1)}`;
          isDown = true;
        }
        const path = shape("path", { d: way });
        path.style.stroke = `var(${line.color})`;
        if (line.dash) path.setAttribute("stroke-dasharray", line.dash);
        shapes.push(path);
      }
      svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
      svg.replaceChildren(...shapes);
      const words = [];
      for (const line of lines) {
        const value = samples.length ? line.value(samples[samples.length - 1]) : undefined;
        const figure = value === undefined ? "–" : format(value);
        const entry = keyed(line);
        if (entry.figure.textContent !== figure) entry.figure.textContent = figure;
        words.push(`${line.name} ${value === undefined ? "no value" : figure}`);
      }
      svg.setAttribute("aria-label", `${title}, now: ${words.join(", ")}`);
    }

    return { draw };
  }

  return { chart };
})();
