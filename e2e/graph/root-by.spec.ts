/** Root frames: the setting, the frames, their menu, the address, undo, other views and exports. */
import type { Page } from "@playwright/test";
import { readCollapsed } from "../../test/kit/shown-formats.ts";
import { fixture, profileOf, SHOP } from "../kit/expected.ts";
import { exportFile } from "../kit/export.ts";
import { drawnFrames } from "../kit/flame.ts";
import { chips, expect, expectTotals, openFixture, showView, test } from "../kit/page.ts";

const CPU = profileOf(SHOP, "cpu");
const OPERATIONS = CPU.attributes.operation!;
const NONE = "(no operation)";

/** Values of the frames right below the root. */
async function tops(page: Page): Promise<Record<string, number>> {
  const frames = await drawnFrames(page);
  return Object.fromEntries(frames.filter(({ depth }) => depth === 1).map(({ name, value }) => [name, value]));
}

function wanted(): Record<string, number> {
  const values = Object.entries(OPERATIONS).map(([name, { value }]) => [name, value] as const);
  const rest = CPU.value - values.reduce((sum, [, value]) => sum + value, 0);
  return Object.fromEntries([...values, [NONE, rest]]);
}

const setting = (page: Page, name: string) => page.getByTestId(name);

test("the graph is rooted by the operation, and by two levels; a root frame filters", async ({ page }) => {
  await openFixture(page, fixture("shop.jfr"));
  await page.getByTestId("view-menu").click();
  await setting(page, "root-by").selectOption("operation");
  await expect.poll(() => tops(page)).toEqual(wanted());
  await expectTotals(page, CPU);
  await expect(chips(page)).toHaveText(["root byoperation"]);
  await expect(page).toHaveURL(/root-by=operation/);
  await setting(page, "root-by-then").selectOption("thread-pool");
  await expect(chips(page)).toHaveText(["root byoperation, thread pool"]);
  await expect
    .poll(async () => (await drawnFrames(page)).some(({ depth, name }) => depth === 2 && name === "http-*"))
    .toBe(true);
  await page.keyboard.press("Escape");

  // By keyboard: the widest root frame, its menu, its filter.
  const [widest = ""] = Object.entries(wanted()).sort(([, a], [, b]) => b - a)[0]!;
  await page.getByTestId("flame").focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByTestId("frame-detail").locator("bdi")).toHaveText(widest);
  await page.keyboard.press("Shift+F10");
  await expect(page.getByRole("menuitem", { name: "Focus on this function" })).toHaveAttribute("aria-disabled", "true");
  await page.getByRole("menuitem", { name: "Filter by this" }).click();
  await expect(chips(page).first()).toHaveText(`operation =${widest}`);
  await expectTotals(page, OPERATIONS[widest]!);
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await expect(chips(page)).toHaveText(["root byoperation"]);
  await expect.poll(() => tops(page)).toEqual(wanted());
});

test("samples without the attribute are filtered by their root frame, in the table as in the graph", async ({
  page,
}) => {
  await openFixture(page, fixture("shop.jfr"), "#root-by=operation");
  await expect.poll(() => tops(page)).toEqual(wanted());
  await page.getByTestId("flame").focus();
  await page.keyboard.press("ArrowDown");
  const current = page.getByTestId("frame-detail").locator("bdi");
  for (let i = 0; i < 10 && (await current.textContent()) !== NONE; i++) await page.keyboard.press("ArrowRight");
  await expect(current).toHaveText(NONE);
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitem", { name: "Filter by this" }).click();
  await expect(chips(page).first()).toHaveText(`operation${NONE}`);
  await expect(page.getByTestId("total-value")).toHaveAttribute("data-exact", String(wanted()[NONE]));
  await page.getByTestId("clear").click();
  await expectTotals(page, CPU);

  await showView(page, "tree");
  await page.getByTestId("view-menu").click();
  await setting(page, "root-by").selectOption("operation");
  const [widest = ""] = Object.entries(wanted()).sort(([, a], [, b]) => b - a)[0]!;
  await expect(page.getByTestId("tree-row").first()).toContainText(widest);
  await showView(page, "top");
  await expect(page.getByTestId("top-row").first()).toBeVisible();
  await expect(page.getByTestId("top-row").filter({ hasText: widest })).toHaveCount(0);
});

test("a file with shown stacks has the root frames, and the graph after it is as before", async ({ page }) => {
  await openFixture(page, fixture("shop.jfr"), "#root-by=operation&collapse=jdk");
  await expect.poll(() => tops(page)).toEqual(wanted());
  const { bytes } = await exportFile(page, "format-collapsed");
  const { stacks, weights } = readCollapsed(bytes.toString("utf8"));
  const sums: Record<string, number> = {};
  for (const [i, [root = ""]] of stacks.entries()) sums[root] = (sums[root] ?? 0) + weights[i]!;
  expect(sums).toEqual(wanted());
  expect(new Set(stacks.map((stack) => stack[1]))).toEqual(new Set(["JDK", "[truncated]"]));
  await showView(page, "tree");
  const [widest = ""] = Object.entries(wanted()).sort(([, a], [, b]) => b - a)[0]!;
  await expect(page.getByTestId("tree-row").first()).toContainText(widest);
});

test("waits are rooted by their holders, which filter; a profile without holders does not offer them", async ({
  page,
}) => {
  await openFixture(page, fixture("waits/holders-jdk25.jfr"), "#type=lock-contention&view=flame");
  const total = Number(await page.getByTestId("total-value").getAttribute("data-exact"));
  await page.getByTestId("view-menu").click();
  // Holders are known once context is inferred.
  await expect(setting(page, "root-by").locator("option[value=holder]")).toHaveCount(1);
  await setting(page, "root-by").selectOption("holder");
  const sum = async () => Object.values(await tops(page)).reduce((all, value) => all + value, 0);
  await expect.poll(async () => Object.keys(await tops(page))).toContain("POST /reindex");
  // Frames of less than half a pixel are not drawn.
  expect(await sum()).toBeGreaterThan(0.99 * total);
  expect(await sum()).toBeLessThanOrEqual(total);
  const reindex = (await tops(page))["POST /reindex"] ?? 0;
  await expect(page).toHaveURL(/root-by=holder/);
  await page.keyboard.press("Escape");
  await page.getByTestId("flame").focus();
  await page.keyboard.press("ArrowDown");
  const current = page.getByTestId("frame-detail").locator("bdi");
  for (let i = 0; i < 10 && (await current.textContent()) !== "POST /reindex"; i++)
    await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitem", { name: "Filter by this" }).click();
  await expect(chips(page).first()).toHaveText("holderPOST /reindex");
  await expect(page.getByTestId("total-value")).toHaveAttribute("data-exact", String(reindex));

  await page.goto("./#type=sleep&view=flame");
  await page.getByTestId("view-menu").click();
  await expect(setting(page, "root-by").locator("option[value=thread]")).toHaveCount(1);
  await expect(setting(page, "root-by").locator("option[value=holder]")).toHaveCount(0);
});
