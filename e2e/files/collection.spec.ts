/** Many files: their table and its figures, the range of time, and the ways to open some of them. */
import type { Page } from "@playwright/test";
import { coreOf, profileIn } from "../kit/core.ts";
import { fixture } from "../kit/expected.ts";
import { type Dropped, drop, expect, fromDisk, tabTo, test } from "../kit/page.ts";

const SHOP = fixture("shop.jfr");
const CHUNKS = fixture("shop-chunks.jfr");
const AGENT = fixture("recorded/ddagent-jdk17.jfr");
const PATHS = [SHOP, CHUNKS, AGENT];

const rows = (page: Page) => page.getByTestId("collection-row");
const row = (page: Page, name: string) => page.locator(`[data-testid=collection-row][data-id="${name}"]`);
const exact = (page: Page) => page.getByTestId("total-samples").getAttribute("data-exact");

/** Drops files on the welcome page, and waits until their facts are read. */
async function collect(page: Page, files: Dropped[] = PATHS.map((path) => fromDisk(path)), hash = "#type=cpu") {
  await page.goto(`./${hash}`);
  await drop(page, ...files);
  await expect(page.getByTestId("collection-title")).toHaveText(`${files.length} files`);
  await expect(page.getByTestId("collection-cancel")).toHaveCount(0);
}

/** The function with the most self time of a file, and its shares. */
async function topOf(path: string) {
  const core = await coreOf([path]);
  const { samples, value } = core.select(profileIn(core, "cpu").id, {});
  const [top] = core.views.top("self", 0, 1).rows;
  const percent = (part: bigint) => `${((100 * Number(part)) / Number(value)).toFixed(1)} %`;
  return { samples, name: top!.name, self: percent(top!.self), total: percent(top!.total) };
}

test("three files are a table with the figures of each, and open together as one recording", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await collect(page);
  await expect(rows(page)).toHaveCount(3);
  for (const path of PATHS) {
    const { samples, name, self } = await topOf(path);
    const cells = row(page, path.split("/").at(-1)!).getByRole("gridcell");
    await expect(cells.filter({ hasText: new RegExp(`^${samples}$`) })).toHaveCount(1);
    await expect(cells.filter({ hasText: name.split(".").at(-1)! })).toHaveCount(1);
    await expect(cells.filter({ hasText: self })).toHaveCount(1);
  }
  await page.getByTestId("files-merge").click();
  const { samples } = (await coreOf(PATHS)).select(profileIn(await coreOf(PATHS), "cpu").id, {});
  await expect(page.getByTestId("total-samples")).toHaveAttribute("data-exact", String(samples));
  await expect(page.getByTestId("file-place")).toHaveText("3 files");
});

test("Enter opens a file; the next one takes its place under the same filters and in the same view", async ({
  page,
}) => {
  await collect(page, undefined, "#type=cpu&view=top&file-sort=name");
  await page.getByTestId("collection").focus();
  await page.keyboard.press("Enter");
  const samples = async (path: string) => String((await topOf(path)).samples);
  await expect(page.getByTestId("file-place")).toHaveText("1 of 3");
  await expect(page.getByTestId("total-samples")).toHaveAttribute("data-exact", await samples(AGENT));
  await expect(page.getByTestId("file-before")).toHaveAttribute("aria-disabled", "true");
  await page.getByTestId("file-after").click();
  await expect(page.getByTestId("file-place")).toHaveText("2 of 3");
  await expect(page.getByTestId("total-samples")).toHaveAttribute("data-exact", await samples(CHUNKS));
  await expect(page.getByTestId("view-top")).toHaveAttribute("aria-selected", "true");
  await page.goBack();
  await expect(page.getByTestId("file-place")).toHaveText("1 of 3");
  await page.getByTestId("file-table").click();
  await expect(page).toHaveURL(/files=shown/);
  await expect(rows(page)).toHaveCount(3);
  await page.getByTestId("collection-close").click();
  await expect(page.getByTestId("top-row").first()).toBeVisible();
});

test("selected files are compared with the chosen one of them", async ({ page }) => {
  await collect(page, undefined, "#type=cpu&file-sort=name");
  await page.getByTestId("collection").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await expect(page.getByTestId("files-merge")).toHaveText("Merge 2 files");
  await page.getByTestId("files-baseline").selectOption({ label: "shop.jfr" });
  await page.getByTestId("files-compare").click();
  await expect(page.getByTestId("baseline")).toHaveValue("file:shop.jfr");
  await expect(page.getByTestId("chip")).toHaveText("fileshop-chunks.jfr");
  await expect(page.getByTestId("view-diff")).toHaveAttribute("aria-selected", "true");
  // Another file alone has no such comparison.
  await page.getByTestId("file-table").click();
  await page.getByTestId("collection").press("Home");
  await page.getByTestId("collection").press("Enter");
  await expect(page.getByTestId("file-place")).toHaveText("1 of 3");
  await expect(page.getByTestId("chip")).toHaveCount(0);
  await expect(page.getByTestId("view-flame")).toHaveAttribute("aria-selected", "true");
});

test("the trend has the share of a function in each file, by a key or by a part of its name", async ({ page }) => {
  const { name, total } = await topOf(AGENT);
  await collect(page, undefined, "#type=cpu&file-sort=name");
  await page.getByTestId("collection").focus();
  await page.keyboard.press("t");
  await expect(page.getByTestId("file-function")).toHaveValue(name);
  await expect(row(page, "ddagent-jdk17.jfr").getByRole("gridcell").last()).toHaveText(total);
  await expect(page.getByTestId("file-trend")).toHaveAccessibleName(/^Total share of .* in 3 files/);
  await expect(page.getByTestId("file-trend").locator(":scope > *")).toHaveCount(3);
  const shop = await topOf(SHOP);
  await page.getByTestId("file-function").fill(shop.name.slice(1));
  await page.getByTestId("file-function").press("Enter");
  await expect(row(page, "shop.jfr").getByRole("gridcell").last()).toHaveText(shop.total);
  await expect(page).toHaveURL(/function=/);
  await page.getByTestId("file-function").fill("");
  await expect(page.getByTestId("file-trend")).toHaveCount(0);
});

test("keys and a drag over the histogram select the files of a range, which the address keeps", async ({ page }) => {
  await collect(page);
  const histogram = page.getByTestId("file-histogram");
  await tabTo(page, histogram);
  await page.keyboard.press("ArrowRight");
  await expect(page.getByTestId("file-range")).toContainText(": ");
  await page.keyboard.press("Shift+End");
  await expect(page.getByTestId("file-range")).toContainText(": 3 files");
  await expect(page.getByTestId("files-merge")).toHaveText("Merge 3 files");
  await expect(page).toHaveURL(/files-in=\d+-\d+/);
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("files-merge")).toHaveText("Merge all");
  await expect(page).not.toHaveURL(/files-in/);
  const { x, y, width, height } = (await histogram.boundingBox())!;
  await page.mouse.move(x + 1, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + height / 2, { steps: 3 });
  await page.mouse.up();
  await expect(page.getByTestId("file-brush")).toBeVisible();
  const marked = await rows(page).locator("input:checked").count();
  expect(marked).toBeGreaterThan(0);
  expect(marked).toBeLessThan(3);
  // A mark by hand takes the place of the range.
  await rows(page).locator("input:not(:checked)").first().check();
  await expect(page.getByTestId("file-brush")).toHaveCount(0);
  await expect(rows(page).locator("input:checked")).toHaveCount(marked + 1);
});

test("damaged files are listed with the reason, and the others are read", async ({ page }) => {
  const whole = fromDisk(AGENT);
  await collect(page, [
    fromDisk(SHOP),
    { name: "notes.txt", bytes: new TextEncoder().encode("hello") },
    { name: "half.jfr", bytes: whole.bytes.subarray(0, whole.bytes.length / 2) },
    whole,
  ]);
  await expect(page.getByTestId("collection-said")).toContainText("2 damaged files");
  await expect(row(page, "half.jfr")).toHaveAttribute("title", /^half\.jfr: The recording is cut off/);
  await expect(row(page, "notes.txt")).toContainText("Unreadable");
  await row(page, "notes.txt").dblclick();
  await expect(page.getByTestId("files-open")).toBeDisabled();
  await page.getByTestId("files-merge").click();
  await expect(page.getByTestId("file-place")).toHaveText("3 files");
});

test("reading is cancelled and goes on", async ({ page }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/facts-*.js", async (route) => {
    await held;
    await route.continue().catch(() => {});
  });
  await page.goto("./#view=flame");
  await drop(page, ...PATHS.map((path) => fromDisk(path)));
  await page.getByTestId("collection-cancel").click();
  await expect(page.getByTestId("collection-said")).toHaveText(/^0 of 3 read/);
  release();
  await page.getByTestId("collection-resume").click();
  await expect(page.getByTestId("collection-said")).not.toContainText("read");
  await expect(rows(page).filter({ hasText: "…" })).toHaveCount(0);
});

test("two files that are open together have a table, too, and another recording ends it", async ({ page }) => {
  await page.goto("./#type=cpu&view=flame");
  await drop(page, fromDisk(SHOP), fromDisk(CHUNKS));
  await page.getByTestId("file-table").click();
  await expect(rows(page)).toHaveCount(2);
  await page.getByTestId("collection-close").click();
  await expect(page.getByTestId("file-place")).toHaveText("2 files");
  await page.getByTestId("file-after").click();
  await expect(page.getByTestId("file-place")).toHaveText("1 of 2");
  const samples = await exact(page);
  await page.getByTestId("file-after").click();
  await expect(page.getByTestId("total-samples")).not.toHaveAttribute("data-exact", String(samples));
  await drop(page, fromDisk(AGENT));
  await expect(page.getByTestId("files")).toHaveText("ddagent-jdk17.jfr");
  await expect(page.getByTestId("file-steps")).toHaveCount(0);
});
