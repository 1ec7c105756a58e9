// Looks at the report, the explorer and the site in Chromium: node pictures.js TOOL REPORT SITE DIRECTORY. Ends with a failure if anything is not as it should be.
"use strict";
const assert = require("node:assert");
const { execFileSync, spawn } = require("node:child_process");
const http = require("node:http");
const path = require("node:path");
const { chromium } = require("playwright-core");

const [tool, report, site, directory] = process.argv.slice(2);
const sizes = [1200, 390], schemes = ["light", "dark"];
let checks = 0;

function check(holds, what) {
  assert(holds, what);
  checks++;
}

// ---- What every page must be ----

// Text against what is behind it, by WCAG 2: 4.5 for letters of ordinary size.
function contrasts() {
  const parts = (colour) => colour.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4)).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const colour = parts(getComputedStyle(at).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const poor = [];
  for (const node of document.querySelectorAll("body *")) {
    const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
    if (!own || !node.getClientRects().length || ["STYLE", "SCRIPT", "TITLE", "title", "OPTION"].includes(node.tagName)) continue;
    const style = getComputedStyle(node), ink = parts(node.tagName === "text" ? style.fill : style.color);
    const [a, b] = [light(ink), light(behind(node))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) poor.push(`${node.tagName} ${node.textContent.slice(0, 30)} ${((a + 0.05) / (b + 0.05)).toFixed(2)}`);
  }
  return poor;
}

async function look(page, name, width) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  check(wide <= width, `${name}: ${wide} pixels are wider than ${width}`);
  const poor = await page.evaluate(contrasts);
  check(poor.length === 0, `${name}: contrast ${poor.join("; ")}`);
}

// ---- The report ----

async function lookAtReport(browser) {
  for (const width of sizes)
    for (const colorScheme of schemes) {
      const page = await browser.newPage({ viewport: { width, height: width === 390 ? 844 : 1000 }, colorScheme });
      const asked = [];
      page.on("request", (request) => asked.push(request.url()));
      await page.goto("file://" + path.resolve(report));
      await look(page, `report ${width} ${colorScheme}`, width);
      check(asked.length === 1, "the report loads something");
      for (const [label, list] of Object.entries(await page.evaluate(() => ({
        small: [...document.querySelectorAll("svg text")].filter((text) => getComputedStyle(text).display !== "none" && text.getBoundingClientRect().height < 9).map((text) => text.textContent),
        out: [...document.querySelectorAll("svg circle, svg rect")].filter((mark) => mark.getBoundingClientRect().right > innerWidth + 1).map((mark) => mark.outerHTML),
      })))) check(list.length === 0, `report: ${label} ${list}`);
      await page.screenshot({ path: path.join(directory, `report-${width}-${colorScheme}.png`) });
      await page.close();
    }
  // On paper nothing is cut off.
  for (const format of ["A4", "Letter"]) {
    const width = { A4: 794, Letter: 816 }[format] - 2 * 60;
    const page = await browser.newPage({ viewport: { width, height: 1000 } });
    await page.emulateMedia({ media: "print" });
    await page.goto("file://" + path.resolve(report));
    const cut = await page.evaluate(() => [...document.querySelectorAll("table, svg, pre")].filter((box) => box.getBoundingClientRect().right > innerWidth + 1).map((box) => box.outerHTML.slice(0, 80)));
    check(cut.length === 0, `${format}: ${cut}`);
    check((await page.evaluate(() => getComputedStyle(document.querySelector("thead")).display)) === "table-header-group", "heads are not repeated");
    await page.close();
  }
}

// ---- The explorer ----

function startExplorer() {
  const server = spawn(tool, ["explore", "--json"]);
  return new Promise((resolve) => server.stdout.once("data", (text) => resolve({ server, address: JSON.parse(text).address })));
}

const settled = (page) => page.waitForFunction(() => document.getElementById("view").getAttribute("aria-busy") === "false", null, { timeout: 180000 });

// The answer of the command that the page shows, in a process of its own.
async function told(page) {
  const [command, ...words] = JSON.parse(await page.locator("#command").getAttribute("data-words"));
  return JSON.parse(execFileSync(tool, [command, "--json", ...words], { stdio: ["ignore", "pipe", "ignore"] }));
}

const number = (text) => Number(text.replace(/,/g, ""));
const near = (a, b) => Math.abs(a - b) <= 1e-3 * Math.abs(b);

async function compareView(page, view) {
  const answer = await told(page);
  if (view === "mechanisms") {
    const best = page.locator(".bars .best");
    const family = await best.textContent(), shown = number((await page.locator(`.value[data-family="${family}"]`).textContent()).split(" ")[0]);
    const dim = Number(await page.locator("#dim-number").inputValue()), objective = await page.locator("#objective").inputValue();
    check(near(shown, objective === "interval95" ? answer.error : answer.error / dim), `${family}: ${shown}, but ${answer.error}`);
  } else if (view !== "laws") {
    const shown = number(await page.locator(".facts b").first().textContent());
    check(near(shown, answer.epsilon), `${view}: ${shown}, but ${answer.epsilon}`);
  }
}

async function moveControls(page, view) {
  for (const input of await page.locator("#controls input[type=range]").all()) {
    const name = await input.getAttribute("id"), before = await page.locator(`#${name}-number`).inputValue();
    await input.focus();
    for (let i = 0; i < 30; i++) await page.keyboard.press("ArrowLeft");
    check((await page.locator(`#${name}-number`).inputValue()) !== before, `${name} does not move`);
    check(new URL(page.url()).hash.includes(`${name}=`), `${name} is not in the address`);
  }
  await page.waitForTimeout(100);
  await settled(page);
  await compareView(page, view);
  for (const select of await page.locator("#controls select").all()) {
    const values = await select.locator("option").evaluateAll((options) => options.map((option) => option.value));
    for (const value of values.slice(1)) {
      await select.selectOption(value);
      await page.waitForTimeout(100);
      await settled(page);
      await compareView(page, view);
    }
  }
}

async function lookAtExplorer(browser) {
  const { server, address } = await startExplorer();
  try {
    const foreign = await new Promise((resolve) => http.get(address, { headers: { Host: "evil.example" } }, (answer) => resolve(answer.statusCode)));
    check(foreign === 403, "a foreign host is answered");
    for (const view of ["mechanisms", "laws", "composition", "training"]) {
      const page = await browser.newPage({ viewport: { width: 1200, height: 1000 } }), failures = [];
      page.on("pageerror", (failure) => failures.push(failure.message));
      page.on("console", (message) => message.type() === "error" && !/503/.test(message.text()) && failures.push(message.text()));
      await page.goto(address + "#view=" + view);
      await settled(page);
      await compareView(page, view);
      await moveControls(page, view);
      check(failures.length === 0, failures.join("; "));
      // A link leads to what it shows.
      const again = await browser.newPage();
      await again.goto(page.url());
      await settled(again);
      check((await again.locator("#command").textContent()) === (await page.locator("#command").textContent()), "the link leads elsewhere");
      await again.close();
      await page.close();
    }
    for (const width of sizes)
      for (const colorScheme of schemes) {
        const page = await browser.newPage({ viewport: { width, height: width === 390 ? 844 : 1000 }, colorScheme });
        await page.goto(address);
        await settled(page);
        await look(page, `explorer ${width} ${colorScheme}`, width);
        await page.screenshot({ path: path.join(directory, `explore-${width}-${colorScheme}.png`) });
        await page.close();
      }
  } finally {
    server.kill();
  }
}

// ---- The site ----

async function search(page, words) {
  await page.keyboard.press("/");
  await page.keyboard.type(words);
  await page.waitForFunction(() => document.querySelector("#found p"), null, { timeout: 30000 });
  return page.locator("#found a");
}

async function lookAtSite(browser) {
  const open = async (place, options) => {
    const page = await browser.newPage(options), asked = [];
    page.on("request", (request) => request.url().startsWith("file://") || request.url() === "data:," || asked.push(request.url()));
    page.on("pageerror", (failure) => asked.push(failure.message));
    await page.goto("file://" + path.resolve(site, place));
    return { page, asked };
  };
  const places = ["index.html", "docs/tutorial.html", "docs/limit.html", "docs/paper/fh.html", "docs/proofs/privacy/contour.html", "man/dpnoise-release.1.html", "include/dpnoise/ledger.h.html", "CHANGELOG.html"];
  for (const width of sizes)
    for (const colorScheme of schemes)
      for (const place of places) {
        const { page, asked } = await open(place, { viewport: { width, height: width === 390 ? 844 : 1000 }, colorScheme });
        await look(page, `${place} ${width} ${colorScheme}`, width);
        check(asked.length === 0, `${place}: ${asked}`);
        if (place === "index.html") await page.screenshot({ path: path.join(directory, `site-${width}-${colorScheme}.png`) });
        await page.close();
      }
  // The search finds a function, a word of an option and a phrase, and its links lead to where they are.
  for (const [words, wanted] of [["dpn_ledger_spend", "include/dpnoise/ledger.h.html#dpn_ledger_spend"], ["person-id", "man/dpnoise-release.1.html#person-id"], ["privacy engineers other tools", "docs/privacy-engineer.html#other-tools"]]) {
    const { page, asked } = await open("docs/tutorial.html", { viewport: { width: 1200, height: 1000 } });
    const found = await (await search(page, words)).evaluateAll((links) => links.map((link) => link.href));
    check(found.some((link) => link.endsWith(wanted)), `'${words}' finds ${found}`);
    await page.keyboard.press("Enter");
    await page.waitForURL(found[0]);
    check(await page.evaluate(() => !location.hash || document.getElementById(decodeURIComponent(location.hash.slice(1)))), `'${words}' leads to no anchor`);
    check(asked.length === 0, `the search: ${asked}`);
    await page.close();
  }
  const { page: nothing } = await open("index.html", {});
  check((await (await search(nothing, "xyzzy")).count()) === 0, "what is nowhere is found");
  await nothing.close();
  // The menu of a telephone.
  const { page: phone } = await open("index.html", { viewport: { width: 390, height: 844 } });
  check(!(await phone.locator("#navigation").isVisible()), "the menu is open");
  await phone.click("#menu");
  await phone.locator("#navigation").getByText("Tutorial", { exact: true }).click();
  await phone.waitForURL(/tutorial/);
  await phone.close();
  for (const place of places) {
    const { page } = await open(place, { viewport: { width: 674, height: 1000 } });
    await page.emulateMedia({ media: "print" });
    const cut = await page.evaluate(() => [...document.querySelectorAll("main pre, main table, main img, main p")].filter((box) => box.getBoundingClientRect().right > innerWidth + 1).map((box) => box.outerHTML.slice(0, 80)));
    check(cut.length === 0, `${place} on paper: ${cut}`);
    check(!(await page.locator("#navigation").isVisible()), "the navigation is printed");
    await page.close();
  }
}

(async () => {
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  await lookAtReport(browser);
  await lookAtSite(browser);
  await lookAtExplorer(browser);
  await browser.close();
  console.log(`${checks} passed, 0 failed`);
})().catch((failure) => {
  console.error(failure.message);
  process.exit(1);
});
