#!/usr/bin/env node
/**
 * node bench/page.mjs [recording.jfr | million] [rounds]: how long a user waits for the built page, and how long its
 * main thread is blocked. `million` is the recording of million.mjs; by default, the page gets fixtures/shop-chunks.jfr
 * 130 times (52 MB). Milliseconds, p50 and p95 over the rounds; "painted" is the end of the frame that shows the
 * change: the first task after its animation frame. Motion is reduced, so that this frame has the final drawing.
 *
 * The last line is a zoom out to a drawing of 20,000 boxes, generated for this measurement: the time that the main
 * thread needs for the answer, the layout and the drawing, in ms of its processor time (scripts, style, layout and
 * paint).
 */
import { statSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { openViewer } from "../e2e/viewer.mjs";
import { millionSamples } from "./million.mjs";

const [given, rounds = "12"] = process.argv.slice(2);
const path =
  given === "million"
    ? await millionSamples()
    : (given ?? fileURLToPath(new URL("../fixtures/shop-chunks.jfr", import.meta.url)));
const times = given === undefined ? 130 : 1;

const viewer = await openViewer([path]);
const waits = {
  "drop to first graph": [],
  "click on a root": [],
  "chip taken away": [],
  "switch of tab": [],
  "list of spans": [],
  "list the other way round": [],
  zoom: [],
  "zoom out": [],
  search: [],
  "range of time": [],
};
/** An element that shows that a view is complete. */
const VIEWS = {
  sandwich: "[data-testid=callees-of] g.frame",
  top: "[data-testid=top-row]:not([data-id=''])",
  tree: "[data-testid=tree-row]",
  diff: "[data-testid=diff-base]",
  why: "[data-testid=why]",
  flame: "[data-testid=folded]",
};
for (const view of Object.keys(VIEWS)) waits[`view ${view}`] = [];
const tasks = [];
const boxes = { drawn: 0, ms: [] };
try {
  const page = await viewer.browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  page.setDefaultTimeout(120_000);
  await page.goto(viewer.url);
  await page.setInputFiles("[data-testid=file-input]", {
    name: "warm-up.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("warm up"),
  });
  await page.evaluate(prepare);
  const input = await page.evaluateHandle(
    async ([n, name]) => {
      const one = await (await fetch("./files/0")).blob();
      return new File(new Array(n).fill(one), name);
    },
    [times, basename(path)],
  );
  for (let round = 0; round < Number(rounds); round++) {
    waits["drop to first graph"].push(
      await page.evaluate((file) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(file);
        return window.bench.time(
          () => document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true })),
          true,
        );
      }, input),
    );
    await page.waitForSelector("[data-testid=rank-row][data-id]");
    waits.zoom.push(await press(page, "[data-testid=flame] g.frame:nth-of-type(4) rect"));
    waits["zoom out"].push(await press(page, "[data-testid=breadcrumb] button"));
    await page.waitForSelector("[data-testid=breadcrumb]", { state: "detached" });
    waits.search.push(
      await page.evaluate((text) => window.bench.type("[data-testid=search]", text), `a${round}|thod1`),
    );
    await page.evaluate(() => window.bench.type("[data-testid=search]", ""));
    const row = `[data-testid=rank-row]:nth-of-type(${1 + (round % 5)})`;
    waits["click on a root"].push(await press(page, row));
    waits["chip taken away"].push(await press(page, "[data-testid=chip] button"));
    waits["range of time"].push(
      await page.evaluate(() => window.bench.pressKey("[data-testid=timeline-from]", "PageUp")),
    );
    await page.keyboard.press("Escape");
    for (const [view, shown] of Object.entries(VIEWS)) {
      const selectors = [`[data-testid=view-${view}]`, shown];
      waits[`view ${view}`].push(await page.evaluate(([tab, there]) => window.bench.show(tab, there), selectors));
    }
    waits["list of spans"].push(await page.evaluate(() => window.bench.rows("[data-testid=by-span]")));
    waits["list the other way round"].push(await page.evaluate(() => window.bench.rows("[data-testid=rank-reversed]")));
    await page.click("[data-testid=by-root]");
    const tabs = await page.$$("[data-testid^=tab-]:not([aria-disabled=true]):not([aria-selected=true])");
    if (tabs.length > 0)
      waits["switch of tab"].push(
        await press(page, "[data-testid^=tab-]:not([aria-disabled=true]):not([aria-selected=true])"),
      );
  }
  tasks.push(...(await page.evaluate(() => window.bench.tasks)));
  await drawManyBoxes(page);
} finally {
  await viewer.close();
}

console.log(`${basename(path)} × ${times}, ${((statSync(path).size * times) / 1e6).toFixed(0)} MB, ${rounds} rounds`);
for (const [name, list] of Object.entries(waits)) {
  console.log(`${name.padEnd(22)} p50 ${at(list, 0.5)} ms   p95 ${at(list, 0.95)} ms`);
}
const longest =
  tasks.length === 0
    ? "none of 50 ms or more"
    : `${Math.max(...tasks).toFixed(0)} ms, ${tasks.length} of 50 ms or more`;
console.log(`main thread: longest task ${longest}`);

console.log(
  `${boxes.drawn} boxes          p50 ${at(boxes.ms, 0.5)} ms   p95 ${at(boxes.ms, 0.95)} ms of the main thread`,
);

/** 1,700 entries of 12 frames each: all are as wide as half a pixel. */
async function drawManyBoxes(page) {
  const frames = (i) =>
    Array.from({ length: 12 }, (_, depth) => `com.acme.p${i % 7}.Class${(i + depth) % 20}.m${depth}`);
  const stacks = Array.from({ length: 1700 }, (_, i) => `main;com.acme.Entry${i}.call;${frames(i).join(";")} 1\n`);
  const buffer = Buffer.from(stacks.join(""));
  await page.goto(viewer.url);
  await page.setInputFiles("[data-testid=file-input]", { name: "a.collapsed", mimeType: "text/plain", buffer });
  await page.waitForSelector("[data-testid=flame] g.frame");
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const busy = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * metrics.find(({ name }) => name === "TaskDuration").value;
  };
  for (let round = 0; round < Number(rounds); round++) {
    await page.click("[data-testid=flame] g.frame:nth-of-type(2) rect");
    const out = await page.waitForSelector("[data-testid=breadcrumb] button");
    await page.waitForTimeout(600);
    const before = await busy();
    await out.evaluate((button) => button.click());
    await page.waitForSelector("[data-testid=breadcrumb]", { state: "detached" });
    await page.waitForTimeout(600);
    boxes.ms.push((await busy()) - before);
  }
  boxes.drawn = await page.evaluate(() => document.querySelector("[data-testid=flame] canvas").__data__.boxes);
}

function at(list, share) {
  const sorted = list.toSorted((a, b) => a - b);
  // The nearest rank: of 20 rounds the 19th is their p95.
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  return (value === undefined ? "-" : value.toFixed(0)).padStart(5);
}

/** Time from a click, sent from inside the page, to the graph painted. */
function press(page, selector) {
  return page.evaluate(
    (target) =>
      window.bench.time(() =>
        document.querySelector(target).dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true })),
      ),
    selector,
  );
}

/** Runs in the page. Before each action the page is idle, as if a person read the result of the action before. */
function prepare() {
  const REST_MS = 600;
  const tasks = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({
    type: "longtask",
  });
  /**
   * Style, layout and paint follow an animation frame's callbacks; a message sent from such a callback arrives after
   * them.
   */
  const painted = (then) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = then;
      port2.postMessage(null);
    });
  /** Milliseconds from `act` until a change below `where` has made `ready` true, and is painted. */
  const until = async (ready, act, where = document.body, attributeFilter = ["data-id"]) => {
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    return new Promise((resolve) => {
      const start = performance.now();
      const observer = new MutationObserver(() => {
        if (!ready()) return;
        observer.disconnect();
        painted(() => resolve(performance.now() - start));
      });
      observer.observe(where, { subtree: true, childList: true, attributes: true, attributeFilter });
      act();
    });
  };
  const find = (selector) => document.querySelector(selector);
  const DRAWN = ["width", "x", "transform", "aria-label", "fill", "class", "style"];
  /** Waits until the graph, or its substitute, has changed; `opened`: after an opening. */
  const time = (act, opened = false) => {
    let open = !opened;
    const ready = () => {
      const reading = find("[data-testid=progress]") !== null;
      open ||= reading;
      return open && !reading && find("[data-testid=flame] g.frame, [data-testid=no-samples]") !== null;
    };
    return until(ready, act, opened ? document.body : (find("[data-testid=flame]") ?? document.body), DRAWN);
  };
  const pressKey = (selector, key) =>
    time(() => {
      const element = find(selector);
      element.focus();
      element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    });
  /** As if all letters came at once. */
  const type = (selector, text) =>
    time(() => {
      const element = find(selector);
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(element, text);
      element.dispatchEvent(new Event("input", { bubbles: true }));
    });
  /** Until the list shows other rows. */
  const rows = (button) => {
    const ids = () => [...document.querySelectorAll("[data-testid=rank-row]")].map((row) => row.dataset.id).join(" ");
    const before = ids();
    const ready = () => ids() !== before && ids().trim() !== "";
    return until(ready, () => find(button).click());
  };
  /** Waits until the content of a tab is displayed. */
  const show = (tab, there) =>
    until(
      () => find(there) !== null,
      () => find(tab).click(),
    );
  window.bench = { tasks, time, rows, pressKey, type, show };
}
