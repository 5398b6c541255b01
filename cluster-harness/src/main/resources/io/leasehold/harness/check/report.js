"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const nodeColor = (node) => color("--n" + (node % 5));
  const count = (number) => number.toLocaleString("en-US");
  const seconds = (nanos, digits = 2) => (nanos / 1e9).toFixed(digits) + " s";
  const micros = (value) =>
    value < 0 ? "" : value < 1000 ? value + " µs" : value < 1e6 ? (value / 1e3).toFixed(1) + " ms" : (value / 1e6).toFixed(2) + " s";

  function element(tag, text, className) {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  function row(table, cells, className) {
    const made = byId(table).tBodies[0].insertRow();
    if (className) made.className = className;
    for (const [text, cellClass] of cells) made.append(element("td", text, cellClass));
    return made;
  }

  /* ---- head ---- */

  const totals = data.totals;
  document.title = `Leasehold report, seed ${data.seed}`;
  byId("title").textContent = `Seed ${data.seed}: ${count(totals.calls)} calls under ${totals.injectedFaults} faults`;
  byId("subtitle").textContent =
    `${data.nodes.length} nodes, ${totals.leases} leases, ${seconds(data.endedAt, 1)}${data.started ? ", started " + data.started : ""}`;
  const brokenRules = data.rules.filter((rule) => rule.broken > 0);
  byId("badge").textContent = data.holds ? "every promise held" : `broken: ${brokenRules.map((rule) => rule.rule).join(", ")}`;
  byId("badge").classList.add(data.holds ? "good" : "bad");

  const violated = brokenRules.reduce((sum, rule) => sum + rule.broken, 0);
  const missed = Object.values(totals.missed).reduce((sum, times) => sum + times, 0);
  for (const [value, label, className] of [
    [count(totals.calls), "calls judged"],
    [count(totals.samples), "samples of checkAlive"],
    [count(totals.holds), `holds of ${totals.leases} leases`],
    [count(totals.losses), "losses told"],
    [`${totals.injectedFaults}`, `faults of ${Object.keys(totals.byKind).length} kinds`],
    [seconds(totals.outageNanos, 1), `longest time without any answer, from ${seconds(totals.outageFrom, 1)}`],
    [count(totals.unknown), "calls with an unknown outcome"],
    [count(violated), "violations", violated ? "bad" : ""],
    ...(totals.taskRuns ? [[count(totals.taskRuns), "runs of the singleton's task"]] : []),
    ...(totals.stalls ? [[count(totals.stalls), "stalls of the machine itself", "warn"]] : []),
    ...(missed ? [[count(missed), "faults that could not be injected", "warn"]] : []),
  ]) {
    const tile = element("div", undefined, "tile " + (className || ""));
    tile.append(element("b", value), element("span", label));
    byId("tiles").append(tile);
  }

  byId("command").textContent = data.command;
  byId("copy").onclick = () => navigator.clipboard && navigator.clipboard.writeText(data.command);
  for (const [name, text] of Object.entries(data.notes).sort()) byId("notes").append(element("dt", name), element("dd", text));

  /* ---- tables ---- */

  for (const rule of data.rules) {
    const verdict = rule.broken ? [`broken ${count(rule.broken)}×`, "bad"] : rule.judged ? ["held", "good"] : ["nothing to judge", "none"];
    row("rules", [[rule.rule, "rule"], [rule.promise], [count(rule.judged), "number"], verdict]);
  }
  for (const fault of data.faults) {
    const parameters = Object.entries(fault.parameters).sort().map(([name, value]) => `${name} ${value}`).join(", ");
    row(
      "faults",
      [
        [seconds(fault.from, 1), "number"],
        [fault.injected ? seconds(fault.to - fault.from, 1) : "", "number"],
        [fault.kind + (parameters ? ` (${parameters})` : "")],
        [fault.targets.join(", ")],
        [fault.injected ? fault.means : "NOT INJECTED: " + fault.means],
      ],
      fault.injected ? "" : "missed");
  }
  for (const latency of data.series.latencies) {
    row("latencies", [[latency.call], ...[count(latency.count), ...["p50", "p90", "p99", "p999", "max"].map((key) => micros(latency[key]))].map((text) => [text, "number"])]);
  }
  const reasons = {};
  for (const lease of data.leases) for (const loss of lease.losses) reasons[loss.reason] = (reasons[loss.reason] || 0) + 1;
  for (const [reason, number] of Object.entries(reasons).sort((a, b) => b[1] - a[1])) row("losses", [[reason.toLowerCase().replace("_", " ")], [count(number), "number"]]);

  /* ---- violations ---- */

  const kinds = { granted: "--good", released: "--n0", refused: "--refused", unknown: "--unknown", failed: "--bad" };
  const shownPerRule = 8;

  /** What the holders did around a violation: holds thick, calls thin. */
  function bars(violation) {
    const box = element("div", undefined, "bars");
    const handles = [...new Set([...violation.around, ...violation.holds].map((one) => one.handle))].sort();
    if (!handles.length) return box;
    const begins = violation.evidence.map((one) => one.from).filter((at) => at > violation.at - 6e9);
    const from = Math.min(violation.at, ...begins) - 5e7;
    const to = violation.at + 2e8;
    const left = (at) => (100 * (Math.min(Math.max(at, from), to) - from)) / (to - from);
    const bar = (one, className, background, text) => {
      const made = element("i", undefined, className);
      made.style.left = left(one.from) + "%";
      made.style.width = Math.max(0.2, left(one.to) - left(one.from)) + "%";
      made.style.background = background;
      made.title = `${text}\n${seconds(one.from, 6)} .. ${seconds(one.to, 6)}`;
      return made;
    };
    for (const handle of handles) {
      const line = element("div", undefined, "bar-row");
      const track = element("div", undefined, "track");
      for (const hold of violation.holds.filter((one) => one.handle === handle && one.to > from && one.from < to)) {
        track.append(bar(hold, "hold", `var(--n${hold.node % 5})`, `token ${hold.token}, ${hold.end}`));
      }
      for (const call of violation.around.filter((one) => one.handle === handle && one.to > from && one.from < to)) {
        track.append(bar(call, "call", `var(${kinds[call.kind]})`, call.text));
      }
      const mark = element("u");
      mark.style.left = left(violation.at) + "%";
      track.append(mark);
      line.append(element("span", handle), track);
      box.append(line);
    }
    const axis = element("div", undefined, "bar-axis");
    axis.append(element("span", seconds(from, 3)), element("span", "thick: held; thin: calls (granted, released, refused, unknown)"), element("span", seconds(to, 3)));
    box.append(axis);
    return box;
  }

  if (data.violations.length) {
    byId("violations-card").hidden = false;
    const shown = {};
    for (const violation of data.violations) {
      shown[violation.rule] = (shown[violation.rule] || 0) + 1;
      if (shown[violation.rule] > shownPerRule) continue;
      const box = element("div", undefined, "violation");
      box.append(element("h3", `${violation.rule} ${violation.lease ? violation.lease + ": " : ""}${violation.what}`));
      box.append(element("p", `Promised: ${violation.promise}.`, "muted"));
      box.append(bars(violation));
      const table = element("table");
      for (const evidence of violation.evidence) {
        const line = table.insertRow();
        line.append(element("td", evidence.role), element("td", evidence.text));
      }
      const show = element("button", "show on the time line");
      show.onclick = () => {
        look(violation.at - 1e9, violation.at + 1e9);
        byId("timeline").scrollIntoView({ behavior: "smooth", block: "center" });
      };
      box.append(table, show);
      byId("violations").append(box);
    }
    for (const rule of brokenRules) {
      if (rule.broken > shownPerRule) byId("violations").append(element("p", `and ${count(rule.broken - shownPerRule)} more of ${rule.rule}`, "muted"));
    }
  }

  /* ---- drawing ---- */

  function prepare(id, height) {
    const canvas = byId(id);
    const ratio = window.devicePixelRatio || 1;
    const width = canvas.parentElement.clientWidth;
    canvas.style.height = height + "px";
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = "11px system-ui, sans-serif";
    return { pen, width, height };
  }

  function steps(span, wanted) {
    const rough = span / wanted;
    const power = Math.pow(10, Math.floor(Math.log10(rough)));
    return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough);
  }

  function legend(id, entries) {
    byId(id).replaceChildren(
      ...entries.map(([label, background]) => {
        const entry = element("span");
        const swatch = element("i");
        swatch.style.background = background;
        entry.append(swatch, label);
        return entry;
      }));
  }

  const LEFT = 118;
  const RIGHT = 20;
  let from = 0;
  let to = data.endedAt;
  let hits = [];

  function timeAxis(pen, width, top, bottom) {
    const x = (at) => LEFT + ((at - from) / (to - from)) * (width - LEFT - RIGHT);
    const step = steps(to - from, 10);
    pen.fillStyle = color("--muted");
    pen.strokeStyle = color("--grid");
    pen.textAlign = "center";
    const digits = Math.max(0, Math.ceil(-Math.log10(step / 1e9)));
    for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
      pen.beginPath();
      pen.moveTo(x(at), top);
      pen.lineTo(x(at), bottom);
      pen.stroke();
      pen.fillText((at / 1e9).toFixed(digits) + " s", x(at), bottom + 14);
    }
    return x;
  }

  function faultLabel(fault) {
    return fault.kind + (fault.targets.length && fault.targets.length < data.nodes.length ? " " + fault.targets.join(",") : "");
  }

  /** Faults in as few rows as show each of them with its name. */
  function faultRows() {
    const ends = [];
    return data.faults.filter((fault) => fault.injected).map((fault) => {
      let place = ends.findIndex((end) => end <= fault.from);
      if (place < 0) place = ends.length;
      ends[place] = Math.max(fault.to, fault.from + faultLabel(fault).length * data.endedAt * 0.0062) + data.endedAt * 0.005;
      return { fault, place };
    });
  }

  const placed = faultRows();
  const faultHeight = 16 * Math.max(1, ...placed.map((one) => one.place + 1));
  const laneHeight = 13;
  const nodesTop = 20 + faultHeight + 14;
  const leasesTop = nodesTop + data.nodes.length * laneHeight + 18;
  const leaseHeight = data.nodes.length * laneHeight + 12;

  function draw() {
    const height = leasesTop + data.leases.length * leaseHeight + 26;
    const { pen, width } = prepare("timeline", height);
    const bottom = height - 22;
    hits = [];
    for (let lease = 0; lease < data.leases.length; lease++) lanes(pen, width, leasesTop + lease * leaseHeight);
    lanes(pen, width, nodesTop);
    const x = timeAxis(pen, width, 12, bottom);
    pen.save();
    pen.beginPath();
    pen.rect(LEFT, 0, width - LEFT, height);
    pen.clip();
    drawFaults(pen, x, bottom);
    drawNodes(pen, x);
    data.leases.forEach((lease, index) => drawLease(pen, x, lease, leasesTop + index * leaseHeight));
    drawViolations(pen, x, bottom);
    pen.restore();
    labels(pen);
  }

  function lanes(pen, width, top) {
    pen.fillStyle = color("--lane");
    for (let node = 0; node < data.nodes.length; node++) pen.fillRect(LEFT, top + node * laneHeight, width - LEFT - RIGHT, laneHeight - 2);
  }

  function labels(pen) {
    pen.textAlign = "left";
    pen.fillStyle = color("--muted");
    pen.fillText("faults", 0, 32);
    pen.fillText("nodes", 0, nodesTop + 9);
    data.leases.forEach((lease, index) => {
      pen.fillStyle = color("--text");
      const name = lease.name.length > 13 ? lease.name.slice(0, 12) + "…" : lease.name;
      pen.fillText(name, 0, leasesTop + index * leaseHeight + 9);
    });
    pen.textAlign = "right";
    for (let group = -1; group < data.leases.length; group++) {
      const top = group < 0 ? nodesTop : leasesTop + group * leaseHeight;
      data.nodes.forEach((node, index) => {
        pen.fillStyle = nodeColor(index);
        pen.fillText(node, LEFT - 8, top + index * laneHeight + 9);
      });
    }
  }

  function drawFaults(pen, x, bottom) {
    for (const { fault, place } of placed) {
      if (fault.to < from || fault.from > to) continue;
      const left = x(fault.from);
      const wide = Math.max(2, x(fault.to) - left);
      const top = 22 + place * 16;
      pen.fillStyle = color("--fault");
      if (fault.disturbs) pen.fillRect(left, 12, wide, bottom - 12);
      pen.fillStyle = color("--fault-bar");
      pen.fillRect(left, top, wide, 3);
      const label = faultLabel(fault);
      pen.textAlign = "left";
      pen.fillStyle = color("--warn");
      pen.fillText(label, Math.max(left, LEFT + 2), top + 13);
      hit(left, top - 2, wide, 16, `fault ${fault.id}: ${label}\n${Object.entries(fault.parameters).map((pair) => pair.join(" ")).join(", ")}\n${seconds(fault.from)} .. ${seconds(fault.to)}\n${fault.means}`);
    }
    if (data.faultsOverAt > 0 && data.faultsOverAt < data.endedAt) {
      pen.strokeStyle = color("--good");
      pen.setLineDash([4, 3]);
      pen.beginPath();
      pen.moveTo(x(data.faultsOverAt), 12);
      pen.lineTo(x(data.faultsOverAt), bottom);
      pen.stroke();
      pen.setLineDash([]);
      hit(x(data.faultsOverAt) - 2, 12, 5, bottom, "from here on no more faults");
    }
  }

  function drawNodes(pen, x) {
    for (let node = 0; node < data.nodes.length; node++) {
      pen.fillStyle = nodeColor(node);
      pen.globalAlpha = 0.35;
      pen.fillRect(x(0), nodesTop + node * laneHeight + 3, x(data.endedAt) - x(0), laneHeight - 8);
      pen.globalAlpha = 1;
    }
    for (const span of data.lives) {
      const left = x(span.from);
      const wide = Math.max(2, x(span.to) - left);
      const top = nodesTop + span.node * laneHeight;
      pen.fillStyle = color({ paused: "--paused", starting: "--unknown", stalled: "--refused" }[span.state] || "--down");
      pen.fillRect(left, top, wide, laneHeight - 2);
      hit(left, top, wide, laneHeight, `${data.nodes[span.node]} ${span.state}\n${seconds(span.from)} .. ${seconds(span.to)}`);
    }
  }

  function drawLease(pen, x, lease, top) {
    for (const hold of lease.holds) {
      if (hold.to < from || hold.from > to) continue;
      const left = x(hold.from);
      const wide = Math.max(1, x(hold.to) - left);
      const lane = top + hold.node * laneHeight;
      pen.fillStyle = nodeColor(hold.node);
      pen.globalAlpha = wide < 2 ? 0.6 : 1;
      pen.fillRect(left, lane, wide, laneHeight - 2);
      pen.globalAlpha = 1;
      if (wide > 3) hit(left, lane, wide, laneHeight, `${lease.name}: token ${hold.token}\n${hold.handle}, ${hold.end}\n${seconds(hold.from, 4)} .. ${seconds(hold.to, 4)}`);
    }
    for (const loss of lease.losses) {
      if (loss.at < from || loss.at > to) continue;
      const at = x(loss.at);
      const lane = top + loss.node * laneHeight;
      pen.fillStyle = color("--bad");
      pen.beginPath();
      pen.moveTo(at, lane - 2);
      pen.lineTo(at + 4.5, lane + laneHeight / 2 - 1);
      pen.lineTo(at, lane + laneHeight);
      pen.lineTo(at - 4.5, lane + laneHeight / 2 - 1);
      pen.fill();
      hit(at - 5, lane, 10, laneHeight, `${lease.name}: token ${loss.token} lost, ${loss.reason}\n${loss.handle}\n${seconds(loss.at, 4)}`);
    }
  }

  function drawViolations(pen, x, bottom) {
    for (const violation of data.violations) {
      if (violation.at < from || violation.at > to) continue;
      const at = x(violation.at);
      pen.strokeStyle = color("--bad");
      pen.fillStyle = color("--bad");
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.moveTo(at, 12);
      pen.lineTo(at, bottom);
      pen.stroke();
      pen.lineWidth = 1;
      pen.textAlign = "center";
      pen.font = "bold 11px system-ui, sans-serif";
      pen.fillText(violation.rule, at, 9);
      pen.font = "11px system-ui, sans-serif";
      hit(at - 4, 0, 8, bottom, `${violation.rule} ${violation.lease}\n${violation.what}`);
    }
  }

  function hit(left, top, wide, high, text) {
    hits.push({ left, top, right: left + wide, bottom: top + high, text });
  }

  /* ---- charts ---- */

  function chart(id, top, draws, format) {
    const { pen, width, height } = prepare(id, 210);
    const bottom = height - 24;
    const right = width - 18;
    const left = 54;
    const x = (at) => left + (at / data.endedAt) * (right - left);
    const y = (value) => bottom - (value / top) * (bottom - 10);
    pen.fillStyle = color("--fault");
    for (const fault of data.faults) if (fault.injected && fault.disturbs) pen.fillRect(x(fault.from), 10, Math.max(1, x(fault.to) - x(fault.from)), bottom - 10);
    pen.strokeStyle = color("--grid");
    pen.fillStyle = color("--muted");
    pen.textAlign = "right";
    const step = steps(top, 4);
    for (let value = 0; value <= top; value += step) {
      pen.beginPath();
      pen.moveTo(left, y(value));
      pen.lineTo(right, y(value));
      pen.stroke();
      pen.fillText(format(value), left - 6, y(value) + 4);
    }
    pen.textAlign = "center";
    const timeStep = steps(data.endedAt, 7);
    for (let at = 0; at <= data.endedAt; at += timeStep) pen.fillText((at / 1e9).toFixed(0) + " s", x(at), bottom + 15);
    draws(pen, x, y);
  }

  function drawThroughput() {
    const { binNanos, ok, refused, failed, unknown } = data.series;
    const scale = 1e9 / binNanos;
    const layers = [[ok, "--n0"], [refused, "--refused"], [failed, "--bad"], [unknown, "--unknown"]];
    const sums = ok.map((_, bin) => layers.reduce((sum, [values]) => sum + values[bin], 0) * scale);
    chart("throughput", Math.max(1, ...sums) * 1.08, (pen, x, y) => {
      const below = ok.map(() => 0);
      for (const [values, name] of layers) {
        pen.fillStyle = color(name);
        values.forEach((value, bin) => {
          if (!value) return;
          const base = below[bin];
          below[bin] += value * scale;
          const left = x(bin * binNanos);
          pen.fillRect(left, y(below[bin]), Math.max(1, x((bin + 1) * binNanos) - left - 0.5), y(base) - y(below[bin]));
        });
      }
    }, (value) => count(Math.round(value)));
    legend("throughput-legend", [["yes", color("--n0")], ["refused", color("--refused")], ["failed", color("--bad")], ["unknown", color("--unknown")]]);
  }

  function drawLatency() {
    const { binNanos, p50, p99 } = data.series;
    // Logarithmic: a fault's seconds must not flatten the milliseconds of all other times.
    const low = 2;
    const high = Math.max(4, Math.ceil(Math.log10(Math.max(10, ...p99))));
    chart("latency", high - low, (pen, x, y) => {
      for (const [values, name] of [[p99, "--n2"], [p50, "--n1"]]) {
        pen.strokeStyle = color(name);
        pen.lineWidth = 1.6;
        pen.beginPath();
        let drawing = false;
        values.forEach((value, bin) => {
          if (value < 0) {
            drawing = false;
            return;
          }
          const at = [x((bin + 0.5) * binNanos), y(Math.max(0, Math.log10(Math.max(1, value)) - low))];
          if (drawing) pen.lineTo(...at);
          else pen.moveTo(...at);
          drawing = true;
        });
        pen.stroke();
        pen.lineWidth = 1;
      }
    }, (value) => (Number.isInteger(value) ? micros(Math.pow(10, value + low)).replace(".0", "").replace(".00", "") : ""));
    legend("latency-legend", [["median", color("--n1")], ["99 % (tries and releases, logarithmic)", color("--n2")]]);
  }

  function drawAll() {
    draw();
    drawThroughput();
    drawLatency();
    legend("legend", [
      ...data.nodes.map((node, index) => ["held by " + node, nodeColor(index)]),
      ["lost", color("--bad")], ["fault", color("--fault-bar")], ["paused", color("--paused")], ["down", color("--down")],
      ["starting", color("--unknown")], ["stalled by the machine", color("--refused")],
    ]);
  }

  /* ---- moving about ---- */

  function look(newFrom, newTo) {
    const span = Math.min(Math.max(newTo - newFrom, 1e6), data.endedAt);
    from = Math.min(Math.max(0, newFrom), data.endedAt - span);
    to = from + span;
    draw();
  }

  function zoom(factor, around = (from + to) / 2) {
    look(around - (around - from) * factor, around + (to - around) * factor);
  }

  const canvas = byId("timeline");
  const timeAt = (event) => {
    const box = canvas.getBoundingClientRect();
    return from + ((event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT)) * (to - from);
  };
  let dragFrom = null;
  canvas.addEventListener("wheel", (event) => {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      zoom(event.deltaY > 0 ? 1.25 : 0.8, timeAt(event));
    } else if (event.deltaX) {
      event.preventDefault();
      const shift = ((to - from) * event.deltaX) / 800;
      look(from + shift, to + shift);
    }
  }, { passive: false });
  canvas.addEventListener("mousedown", (event) => { dragFrom = timeAt(event); });
  canvas.addEventListener("mouseup", (event) => {
    const end = timeAt(event);
    if (dragFrom !== null && Math.abs(end - dragFrom) > (to - from) / 100) look(Math.min(dragFrom, end), Math.max(dragFrom, end));
    dragFrom = null;
  });
  canvas.addEventListener("dblclick", () => look(0, data.endedAt));
  canvas.addEventListener("mousemove", (event) => {
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const found = hits.filter((one) => x >= one.left && x <= one.right && y >= one.top && y <= one.bottom).pop();
    const tip = byId("tip");
    tip.hidden = !found;
    if (found) {
      tip.textContent = found.text;
      tip.style.left = Math.min(event.clientX + 14, window.innerWidth - 390) + "px";
      tip.style.top = event.clientY + 16 + "px";
    }
  });
  canvas.addEventListener("mouseleave", () => { byId("tip").hidden = true; });
  canvas.addEventListener("keydown", (event) => {
    const step = (to - from) / 5;
    if (event.key === "ArrowLeft") look(from - step, to - step);
    if (event.key === "ArrowRight") look(from + step, to + step);
    if (event.key === "+") zoom(0.6);
    if (event.key === "-") zoom(1.7);
  });
  byId("zoom-in").onclick = () => zoom(0.5);
  byId("zoom-out").onclick = () => zoom(2);
  byId("zoom-all").onclick = () => look(0, data.endedAt);

  const root = document.documentElement;
  root.dataset.theme = location.hash === "#dark" || (location.hash !== "#light" && matchMedia("(prefers-color-scheme: dark)").matches) ? "dark" : "light";
  byId("theme").onclick = () => {
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
    drawAll();
  };
  window.addEventListener("resize", drawAll);
  drawAll();
})();
