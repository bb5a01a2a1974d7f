/** The views of one selection, each against another query of the core. */

import type { Page } from "@playwright/test";
import type { Core } from "../../src/core/core.ts";
import type { Filter } from "../../src/core/types.ts";
import { PROFILER } from "../../src/model/query/run-rules.ts";
import { formatNanos } from "../../src/model/words/format.ts";
import { flatten, readOtlp } from "../../test/kit/otlp/otlp-schema.ts";
import { coreOf, profileIn } from "../kit/core.ts";
import { fixture } from "../kit/expected.ts";
import { cellOf, exportFile } from "../kit/export.ts";
import { byPath, drawnFrames } from "../kit/flame.ts";
import {
  chips,
  drop,
  expect,
  expectTotals,
  find,
  fromDisk,
  inFlame,
  openFixture,
  rankRow,
  showView,
  tabTo,
  test,
  timeIn,
} from "../kit/page.ts";
import { OTHER_FORMS } from "../kit/view-lists.ts";

const RECORDING = fixture("recorded/ddagent-jdk17.jfr");

test.use({ isShared: true });

let core: Core;
let cpu: number;
test.beforeAll(async () => {
  core = await coreOf([RECORDING]);
  cpu = profileIn(core, "cpu").id;
});

const open = (page: Page, hash = "#by=root") => openFixture(page, RECORDING, hash);
const openView = async (page: Page, view: string) => {
  await open(page);
  await showView(page, view);
};
const select = (filter: Filter) => core.select(cpu, filter);

/** Names of the rows of a grid, in order. */
const rowIds = (page: Page, testId: string) =>
  page.getByTestId(`${testId}-row`).evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.id));

test("the top table has every function by self value, and by total", async ({ page }) => {
  await openView(page, "top");
  for (const order of ["total", "self"] as const) {
    await page.getByTestId(`sort-${order}`).click();
    select({});
    const { rows, count } = core.views.top(order, 0, 20, { last: PROFILER });
    await expect.poll(async () => (await rowIds(page, "top")).slice(0, 20)).toEqual(rows.map(({ name }) => name));
    await expect(page.getByTestId("top")).toHaveAttribute("aria-rowcount", String(count + 1));
    const figures = page.getByTestId("top-row").first().getByRole("gridcell");
    // A sample every 10 ms; m6: zero is an empty cell.
    const words = (value: bigint) => (value === 0n ? "" : formatNanos(value * 10_000_000n));
    await expect(figures.nth(0)).toHaveText(words(rows[0]!.self));
    await expect(figures.nth(2)).toHaveText(words(rows[0]!.total));
  }
});

test("the top table comes by name and backwards, and the address says how", async ({ page }) => {
  await openView(page, "top");
  select({});
  const all = core.views.top("self", 0, 100_000).rows;
  const names = all.map(({ name }) => name).sort();
  const firstRows = async () => (await rowIds(page, "top")).slice(0, 20);
  const head = page.getByRole("columnheader", { name: "function" });
  await page.getByTestId("sort-name").click();
  await expect.poll(firstRows).toEqual(names.slice(0, 20));
  await expect(head).toHaveAttribute("aria-sort", "ascending");
  await page.getByTestId("sort-name").click();
  await expect.poll(firstRows).toEqual(names.toReversed().slice(0, 20));
  await expect(head).toHaveAttribute("aria-sort", "descending");
  // To its end, by keys: the rows there are fetched.
  await page.getByTestId("top").focus();
  await page.keyboard.press("End");
  await expect(page.getByTestId("top-row").last()).toHaveAttribute("data-id", names[0] ?? "");

  await expect(page).toHaveURL(/top=-name/);
  const { hash } = new URL(page.url());
  await page.goto("about:blank");
  await page.goto(`./${inFlame(hash)}`);
  await drop(page, fromDisk(RECORDING));
  await expect.poll(firstRows).toEqual(names.toReversed().slice(0, 20));
  await page.getByTestId("sort-self").click();
  await page.getByTestId("sort-self").click();
  const { rows } = core.views.top("self", all.length - 20, 20);
  await expect.poll(firstRows).toEqual(rows.map(({ name }) => name).toReversed());
});

test("a function of the top table opens as a sandwich, by keys alone", async ({ page }) => {
  await openView(page, "top");
  await expect(page.getByTestId("top-row").first()).toHaveAttribute("data-id", /./);
  await tabTo(page, page.getByTestId("top"));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  select({});
  const function_ = core.views.top("self", 1, 1).rows[0]!;
  await expect(page.getByTestId("sandwich-name")).toHaveText(function_.name);
  for (const side of ["callers-of", "callees-of"]) {
    await expect(page.getByTestId(side)).toHaveAttribute("data-total", String(function_.total));
  }
  // All that goes through the function has it in its stack.
  const pattern = `^${function_.name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`;
  expect(select({ frames: [{ pattern }] }).value).toBe(function_.total);
});

test("M14: the sandwich has a table to pick from; typing shows the first function with the text", async ({ page }) => {
  await openView(page, "sandwich");
  select({});
  const [first, second] = core.views.top("self", 0, 2).rows;
  await expect(page.getByTestId("sandwich-name")).toHaveText(first?.name ?? "");
  await expect(page.getByTestId("pick-row").nth(1)).toHaveAttribute("data-id", second?.name ?? "");
  await page.getByTestId("pick-row").nth(1).click();
  await expect(page.getByTestId("sandwich-name")).toHaveText(second?.name ?? "");
  await expect(page.getByTestId("callees-of")).toHaveAttribute("data-total", String(second?.total));

  const [last] = core.views.top("self", core.views.top("self", 0, 1).count - 1, 1).rows;
  await page.getByTestId("function-find").fill((last?.name ?? "").replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  await expect(page.getByTestId("sandwich-name")).toHaveText(last?.name ?? "");
  await page.getByTestId("function-find").fill("nobody calls this");
  await expect(page.getByTestId("sandwich").getByText("No function matches nobody calls this.")).toBeVisible();
});

test("inverted, the first frames are what the top table says", async ({ page }) => {
  await open(page, "#grouping=callers&profiler=shown");
  select({});
  const self = new Map(core.views.top("self", 0, 1000).rows.map((row) => [row.name, Number(row.self)]));
  await expect
    .poll(
      async () => Object.keys(byPath(await drawnFrames(page))).filter((path) => path.split(" → ").length === 2).length,
    )
    .toBeGreaterThan(5);
  const drawn = Object.entries(byPath(await drawnFrames(page))).filter(([path]) => path.split(" → ").length === 2);
  for (const [path, value] of drawn) {
    const name = path.split(" → ")[1] ?? "";
    expect([name, value]).toEqual([name, self.get(name)]);
  }
});

test("a regrouped graph zooms, its address holds the zoom, and Escape leads out", async ({ page }) => {
  await open(page, "#grouping=callers");
  const flame = page.getByTestId("flame");
  await flame.focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("breadcrumb").getByRole("listitem")).toHaveCount(2);
  await expect(page).toHaveURL(/path=/);
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("breadcrumb")).toHaveCount(0);
});

test("the call tree adds up, and opens and closes by keys", async ({ page }) => {
  await open(page, "#by=root&profiler=shown");
  await showView(page, "tree");
  select({});
  const roots = core.views.children(0);
  const tree = page.getByTestId("tree");
  await expect(page.getByTestId("tree-row").first()).toHaveAttribute("data-id", String(roots[0]?.node));
  // The heaviest path is open.
  const below = core.views.children(roots[0]?.node ?? 0);
  await expect(page.getByTestId("tree-row").nth(1)).toHaveAttribute("data-id", String(below[0]?.node));
  await expect(page.getByTestId("tree-row").nth(1)).toHaveAttribute("aria-level", "2");
  await tabTo(page, tree);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => rowIds(page, "tree")).toEqual(roots.map(({ node }) => String(node)));
  await page.keyboard.press("ArrowRight");
  await expect.poll(async () => (await rowIds(page, "tree")).length).toBeGreaterThan(roots.length);
});

test("the heads of tables are not cut in a narrow window", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const view of OTHER_FORMS) {
    await page.goto("about:blank");
    await openView(page, view);
    const heads = page.getByRole("columnheader");
    await expect(heads.first()).toBeVisible();
    const cut = () =>
      heads.evaluateAll((all) =>
        all.flatMap((head) => {
          const words = document.createRange();
          words.selectNodeContents(head);
          const [inner, outer] = [words.getBoundingClientRect(), head.getBoundingClientRect()];
          return inner.left < outer.left - 0.5 || inner.right > outer.right + 0.5 ? [head.textContent] : [];
        }),
      );
    await expect.poll(async () => [view, ...(await cut())]).toEqual([view]);
  }
});

test("the hottest path below the current row opens by its button", async ({ page }) => {
  await openView(page, "tree");
  const rows = page.getByTestId("tree-row");
  await expect(rows.nth(3)).toBeVisible();
  // Close the first row, and open it again as far as its hottest leaf.
  await tabTo(page, page.getByTestId("tree"));
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowLeft");
  await expect(rows.first()).toHaveAttribute("aria-expanded", "false");
  await page.getByTestId("hottest-path").click();
  // Level by level.
  const levels = () => rows.evaluateAll((all) => all.map((row) => Number(row.getAttribute("aria-level"))));
  await expect.poll(async () => Math.max(...(await levels()))).toBeGreaterThan(3);
});

test("a search says what goes through its frames, walks them, and becomes a filter", async ({ page }) => {
  await open(page);
  const pattern = "search|compute";
  const wanted = select({ frames: [{ pattern }] });
  expect(wanted.samples).toBeGreaterThan(10);
  await page.keyboard.press("/");
  await page.keyboard.type(pattern);
  await expect(page.getByTestId("search-found")).toHaveAttribute("data-exact", String(wanted.value));
  await expect(page.locator("g[data-match]").nth(1)).toBeVisible();
  const found = await page
    .locator("g[data-match]")
    .evaluateAll((frames) => frames.map((f) => f.getAttribute("aria-label")));
  expect(found.length).toBeGreaterThan(1);
  for (const name of found) expect(name).toMatch(/search|compute/i);

  await page.getByTestId("flame").focus();
  await page.keyboard.press("n");
  await expect(page.locator("g[data-match][data-current]")).toHaveCount(1);
  // The place of a frame is asked for: its name is there at once.
  const name = page.getByTestId("frame-detail").locator("bdi");
  const first = await name.textContent();
  await page.keyboard.press("n");
  await expect(name).not.toHaveText(first ?? "");
  await page.keyboard.press("Shift+N");
  await expect(name).toHaveText(first ?? "");

  await page.getByTestId("search").press("Enter");
  await expect(chips(page)).toHaveText([`frame/${pattern}/`]);
  await expectTotals(page, wanted);
  await find(page, `!/${pattern}/`);
  await chips(page).first().getByRole("button").click();
  await expectTotals(page, select({ frames: [{ pattern, exclude: true }] }));
});

test("a pattern that is none is said to be that", async ({ page }) => {
  await open(page);
  await page.getByTestId("search").fill("a(");
  await expect(page.getByTestId("search")).toHaveAttribute("aria-invalid", "true");
  await page.getByTestId("search").fill("");
  await expect(page.getByTestId("search")).toHaveAttribute("aria-invalid", "false");
});

test("dragging over the timeline filters every view, and what is downloaded", async ({ page }) => {
  await open(page);
  const box = await page.getByTestId("timeline-area").boundingBox();
  if (box === null) throw new Error("no timeline");
  await page.mouse.move(box.x + 0.4 * box.width, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.7 * box.width, box.y + 12, { steps: 5 });
  await page.mouse.up();
  await expect(chips(page)).toHaveText([/^time\+\d+:\d\d\.\d+ · [\d.]+ s$/]);
  const time = await timeIn(page);
  const wanted = select({ time });
  expect(wanted.samples).toBeGreaterThan(10);
  expect(wanted.samples).toBeLessThan(select({}).samples);
  await expectTotals(page, wanted);
  await expect.poll(async () => (await drawnFrames(page))[0]?.value).toBe(Number(wanted.value));

  const { bytes } = await exportFile(page);
  const written = flatten(readOtlp(bytes)).flatMap((profile) => profile.samples);
  expect(cellOf(written)).toEqual({ samples: wanted.samples, value: Number(wanted.value) });

  await showView(page, "top");
  select({ time });
  const top = core.views.top("self", 0, 5).rows.map(({ name }) => name);
  await expect.poll(async () => (await rowIds(page, "top")).slice(0, 5)).toEqual(top);
  // A click on the range leaves it, one beside it gives it back.
  await page.getByTestId("timeline-area").click({ position: { x: 0.5 * box.width, y: 10 } });
  await expect(chips(page)).toHaveCount(1);
  await page.getByTestId("timeline-area").click({ position: { x: 30, y: 10 } });
  await expect(chips(page)).toHaveCount(0);
});

test("the edges of the range are moved by keys", async ({ page }) => {
  await open(page);
  await tabTo(page, page.getByTestId("timeline-from"));
  for (let i = 0; i < 3; i++) await page.keyboard.press("PageUp");
  await tabTo(page, page.getByTestId("timeline-to"));
  await page.keyboard.press("PageDown");
  await expect(page.getByTestId("timeline-to")).toHaveAttribute("aria-valuenow", "95");
  await expect(page.getByTestId("timeline-from")).toHaveAttribute("aria-valuenow", "15");
  await expectTotals(page, select({ time: await timeIn(page) }));
  await page.keyboard.press("Escape");
  await expect(chips(page)).toHaveCount(0);
});

test("a thread's lane filters by it, and several by any of them", async ({ page }) => {
  await open(page);
  await page.getByTestId("lanes-toggle").click();
  select({});
  const threads = core.views.threads(cpu).rows;
  await expect(page.getByTestId("lane").first()).toContainText(threads[0]?.name ?? "");
  await page.getByTestId("lanes-filter").fill("worker");
  const workers = threads.filter(({ name }) => name.includes("worker"));
  expect(workers.length).toBeGreaterThan(1);
  await expect(page.getByTestId("lane")).toHaveText(workers.map(({ name }) => name));
  const filters = workers.map(({ name }) => ({ key: "thread.name", value: name }));
  await page.getByTestId("lane").nth(0).getByRole("button").click();
  await expectTotals(page, select({ attributes: filters.slice(0, 1) }));
  await page
    .getByTestId("lane")
    .nth(1)
    .getByRole("button")
    .click({ modifiers: ["Control"] });
  await expectTotals(page, select({ attributes: filters.slice(0, 2) }));
  await find(page, `thread.name!=${workers[0]?.name}`);
  await expectTotals(page, select({ attributes: [...filters.slice(0, 2), { ...filters[0]!, exclude: true }] }));
});

test("several roots are taken together", async ({ page }) => {
  await open(page);
  select({});
  const [one, two] = core.views.rank({ kind: "local-root" }, 0, 2).rows.map(({ id }) => id);
  await rankRow(page, String(one)).click();
  await rankRow(page, String(two)).click({ modifiers: ["Control"] });
  await expect(chips(page)).toHaveCount(2);
  await expectTotals(page, select({ localRoot: [one!, two!] }));
  await page.reload();
});

test("a comparison has the weights of both, and none of the selection in the rest", async ({ page }) => {
  select({});
  const [root] = core.views.rank({ kind: "local-root" }, 0, 1).rows;
  const own = select({ localRoot: root!.id });
  await open(page, `#type=cpu&root=${root!.id}`);
  await page.getByTestId("view-diff").click();
  await page.getByTestId("baseline").selectOption("rest");
  const exact = (id: string) => expect(page.getByTestId(id));
  await exact("diff-own").toHaveAttribute("data-exact", String(own.value));
  await exact("diff-base").toHaveAttribute("data-exact", String(select({}).value - own.value));

  // By values a frame is as wide as both together: as all samples that have it.
  await page.getByTestId("diff-scale").getByText("values").click();
  await expect.poll(async () => (await drawnFrames(page))[0]?.value).toBe(Number(select({}).value));
  select({});
  const whole = Object.fromEntries(core.views.children(0).map(({ name, total }) => [name, Number(total)]));
  const drawn = (await drawnFrames(page)).filter(({ depth, marker }) => depth === 1 && !marker);
  for (const { name, value } of drawn) expect([name, value]).toEqual([name, whole[name]]);

  // The operation's other samples.
  const key = "_dd.trace.operation";
  select({ localRoot: root!.id });
  const [operation] = core.views.rank({ kind: "attribute", key }, 0, 1).rows;
  await page.getByTestId("baseline").selectOption(`key:${key}`);
  const same = select({ attributes: [{ key, value: operation!.label }] });
  const shared = operation!.samples === own.samples;
  await exact("diff-base").toHaveAttribute("data-exact", String(shared ? same.value - own.value : same.value));
});

test("without a selection the baseline is all other samples, and is shown as that", async ({ page }) => {
  await open(page, "#type=cpu");
  await page.getByTestId("view-diff").click();
  await expect(page.getByTestId("diff-nothing")).toContainText("Everything is selected");
  await expect(page.getByTestId("baseline")).toHaveValue("rest");
});

test("a request is compared with the others of its endpoint unless told otherwise", async ({ page }) => {
  select({});
  const [root] = core.views.rank({ kind: "local-root" }, 0, 1).rows;
  const own = select({ localRoot: root!.id });
  const [endpoint, another] = core.views.rank({ kind: "attribute", key: "trace endpoint" }, 0, 2).rows;
  expect([endpoint!.samples, another]).toEqual([own.samples, undefined]);
  const same = select({ attributes: [{ key: "trace endpoint", value: endpoint!.label }] });
  await open(page, `#type=cpu&root=${root!.id}`);
  await page.getByTestId("view-diff").click();
  await expect(page.getByTestId("baseline")).toHaveValue("");
  await expect(page.getByTestId("diff-base")).toContainText(`trace endpoint = ${endpoint!.label}`);
  await expect(page.getByTestId("diff-base")).toHaveAttribute("data-exact", String(same.value - own.value));
});

test("M13: the legend of a comparison is a scale with figures, in the colours of its frames", async ({ page }) => {
  await open(page, "#type=cpu&view=diff&baseline=rest&attr=thread.name%3Dworker-1");
  const legend = page.getByTestId("diff-legend");
  await expect(legend).toContainText("only in the baseline");
  for (const figure of ["3× less", "same", "3× more", "only in the selection"])
    await expect(legend).toContainText(figure);
  await expect(legend).toContainText("pale: may be chance");
  const colours = await legend
    .locator("span[style*=background]")
    .evaluateAll((steps) => steps.map((step) => getComputedStyle(step).backgroundColor));
  expect(new Set(colours.slice(0, 17)).size).toBe(17);
  // The palest step of either side is that of chance.
  expect(colours.slice(17)).toEqual([colours[7], colours[9]]);
});

test("a pinned selection is what later ones are compared with", async ({ page }) => {
  select({});
  const [one, two] = core.views.rank({ kind: "local-root" }, 0, 2).rows;
  await open(page, `#type=cpu&by=root&root=${one!.id}&view=flame`);
  await page.getByTestId("rank-sort").selectOption("weight");
  await page.getByTestId("view-diff").click();
  await page.getByTestId("pin").click();
  await rankRow(page, String(two!.id)).click();
  await expect(page.getByTestId("diff-own")).toHaveAttribute("data-exact", String(two!.value));
  await expect(page.getByTestId("diff-base")).toHaveAttribute("data-exact", String(one!.value));
  await expect(page.getByTestId("diff-base")).toContainText("pinned");
});

test("without anything to compare with, the page says so", async ({ page }) => {
  await openView(page, "diff");
  await page.getByTestId("baseline").selectOption("rest");
  await expect(page.getByTestId("diff-nothing")).toBeVisible();
});

test("M13: an endpoint is compared with the others, and an empty baseline offers one that has samples", async ({
  page,
}) => {
  select({});
  const key = "trace endpoint";
  const [endpoint] = core.views.rank({ kind: "attribute", key }, 0, 1).rows;
  const own = select({ attributes: [{ key, value: endpoint!.label }] });
  // All endpoints have one root operation.
  const others = String(
    select({ attributes: [{ key: "trace operation", value: "servlet.request" }] }).value - own.value,
  );
  await open(page, `#type=cpu&attr=${encodeURIComponent(key)}%3D${encodeURIComponent(endpoint!.label)}&view=diff`);
  await expect(page.getByTestId("diff-base")).toHaveAttribute("data-exact", others);

  await page.getByTestId("baseline").selectOption(`key:${key}`);
  await page.getByTestId("offer-rest").click();
  await expect(page.getByTestId("diff-base")).toHaveAttribute("data-exact", String(select({}).value - own.value));

  await page.goto("about:blank");
  await openView(page, "diff");
  await page.getByTestId("offer-earlier").click();
  const value = async (id: string) => Number(await page.getByTestId(id).getAttribute("data-exact"));
  await expect(page.getByTestId("diff-base")).toContainText("pinned");
  await expect.poll(async () => (await value("diff-own")) + (await value("diff-base"))).toBe(Number(select({}).value));
  expect(await value("diff-base")).toBeGreaterThan(0);
});

test("why: functions, profiles and threads of the selection, also as text", async ({ page }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const attributes = [{ key: "thread.name", value: "worker-1" }];
  await open(page, "#attr=thread.name%3Dworker-1");
  await page.getByTestId("view-overview").click();
  const totals = select({ attributes });
  const [first] = core.views.top("self", 0, 1).rows;
  const share = `${((100 * Number(first!.self)) / Number(totals.value)).toFixed(1)} %`;
  await expect(page.getByTestId("why-top").locator("li").first()).toContainText(`${first!.name}${share}`);
  const wall = core.select(profileIn(core, "wall").id, { attributes });
  // The sentence is of wall samples, and so are the number of samples and their error.
  await expect(page.getByTestId("why-headline")).toContainText(`Wall: ${wall.samples} samples`);
  await expect(page.getByTestId("why-top")).toContainText("self time in CPU");
  await expect(page.getByTestId("why-split")).toContainText(`Wall${wall.samples} samples`);
  await expect(page.getByTestId("why-states").locator("li").first()).toHaveText(/^Running or ready to run[\d.]+ %$/);
  select({ attributes });
  const lying = core.views.pauseCover(core.views.marks());
  expect(lying.pauses).toBeGreaterThan(0);
  await expect(page.getByTestId("why-time")).toContainText(`Samples in GC pauses${lying.samples} of ${totals.samples}`);
  await page.getByTestId("why-copy").click();
  await expect(page.getByText("copied")).toBeVisible();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(text.split("\n")[0]).toBe("thread.name = worker-1");
  expect(text).toContain(`- ${first!.name}: ${share}`);
});

test("why: a thread by its number has its name in the copied text", async ({ page }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, "#attr=thread.id%3D32&view=overview");
  const chip = page.getByTestId("chip").getByText(/^32 worker-\d$/);
  await expect(chip).toBeVisible();
  const words = String(await chip.textContent());
  await page.getByTestId("why-copy").click();
  await expect(page.getByText("copied")).toBeVisible();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(text.split("\n")[0]).toBe(`thread.id = ${words}`);
});
