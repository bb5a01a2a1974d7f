/** A large recording is on the page while it is read: first its first chunk, then more, in the end all of it. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { coreOf, profileIn, rootsBy } from "../kit/core.ts";
import { fixture, profileOf, SHOP, SHOP_CHUNKS } from "../kit/expected.ts";
import {
  chips,
  drop,
  expect,
  expectTotals,
  find,
  fromDisk,
  inFlame,
  listed,
  showView,
  tab,
  test,
} from "../kit/page.ts";
import { chunksOf, coreOfPart, slowFiles } from "../kit/slow-file.ts";

const PATH = fixture("shop-chunks.jfr");
const [, SECOND = 0, THIRD = 0, END = 0] = chunksOf(PATH);
const ALL = profileOf(SHOP_CHUNKS, "cpu");
const FILTERED_SHOP = profileOf(SHOP, "cpu").attributes.operation?.["pricing.compute"] ?? ALL;
const FILTERED = profileOf(SHOP_CHUNKS, "cpu").attributes.operation?.["pricing.compute"] ?? ALL;

type Totals = Parameters<typeof expectTotals>[1];

const incoming = (page: Page) => page.getByTestId("incoming");
const cpuUpTo = async (end: number) => profileIn(await coreOfPart(PATH, end), "cpu");

/** The recording with the first chunk on the page, and a mark that is gone when the graph is made again. */
async function openFirst(page: Page, hash = "", bytes?: Uint8Array): Promise<(limit: number) => Promise<void>> {
  const upTo = await slowFiles(page, SECOND);
  await page.goto(`./${inFlame(hash)}`);
  await drop(page, bytes === undefined ? fromDisk(PATH) : { name: "shop-chunks.jfr", bytes });
  await expect(incoming(page)).toContainText(`${Math.floor((100 * SECOND) / END)} % read`);
  return upTo;
}

async function openMarked(page: Page) {
  const upTo = await openFirst(page);
  await expectTotals(page, await cpuUpTo(SECOND));
  await page.getByTestId("flame").evaluate((element) => element.setAttribute("data-mark", ""));
  return upTo;
}

async function expectAll(page: Page, cell: Totals = ALL): Promise<void> {
  await expectTotals(page, cell);
  await expect(incoming(page)).toHaveCount(0);
  await expect(page.locator("[data-mark]")).toHaveCount(1);
}

test("the first chunk is on the page before the second one is there, and the graph grows", async ({ page }) => {
  const upTo = await openMarked(page);
  await upTo(THIRD);
  await expectTotals(page, await cpuUpTo(THIRD));
  await expect(incoming(page)).toContainText(`${Math.floor((100 * THIRD) / END)} % read`);
  await upTo(END + 1);
  await expectAll(page);
  await expect(tab(page, "cpu").locator("[data-count]")).toHaveText(String(ALL.samples));
  await expect(page.getByTestId("message")).toHaveCount(0);
});

test("zoom, current frame and view stay while it grows", async ({ page }) => {
  const upTo = await openMarked(page);
  const frame = page.getByTestId("flame").locator("g.frame").nth(4);
  const name = await frame.locator("text").textContent();
  await frame.click();
  await expect(page).toHaveURL(/focus=/);
  const { hash } = new URL(page.url());
  await page.mouse.move(0, 0);
  await upTo(END + 1);
  await expect(incoming(page)).toHaveCount(0);
  await expect(page.locator("[data-mark]")).toHaveCount(1);
  expect(new URL(page.url()).hash).toBe(hash);
  await expect(page.getByTestId("frame-detail")).toContainText(name ?? "?");
});

test("rows under the pointer keep their order while it grows, and a click takes the one that was there", async ({
  page,
}) => {
  const upTo = await openFirst(page, "#by=root");
  const rows = page.getByTestId("rank-row");
  await listed(page);
  await expect(rows.nth(4)).toHaveAttribute("data-id", /\d/);
  const shown = () => rows.evaluateAll((all) => all.slice(0, 5).map((row) => (row as HTMLElement).dataset.id));
  const before = await shown();
  await rows.nth(1).hover();
  await upTo(END + 1);
  await expect(incoming(page)).toHaveCount(0);
  // The newest rows have come.
  await listed(page);
  expect(await shown()).toEqual(before);
  await rows.nth(1).click();
  await expect(page).toHaveURL(new RegExp(`root=${before[1]}`));
  await page.mouse.move(700, 400);
  await expect.poll(shown).not.toEqual(before);
});

test("the current frame stays in a graph by callers while it grows", async ({ page }) => {
  const upTo = await openMarked(page);
  const flame = page.getByTestId("flame");
  const below = flame.locator("g.frame").nth(1);
  const callees = (await below.getAttribute("aria-label")) ?? "";
  await page.getByTestId("grouping").getByText("Callers").click();
  // The graph by callers, not the one before.
  await expect(below).not.toHaveAttribute("aria-label", callees);
  await flame.focus();
  for (const key of ["ArrowDown", "ArrowRight", "ArrowDown"]) await page.keyboard.press(key);
  const detail = page.getByTestId("frame-detail").locator("span").first();
  await expect(detail).not.toHaveText("all");
  const name = (await detail.textContent()) ?? "";
  await upTo(END + 1);
  await expect(incoming(page)).toHaveCount(0);
  await expect(detail).toHaveText(name);
});

test("a filter set meanwhile stays, and is for all of it in the end", async ({ page }) => {
  const upTo = await openMarked(page);
  await find(page, "operation=pricing.compute");
  await expect(chips(page)).toHaveCount(1);
  const part = await coreOfPart(PATH, SECOND);
  await expectTotals(
    page,
    part.select(profileIn(part, "cpu").id, { attributes: [{ key: "operation", value: "pricing.compute" }] }),
  );
  await upTo(END + 1);
  await expectAll(page, FILTERED);
  await expect(chips(page)).toHaveCount(1);
});

test("views answer for what has been read, and grow", async ({ page }) => {
  const upTo = await openMarked(page);
  await showView(page, "top");
  await expect(page.getByTestId("top-row").first()).toBeVisible();
  await upTo(END + 1);
  await expect(incoming(page)).toHaveCount(0);
  const core = await coreOf([PATH]);
  core.select(profileIn(core, "cpu").id, {});
  const [first] = core.views.top("self", 0, 1).rows;
  await expect(page.getByTestId("top-row").first()).toContainText(String(first?.self));
});

test("Cancel keeps what is there", async ({ page }) => {
  await openMarked(page);
  await page.getByTestId("incoming-cancel").click();
  await expectAll(page, await cpuUpTo(SECOND));
  await expect(page.getByTestId("message")).toContainText("Cancelled: the page shows the data read so far.");
});

test("damage in a late chunk is reported when it is found, and all else is there", async ({ page }) => {
  const bytes = new Uint8Array(readFileSync(PATH));
  bytes.fill(0xff, THIRD + 100, THIRD + 20_000);
  const upTo = await openFirst(page, "", bytes);
  await expectTotals(page, await cpuUpTo(SECOND));
  await expect(page.getByTestId("message")).toHaveCount(0);
  await upTo(END + 1);
  await expect(incoming(page)).toHaveCount(0);
  await expect(page.getByTestId("message")).toContainText("shop-chunks.jfr");
  await expectTotals(page, await cpuUpTo(THIRD));
});

test("a second file dropped meanwhile takes its place", async ({ page }) => {
  await openMarked(page);
  await drop(page, fromDisk(fixture("shop.jfr")));
  await expectTotals(page, profileOf(SHOP, "cpu"));
  await expect(incoming(page)).toHaveCount(0);
});

/** The heaviest root whose samples are all in the last chunk. */
async function lateRoot(type: string) {
  const known = new Set(rootsBy(await coreOfPart(PATH, THIRD), type, 0).map(({ id }) => id));
  const late = rootsBy(await coreOf([PATH]), type, 0).find(({ id }) => !known.has(id));
  if (late === undefined) throw new Error("no late root");
  return late;
}

test("the selection of a link may come with a late chunk", async ({ page }) => {
  const late = await lateRoot("cpu");
  const upTo = await openFirst(page, `#type=cpu&root=${late.id}&recursion=direct&view=flame`);
  await expect(page.getByTestId("no-samples")).toBeVisible();
  await upTo(THIRD);
  await upTo(END + 1);
  await expect(incoming(page)).toHaveCount(0);
  await expectTotals(page, late);
  await expect(page.getByTestId("flame").locator("g.frame").first()).toBeVisible();
});

test("a link with an id opens it when everything is read", async ({ page }) => {
  const late = await lateRoot("wall");
  const upTo = await openFirst(page, `#root=${late.id}`);
  await upTo(END + 1);
  await expect(page.getByTestId("why-headline")).toBeVisible();
  await expect(tab(page, "wall")).toHaveAttribute("aria-selected", "true");
  await expectTotals(page, late);
});

test("a file dropped on an open recording takes its place after the first chunk", async ({ page }) => {
  // The smaller file is whole below the limit.
  const upTo = await slowFiles(page, SECOND);
  await page.goto("./#view=flame");
  await drop(page, fromDisk(fixture("shop.jfr")));
  await expectTotals(page, profileOf(SHOP, "cpu"));
  await find(page, "operation=pricing.compute");
  await expect(chips(page)).toHaveCount(1);
  await page.getByTestId("flame").hover({ position: { x: 5, y: 5 } });
  await expect(page.getByTestId("frame-tip")).toBeVisible();
  await drop(page, fromDisk(PATH));
  // Not while the pointer is on a frame.
  await expect(incoming(page)).toContainText("shop-chunks.jfr");
  await page.mouse.move(0, 0);
  await upTo(THIRD);
  await expectTotals(page, await cpuUpTo(THIRD));
  await expect(chips(page)).toHaveCount(0);
  await expect(incoming(page)).toContainText("% read");
  await upTo(END + 1);
  await expectTotals(page, ALL);
  await expect(incoming(page)).toHaveCount(0);
  await page.goBack();
  await expectTotals(page, FILTERED_SHOP);
});
