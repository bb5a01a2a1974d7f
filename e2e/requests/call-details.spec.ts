/** Dumps of calls: details of a frame with its parameters, the timeline of calls, files of picked calls. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { asZip, type WrittenCall, type WrittenTag, writeStreams } from "../../test/kit/cdt/cdt-writer.ts";
import { readEvented } from "../../test/kit/shown-formats.ts";
import { expectNothingByAxe, GRAPH } from "../kit/axe.ts";
import { chips, drop, expect, showTimeline, tabTo, test } from "../kit/page.ts";

const START = Date.UTC(2024, 1, 3, 12);
const LARGE = `<order>${"<item>1</item>".repeat(3000)}</order>`;
const HOSTILE = '<img src=x onerror="document.title=1">\u202e</script>';
const CHECKOUT = "void shop.Cart.checkout(int,java.lang.String) (Cart.java:7) [shop.jar]";
const READ = "java.util.List db.Row.read() (Row.java:1) [db.jar]";

const sql = (value: string): WrittenTag => ({ name: "sql", value, in: "sql" });

/** Call `i` takes 100 · (i + 1) ms, 10 ms of them in `db.Row.read`; the third failed. */
const CALLS = Array.from({ length: 12 }, (_, i): WrittenCall => {
  const read = { method: READ, before: 0, after: 10, children: [], tags: [sql(`select * from cart where id = ${i}`)] };
  return {
    threadId: 1 + (i % 3),
    thread: `http-${i % 3}`,
    at: START + 5000 * i,
    root: {
      method: CHECKOUT,
      before: 0,
      after: 100 * (i + 1) - 10,
      tags: i === 2 ? [{ name: "body", value: LARGE, in: "xml" }, sql(HOSTILE)] : [],
      children: [read],
    },
    isRecorded: true,
    reactive: 0,
    params: { "profiler.title": [HOSTILE], ...(i === 2 && { "call.red": ["1"] }) },
  };
});
const { streams } = writeStreams({ calls: CALLS, start: START, pauses: [[11_000, 500]] });
const DUMP = { name: "dump.zip", bytes: asZip(streams, `web/2024/02/03/${START}`, "/") };

async function open(page: Page, hash = "#view=calls"): Promise<void> {
  await page.goto(`./${hash}`);
  await drop(page, DUMP);
  await showTimeline(page);
  await expect(page.getByTestId("call-timeline")).toHaveAttribute("data-calls", "12");
}

const details = (page: Page) => page.getByTestId("frame-details");
const figure = (page: Page, name: string) =>
  page.getByTestId("frame-details-figures").locator("div").filter({ hasText: name }).locator("dd").first();
const param = (page: Page, name: string) => details(page).locator(`[data-testid=param][data-name="${name}"]`);

for (const colorScheme of ["light", "dark"] as const) {
  test(`the focus ring of frame details is whole in a window of 390 px, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page);
    await page.getByTestId("view-flame").click();
    const graph = page.getByTestId("flame");
    await expect(graph.locator("g.frame").first()).toBeVisible();
    await graph.focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("d");
    const body = details(page).locator("[data-first]");
    await expect(page.getByTestId("frame-details-figures")).toBeVisible();
    await expect(body).toBeFocused();
    // The body is as wide as the dialog, so a ring around it would be cut.
    await expect(body).toHaveCSS("outline-style", "solid");
    await expect(body).toHaveCSS("outline-offset", "-2px");
    await page.screenshot({ path: test.info().outputPath(`details-${colorScheme}.png`) });
  });
}

test("a frame's details have its figures, method, and parameters by signature; the keyboard is enough", async ({
  page,
}) => {
  await open(page);
  await page.getByTestId("view-flame").click();
  const graph = page.getByTestId("flame");
  await expect(graph.locator("g.frame").first()).toBeVisible();
  await graph.focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("d");
  await expect(page.getByTestId("frame-details-name")).toHaveText("db.Row.read");
  await expect(figure(page, "Invocations")).toHaveText("12");
  await expect(figure(page, "Total")).toHaveText("120 ms");
  await expect(page.getByTestId("frame-details-methods")).toContainText("Row.java:1");
  await expect(page.getByTestId("frame-details-methods")).toContainText("java.util.List");
  const group = param(page, "sql").getByTestId("param-group");
  await expect(group).toContainText("select * from cart where id = ?");
  await expectNothingByAxe(page, { without: [GRAPH] });
  await tabTo(page, group.getByRole("button"));
  await page.keyboard.press("Enter");
  await expect(param(page, "sql").getByTestId("param-value")).toHaveCount(12);
  await expectNothingByAxe(page, { without: [GRAPH] });
  await page.keyboard.press("Escape");
  await expect(details(page)).toBeHidden();
  await expect(graph).toBeFocused();
});

test("hostile values are text, and large ones are read when they are asked for", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, "#view=tree");
  await page.getByTestId("details-open").click();
  await expect(page.getByTestId("frame-details-name")).toHaveText("shop.Cart.checkout");
  await expect(param(page, "sql")).toContainText('<img src=x onerror="document.title=1">\\u202e</script>');
  await expect(details(page).locator("img")).toHaveCount(0);
  const body = param(page, "body");
  await expect(body.getByTestId("param-text")).toHaveAttribute("data-whole", "false");
  await body.getByTestId("param-whole").click();
  await expect(body.getByTestId("param-text")).toHaveAttribute("data-whole", "true");
  await body.getByTestId("param-copy").click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(LARGE);
});

test("a function's details are of every caller, and of the selected calls only", async ({ page }) => {
  await open(page, "#view=top&call-min=1000");
  await expect(page.getByTestId("call-timeline")).toHaveAttribute("data-selected", "3");
  await page.getByTestId("top-row").filter({ hasText: "Row.read" }).click();
  await page.getByTestId("details-open").click();
  await expect(figure(page, "Selected calls")).toHaveText("3");
  await expect(figure(page, "Invocations")).toHaveText("3");
});

test("the timeline has calls, failed ones and pauses; a range selects calls by their start", async ({ page }) => {
  await open(page, "#view=calls");
  const timeline = page.getByTestId("call-timeline");
  await page.getByTestId("coverage").click();
  await expect(page.getByTestId("legend-red")).toHaveText("1 failed call");
  await expect(page.getByTestId("legend-paused")).toHaveText("JVM stopped 500 ms");
  await page.keyboard.press("Escape");
  await expectNothingByAxe(page);
  const box = (await page.getByTestId("timeline-area").boundingBox())!;
  await page.mouse.move(box.x, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 10, { steps: 4 });
  await page.mouse.up();
  await expect(chips(page)).toHaveCount(1);
  await expect(page.getByText(/^6 calls, /)).toBeVisible();
  await expect(timeline).toHaveAttribute("data-calls", "12");
  await page.getByTestId("timeline-from").focus();
  await page.keyboard.press("Escape");
  await expect(chips(page)).toHaveCount(0);
  await page.getByTestId("zoom-in").click();
  await expect.poll(async () => Number(await timeline.getAttribute("data-calls"))).toBeLessThan(12);
});

test("a picked call is written as a chart in order; the command line names it", async ({ page }) => {
  const id = `web/${START}:1:8:0`;
  await open(page, `#view=top&call=${encodeURIComponent(id)}`);
  await page.getByTestId("export").click();
  await page.getByTestId("format-speedscope").check({ force: true });
  await expect(page.getByTestId("export-filter")).toContainText("Every invocation");
  await expect(page.getByTestId("export-command")).toHaveAttribute("data-command", new RegExp(`--call=${id}`));
  const downloading = page.waitForEvent("download");
  await page.getByTestId("export-download").click();
  const [profile] = readEvented(readFileSync(await (await downloading).path(), "utf8"));
  expect(profile?.invocations.map(({ name, total }) => [name, total])).toEqual([
    ["shop.Cart.checkout", 100],
    ["db.Row.read", 10],
  ]);
  await expect(page.getByTestId("export-said")).toContainText("2 invocations of 1 call");
});
