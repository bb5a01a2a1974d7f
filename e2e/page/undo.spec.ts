/** Filters taken back and made again, chips and the overview of keys, by keyboard and by button. */
import type { Page } from "@playwright/test";
import { expectNothingByAxe, GRAPH } from "../kit/axe.ts";
import { coreOf, profileIn } from "../kit/core.ts";
import { type Cell, fixture, heaviest, profileOf, SHOP } from "../kit/expected.ts";
import {
  chips,
  expect,
  expectTotals,
  find,
  findOnCpu,
  openFixture,
  rankRow,
  showProfile,
  tabTo,
  test,
} from "../kit/page.ts";

const [[FIRST, FIRST_CELL], [SECOND, SECOND_CELL]] = heaviest(SHOP.localRoots, "cpu") as [
  [string, Cell],
  [string, Cell],
];
const ALL = profileOf(SHOP, "cpu");

async function open(page: Page): Promise<void> {
  await openFixture(page, fixture("shop.jfr"));
}

test("undo and redo go through the filters, in totals, chips and address", async ({ page }) => {
  await open(page);
  const undo = page.getByTestId("undo");
  await expect(undo).toHaveAttribute("aria-disabled", "true");
  await rankRow(page, FIRST).click();
  await expectTotals(page, FIRST_CELL);
  await rankRow(page, SECOND).click();
  await expectTotals(page, SECOND_CELL);

  await undo.click();
  await expectTotals(page, FIRST_CELL);
  await expect(page).toHaveURL(new RegExp(`root=${FIRST}`));
  await undo.click();
  await expectTotals(page, ALL);
  await expect(chips(page)).toHaveCount(0);
  await expect(undo).toHaveAttribute("aria-disabled", "true");
  await page.getByTestId("redo").click();
  await page.getByTestId("redo").click();
  await expectTotals(page, SECOND_CELL);
  // Another profile is no filter: it stays while filters go.
  await showProfile(page, "wall");
  await undo.click();
  await undo.click();
  await expectTotals(page, profileOf(SHOP, "wall"));
});

test("Ctrl+Z undoes, but not what is being typed", async ({ page }) => {
  await open(page);
  await findOnCpu(page, FIRST);
  await expectTotals(page, FIRST_CELL);
  await page.getByTestId("id-input").fill("12");
  await page.keyboard.press("Control+z");
  await expectTotals(page, FIRST_CELL);
  await page.getByTestId("why").focus();
  await page.keyboard.press("Control+z");
  await expectTotals(page, ALL);
  await page.keyboard.press("Control+Shift+Z");
  await expectTotals(page, FIRST_CELL);
});

test("chips go by keyboard, one after the other, and the focus stays near", async ({ page }) => {
  await open(page);
  await findOnCpu(page, FIRST);
  await find(page, "operation=pricing.compute");
  await expect(chips(page)).toHaveCount(2);
  await tabTo(page, chips(page).first().getByRole("button"));
  await page.keyboard.press("Delete");
  await expect(chips(page)).toHaveCount(1);
  await expect(chips(page).getByRole("button")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(chips(page)).toHaveCount(0);
  await expect(page.getByTestId("undo")).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  const core = await coreOf([fixture("shop.jfr")]);
  const attributes = [{ key: "operation", value: "pricing.compute" }];
  await expectTotals(page, core.select(profileIn(core, "cpu").id, { localRoot: BigInt(FIRST), attributes }));
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`? says all keys, axe finds nothing, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await open(page);
    await page.keyboard.press("?");
    const dialog = page.getByTestId("shortcuts-dialog");
    await expect(dialog).toBeVisible();
    await expect(dialog.getByText("undo the last filter")).toBeVisible();
    await expectNothingByAxe(page, { without: [GRAPH] });
    const licences = await dialog.getByRole("link", { name: "Third-party licences" }).getAttribute("href");
    const notices = await page.request.get(new URL(licences ?? "", page.url()).href);
    expect(await notices.text()).toContain("Permission is hereby granted");
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await page.getByTestId("id-input").fill("");
    await page.getByTestId("id-input").press("?");
    await expect(dialog).toBeHidden();
    await expect(page.getByTestId("id-input")).toHaveValue("?");
  });
}
