#!/usr/bin/env node
/**
 * node bench/page.mjs [recording.jfr | million] [rounds] [checkout]: how long a user waits for the built page, and how
 * long its main thread is blocked. `million` is the recording of million.mjs; by default, the page gets
 * fixtures/shop-chunks.jfr 130 times (52 MB). Milliseconds over the rounds:
 *
 *   wait    from the action until its picture is painted: the first task after the frame that shows the change. Motion
 *           is reduced, so that this frame has the final drawing and not the first step of an animated zoom
 *   cpu     processor time of the main thread until then. Other jobs of the machine lengthen waits several times, but
 *           hardly this: on a busy machine compare it, and the shortest waits
 *   later   the same for the rest after it: lists, counts and strips that come after the picture
 *
 * With another built checkout, its page and this one take turns, a round each: "before" is the other one. Then the
 * differences of the waits follow, with an interval for their median.
 *
 * The last lines are a zoom out to a drawing of 20,000 boxes, generated for this measurement: the processor time that
 * the main thread needs until it is painted: for the answer, the layout and the drawing (scripts, style, layout and
 * paint).
 */
import { statSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { openViewer } from "../e2e/kit/viewer.mjs";
import { millionSamples } from "./million.mjs";
import { prepare, tabOf, VIEWS } from "./page-hooks.mjs";

const [given, rounds = "12", other] = process.argv.slice(2);
const path =
  given === "million"
    ? await millionSamples()
    : (given ?? fileURLToPath(new URL("../fixtures/shop-chunks.jfr", import.meta.url)));
const times = given === undefined ? 130 : 1;

/** Between two actions. */
const REST_MS = 600;
const SENTENCE = "[data-testid=why-sentence][aria-busy=false]";
const OTHER_TAB = "[data-testid^=tab-]:not([aria-disabled=true]):not([aria-selected=true])";

const sides = [await openSide("now", fileURLToPath(new URL("..", import.meta.url)))];
if (other !== undefined) sides.unshift(await openSide("before", other));
try {
  for (let round = 0; round < Number(rounds); round++) for (const side of sides) await act(side, round);
  for (const side of sides) {
    side.tasks = await side.page.evaluate(() => window.bench.tasks);
    await drawManyBoxes(side);
  }
} finally {
  for (const { viewer } of sides) await viewer.close();
}
report();

/** A built page in a separate browser. */
async function openSide(name, checkout) {
  const viewer = await openViewer([path], checkout);
  const page = await viewer.browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  page.setDefaultTimeout(120_000);
  await page.goto(`${viewer.url}#view=flame`);
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
  const busy = await mainThread(page);
  return { name, viewer, page, input, busy, actions: new Map(), now: null, tasks: [], boxes: [], drawn: 0 };
}

/** A function that answers the processor time of the page's main thread so far, in ms: other jobs do not add to it. */
async function mainThread(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * metrics.find(({ name }) => name === "TaskDuration").value;
  };
}

/**
 * Does an action that answers its wait, after a rest, as if a person read the result of the action before. `waits` are
 * until its picture is painted, `cpu` is the main thread's time until then, and `later` its time in the rest after it.
 */
async function measure(side, name, act) {
  const start = await rest(side);
  side.now = side.actions.get(name) ?? { waits: [], cpu: [], later: [] };
  side.actions.set(name, side.now);
  side.now.waits.push(await act());
  side.painted = await side.busy();
  side.now.cpu.push(side.painted - start);
}

/** What the main thread did meanwhile belongs to the action before. */
async function rest(side) {
  await side.page.waitForTimeout(REST_MS);
  const at = await side.busy();
  side.now?.later.push(at - side.painted);
  side.now = null;
  return at;
}

/** Every action once. */
async function act(side, round) {
  const { page, input } = side;
  const keep = (name, ask) => measure(side, name, ask);
  const bench = (how, ...given) => page.evaluate(([name, args]) => window.bench[name](...args), [how, given]);
  await keep("drop to first picture", () => page.evaluate((file) => window.bench.drop(file), input));
  await rest(side);
  await page.click(tabOf("flame"));
  await page.waitForSelector("[data-testid=flame] g.frame");
  if (!(await page.isVisible("[data-testid=by-root]"))) await page.keyboard.press("e");
  // The same list in every version of the page, independent of its first row.
  await page.click("[data-testid=by-root]");
  await page.selectOption("[data-testid=rank-sort]", "weight");
  await page.waitForSelector("[data-testid=rank-row][data-id]");
  await keep("zoom", () => bench("press", "[data-testid=flame] g.frame:nth-of-type(4) rect"));
  await keep("zoom out", () => bench("press", "[data-testid=breadcrumb] button"));
  await page.waitForSelector("[data-testid=breadcrumb]", { state: "detached" });
  await keep("search", () => bench("type", "[data-testid=search]", `a${round}|thod1`));
  await rest(side);
  await bench("type", "[data-testid=search]", "");
  await keep("click on a root", () => bench("press", `[data-testid=rank-row]:nth-of-type(${1 + (round % 5)})`));
  await keep("chip taken away", () => bench("press", "[data-testid=chip] button"));
  await keep("range of time", () => bench("pressKey", "[data-testid=timeline-from]", "PageUp"));
  await rest(side);
  await page.keyboard.press("Escape");
  for (const [view, shown] of Object.entries(VIEWS))
    await keep(`view ${view}`, () => bench("show", tabOf(view), shown));
  await keep("list of spans", () => bench("rows", "[data-testid=by-span]"));
  await keep("list reversed", () => bench("rows", "[data-testid=rank-reversed]"));
  await rest(side);
  await page.click("[data-testid=rank-reversed]");
  const ids = await page.$$eval("[data-testid=rank-row][data-id]", (rows) => rows.map((row) => row.dataset.id));
  await keep("sentence of a range", async () => {
    await bench("pressKey", "[data-testid=timeline-from]", "PageUp");
    return bench("show", tabOf("overview"), SENTENCE);
  });
  await keep("sentence of a pasted id", () => bench("paste", "[data-testid=id-input]", ids[round % ids.length]));
  await rest(side);
  await bench("show", tabOf("flame"), VIEWS.flame);
  await page.keyboard.press("Escape");
  if ((await page.$(OTHER_TAB)) !== null) await keep("switch of tab", () => bench("press", OTHER_TAB));
  await rest(side);
}

function report() {
  console.log(`${basename(path)} × ${times}, ${((statSync(path).size * times) / 1e6).toFixed(0)} MB, ${rounds} rounds`);
  const line = (name, figures) => console.log(name.padEnd(22) + figures.map((figure) => figure.padEnd(40)).join(""));
  line(
    "ms",
    sides.map(({ name }) => name),
  );
  line(
    "",
    sides.map(() => " wait p50   p95   min   cpu   min later"),
  );
  const figures = ({ waits, cpu, later }) =>
    [at(waits, 0.5), at(waits, 0.95), at(waits, 0), at(cpu, 0.5, 1), at(cpu, 0, 1), at(later, 0.5, 1)].join(" ");
  for (const name of sides[0].actions.keys())
    line(
      name,
      sides.map(({ actions }) => (actions.has(name) ? figures(actions.get(name)) : "-")),
    );
  if (sides.length === 2) reportDifferences();
  const longest = ({ tasks }) =>
    tasks.length === 0 ? "none of 50 or more" : `${Math.max(...tasks).toFixed(0)}, ${tasks.length} of 50 or more`;
  line("longest task", sides.map(longest));
  line(
    "of 20,000 boxes drawn",
    sides.map(({ drawn }) => String(drawn)),
  );
  line(
    "their main thread",
    sides.map(({ boxes }) => `${at(boxes, 0.5)} / ${at(boxes, 0.95)}`),
  );
}

/**
 * The waits of now less those of before, round by round: their median, and an interval that has the median of all such
 * differences with a probability of 0.95 at least. An action is slower or faster where the interval leaves out 0.
 */
function reportDifferences() {
  console.log("\nwait now − before, ms      median   interval");
  for (const [name, { waits }] of sides[0].actions) {
    const now = sides[1].actions.get(name)?.waits ?? [];
    const sorted = now.map((wait, round) => wait - waits[round]).sort((a, b) => a - b);
    const out = ranksLeftOut(sorted.length);
    const [low, high] = [sorted[out], sorted[sorted.length - 1 - out]];
    const words = [low > 0 && "slower", high < 0 && "faster"].filter(Boolean);
    console.log(name.padEnd(26), at(sorted, 0.5, 1), `${at([low], 0, 1)} to ${at([high], 0, 1)}`, ...words);
  }
}

/** So many differences on each side are outside of the interval. Fewer than six rounds are too few for any. */
function ranksLeftOut(count) {
  let chance = 0.5 ** count;
  let below = chance;
  let out = 0;
  while (out < count) {
    chance *= (count - out) / (out + 1);
    if (below + chance > 0.025) break;
    below += chance;
    out++;
  }
  return out;
}

/** 1,700 entries of 12 frames each: all are as wide as half a pixel. */
async function drawManyBoxes(side) {
  const { page, viewer, busy } = side;
  const frames = (i) =>
    Array.from({ length: 12 }, (_, depth) => `com.acme.p${i % 7}.Class${(i + depth) % 20}.m${depth}`);
  const stacks = Array.from({ length: 1700 }, (_, i) => `main;com.acme.Entry${i}.call;${frames(i).join(";")} 1\n`);
  const buffer = Buffer.from(stacks.join(""));
  await page.goto("about:blank");
  await page.goto(`${viewer.url}#view=flame`);
  await page.setInputFiles("[data-testid=file-input]", { name: "a.collapsed", mimeType: "text/plain", buffer });
  await page.waitForSelector("[data-testid=flame] g.frame");
  await page.evaluate(prepare);
  for (let round = 0; round < Number(rounds); round++) {
    await page.click("[data-testid=flame] g.frame:nth-of-type(2) rect");
    await page.waitForSelector("[data-testid=breadcrumb] button");
    await page.waitForTimeout(600);
    const before = await busy();
    await page.evaluate(() => window.bench.press("[data-testid=breadcrumb] button"));
    side.boxes.push((await busy()) - before);
    await page.waitForSelector("[data-testid=breadcrumb]", { state: "detached" });
    await page.waitForTimeout(600);
  }
  side.drawn = await page.evaluate(() => {
    const canvas = document.querySelector("[data-testid=flame] canvas");
    // Versions without a canvas have an element for each box.
    return canvas?.__data__.boxes ?? document.querySelectorAll("[data-testid=flame] g.frame").length;
  });
}

function at(list, share, digits = 0) {
  const sorted = list.toSorted((a, b) => a - b);
  // The nearest rank: of 20 rounds the 19th is their p95.
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  return (value === undefined ? "-" : value.toFixed(digits)).padStart(5);
}
