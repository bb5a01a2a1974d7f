#!/usr/bin/env node
/**
 * node bench/page-frames.mjs [recording.jfr | million] [rounds] [ACTION…]: where the wait after an action of the built
 * page goes, from the browser's own trace. Medians over the rounds, in milliseconds:
 *
 *   wait      from the action until its picture is painted, as in page.mjs
 *   scripts   the page's own code on the main thread, with layouts that it forces
 *   browser   style, layout, paint and commit of the frames on the main thread
 *   apart     the main thread waits: for the worker's answer, for the next frame, for a processor
 *   frames    pictures that the browser made meanwhile
 *   longest   the longest task of the main thread, and the processor time of it
 */
import { statSync } from "node:fs";
import { loadavg } from "node:os";
import { basename } from "node:path";
import { openViewer } from "../e2e/kit/viewer.mjs";
import { millionSamples } from "./million.mjs";
import { prepare, tabOf, VIEWS } from "./page-hooks.mjs";

const [given = "million", rounds = "12", ...wanted] = process.argv.slice(2);
const path = given === "million" ? await millionSamples() : given;
const REST_MS = 500;
const CATEGORIES = ["toplevel", "cc", "devtools.timeline", "blink.user_timing"];
const FRAME = "ProxyMain::BeginMainFrame";

const viewer = await openViewer([path]);
try {
  const page = await viewer.browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  page.setDefaultTimeout(120_000);
  const figures = await measure(page, await viewer.browser.newBrowserCDPSession());
  report(figures);
} finally {
  await viewer.close();
}

async function measure(page, session) {
  await page.goto(`${viewer.url}?files#view=flame`);
  await page.waitForSelector("[data-testid=flame] g.frame");
  await page.evaluate(prepare);
  await page.click("[data-testid=by-root]");
  await page.selectOption("[data-testid=rank-sort]", "weight");
  await page.waitForSelector("[data-testid=rank-row][data-id]");
  const all = actionsOf(page);
  const names = wanted.length > 0 ? wanted : Object.keys(all);
  const figures = new Map(names.map((name) => [name, []]));
  // The first round is not counted: code and answers are new to the worker then.
  for (let round = 0; round <= Number(rounds); round++)
    for (const name of names) {
      const figure = await traced(page, session, () => all[name].act(round));
      await all[name].back();
      await page.waitForTimeout(REST_MS);
      if (round > 0) figures.get(name).push(figure);
    }
  return figures;
}

/** Each action, and the way back to the whole recording in the flame graph. */
function actionsOf(page) {
  const bench = (how, ...args) => page.evaluate(([name, rest]) => window.bench[name](...rest), [how, args]);
  const flame = () => bench("show", "[data-testid=view-flame]", VIEWS.flame);
  const row = (round) => `[data-testid=rank-row]:nth-of-type(${1 + (round % 5)})`;
  const views = Object.entries(VIEWS).filter(([view]) => view !== "flame");
  return {
    zoom: {
      act: () => bench("press", "[data-testid=flame] g.frame:nth-of-type(4) rect"),
      back: () => bench("press", "[data-testid=breadcrumb] button"),
    },
    search: {
      act: (round) => bench("type", "[data-testid=search]", `a${round}|thod1`),
      back: () => bench("type", "[data-testid=search]", ""),
    },
    root: {
      act: (round) => bench("press", row(round)),
      back: () => bench("press", "[data-testid=chip] button"),
    },
    range: {
      act: () => bench("pressKey", "[data-testid=timeline-from]", "PageUp"),
      back: () => page.keyboard.press("Escape"),
    },
    spans: {
      act: () => bench("rows", "[data-testid=by-span]"),
      back: () => bench("rows", "[data-testid=by-root]"),
    },
    ...Object.fromEntries(
      views.map(([view, shown]) => [view, { act: () => bench("show", tabOf(view), shown), back: flame }]),
    ),
  };
}

/** An action and the events of the main thread until its picture is painted. */
async function traced(page, session, act) {
  const events = [];
  const keep = ({ value }) => events.push(...value);
  session.on("Tracing.dataCollected", keep);
  await page.waitForTimeout(REST_MS);
  await session.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: CATEGORIES, excludedCategories: ["*"] },
  });
  await page.evaluate(() => performance.mark("bench-start"));
  const wait = await act();
  await page.evaluate(() => performance.mark("bench-end"));
  const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.end");
  await complete;
  session.off("Tracing.dataCollected", keep);
  const start = events.find(({ name }) => name === "bench-start");
  const end = start.ts + wait * 1000;
  const own = events.filter(({ ph, pid, tid, ts, dur }) => {
    return ph === "X" && pid === start.pid && tid === start.tid && ts + dur > start.ts && ts < end;
  });
  const tasks = own.filter(({ name }) => name === "RunTask" || name === "ThreadControllerImpl::RunTask");
  const outer = tasks.filter((task) => !tasks.some((other) => other !== task && includes(other, task)));
  const frames = own.filter(({ name }) => name === FRAME);
  const within = (list) =>
    list.reduce((all, { ts, dur }) => all + Math.min(end, ts + dur) - Math.max(start.ts, ts), 0) / 1000;
  const inFrames = within(frames);
  const busy = within(outer);
  const longest = outer.reduce((most, task) => (task.dur > most.dur ? task : most), { dur: 0, tdur: 0 });
  return {
    wait,
    scripts: busy - inFrames,
    browser: inFrames,
    apart: Math.max(0, wait - busy),
    frames: frames.length,
    longest: longest.dur / 1000,
    cpu: (longest.tdur ?? 0) / 1000,
  };
}

/** Of two with the same extent, the one that is named first includes the other. */
function includes(a, b) {
  if (a.ts === b.ts && a.dur === b.dur) return a.name === "RunTask" && b.name !== "RunTask";
  return a.ts <= b.ts && a.ts + a.dur >= b.ts + b.dur;
}

function report(figures) {
  const megabytes = (statSync(path).size / 1e6).toFixed(0);
  console.log(`${basename(path)}, ${megabytes} MB, ${rounds} rounds, load ${loadavg()[0].toFixed(1)}`);
  const columns = ["wait", "scripts", "browser", "apart", "frames", "longest", "cpu"];
  console.log("".padEnd(12) + ["p50", "p95", ...columns.slice(1)].map((word) => word.padStart(8)).join(" "));
  for (const [name, list] of figures) {
    const cells = [at(list, "wait", 0.5), at(list, "wait", 0.95), ...columns.slice(1).map((key) => cell(list, key))];
    console.log(name.padEnd(12) + cells.map((value) => value.toFixed(1).padStart(8)).join(" "));
  }
}

function cell(list, key) {
  return at(list, key, key === "longest" || key === "cpu" ? 1 : 0.5);
}

/** The nearest rank. */
function at(list, key, share) {
  const sorted = list.map((figure) => figure[key]).sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
