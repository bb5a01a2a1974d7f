/** The timeline: heat map, lanes and marks, each against the core's own cells, threads and pauses. */
import type { Page } from "@playwright/test";
import type { Core } from "../src/core/core.ts";
import type { Filter } from "../src/core/types.ts";
import { hashToQuery } from "../src/model/query/query-hash.ts";
import { HEAT_ROWS, heaviestCell, rangeOf } from "../src/model/timeline/heat.ts";
import { coreOf, profileIn } from "./core.ts";
import { fixture } from "./expected.ts";
import { chips, drop, expect, expectTotals, fromDisk, openFixture, tabTo, test } from "./page.ts";

const RECORDING = fixture("recorded/ddagent-jdk17.jfr");
const OTHER = fixture("recorded/jdk17-profile.jfr");

let core: Core;
let cpu: number;
test.beforeAll(async () => {
  core = await coreOf([RECORDING]);
  cpu = profileIn(core, "cpu").id;
});

const select = (filter: Filter) => core.select(cpu, filter);
const timeIn = (page: Page) => hashToQuery(new URL(page.url()).hash).filter.time ?? null;

/** The heat map on the page, and the same one of the core. */
async function openHeat(page: Page, hash = "") {
  await openFixture(page, RECORDING, `#timeline=heat${hash}`);
  const cells = page.getByTestId("heat-cells");
  const columns = Number(await cells.getAttribute("data-columns"));
  const map = core.views.heat(cpu, columns, null);
  expect(map.columns).toBe(columns);
  const box = await cells.boundingBox();
  if (box === null) throw new Error("no heat map");
  const middle = (cell: number): [number, number] => [
    box.x + ((Math.floor(cell / HEAT_ROWS) + 0.5) * box.width) / columns,
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

test("the heat map of a range begins with its second", async ({ page }) => {
  select({});
  const whole = core.views.heat(cpu, 1000, null);
  const time = rangeOf(whole, { from: HEAT_ROWS + 20, to: 2 * HEAT_ROWS + 10 });
  await openFixture(page, RECORDING, `#timeline=heat&closer=yes&time=${time.from}-${time.to}`);
  await expect(page.getByTestId("heat-cells")).toHaveAttribute("data-columns", "2");
  await page.getByTestId("closer").getByText("whole recording").click();
  await expect(page.getByTestId("heat-cells")).toHaveAttribute("data-columns", String(whole.columns));
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
  await page.getByTestId("lanes-order").getByText("first seen").click();
  const inTurn = [...threads].sort((a, b) => Number(a.first - b.first)).map(({ name }) => name);
  await expect(page.getByTestId("lane").first()).toHaveText(inTurn[0] ?? "");
});

test("a link brings lanes back, with what each has in the file looked at", async ({ page }) => {
  // The same recording twice: all of its samples have observations in both files.
  const again = { ...fromDisk(RECORDING), name: "again.jfr" };
  await page.goto("./#timeline=threads&lanes=%5Eworker-%5B12%5D%24&lane-order=name&file=again.jfr");
  await drop(page, fromDisk(RECORDING), again);
  await expect(page.getByTestId("lanes-filter")).toHaveValue("^worker-[12]$");
  await expect(page.getByTestId("lane")).toHaveText(["worker-1", "worker-2"]);
  for (const [i, value] of ["worker-1", "worker-2"].entries()) {
    const { samples } = select({ attributes: [{ key: "thread.name", value }] });
    const told = page.getByTestId("lane").nth(i).getByRole("button");
    await expect(told).toHaveAttribute(
      "title",
      new RegExp(`${20 * samples} ms of the profile, ${10 * samples} ms selected`),
    );
  }
  await page.getByTestId("lanes-order").getByText("busiest").click();
  await page.getByTestId("lanes-filter").fill("main");
  await expect
    .poll(() => hashToQuery(new URL(page.url()).hash))
    .toMatchObject({ lanes: "main", laneOrder: "activity" });
});

test("pauses of the collector are marked, and gaps within a file", async ({ page }) => {
  const both = await coreOf([RECORDING, OTHER]);
  const { pauses, gaps } = both.views.marks();
  expect(pauses.at.length).toBeGreaterThan(4);
  await page.goto("./#timeline=threads");
  await drop(page, fromDisk(RECORDING), fromDisk(OTHER));
  await expect(page.getByTestId("legend-pauses")).toHaveAttribute("data-count", String(pauses.at.length));
  await expect(page.getByTestId("timeline").getByTestId("gap")).toHaveCount(gaps.length);
  await expect(page.getByTestId("lanes-range").getByTestId("pauses")).toHaveAttribute("d", /^M/);
});
