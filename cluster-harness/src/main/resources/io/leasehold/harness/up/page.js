"use strict";

/*
 * What the page shows comes over one stream: states, happenings, samples. Elements are kept and
 * changed in place, so that nothing flickers and the focus stays where it is. Every text goes in as
 * text: names of leases and owners are whatever somebody chose.
 */
(() => {
  const byId = (id) => document.getElementById(id);
  const EVENTS_MAX = 300;
  const SAMPLES_MAX = 121;

  let state = null;
  let stateAt = 0;
  let samples = [];
  let events = [];
  let run = null;

  /* ---- elements ---- */

  function make(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
      else made.setAttribute(key, value);
    }
    made.append(...children);
    return made;
  }

  function say(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }

  function mark(element, name, value) {
    if (element.dataset[name] !== value) element.dataset[name] = value;
  }

  function color(node) {
    const index = state ? state.nodes.findIndex((one) => one.id === node) : 0;
    return `var(--n${Math.max(0, index) % 9})`;
  }

  /* ---- what the buttons do ---- */

  let hideSaid = 0;

  function tell(text, isBad) {
    byId("said").textContent = isBad ? "" : text;
    byId("failed").textContent = isBad ? text : "";
    clearTimeout(hideSaid);
    hideSaid = setTimeout(() => {
      byId("said").textContent = "";
      byId("failed").textContent = "";
    }, isBad ? 12000 : 6000);
  }

  /** Sends what a button asks for; it stays focused and is deaf until there is an answer. */
  async function send(button, path, body) {
    if (button.getAttribute("aria-disabled") === "true" || button.getAttribute("aria-busy") === "true") return;
    button.setAttribute("aria-busy", "true");
    try {
      const response = await fetch(path, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      const answer = await response.json();
      tell(answer.message || "Done.", !response.ok);
    } catch (failure) {
      tell("There is no answer: has `up` ended?", true);
    } finally {
      button.removeAttribute("aria-busy");
    }
  }

  function enable(button, isEnabled) {
    const now = String(!isEnabled);
    if (button.getAttribute("aria-disabled") !== now) button.setAttribute("aria-disabled", now);
  }

  /* ---- nodes ---- */

  const nodes = new Map();

  function nodeCard(id) {
    const figure = (label) => {
      const value = make("dd");
      return { value, whole: make("div", {}, make("dt", {}, label), value) };
    };
    const title = make("h3", { id: "node-" + id }, id);
    const role = make("span", { class: "role" });
    const pill = make("span", { class: "pill" });
    const term = figure("Term");
    const applied = figure("Applied");
    const answers = figure("Answers in");
    const pid = make("span");
    const address = make("a", { class: "address", target: "_blank", rel: "noopener" });
    const why = make("p", { class: "why" });
    const act = (word) => (event) => send(event.currentTarget, `nodes/${id}/${word()}`, {});
    const card = { id, role, pill, term, applied, answers, pid, address, why };
    card.life = make("button", { type: "button", onclick: act(() => (card.isDown ? "start" : "kill")) });
    card.pause = make("button", { type: "button", onclick: act(() => (card.isPaused ? "resume" : "pause")) });
    card.cut = make("button", { type: "button", onclick: act(() => (card.isCutOff ? "heal" : "cut")) });
    card.lead = make("button", { type: "button", onclick: (event) => send(event.currentTarget, "transfer", { to: id }) });
    card.whole = make(
      "article",
      { class: "card node", "aria-labelledby": "node-" + id },
      make("header", {}, title, role, pill),
      make("dl", {}, term.whole, applied.whole, answers.whole),
      make("p", { class: "place" }, pid, address),
      why,
      make("div", { class: "buttons", role: "group", "aria-label": "What to do to " + id }, card.life, card.pause, card.cut, card.lead));
    card.whole.style.setProperty("--own", color(id));
    byId("nodes").append(card.whole);
    nodes.set(id, card);
    return card;
  }

  /** A label for the eye, and one that names the node for who only hears it. */
  function label(button, word, id) {
    say(button, word);
    if (button.getAttribute("aria-label") !== `${word} ${id}`) button.setAttribute("aria-label", `${word} ${id}`);
  }

  function condition(node) {
    if (node.process === "down") return ["down", "bad"];
    if (node.process === "paused") return ["paused", "warn"];
    if (node.isCutOff) return ["cut off", "warn"];
    if (node.isHealthy === null) return ["starting", "wait"];
    return node.isHealthy ? ["serves", "good"] : ["does not serve", "bad"];
  }

  const ROLES = { LEADER: "Leader", FOLLOWER: "Follower", CANDIDATE: "Candidate", LISTENER: "Listener" };

  function showNode(node) {
    const card = nodes.get(node.id) || nodeCard(node.id);
    const [words, kind] = condition(node);
    card.isDown = node.process === "down";
    card.isPaused = node.process === "paused";
    card.isCutOff = node.isCutOff;
    const leads = node.id === state.leader;
    const isOld = node.role === "LEADER" && !leads;
    say(card.role, node.role ? (isOld ? "Former leader" : ROLES[node.role] || node.role) : "");
    mark(card.role, "leads", String(leads));
    mark(card.whole, "state", node.process);
    say(card.pill, words);
    mark(card.pill, "kind", kind);
    say(card.term.value, node.role ? String(node.term) : "–");
    say(card.applied.value, node.role ? node.appliedIndex.toLocaleString("en") : "–");
    say(card.answers.value, node.latencyMillis === null ? "–" : millis(node.latencyMillis));
    say(card.pid, node.pid === null ? "no process, " : `process ${node.pid}, `);
    say(card.address, node.http);
    card.address.href = `http://${node.http}/status`;
    say(card.why, node.note || (card.isPaused ? "It stands still, as in a long garbage collection." : ""));
    card.why.title = node.note || "";
    label(card.life, card.isDown ? "Start" : "Kill", node.id);
    card.life.classList.toggle("danger", !card.isDown);
    label(card.pause, card.isPaused ? "Resume" : "Pause", node.id);
    label(card.cut, card.isCutOff ? "Heal" : "Cut off", node.id);
    label(card.lead, "Make leader", node.id);
    enable(card.life, true);
    enable(card.pause, !card.isDown);
    enable(card.cut, true);
    enable(card.lead, node.process === "running" && !node.isCutOff && !leads);
  }

  function millis(value) {
    return value < 10 ? value.toFixed(1) + " ms" : value < 1000 ? Math.round(value) + " ms" : (value / 1000).toFixed(1) + " s";
  }

  /* ---- leases ---- */

  const rows = new Map();

  function leaseRow(lease) {
    const row = { lease };
    row.name = make("bdi", {}, lease.name);
    row.mark = make("small");
    row.dot = make("span", { class: "dot", "aria-hidden": "true" });
    row.holder = make("bdi");
    row.node = make("span");
    row.token = make("td", { class: "number" });
    row.bar = make("i");
    row.seconds = make("span");
    row.waiting = make("span");
    row.who = make("small");
    row.release = make("button", { type: "button", onclick: (event) => send(event.currentTarget, "release", { node: row.lease.holder.node, name: row.lease.name, owner: row.lease.holder.owner }) }, "Release");
    row.revoke = make("button", { type: "button", class: "danger", onclick: (event) => send(event.currentTarget, "revoke", { name: row.lease.name, token: String(row.lease.fencingToken) }) }, "Revoke");
    row.release.setAttribute("aria-label", "Release " + lease.name);
    row.revoke.setAttribute("aria-label", "Revoke " + lease.name);
    row.whole = make(
      "tr",
      {},
      make("th", { scope: "row" }, row.name, row.mark),
      make("td", { class: "holder" }, row.dot, row.holder, row.node),
      row.token,
      make("td", {}, make("div", { class: "left" }, make("div", { class: "track", "aria-hidden": "true" }, row.bar), row.seconds)),
      make("td", { class: "waiting" }, row.waiting, row.who),
      make("td", { class: "row-buttons" }, row.release, row.revoke));
    row.whole.addEventListener("animationend", () => delete row.whole.dataset.new);
    rows.set(lease.name, row);
    return row;
  }

  function showLease(lease, before) {
    const row = rows.get(lease.name) || leaseRow(lease);
    if (row.token.textContent !== String(lease.fencingToken)) row.whole.dataset.new = "true";
    row.lease = lease;
    const own = color(lease.holder.node);
    if (row.own !== own) row.whole.style.setProperty("--own", (row.own = own));
    say(row.holder, lease.holder.owner);
    say(row.node, " on " + lease.holder.node);
    say(row.token, String(lease.fencingToken));
    say(row.mark, lease.revoked ? "revoked, not confirmed yet" : "");
    const here = state.waiting.filter((one) => one.name === lease.name && !(one.owner === lease.holder.owner && one.node === lease.holder.node));
    say(row.waiting, lease.waiters ? String(lease.waiters) : "–");
    say(row.who, lease.waiters ? here.map((one) => `${one.owner} on ${one.node}`).join(", ") : "");
    const next = before ? before.nextSibling : byId("leases").firstChild;
    if (row.whole !== next) byId("leases").insertBefore(row.whole, next);
    return row.whole;
  }

  function showLeases() {
    const leases = state.leases || [];
    const names = new Set(leases.map((lease) => lease.name));
    for (const [name, row] of rows) {
      if (names.has(name)) continue;
      if (row.whole.contains(document.activeElement)) byId("leases-title").focus();
      row.whole.remove();
      rows.delete(name);
    }
    let before = null;
    for (const lease of leases) if (lease.holder) before = showLease(lease, before);
    byId("no-leases").hidden = rows.size > 0 || !state.leases;
    byId("leases").parentElement.hidden = rows.size === 0;
    byId("leases-note").hidden = !state.leasesNote;
    say(byId("leases-note"), state.leasesNote || "");
    countDown();
  }

  /** Counts on from when the leases were read; what is past its end stands at zero until the store says more. */
  function countDown() {
    if (!state) return;
    const age = state.leasesAgeMillis + performance.now() - stateAt;
    for (const row of rows.values()) {
      const left = Math.max(0, row.lease.remainingMillis - age);
      say(row.seconds, (left / 1000).toFixed(1) + " s of " + duration(row.lease.ttlMillis));
      row.bar.style.transform = `scaleX(${Math.min(1, left / row.lease.ttlMillis).toFixed(3)})`;
      mark(row.whole, "short", String(left < row.lease.ttlMillis / 2));
    }
  }

  function duration(value) {
    if (value % 1000) return value + " ms";
    return value % 60000 ? value / 1000 + " s" : value / 60000 + " min";
  }

  /* ---- events ---- */

  const KINDS = {
    granted: ["granted", "good"], released: ["released", "plain"], expired: ["expired", "bad"],
    "taken-over": ["taken over", "warn"], revoked: ["revoked", "bad"], lost: ["lost", "bad"],
    leader: ["leader", "lead"], "no-leader": ["no leader", "warn"], kill: ["killed", "bad"],
    start: ["started", "good"], pause: ["paused", "warn"], resume: ["resumed", "good"],
    cut: ["cut off", "warn"], heal: ["healed", "good"], refused: ["not granted", "warn"], failed: ["failed", "bad"],
  };

  function isOfLoad(event) {
    return /^"load-\d"/.test(event.text);
  }

  function eventLine(event) {
    const [words, tone] = KINDS[event.kind] || [event.kind, "plain"];
    const at = new Date(event.atMillis);
    const time = at.toLocaleTimeString("en-GB");
    return make(
      "li",
      {},
      make("time", { datetime: at.toISOString(), title: at.toISOString() }, time),
      make("b", { "data-tone": tone }, words),
      make("span", {}, event.text));
  }

  function addEvents(added, isFirst) {
    events = events.concat(added).slice(-EVENTS_MAX);
    const isHidden = byId("hide-load").checked;
    const shown = added.filter((event) => !isHidden || !isOfLoad(event));
    byId("events").prepend(...shown.map(eventLine).reverse());
    while (byId("events").childElementCount > EVENTS_MAX) byId("events").lastElementChild.remove();
    byId("no-events").hidden = byId("events").childElementCount > 0;
    if (isFirst) return;
    const news = byId("news");
    for (const event of shown.slice(-5)) news.append(make("p", {}, event.text));
    while (news.childElementCount > 10) news.firstElementChild.remove();
  }

  function redrawEvents() {
    const all = events;
    events = [];
    byId("events").replaceChildren();
    addEvents(all, true);
  }

  /* ---- charts ---- */

  const count = (value) => (value >= 100 || Number.isInteger(value) ? String(Math.round(value)) : value.toFixed(1));
  const rate = Charts.chart(byId("rate"), "Rate", 5, count);
  const latency = Charts.chart(byId("latency"), "Time until a majority answers", 5, millis);
  const DASHES = [null, "6 3", "2 3", "8 3 2 3", "1 2"];

  function drawCharts() {
    rate.draw(samples, [
      { name: "log entries a second", color: "--n0", value: (sample) => sample.entries },
      { name: "changes of leases a second", color: "--n3", dash: "6 3", value: (sample) => sample.changes },
    ]);
    if (!state) return;
    latency.draw(samples, state.nodes.map((node, index) => ({
      name: node.id,
      color: `--n${index % 9}`,
      dash: DASHES[index % 5],
      value: (sample) => sample.latencyMillis[node.id],
    })));
  }

  /* ---- the stream ---- */

  function showState(next) {
    if (run !== null && run !== next.run) {
      // Another `up` on the same port: what was seen of the former one is not of this cluster.
      nodes.clear();
      byId("nodes").replaceChildren();
    }
    run = next.run;
    state = next;
    stateAt = performance.now();
    const select = document.forms.acquire.elements.node;
    if (select.length !== state.nodes.length) {
      select.replaceChildren(...state.nodes.map((node) => make("option", { value: node.id }, node.id)));
    }
    state.nodes.forEach(showNode);
    showLeases();
    const live = state.nodes.filter((node) => node.isHealthy && !node.isCutOff).length;
    say(byId("summary"), `${live} of ${state.nodes.length} nodes serve · ${state.leader ? state.leader + " leads, term " + state.term : "no leader is known"}`);
    const load = byId("load");
    load.setAttribute("aria-pressed", String(state.isLoaded));
    say(load, state.isLoaded ? "Stop the load" : "Run a small load");
  }

  function isLive(now) {
    say(byId("link"), now ? "live" : "reconnecting");
    mark(byId("link"), "kind", now ? "good" : "wait");
    mark(document.body, "stale", String(!now));
  }

  function connect() {
    const stream = new EventSource("stream");
    let isFirst = true;
    const on = (name, task) =>
      stream.addEventListener(name, (message) => task(JSON.parse(message.data)));
    stream.onopen = () => {
      // A stream begins with all that is kept, so what was there before goes.
      isFirst = true;
      samples = [];
      events = [];
      byId("events").replaceChildren();
    };
    stream.onerror = () => {
      isLive(false);
      if (stream.readyState === EventSource.CLOSED) setTimeout(connect, 2000);
    };
    on("happenings", (added) => addEvents(added, isFirst));
    on("samples", (added) => {
      samples = samples.concat(added).slice(-SAMPLES_MAX);
      drawCharts();
    });
    on("state", (next) => {
      showState(next);
      isLive(true);
      if (isFirst) drawCharts();
      isFirst = false;
    });
  }

  document.forms.acquire.addEventListener("submit", (event) => {
    event.preventDefault();
    const { node, name, owner, ttl, wait } = event.target.elements;
    send(event.submitter || event.target.querySelector("button"), "acquire", {
      node: node.value, name: name.value, owner: owner.value, ttl: ttl.value, wait: wait.value,
    });
  });

  /** Each node begins with an owner of its own, until somebody writes another. */
  let isOwnerChosen = false;
  document.forms.acquire.elements.owner.addEventListener("input", () => { isOwnerChosen = true; });
  document.forms.acquire.elements.node.addEventListener("change", (event) => {
    if (!isOwnerChosen) document.forms.acquire.elements.owner.value = "abcdefghi"[event.target.selectedIndex];
  });

  byId("load").addEventListener("click", (event) => send(event.currentTarget, "load", { on: !state.isLoaded }));
  byId("hide-load").addEventListener("change", redrawEvents);
  window.addEventListener("resize", drawCharts);
  setInterval(countDown, 100);

  fetch("reports").then((response) => response.json()).then((links) => {
    byId("reports-card").hidden = links.length === 0;
    byId("reports").replaceChildren(...links.map((link) => {
      const written = new Date(link.atMillis).toLocaleString();
      return make("li", {}, make("a", { href: "reports/" + encodeURIComponent(link.name), target: "_blank", rel: "noopener" }, link.name), ` of ${written}`);
    }));
  }).catch(() => {});

  connect();
})();
