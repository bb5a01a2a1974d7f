/** The flame chart of a call: drawn as the command line lists it, zoomed, gone through by keys and by pointer. */
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { methodName } from "../../src/model/calls/method.ts";
import { askCli } from "../../test/kit/run-cli.ts";
import { expectNothingByAxe } from "../kit/axe.ts";
import { chartedFrames, placeOf, SHOP_ZIP, SHORT_ZIP, SQL, shownTime } from "../kit/chart.ts";
import { type Dropped, drop, expect, test } from "../kit/page.ts";

const DUMPS = fileURLToPath(new URL("../../../shared/recordings/cdt/", import.meta.url));
const CAPTURE = join(DUMPS, "tcp-capture.protocol");

async function openChart(page: Page, file: Dropped = SHOP_ZIP): Promise<void> {
  await page.goto("./#view=calls");
  await drop(page, file);
  await page.getByTestId("view-chart").click();
  await expect(page.getByTestId("chart-current")).toBeVisible();
}

const current = (page: Page) => page.getByTestId("chart-current");
const saidOf = (page: Page) => current(page).getAttribute("aria-description");
/** Level, place and number of siblings, as a screen reader says them. */
const placeIn = (page: Page) =>
  current(page).evaluate((item) => ["level", "posinset", "setsize"].map((name) => item.getAttribute(`aria-${name}`)));
const spanOf = async (page: Page) => {
  const { from, to } = await shownTime(page);
  return [Math.round(from), Math.round(to)];
};

/** What `spanflame calls --tree` says of a call, without parameters, its methods by name. */
async function listedFrames(path: string, id: string) {
  const { rows } = await askCli<{ rows: { frames: { method: string; params: object }[] }[] }>(
    "calls",
    path,
    "--call",
    id,
    "--tree",
  );
  return rows[0]!.frames.map(({ method, params: _, ...rest }) => ({ ...rest, name: methodName(method) }));
}

async function asFile({ name, bytes }: Dropped): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), "chart-")), name);
  await writeFile(path, bytes);
  return path;
}

test("the slowest call is drawn first, in the order and with the times that the command line lists", async ({
  page,
}) => {
  await openChart(page);
  const call = page.getByTestId("chart-call");
  // Titles may contain markup, which stays text.
  await expect(call).toContainText("<b>POST</b> /checkout");
  await expect(call).toContainText("400 ms · 1 of 2");
  const path = await asFile(SHOP_ZIP);
  const frames = await chartedFrames(page);
  expect(frames).toHaveLength(44);
  expect(frames).toEqual(await listedFrames(path, (await call.getAttribute("data-id"))!));
  await expect(page.getByTestId("chart-suspended")).toHaveText("Suspended 40 ms");

  await page.getByTestId("chart-faster").click();
  await expect(call).toContainText("20 ms · 2 of 2");
  await expect(current(page)).toHaveAttribute("aria-label", "com.acme.Shop.search");
  await expect(page.getByTestId("chart-suspended")).toHaveCount(0);
});

test("a real dump is drawn as the command line lists it", async ({ page }) => {
  test.skip(!existsSync(CAPTURE), "no ../shared/recordings/cdt");
  await openChart(page, { name: "capture.protocol", bytes: readFileSync(CAPTURE) });
  const id = await page.getByTestId("chart-call").getAttribute("data-id");
  const frames = await chartedFrames(page);
  expect(frames.length).toBeGreaterThan(500);
  expect(frames).toEqual(await listedFrames(CAPTURE, id!));
});

test("a call that is selected in the list is the one in the chart, and in the address", async ({ page }) => {
  await page.goto("./#view=calls");
  await drop(page, SHOP_ZIP);
  await page.getByTestId("calls-row").nth(1).click();
  await page.getByTestId("calls-chart").click();
  const call = page.getByTestId("chart-call");
  await expect(call).toContainText("Shop.search");
  await expect(page.getByTestId("chart-faster")).toHaveCount(0);
  await expect(page.getByTestId("view-chart")).toHaveAttribute("aria-selected", "true");
  await expect(page).toHaveURL(/view=chart/);
  await page.getByTestId("clear").click();
  await expect(call).toContainText("1 of 2");
});

test("a call shorter than the clock's step says so, and keys go through its frames", async ({ page }) => {
  await openChart(page, SHORT_ZIP);
  await expect(page.getByTestId("chart-short")).toContainText("Shorter than 1 ms");
  const rows = page.getByTestId("chart-rows");
  await rows.focus();
  await rows.press("ArrowDown");
  await rows.press("ArrowRight");
  await expect(current(page)).toHaveAttribute("aria-label", "com.acme.Shop.pang");
  await rows.press("Space");
  await expect(page.getByTestId("chart-shown")).toHaveText("1 ms");
});

test("keys go through the tree of frames, zoom to them and come back", async ({ page }) => {
  await openChart(page);
  const rows = page.getByTestId("chart-rows");
  await rows.focus();
  await rows.press("ArrowDown");
  await expect(current(page)).toHaveAttribute("aria-label", "com.acme.Cart.prepare");
  await expect(current(page)).toHaveAttribute(
    "aria-description",
    "Java, from +0:00.000, total 80 ms (20.0 %), self 80 ms",
  );
  await expect.poll(() => placeIn(page)).toEqual(["2", "1", "3"]);
  await rows.press("ArrowRight");
  await expect(current(page)).toHaveAttribute("aria-label", "com.acme.Db.query");
  // 40 of its ms are in the pause.
  await expect.poll(() => saidOf(page)).toContain("total 200 ms (50.0 %), self 120 ms, suspended 40 ms");
  await expect(rows).toHaveAttribute("aria-activedescendant", (await current(page).getAttribute("id"))!);
  await rows.press("ArrowDown");
  await rows.press("ArrowRight");
  await expect.poll(() => placeIn(page)).toEqual(["3", "2", "40"]);
  await rows.press("ArrowUp");
  await expect(current(page)).toHaveAttribute("aria-label", "com.acme.Db.query");

  await rows.press("Space");
  await expect.poll(() => spanOf(page)).toEqual([80, 320]);
  await rows.press("Shift+ArrowRight");
  await expect.poll(() => spanOf(page)).toEqual([104, 344]);
  await rows.press("+");
  await expect.poll(async () => (await shownTime(page)).to - (await shownTime(page)).from).toBeCloseTo(120);
  await rows.press("Escape");
  await expect.poll(() => spanOf(page)).toEqual([0, 400]);
  // As close as a millisecond.
  for (let i = 0; i < 12; i++) await rows.press("+");
  await expect(page.getByTestId("chart-shown")).toHaveText("1 ms");
  await rows.press("Home");
  await expect.poll(() => spanOf(page)).toEqual([0, 400]);
});

test("the zoom and the call are in the address: Back leads to those of before, and a link opens them", async ({
  page,
}) => {
  await openChart(page);
  await page.getByTestId("chart-faster").click();
  await expect(page).toHaveURL(/[#&]chart-call=1/);
  await page.getByTestId("chart-slower").click();
  await expect(page).not.toHaveURL(/chart-call/);
  const rows = page.getByTestId("chart-rows");
  await rows.focus();
  for (const key of ["ArrowDown", "ArrowRight", "Space"]) await rows.press(key);
  await expect.poll(() => spanOf(page)).toEqual([80, 320]);
  await expect(page).toHaveURL(/[#&]chart=\d+-\d+/);
  const link = page.url();
  await rows.press("+");
  await expect(page).not.toHaveURL(link);
  await page.goBack();
  await expect.poll(() => spanOf(page)).toEqual([80, 320]);
  await page.goBack();
  await expect.poll(() => spanOf(page)).toEqual([0, 400]);
  await page.goBack();
  await expect(page.getByTestId("chart-call")).toContainText("2 of 2");

  await page.goto("about:blank");
  await page.goto(link);
  await drop(page, SHOP_ZIP);
  await expect.poll(() => spanOf(page)).toEqual([80, 320]);
  // Another selection begins with its slowest call as a whole.
  await page.getByTestId("view-calls").click();
  await page.getByTestId("calls-row").first().click();
  await expect(page).not.toHaveURL(/[#&]chart=/);
});

test("the wheel zooms at the pointer, dragging pans, and with Shift takes a range", async ({ page }) => {
  await openChart(page);
  const query = await placeOf(page, 200, 1);
  await page.mouse.move(query.x, query.y);
  await page.mouse.wheel(0, -200);
  // What is below the pointer stays there.
  await expect.poll(() => spanOf(page)).toEqual([100, 300]);
  await page.mouse.down();
  await page.mouse.move(query.x + 60, query.y, { steps: 3 });
  await page.mouse.up();
  const { from, to } = await shownTime(page);
  expect(to - from).toBeCloseTo(200);
  expect(Math.abs((await placeOf(page, 200, 1)).x - query.x - 60)).toBeLessThan(2);
  expect(from).toBeLessThan(100);

  await page.getByTestId("chart-fit").click();
  await expect.poll(() => spanOf(page)).toEqual([0, 400]);
  const [left, right] = [await placeOf(page, 100, 1), await placeOf(page, 160, 1)];
  await page.keyboard.down("Shift");
  await page.mouse.move(left.x, left.y);
  await page.mouse.down();
  await page.mouse.move(right.x, right.y, { steps: 3 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  // With a tenth of the range on either side.
  await expect.poll(() => spanOf(page)).toEqual([94, 166]);
  await page.getByTestId("chart-rows").press("Backspace");
  await expect.poll(() => spanOf(page)).toEqual([0, 400]);
});

test("W and S zoom at the pointer, A and D move on as long as they are held", async ({ page }) => {
  await openChart(page);
  const rows = page.getByTestId("chart-rows");
  await rows.focus();
  const pay = await placeOf(page, 300, 1);
  await page.mouse.move(pay.x, pay.y);
  await page.keyboard.press("w");
  await expect.poll(() => spanOf(page)).toEqual([150, 350]);
  await page.keyboard.press("s");
  await expect.poll(() => spanOf(page)).toEqual([0, 400]);
  await page.keyboard.press("w");
  // A key that is held repeats.
  for (let i = 0; i < 20; i++) await page.keyboard.down("d");
  await page.keyboard.up("d");
  await expect.poll(() => spanOf(page)).toEqual([200, 400]);
});

test("the tooltip has the frame and the pause below the pointer, and a click makes it current", async ({ page }) => {
  await openChart(page);
  const tip = page.getByTestId("frame-tip");
  const pay = await placeOf(page, 350, 1);
  await page.mouse.move(pay.x, pay.y);
  await expect(tip).toContainText("com.acme.Bank.pay");
  await expect(tip).toContainText("total 90 ms");
  await expect(tip).toContainText("called by");
  await expect(tip).not.toContainText("pause");
  const paused = await placeOf(page, 170, 1);
  await page.mouse.move(paused.x, paused.y);
  await expect(tip).toContainText("com.acme.Db.query");
  await expect(tip).toContainText("Suspended: a pause of 40 ms");
  await page.mouse.click(pay.x, pay.y);
  await expect(current(page)).toHaveAttribute("aria-label", "com.acme.Bank.pay");
  await page.getByTestId("chart-side-close").click();
  await expect(page.getByTestId("chart-side-close")).toHaveCount(0);
  // The chart is as wide as before the detail, once it was laid out.
  await expect.poll(async () => await placeOf(page, 350, 1)).toEqual(pay);
  await page.mouse.dblclick(pay.x, pay.y);
  await expect.poll(() => spanOf(page)).toEqual([291, 399]);
});

test("the detail of an invocation has its times, its method and its parameters", async ({ page }) => {
  await openChart(page);
  const rows = page.getByTestId("chart-rows");
  const side = page.getByTestId("chart-side");
  const query = await placeOf(page, 200, 1);
  await page.mouse.click(query.x, query.y);
  await expect(rows).toBeFocused();
  await expect(page.getByTestId("chart-side-name")).toHaveText("com.acme.Db.query");
  await expect(page.getByTestId("invocation-figures")).toContainText("Net of suspension160 ms");
  await expect(side).toContainText("Shop.java:7");
  await expect(page.getByTestId("invocation-tags")).toContainText("rows40");
  // Texts of the dump stay texts, and large ones are read when they are asked for.
  const sql = page.getByTestId("param-text").first();
  expect((await sql.textContent())?.length).toBeLessThan(SQL.length);
  const whole = page.getByTestId("param-whole");
  await whole.focus();
  await whole.press("Enter");
  await expect(sql).toHaveText(SQL);
  await expect(whole).toBeFocused();
  await expect(whole).toHaveText("Show the beginning");
  await expectNothingByAxe(page);

  // It follows the current frame; a key takes the focus to it, and Escape back.
  await rows.press("ArrowLeft");
  await expect(page.getByTestId("chart-side-name")).toHaveText("com.acme.Cart.prepare");
  await expect(side).toContainText("No parameters");
  await rows.press("Enter");
  await expect(side).toBeFocused();
  await side.press("Escape");
  await expect(side).toHaveCount(0);
  await expect(rows).toBeFocused();

  await rows.press("Enter");
  await page.getByTestId("invocation-all").click();
  await expect(page.getByTestId("frame-details-name")).toHaveText("com.acme.Cart.prepare");
});

test("the visible part of the time is saved as a picture", async ({ page }) => {
  await openChart(page);
  const rows = page.getByTestId("chart-rows");
  await rows.focus();
  await rows.press("ArrowDown");
  await rows.press("Space");
  await expect.poll(() => spanOf(page)).toEqual([0, 96]);
  const save = async (format: string) => {
    const download = page.waitForEvent("download");
    await page.getByTestId("chart-save").click();
    await page.getByTestId(`chart-save-${format}`).click();
    const file = await download;
    return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
  };
  const svg = await save("svg");
  expect(svg.name).toBe("b-POST-b-checkout.svg");
  const text = svg.bytes.toString();
  expect(text).toContain("+0:00.000, 96 ms of 400 ms");
  expect(text).toContain("com.acme.Cart.prepare · Java · from +0:00.000 · total 80 ms (20.0 %) · self 80 ms");
  expect(text).not.toContain("Bank.pay");
  const png = await save("png");
  expect([png.name, png.bytes.subarray(1, 4).toString()]).toEqual(["b-POST-b-checkout.png", "PNG"]);
});

test("a search marks frames and goes from one to the next", async ({ page }) => {
  await openChart(page);
  await page.getByTestId("search").fill("read1");
  await expect(page.getByTestId("search-found")).toContainText("13");
  const rows = page.getByTestId("chart-rows");
  await rows.focus();
  await rows.press("n");
  await expect.poll(() => placeIn(page)).toEqual(["3", "2", "40"]);
  await expect(current(page)).toHaveAttribute("data-match", "true");
  await page.getByTestId("search").press("Enter");
  await expect.poll(() => placeIn(page)).toEqual(["3", "5", "40"]);
  await rows.press("Shift+N");
  await expect.poll(() => placeIn(page)).toEqual(["3", "2", "40"]);
});

test("the chart is loaded when it is opened, and axe finds nothing in it", async ({ page }) => {
  const scripts: string[] = [];
  page.on("request", (request) => scripts.push(new URL(request.url()).pathname));
  await page.goto("./#view=calls");
  await drop(page, SHOP_ZIP);
  await expect(page.getByTestId("view-chart")).toBeVisible();
  expect(scripts.filter((path) => path.includes("ChartView"))).toEqual([]);
  await page.getByTestId("view-chart").click();
  await expect(current(page)).toBeVisible();
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await expectNothingByAxe(page);
  }
});
