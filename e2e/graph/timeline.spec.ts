/** The timeline: heat map, lanes and marks, each against the core's own cells, threads and pauses. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Page } from "@playwright/test";
import type { Core } from "../../src/core/core.ts";
import { orderedSamples } from "../../src/core/samples/ordered-samples.ts";
import type { Filter } from "../../src/core/types.ts";
import { hashToQuery } from "../../src/model/query/written/query-hash.ts";
import { columnsOn, HEAT_ROWS, heaviestCell, rangeOf } from "../../src/model/timeline/heat.ts";
import { HeldCore } from "../../src/requests/held-core.ts";
import { buildChunk } from "../../test/kit/jfr/jfr-builder.ts";
import { cpuChunk } from "../../test/kit/jfr/jfr-types.ts";
import { later } from "../../test/kit/jfr/later.ts";
import { coreOf, profileIn } from "../kit/core.ts";
import { fixture } from "../kit/expected.ts";
import { chips, drop, expect, expectTotals, fromDisk, openFixture, showTimeline, tabTo, test } from "../kit/page.ts";

const RECORDING = fixture("recorded/ddagent-jdk17.jfr");
const LATE = fixture("traces/ddctx-jdk17.jfr");
const OTHER = fixture("recorded/jdk17-profile.jfr");

const SECOND = 1_000_000_000n;

let core: Core;
let cpu: number;
test.beforeAll(async () => {
  core = await coreOf([RECORDING]);
  cpu = profileIn(core, "cpu").id;
});

const select = (filter: Filter) => core.select(cpu, filter);
const zoomIn = (page: Page) => hashToQuery(new URL(page.url()).hash).zoom;
/** The time of the only file. */
function shownIn(opened: Core) {
  const [row] = opened.views.timeRows();
  if (row === undefined) throw new Error("no time");
  return { from: row.from, to: row.to, zero: row.from };
}
const timeIn = (page: Page) => hashToQuery(new URL(page.url()).hash).filter.time ?? null;

/** The heat map on the page, and the same one of the core. */
async function openHeat(page: Page, hash = "") {
  await openFixture(page, RECORDING, `#timeline=heat${hash}`);
  const cells = page.getByTestId("heat-cells");
  const columns = Number(await cells.getAttribute("data-columns"));
  const map = core.views.heat(cpu, columns, shownIn(core));
  expect(map.columns).toBe(columns);
  const box = await cells.boundingBox();
  if (box === null) throw new Error("no heat map");
  const { left, width } = columnsOn(map, shownIn(core));
  const middle = (cell: number): [number, number] => [
    box.x + (Math.floor(cell / HEAT_ROWS) + 0.5 - left) * (box.width / width),
    box.y + (((cell % HEAT_ROWS) + 0.5) * box.height) / HEAT_ROWS,
  ];
  return { map, middle, words: page.getByTestId("heat-words") };
}

test("dragging from cell to cell of the heat map filters by the time between them", async ({ page }) => {
  select({});
  const { map, middle, words } = await openHeat(page);
  const heaviest = heaviestCell(map);
  await page.mouse.move(...middle(heaviest));
  await expect(words).toContainText(`: ${map.cells.samples[heaviest]} samples, `);

  const stretch = { from: HEAT_ROWS + 20, to: 2 * HEAT_ROWS + 10 };
  await page.mouse.move(...middle(stretch.to));
  await page.mouse.down();
  await page.mouse.move(...middle(stretch.from), { steps: 5 });
  await page.mouse.up();
  const time = rangeOf(map, stretch);
  await expect.poll(() => timeIn(page)).toEqual(time);
  const wanted = select({ time });
  const inCells = map.cells.samples.subarray(stretch.from, stretch.to + 1).reduce((sum, n) => sum + n, 0);
  expect(wanted.samples).toBe(inCells);
  expect(wanted.samples).toBeGreaterThan(10);
  await expectTotals(page, wanted);
  // A click gives the range back.
  await page.mouse.click(...middle(3));
  await expect(chips(page)).toHaveCount(0);
});

test("the heat map is gone through and filtered by keys", async ({ page }) => {
  const filter = { attributes: [{ key: "thread.name", value: "worker-1" }] };
  select(filter);
  const { map, words } = await openHeat(page, "&attr=thread.name%3Dworker-1");
  await tabTo(page, page.getByTestId("heat-cells"));
  const start = heaviestCell(map);
  const { samples, selectedSamples } = map.cells;
  await expect(words).toContainText(`: ${samples[start]} samples`);
  await expect(words).toContainText(`; ${selectedSamples[start]} of them selected`);
  for (const key of ["ArrowRight", "ArrowLeft", "Shift+ArrowUp", "Shift+ArrowUp", "Enter"])
    await page.keyboard.press(key);
  const time = rangeOf(map, { from: start - 2, to: start });
  await expect.poll(() => timeIn(page)).toEqual(time);
  await expectTotals(page, select({ ...filter, time }));
  await page.keyboard.press("Delete");
  await expect.poll(() => timeIn(page)).toBeNull();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("heat-toggle")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("heat")).toHaveCount(0);
});

test("the heat map of a zoom begins with its second, and a link of before still shows its range", async ({ page }) => {
  select({});
  const whole = core.views.heat(cpu, 1000, shownIn(core));
  const time = rangeOf(whole, { from: HEAT_ROWS + 20, to: 2 * HEAT_ROWS + 10 });
  await openFixture(page, RECORDING, `#timeline=heat&closer=yes&time=${time.from}-${time.to}`);
  await expect(page.getByTestId("heat-cells")).toHaveAttribute("data-columns", "2");
  expect(zoomIn(page)).toEqual(time);
  await page.getByTestId("zoom-whole").click();
  await expect(page.getByTestId("heat-cells")).toHaveAttribute("data-columns", String(whole.columns));
  expect(timeIn(page)).toEqual(time);
});

test("lanes are found by a regular expression, and stand as first seen", async ({ page }) => {
  await openFixture(page, RECORDING, "#timeline=threads");
  select({});
  const threads = core.views.threads(cpu).rows;
  const found = threads.filter(({ name }) => /^worker-[12]$/.test(name)).map(({ name }) => name);
  expect(found).toHaveLength(2);
  await page.getByTestId("lanes-filter").fill("^worker-[12]$");
  await expect(page.getByTestId("lane")).toHaveText(found);
  await expect(page.getByTestId("lanes-count")).toHaveText("2 threads");
  await page.getByTestId("lanes-filter").fill("worker-[");
  await expect(page.getByTestId("lanes-filter")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByTestId("lanes-count")).toHaveText("missing closing ]: [");
  await page.getByTestId("lanes-filter").fill("");
  await page.getByTestId("lanes-order").getByText("start", { exact: true }).click();
  const inTurn = [...threads].sort((a, b) => Number(a.first - b.first)).map(({ name }) => name);
  await expect(page.getByTestId("lane").first()).toHaveText(inTurn[0] ?? "");
});

test("a link brings lanes back, with what each has in the file looked at", async ({ page }) => {
  // The same recording twice: the lanes are those of one file.
  const again = { name: "again.jfr", bytes: later(readFileSync(RECORDING)) };
  await page.goto("./#timeline=threads&lanes=%5Eworker-%5B12%5D%24&lane-order=name&file=again.jfr");
  await drop(page, fromDisk(RECORDING), again);
  await expect(page.getByTestId("lanes-filter")).toHaveValue("^worker-[12]$");
  await expect(page.getByTestId("lane")).toHaveText(["worker-1", "worker-2"]);
  for (const [i, value] of ["worker-1", "worker-2"].entries()) {
    const { samples } = select({ attributes: [{ key: "thread.name", value }] });
    const told = page.getByTestId("lane").nth(i).getByRole("button");
    await expect(told).toHaveAttribute(
      "title",
      new RegExp(`${10 * samples} ms of the profile, ${10 * samples} ms selected`),
    );
  }
  await page.getByTestId("lanes-order").getByText("total", { exact: true }).click();
  await page.getByTestId("lanes-filter").fill("main");
  await expect
    .poll(() => hashToQuery(new URL(page.url()).hash))
    .toMatchObject({ lanes: "main", laneOrder: "activity" });
});

test("pauses and gaps are marked in the row of their file, and the time between files is in words", async ({
  page,
}) => {
  const both = await coreOf([RECORDING, OTHER]);
  const { pauses, files, gaps } = both.views.marks();
  const rows = both.views.timeRows();
  expect(rows.map(({ file }) => basename(file))).toEqual([basename(OTHER), basename(RECORDING)]);
  await page.goto("./#timeline=threads");
  await drop(page, fromDisk(RECORDING), fromDisk(OTHER));
  await expect(page.getByTestId("file-row")).toHaveCount(2);
  await expect(page.getByTestId("file-gap")).toHaveText("gap of 9 min 51 s between files (not shown)");
  for (const { file } of rows) {
    await page
      .getByTestId("file-row")
      .getByRole("button", { name: basename(file) })
      .click();
    const own = [...pauses.file].filter((i) => files[i] === file).length;
    expect(own).toBeGreaterThan(2);
    await page.getByTestId("coverage").click();
    await expect(page.getByTestId("legend-pauses")).toHaveAttribute("data-count", String(own));
    await page.keyboard.press("Escape");
    await expect(page.getByTestId("timeline").getByTestId("gap")).toHaveCount(
      gaps.filter((gap) => gap.file === file).length,
    );
  }
  await expect(page.getByTestId("lanes-range").getByTestId("pauses").locator("path[d^=M]").first()).toBeAttached();
});

test("the legend lists the pauses, the longest first, and a click selects the time of one", async ({ page }) => {
  const { start, pauses, texts } = core.views.marks();
  const longest = pauses.nanos.indexOf(Math.max(...pauses.nanos));
  const from = start + BigInt(pauses.at[longest]!);
  await openFixture(page, RECORDING);
  await page.getByTestId("coverage").click();
  await page.getByTestId("legend-pauses").getByRole("button").click();
  const rows = page.getByTestId("pause-row");
  await expect(rows.first()).toHaveAttribute("data-id", String(from));
  await expect(rows.first()).toContainText(texts[pauses.text[longest]!] ?? "");
  await expect(rows).toHaveCount(pauses.at.length);
  await rows.first().click();
  await expect(page.getByTestId("pause-list")).toHaveCount(0);
  await expect.poll(() => timeIn(page)).toEqual({ from, to: from + BigInt(pauses.nanos[longest]!) });
});

test("M7: an event from before the recording does not stretch the axis, and is told by an arrow", async ({ page }) => {
  // Ticks are nanoseconds; the first event began 36 minutes before the chunk.
  const startTicks = 10_000n * SECOND;
  const samples = [-2160n * SECOND, SECOND / 2n, SECOND, 5n * SECOND, 9n * SECOND].map((at) => ({
    at: startTicks + at,
  }));
  const chunk = cpuChunk(samples, { startTicks, ticksPerSecond: SECOND, durationNanos: 10n * SECOND });
  await page.goto("./#view=flame");
  await drop(page, { name: "long-wait.jfr", bytes: buildChunk(chunk).bytes });
  await expect(page.getByTestId("before")).toHaveAttribute("data-count", "1");
  await expect(page.getByTestId("before")).toHaveAttribute("aria-label", "1 sample began before the recording");
  await expect(page.getByTestId("after")).toHaveCount(0);
  await expect(page.getByTestId("tick").first()).toHaveText(/^\+0:00/);
  const labels = (await page.getByTestId("tick").allTextContents()).filter((label) => label !== "");
  expect(labels.length).toBeGreaterThan(1);
  for (const label of labels) expect(label).toMatch(/^\+0:(0\d|10)/);
  await expect(page.getByTestId("time-axis")).toHaveAttribute("aria-valuetext", /^\+0:00\.0 · 10 s/);
});

/** Left and right end of everything that has a time axis. */
async function ends(page: Page): Promise<[string, number, number][]> {
  const plots = await page.locator("[data-plot]").all();
  return await Promise.all(
    plots.map(async (plot): Promise<[string, number, number]> => {
      const box = await plot.boundingBox();
      return [(await plot.getAttribute("data-plot")) ?? "", box?.x ?? 0, (box?.x ?? 0) + (box?.width ?? 0)];
    }),
  );
}

/** Waits until so many plots at least are laid out on one scale. */
async function expectSameEnds(page: Page, count: number): Promise<void> {
  await expect(async () => {
    const [[, left, right] = ["", 0, 0], ...others] = await ends(page);
    expect(others.length).toBeGreaterThanOrEqual(count - 1);
    expect(right - left).toBeGreaterThan(150);
    for (const [name, from, to] of others) {
      expect(Math.abs(from - left), name).toBeLessThanOrEqual(1);
      expect(Math.abs(to - right), name).toBeLessThanOrEqual(1);
    }
  }).toPass();
}

for (const [timeline, plot] of [
  ["threads", "lanes"],
  ["heat", "heat"],
]) {
  test(`M5: strip, axis and ${plot} begin and end at the same place, at every width`, async ({ page }) => {
    await openFixture(page, RECORDING, `#timeline=${timeline}`);
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await showTimeline(page);
      await page.locator(`[data-plot=${plot}]`).waitFor();
      await expectSameEnds(page, 3);
    }
  });
}

test("M5: the wheel with Ctrl zooms to what is under the pointer, and filters nothing", async ({ page }) => {
  await openFixture(page, RECORDING);
  const whole = shownIn(core);
  const area = page.getByTestId("timeline-area");
  const box = await area.boundingBox();
  if (box === null) throw new Error("no timeline");
  await page.mouse.move(box.x + 0.25 * box.width, box.y + 12);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -400);
  await page.keyboard.up("Control");
  await expect.poll(() => zoomIn(page)).not.toBeNull();
  const zoom = zoomIn(page)!;
  const span = Number(whole.to - whole.from);
  expect(Number(zoom.to - zoom.from) / span).toBeCloseTo(1 / 4, 2);
  // What was under the pointer still is.
  const pointed = Number(whole.from - zoom.from) + 0.25 * span;
  expect(pointed / Number(zoom.to - zoom.from)).toBeCloseTo(0.25, 2);
  await expect(page.getByTestId("minimap")).toBeVisible();
  await expect(chips(page)).toHaveCount(0);
  await expectTotals(page, select({}));
  // The wheel alone scrolls what scrolls.
  await page.mouse.wheel(0, -400);
  // A drag selects within the visible range; a double click shows everything again and keeps the selection.
  await page.mouse.down();
  await page.mouse.move(box.x + 0.75 * box.width, box.y + 12, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => timeIn(page)).not.toBeNull();
  const time = timeIn(page)!;
  expect(Number(time.to - time.from) / Number(zoom.to - zoom.from)).toBeCloseTo(0.5, 2);
  expect(zoomIn(page)).toEqual(zoom);
  await expectTotals(page, select({ time }));
  await area.dblclick({ position: { x: 0.5 * box.width, y: 12 } });
  await expect.poll(() => zoomIn(page)).toBeNull();
  expect(timeIn(page)).toEqual(time);
});

test("M5: keys zoom, pan and go back to the whole", async ({ page }) => {
  await openFixture(page, RECORDING);
  const whole = shownIn(core);
  await tabTo(page, page.getByTestId("time-axis"));
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  const quarter = (whole.to - whole.from) / 4n;
  await expect
    .poll(() => Math.abs(Number((zoomIn(page)?.to ?? 0n) - (zoomIn(page)?.from ?? 0n) - quarter)))
    .toBeLessThan(9);
  await page.keyboard.press("Home");
  await expect.poll(() => zoomIn(page)?.from).toBe(whole.from);
  await page.keyboard.press("PageDown");
  await expect.poll(() => Math.abs(Number((zoomIn(page)?.from ?? 0n) - whole.from - quarter))).toBeLessThan(9);
  await page.keyboard.press("-");
  await page.keyboard.press("0");
  await expect.poll(() => zoomIn(page)).toBeNull();
  await expect(page.getByTestId("minimap")).toHaveCount(0);
  await expect(page.getByTestId("time-axis")).toBeFocused();
});

test("a recording whose samples are in a small part of its time begins there, and is shown whole on request", async ({
  page,
}) => {
  const axis = page.getByTestId("time-axis");
  const whole = /^\+0:00\.0 · 14 s/;
  await openFixture(page, LATE);
  await expect(axis).toHaveAttribute("aria-valuetext", /^\+0:11\.\d+ · 2\.\d+ s/);
  await expect(page.getByTestId("minimap")).toBeVisible();
  expect(zoomIn(page)).toBeNull();
  await tabTo(page, axis);
  await page.keyboard.press("0");
  await expect(axis).toHaveAttribute("aria-valuetext", whole);
  await expect(page.getByTestId("minimap")).toHaveCount(0);
  await expect.poll(() => zoomIn(page)).not.toBeNull();
  // A link has it.
  await page.reload();
  await drop(page, fromDisk(LATE));
  await expect(axis).toHaveAttribute("aria-valuetext", whole);
});

test("M5: a crosshair goes through all plots, with the time, the samples and the thread", async ({ page }) => {
  await openFixture(page, RECORDING, "#timeline=threads");
  // The key of the states is above the lanes, and comes after them.
  await page.getByTestId("lane-states").waitFor();
  const lanes = page.getByTestId("lanes-range-area");
  const box = await lanes.boundingBox();
  if (box === null) throw new Error("no lanes");
  select({});
  const [first] = core.views.threads(cpu).rows;
  const tip = page.getByText(/^\+0:01\.\d+ · \d\d:\d\d:\d\d\.\d+ UTC$/).locator("..");
  // The tooltip has what the timeline knew when the pointer moved: its counts come after its threads.
  await expect(async () => {
    await page.mouse.move(5, 5);
    await page.mouse.move(box.x + 0.5 * box.width, box.y + 12);
    await expect(tip).toContainText(/samples?/, { timeout: 1000 });
  }).toPass();
  await expect(tip).toContainText(first?.name ?? "no thread");
  const lines = await page
    .locator("[data-plot]")
    .evaluateAll((plots) =>
      plots.map((plot) => plot.getBoundingClientRect().x + Number.parseFloat(getComputedStyle(plot, "::after").left)),
    );
  expect(lines.length).toBe(3);
  for (const line of lines) expect(Math.abs(line - (box.x + 0.5 * box.width))).toBeLessThanOrEqual(1.5);
  await page.mouse.move(5, 5);
  await expect(tip).toBeHidden();
});

test("JVM strips lie on the axis, tell the value under the pointer, and are in the address", async ({ page }) => {
  const jdk = await coreOf([OTHER]);
  const strips = ["cpu", "heap", "allocation", "threads", "safepoints"];
  await openFixture(page, OTHER);
  await page.getByTestId("jvm-toggle").click();
  await expect(page.getByTestId("jvm-strip")).toHaveCount(strips.length);
  for (const [i, id] of strips.entries())
    await expect(page.getByTestId("jvm-strip").nth(i)).toHaveAttribute("data-series", id);
  await expect(page).toHaveURL(/jvm=yes/);
  const threads = jdk.views.seriesSummary().find(({ series }) => series === "threads");
  const told = page.locator("[data-series=threads]").getByTestId("jvm-value");
  await expect(told).toHaveText(`${threads?.least} – ${threads?.most}`);
  // A process with little CPU on a busy machine is not one that needed no more.
  await expect(page.locator("[data-series=cpu]").getByTestId("jvm-value")).toHaveText(
    /^up to [\d.]+ %, machine [\d.]+ %$/,
  );

  await expectSameEnds(page, 2 + strips.length);
  // Over the strip of samples the tooltip gives the last measured value; before the first one it gives no value.
  const box = await page.getByTestId("timeline-area").boundingBox();
  if (box === null) throw new Error("no timeline");
  await page.mouse.move(box.x + box.width - 2, box.y + 10);
  const [row] = jdk.views.timeRows();
  const line = jdk.views.series(row!, row!, 1000).find(({ id }) => id === "threads");
  const last = line?.high.findLast((value) => !Number.isNaN(value));
  await expect(told).toHaveText(String(last));
  await page.mouse.move(box.x + 2, box.y + 10);
  await expect(told).toHaveText("–");
  await page.mouse.move(5, 5);
  await page.getByTestId("jvm-toggle").click();
  await expect(page.getByTestId("jvm-strip")).toHaveCount(0);
});

test("the list of pauses has those of the file that the filter leaves", async ({ page }) => {
  const marks = (await coreOf([LATE, OTHER])).views.marks();
  await page.goto("./#view=flame");
  await drop(page, fromDisk(LATE), fromDisk(OTHER));
  const list = async () => {
    await page.keyboard.press("Control+k");
    await page.keyboard.type("longest pauses");
    await page.keyboard.press("Enter");
    return page.getByTestId("pauses-total");
  };
  await showTimeline(page);
  await expect(await list()).toHaveText(new RegExp(`^${marks.pauses.at.length} pauses`));
  await page.keyboard.press("Escape");
  const own = (await coreOf([OTHER])).views.marks().pauses.at.length;
  expect(own).toBeLessThan(marks.pauses.at.length);
  await page.evaluate((name) => {
    location.hash = `${location.hash || "#"}&file=${name}`;
  }, basename(OTHER));
  await expect(chips(page)).toHaveCount(1);
  await expect(await list()).toHaveText(new RegExp(`^${own} pauses`));
});

test("a file without measurements offers no JVM strips", async ({ page }) => {
  await openFixture(page, fixture("recorded/dd152-jdk17-all.jfr"), "#jvm=yes");
  await expect(page.getByTestId("timeline-area")).toBeVisible();
  await expect(page.getByTestId("jvm-toggle")).toHaveCount(0);
});

test("the stack of the sample under the pointer in a thread's lane is in the tooltip", async ({ page }) => {
  await openFixture(page, RECORDING, "#timeline=threads");
  const lanes = page.getByTestId("lanes-range-area");
  await expect(page.getByTestId("lane").first()).toBeVisible();
  const name = (await page.getByTestId("lane").first().getByRole("button").getAttribute("title"))?.split("\n")[0] ?? "";
  const profile = profileIn(core, "cpu");
  const filter = { attributes: [{ key: "thread.name", value: name }] };
  const found = await orderedSamples(new HeldCore(core), profile, filter, { most: 1000, ruleKey: "" });
  const middle = found.at.length >> 1;
  const which = found.stack[middle] ?? 0;
  const top = found.names[found.items[(found.offsets[which + 1] ?? 0) - 1] ?? 0] ?? "";
  expect(top).not.toBe("");
  const shown = shownIn(core);
  const share = (Number(found.origin - shown.from) + (found.at[middle] ?? 0)) / Number(shown.to - shown.from);
  const box = await lanes.boundingBox();
  if (box === null) throw new Error("no lanes");
  await page.mouse.move(box.x + share * box.width, box.y + 12);
  await expect(page.getByTestId("frame-tip").filter({ hasText: name })).toContainText(top);
});
