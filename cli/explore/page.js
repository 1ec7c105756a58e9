// The page of `dpnoise explore`. All it knows comes through ask(): whoever answers that can take the server's place.
"use strict";

// ---- Questions ----

const kept = new Map(); // answers to questions that were asked, as promises

let asking = new AbortController(); // stops what is not wanted any more

async function fetchAnswer(command, words) {
  const query = new URLSearchParams({ command });
  for (const word of words) query.append("word", word);
  const response = await fetch("ask?" + query, { signal: asking.signal });
  if (!response.ok) throw Object.assign(new Error(await response.text()), { late: response.status === 503 });
  return response.json();
}

// The JSON of `dpnoise COMMAND WORDS --json`; a sentence is thrown where the tool refuses.
function ask(command, words) {
  const key = JSON.stringify([command, words]);
  if (!kept.has(key)) {
    if (kept.size > 500) kept.clear();
    kept.set(key, fetchAnswer(command, words));
    kept.get(key).catch(() => kept.delete(key));
  }
  return kept.get(key).then((answer) => {
    if (typeof answer.error === "string") throw new Error(answer.error);
    return answer;
  });
}

// ---- Settings: what the controls say and what the address keeps ----

const settings = {
  view: "mechanisms", epsilon: 1, delta: 1e-6, dim: 10, set: "linf", reach: 1, objective: "mse",
  laws: "gaussian,laplace,flipped-huber", law: "gaussian(sigma=10)", times: 100, sigma: 1, rate: 0.01, steps: 1000,
};

const controls = {
  epsilon: { label: "epsilon", kind: "log", low: 0.01, high: 10 },
  delta: { label: "delta", kind: "log", low: 1e-12, high: 0.1, zero: true },
  dim: { label: "answers (K)", kind: "log", low: 1, high: 1000, whole: true },
  set: { label: "one row can change", kind: "choice", choices: { linf: "every answer, each by up to S", l1: "the answers by up to S in total (l1)", l2: "the answers by up to S in length (l2)", histogram: "one count of a histogram, by 1" } },
  reach: { label: "sensitivity S", kind: "log", low: 0.01, high: 1000 },
  objective: { label: "minimise the", kind: "choice", choices: { mse: "mean squared error", mae: "mean absolute error", interval95: "95% interval" } },
  laws: { label: "families, separated by commas", kind: "text" },
  law: { label: "noise of each release", kind: "text" },
  times: { label: "releases", kind: "log", low: 1, high: 1e6, whole: true },
  sigma: { label: "noise multiplier", kind: "log", low: 0.3, high: 20 },
  rate: { label: "sampling rate", kind: "log", low: 1e-5, high: 1 },
  steps: { label: "steps", kind: "log", low: 1, high: 1e6, whole: true },
};

const viewControls = {
  mechanisms: ["epsilon", "delta", "dim", "set", "reach", "objective"],
  laws: ["epsilon", "delta", "reach", "laws"],
  composition: ["law", "reach", "times", "delta"],
  training: ["sigma", "rate", "steps", "delta"],
};

function readAddress() {
  for (const [name, value] of new URLSearchParams(location.hash.slice(1)))
    if (name in settings) settings[name] = typeof settings[name] === "number" ? Number(value) : value;
  if (!(settings.view in viewControls)) settings.view = "mechanisms";
}

function writeAddress() {
  const words = new URLSearchParams({ view: settings.view });
  for (const name of viewControls[settings.view]) words.set(name, settings[name]);
  history.replaceState(null, "", "#" + words);
}

// ---- Small tools ----

const SVG = "http://www.w3.org/2000/svg";

function element(tag, attributes = {}, ...children) {
  const made = tag.startsWith("svg:") ? document.createElementNS(SVG, tag.slice(4)) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (name in made && typeof value === "function") made[name] = value;
    else made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function show(x, digits = 4) {
  if (x === "inf" || x === Infinity) return "infinite";
  if (typeof x !== "number" || Number.isNaN(x)) return "–";
  if (x !== 0 && (Math.abs(x) < 1e-3 || Math.abs(x) >= 1e7)) return Number(x.toPrecision(digits)).toExponential();
  return Number(x.toPrecision(digits)).toLocaleString("en", { maximumFractionDigits: 8 });
}

// The ends of an interval: away from what is between them.
function showEnd(x, digits, up) {
  if (typeof x !== "number" || !(x > 0) || !Number.isFinite(x)) return show(x, digits);
  const step = Math.pow(10, Math.floor(Math.log10(x)) - digits + 1), near = Number(x.toPrecision(digits));
  return show(near === x ? x : up ? (near > x ? near : near + step) : near < x ? near : near - step, digits);
}

// A number as the tool reads it, with as many digits as a slider can mean.
const word = (x) => String(Number(Number(x).toPrecision(3)));

// ---- Controls ----

function makeNumber(name, control) {
  const toPlace = (x) => (1000 * Math.log(x / control.low)) / Math.log(control.high / control.low);
  const fromPlace = (place) => {
    const x = control.low * Math.pow(control.high / control.low, place / 1000);
    return control.whole ? Math.round(x) : Number(x.toPrecision(2));
  };
  const range = element("input", { type: "range", min: control.zero ? -20 : 0, max: 1000, step: 1, id: name, "aria-label": control.label });
  const number = element("input", { type: "number", step: "any", id: name + "-number", "aria-label": control.label + ", exactly", min: 0 });
  const tell = () => {
    range.setAttribute("aria-valuetext", show(settings[name]));
    number.value = settings[name];
  };
  const put = () => {
    range.value = settings[name] > 0 ? toPlace(settings[name]) : -20;
    tell();
  };
  range.oninput = () => {
    settings[name] = control.zero && Number(range.value) < 0 ? 0 : fromPlace(Math.max(0, Number(range.value)));
    tell(); // the slider stays where it was put, between two numbers
    changed();
  };
  number.onchange = () => {
    const x = Number(number.value);
    if (x > 0 || (control.zero && x === 0)) settings[name] = control.whole ? Math.round(x) : x;
    put();
    changed();
  };
  put();
  return element("label", {}, control.label, number, range);
}

function makeControl(name) {
  const control = controls[name];
  if (control.kind === "log") return makeNumber(name, control);
  let input;
  if (control.kind === "choice") {
    input = element("select", { id: name });
    for (const [value, text] of Object.entries(control.choices)) input.append(element("option", { value }, text));
  } else {
    input = element("input", { type: "text", id: name, spellcheck: "false" });
  }
  input.value = settings[name];
  input.onchange = () => {
    settings[name] = input.value.trim();
    changed();
  };
  return element("label", {}, control.label, input);
}

// ---- Pictures ----

const COLOURS = 8; // classes c0, c1, ... of page.css

function ticksOf(low, high, log) {
  const ticks = [];
  if (log) {
    const every = Math.max(1, Math.ceil((high - low) / 6));
    for (let t = Math.ceil(low / every) * every; t <= high + 1e-9; t += every) ticks.push([t, t > -4 && t < 5 ? show(Math.pow(10, t)) : "1e" + t]);
    return ticks;
  }
  const rough = (high - low) / 5, power = Math.pow(10, Math.floor(Math.log10(rough)));
  const step = [1, 2, 5, 10].find((m) => m * power >= rough) * power;
  for (let t = Math.ceil(low / step) * step; t <= high + 1e-9 * step; t += step) ticks.push([t, show(Math.abs(t) < 1e-9 * step ? 0 : t)]);
  return ticks;
}

// Curves: [{name, points: [[x, y], ...]}]; y on a log scale if asked.
function plot(title, curves, { log = false, xlabel = "", logx = false } = {}) {
  const width = 480, height = 250, left = 56, bottom = 34, top = 8, right = 10;
  const put = (v, scale) => (scale ? Math.log10(v) : v);
  const points = curves.flatMap((curve) => curve.points).filter(([x, y]) => Number.isFinite(put(x, logx)) && Number.isFinite(put(y, log)));
  const figure = element("figure", {}, element("figcaption", {}, title));
  if (!points.length) return figure;
  const xs = points.map(([x]) => put(x, logx)), ys = points.map(([, y]) => put(y, log));
  let [x0, x1] = [Math.min(...xs), Math.max(...xs)], [y0, y1] = [log ? Math.max(Math.min(...ys), Math.max(...ys) - 16) : 0, Math.max(...ys)];
  if (x1 <= x0) x1 = x0 + 1;
  if (y1 <= y0) y1 = y0 + 1;
  const px = (x) => left + ((x - x0) / (x1 - x0)) * (width - left - right), py = (y) => top + ((y1 - y) / (y1 - y0)) * (height - top - bottom);
  const svg = element("svg:svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title });
  for (const [t, text] of ticksOf(x0, x1, logx))
    svg.append(element("svg:line", { class: "grid", x1: px(t), x2: px(t), y1: top, y2: height - bottom }), element("svg:text", { x: px(t), y: height - bottom + 15, "text-anchor": "middle" }, text));
  for (const [t, text] of ticksOf(y0, y1, log))
    svg.append(element("svg:line", { class: "grid", x1: left, x2: width - right, y1: py(t), y2: py(t) }), element("svg:text", { x: left - 6, y: py(t) + 4, "text-anchor": "end" }, text));
  svg.append(element("svg:text", { x: (left + width - right) / 2, y: height - 3, "text-anchor": "middle" }, xlabel));
  curves.forEach((curve, i) => {
    const path = curve.points
      .map(([x, y]) => [put(x, logx), put(y, log)])
      .filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y) && y >= y0 - 1e-9)
      .map(([x, y], j) => `${j ? "L" : "M"}${px(x).toFixed(1)} ${py(y).toFixed(1)}`)
      .join("");
    svg.append(element("svg:path", { class: `curve c${i % COLOURS}`, d: path }, element("svg:title", {}, curve.name)));
  });
  figure.append(svg);
  return figure;
}

function legend(names) {
  const box = element("div", { class: "legend" });
  const brief = (name) => name.replace(/\d+\.\d{4,}(e-?\d+)?/g, (digits) => show(Number(digits)));
  names.forEach((name, i) => box.append(element("span", { title: name }, element("i", { class: `c${i % COLOURS}` }), brief(name))));
  return box;
}

function facts(list) {
  return element("div", { class: "facts" }, ...list.map(([value, what]) => element("div", {}, element("b", {}, value), element("span", {}, what))));
}

// ---- Views ----

const plain = (w) => (/^[\w=.,:+-]+$/.test(w) ? w : `'${w}'`);
const quote = (w) => (w.startsWith("--") && w.includes("=") ? w.slice(0, w.indexOf("=")) + " " + plain(w.slice(w.indexOf("=") + 1)) : plain(w));
const commandLine = (command, words) => ["dpnoise", command, ...words.map(quote)].join(" ");

function setWords() {
  if (settings.set === "histogram") return ["--histogram=" + word(settings.dim)];
  return [`--${settings.set}=` + word(settings.reach), "--dim=" + word(settings.dim)];
}

const guarantee = () => ["--epsilon=" + word(settings.epsilon), "--delta=" + word(settings.delta)];

// Each family is asked by itself, joint noise and the quick ones first, so that bars appear as they are known.
const firstFamilies = ["gaussian", "laplace", "k-norm", "start-box", "blocks", "start-staircase", "random-box"];

async function allFamilies() {
  const listed = (await ask("law", ["--list"])).families.map((row) => row.family);
  return [...firstFamilies, ...listed.filter((family) => !firstFamilies.includes(family))];
}

async function inTurns(count, tasks) {
  const left = [...tasks];
  await Promise.all(Array.from({ length: count }, async () => {
    while (left.length) await left.shift()();
  }));
}

// Whole numbers from 1 to n, for a power of two of pieces, evenly on a log scale: the ends first, then ever finer, so that a curve is soon there and then gets smooth.
function spread(n, pieces) {
  const places = [0, pieces];
  for (let step = pieces; step >= 2; step /= 2) for (let i = step / 2; i < pieces; i += step) places.push(i);
  return [...new Set(places.map((i) => Math.max(1, Math.round(Math.pow(n, i / pieces)))))];
}

async function viewMechanisms(stage, current) {
  const results = new Map(), families = await allFamilies();
  if (!current()) return;
  const words = (family) => [family, ...guarantee(), ...setWords(), "--objective=" + settings.objective];
  const bars = element("div", { class: "bars" });
  const note = element("p", { class: "dim" });
  const unit = { mse: "mean squared error of each answer", mae: "mean absolute error of each answer", interval95: "half the width of a 95% interval" }[settings.objective];
  stage.replaceChildren(element("h2", {}, "Error of every mechanism"), element("p", { class: "dim" }, `${unit}; less is better. A name shows its command. Noise on whole numbers is for answers that are whole numbers, as counts are.`), bars, note);
  const share = (answer) => (settings.objective === "interval95" ? answer.error : answer.error / settings.dim);
  let picked = null;
  const draw = () => {
    if (!current()) return;
    const known = families.filter((f) => results.get(f) && !results.get(f).refused).sort((a, b) => share(results.get(a)) - share(results.get(b)));
    const worst = share(results.get(known[known.length - 1]) || { error: 1 });
    bars.replaceChildren();
    for (const family of [...known, ...families.filter((f) => !results.has(f))]) {
      const answer = results.get(family);
      const bar = element("div", { class: "bar" });
      const name = element("button", { type: "button", class: "name" + (family === known[0] ? " best" : ""), onclick: () => { picked = family; draw(); } }, family);
      if (answer) bar.style.width = (100 * share(answer)) / worst + "%";
      bars.append(name, element("div", { class: "track" }, ...(answer ? [bar] : [])), element("span", { class: answer ? "value" : "value wait", "data-family": family }, answer ? show(share(answer), 5) + (answer.integer ? " whole numbers" : "") : "computing …"));
    }
    const refused = (late) => families.filter((f) => results.get(f)?.refused && Boolean(results.get(f).late) === late).join(", ");
    note.textContent = (refused(false) && `Not possible here: ${refused(false)}. `) + (refused(true) && `Not ready in time: ${refused(true)}.`);
    if (known.length) setCommand("calibrate", words(picked && !results.get(picked)?.refused ? picked : known[0]));
  };
  draw();
  await inTurns(2, families.map((family) => async () => {
    if (!current()) return;
    try {
      results.set(family, await ask("calibrate", words(family)));
    } catch (failure) {
      results.set(family, { refused: failure.message, late: failure.late });
    }
    draw();
  }));
}

async function viewLaws(stage, current) {
  const names = settings.laws.split(",").map((s) => s.trim()).filter(Boolean).slice(0, COLOURS);
  const laws = [], missing = [];
  await Promise.all(names.map(async (family, i) => {
    try {
      laws[i] = family.includes("(") ? family : (await ask("calibrate", [family, ...guarantee(), "--sensitivity=" + word(settings.reach)])).law;
    } catch (failure) {
      missing.push(`${family}: ${failure.message}`);
    }
  }));
  const known = laws.filter(Boolean);
  if (!current()) return;
  stage.replaceChildren();
  if (missing.length) stage.append(element("p", { class: "error" }, missing.join(" ")));
  if (!known.length) return;
  const about = (await ask("law", known)).laws ?? [await ask("law", known)];
  const reach = 5 * Math.max(...about.map((law) => law.standard_deviation));
  const grid = Array.from({ length: 801 }, (_, i) => ((i - 400) / 400) * reach);
  const at = "--at=" + grid.map((x) => x.toPrecision(6)).join(",");
  const epsilons = Array.from({ length: 201 }, (_, i) => (i / 200) * 2 * settings.epsilon);
  const [densities, profiles] = await Promise.all([
    Promise.all(known.map((law) => ask("law", [law, at]))),
    Promise.all(known.map((law) => ask("profile", [law, "--sensitivity=" + word(settings.reach), "--epsilon=" + epsilons.map((e) => e.toPrecision(6)).join(",")]))),
  ]);
  if (!current()) return;
  const density = densities.map((answer, i) => ({ name: known[i], points: (answer.laws ? answer.laws[0] : answer).at.map((p) => [p.t, p.pdf]) }));
  const profile = profiles.map((answer, i) => ({ name: known[i], points: answer.profile.map((p) => [p.epsilon, p.delta]) }));
  stage.append(legend(known), element("div", { class: "two" }, plot("Densities", density, { xlabel: "noise" }), plot("Densities, log scale", density, { log: true, xlabel: "noise" }),
    plot("Privacy profile: delta for every epsilon", profile, { log: true, xlabel: "epsilon" })));
  stage.append(facts(about.map((law) => [show(law.standard_deviation), "standard deviation of " + law.law.split("(")[0]])));
  setCommand("profile", [...known, "--sensitivity=" + word(settings.reach), "--epsilon=" + word(settings.epsilon)]);
}

async function viewComposition(stage, current) {
  const words = (times) => ["--law=" + settings.law, "--sensitivity=" + word(settings.reach), "--times=" + word(times), "--delta=" + word(settings.delta)];
  const counts = spread(settings.times, 64);
  const now = await ask("profile", words(settings.times));
  if (!current()) return;
  setCommand("profile", words(settings.times));
  const picture = element("div");
  stage.replaceChildren(facts([[showEnd(now.epsilon, 6, true), `epsilon of ${show(settings.times)} releases at delta ${show(settings.delta)}`], [showEnd(now.epsilon_lower, 6, false), "proven lower end"]]), picture);
  const points = [];
  await inTurns(2, counts.map((times) => async () => {
    if (!current()) return;
    const answer = await ask("profile", words(times));
    points.push([times, answer.epsilon]);
    points.sort((a, b) => a[0] - b[0]);
    if (current()) picture.replaceChildren(plot("Epsilon after N releases", [{ name: settings.law, points }], { xlabel: "releases", logx: true }));
  }));
}

async function viewTraining(stage, current) {
  const words = (steps) => [`--law=gaussian(sigma=${word(settings.sigma)})`, "--sensitivity=1", "--sample-rate=" + word(settings.rate), "--steps=" + word(steps), "--delta=" + word(settings.delta)];
  const counts = spread(settings.steps, 32);
  const now = await ask("profile", words(settings.steps));
  if (!current()) return;
  setCommand("profile", words(settings.steps));
  const picture = element("div");
  stage.replaceChildren(facts([[showEnd(now.epsilon, 6, true), `epsilon of ${show(settings.steps)} steps at delta ${show(settings.delta)}`], [showEnd(now.epsilon_lower, 6, false), "proven lower end"], [show(settings.steps * settings.rate), "passes over the data"]]), picture);
  const points = [];
  await inTurns(2, counts.map((steps) => async () => {
    if (!current()) return;
    const answer = await ask("profile", words(steps));
    points.push([steps, answer.epsilon]);
    points.sort((a, b) => a[0] - b[0]);
    if (current()) picture.replaceChildren(plot("Epsilon after N steps", [{ name: "epsilon", points }], { xlabel: "steps", logx: true }));
  }));
}

const views = { mechanisms: viewMechanisms, laws: viewLaws, composition: viewComposition, training: viewTraining };

// ---- The page ----

let turn = 0, waiting = null;

function setCommand(command, words) {
  document.getElementById("command").textContent = commandLine(command, words);
  document.getElementById("command").dataset.words = JSON.stringify([command, ...words]);
}

function draw() {
  const mine = ++turn, stage = document.getElementById("view");
  stage.setAttribute("aria-busy", "true");
  views[settings.view](stage, () => mine === turn)
    .catch((failure) => {
      if (mine === turn) stage.replaceChildren(element("p", { class: "error", role: "alert" }, failure.message));
    })
    .finally(() => {
      if (mine === turn) stage.setAttribute("aria-busy", "false");
    });
}

// What a histogram's rows can change is known.
function noteUnused() {
  for (const id of ["reach", "reach-number"]) {
    const input = document.getElementById(id);
    if (input) input.disabled = settings.view === "mechanisms" && settings.set === "histogram";
  }
}

// Controls are followed while they move, at most every 60 ms.
function changed() {
  writeAddress();
  noteUnused();
  turn++;
  asking.abort();
  asking = new AbortController();
  clearTimeout(waiting);
  waiting = setTimeout(draw, 60);
}

function begin() {
  asking.abort();
  asking = new AbortController();
  document.getElementById("controls").replaceChildren(...viewControls[settings.view].map(makeControl));
  noteUnused();
  for (const tab of document.querySelectorAll("nav button")) {
    const here = tab.dataset.view === settings.view;
    tab.setAttribute("aria-selected", String(here));
    tab.tabIndex = here ? 0 : -1;
  }
  writeAddress();
  draw();
}

for (const tab of document.querySelectorAll("nav button")) {
  tab.onclick = () => {
    settings.view = tab.dataset.view;
    begin();
  };
  tab.onkeydown = (event) => {
    const all = [...document.querySelectorAll("nav button")], step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = all[(all.indexOf(tab) + step + all.length) % all.length];
    next.focus();
    next.click();
  };
}
document.getElementById("controls").onsubmit = (event) => event.preventDefault();
document.getElementById("take").onclick = async () => {
  try {
    await navigator.clipboard.writeText(document.getElementById("command").textContent);
    document.getElementById("taken").textContent = "copied";
  } catch {
    document.getElementById("taken").textContent = "select the text to copy it";
  }
};
window.addEventListener("hashchange", () => {
  readAddress();
  begin();
});
readAddress();
begin();
