#!/usr/bin/env node
/**
 * node bench/opening.mjs FILE [--rounds N] [--beside CHECKOUT] [--line MEGABITS]: seconds from the drop of a file until
 * the first picture of the view that opens is there, until its sentence is, and until all of it is read; the longest
 * task of the main thread meanwhile, in ms; and the peak memory of the tab's process, in MiB. Medians. Another built
 * checkout takes turns. With `--line` the file comes from a host of so many Mbit/s (`?url=`), which a user has just
 * allowed.
 */
import { readFileSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openViewer } from "../e2e/kit/viewer.mjs";
import { median } from "./load.mjs";
import { slowHost } from "./slow-host.mjs";

const { values, positionals } = parseArgs({
  options: { rounds: { type: "string", default: "5" }, beside: { type: "string" }, line: { type: "string" } },
  allowPositionals: true,
});
const [path] = positionals;
if (path === undefined) {
  console.error("usage: node bench/opening.mjs FILE [--rounds N] [--beside CHECKOUT] [--line MEGABITS]");
  process.exit(2);
}
const LONGEST_MS = 600_000;

/** Runs in the page, before its scripts. */
function watch() {
  window.tasks = [];
  new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: "longtask",
  });
}

/** One opening: seconds, ms and MiB by name. */
async function opened(checkout) {
  const viewer = await openViewer([], checkout);
  const host = values.line && (await slowHost(dirname(resolve(path)), { roundTripMs: 50, megabits: values.line }));
  try {
    const page = await viewer.browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(LONGEST_MS);
    await page.addInitScript(watch);
    await page.goto(host ? `${viewer.url}?url=${host.address}${encodeURIComponent(basename(path))}` : viewer.url);
    await page.evaluate(() => {
      window.tasks.length = 0;
    });
    const start = performance.now();
    const seconds = () => (performance.now() - start) / 1000;
    if (host) await page.getByTestId("consent-yes").click();
    else await page.setInputFiles("[data-testid=file-input]", path);
    await page.locator("[data-testid=flame] g.frame, [data-testid=why-headline]").first().waitFor();
    const first = seconds();
    // A checkout that opens with the graph has none.
    const sentence = page.locator("[data-testid=why-sentence][aria-busy=false]");
    const told = (await page.getByTestId("why").count()) === 0 ? Number.NaN : await sentence.waitFor().then(seconds);
    await page.waitForFunction(() => document.querySelector("[data-testid=incoming]") === null, null, { polling: 50 });
    const all = seconds();
    const longest = await page.evaluate(() => Math.max(0, ...window.tasks));
    return {
      "first picture, s": first,
      "sentence, s": told,
      "complete, s": all,
      "longest task, ms": longest,
      "tab, MiB": await peakOf(viewer),
    };
  } finally {
    await viewer.close();
    if (host) host.close();
  }
}

/** Peak of the largest process that draws pages; NaN where the system has no such file. */
async function peakOf({ browser }) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const peaks = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => peakOfProcess(id));
  return Math.max(...peaks);
}

function peakOfProcess(pid) {
  try {
    return Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

const sides = [{ name: "now", checkout: fileURLToPath(new URL("..", import.meta.url)), runs: [] }];
if (values.beside !== undefined) sides.unshift({ name: "before", checkout: resolve(values.beside), runs: [] });
for (let round = 0; round < Number(values.rounds); round++)
  for (const { checkout, runs } of sides) runs.push(await opened(checkout));
console.log(`${basename(path)}, ${(statSync(path).size / 1e6).toFixed(0)} MB, ${values.rounds} rounds`);
for (const { name, runs } of sides) {
  const figures = Object.keys(runs[0]).map((key) => `${key} ${median(runs.map((run) => run[key])).toFixed(2)}`);
  console.log(`${name.padEnd(7)} ${figures.join("   ")}`);
}
