/** Two recordings side by side: the selection is compared with a second file. */
import { fileURLToPath } from "node:url";
import { coreOf, profileIn } from "./core.ts";
import { drop, expect, fromDisk, openFixture, test } from "./page.ts";

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
const SHOP = fixture("shop.jfr");
const CHUNKS = fixture("shop-chunks.jfr");

test("another file is chosen in the comparison, and each side has its own sums", async ({ page }) => {
  const [own, base] = await Promise.all([coreOf([SHOP]), coreOf([CHUNKS])]);
  const ofOwn = own.select(profileIn(own, "cpu").id, {});
  const ofBase = base.select(profileIn(base, "cpu").id, {});
  await openFixture(page, SHOP, "#type=cpu");
  await page.getByTestId("view-diff").click();
  await page.getByTestId("compare-input").setInputFiles(CHUNKS);
  await expect(page.getByTestId("diff-base")).toHaveAttribute("data-exact", ofBase.value.toString());
  await expect(page.getByTestId("diff-own")).toHaveAttribute("data-exact", ofOwn.value.toString());
  await expect(page.getByTestId("baseline")).toHaveValue("file:shop-chunks.jfr");
  await expect(page.getByTestId("chip")).toHaveText("fileshop.jfr");
  await expect(page).toHaveURL(/#.*baseline=file%3Ashop-chunks\.jfr/);

  // The functions of both, as the core adds them up for each file alone.
  await page.getByTestId("diff-shape").getByText("functions").click();
  const first = page.getByTestId("changed-row").first();
  await expect(first).toHaveAttribute("data-id", /./);
  const name = (await first.getAttribute("data-id")) ?? "";
  const share = (core: typeof own, whole: bigint) => {
    const row = core.views.top("self", 0, 1e5).rows.find((each) => each.name === name);
    return `${((100 * Number(row?.self ?? 0n)) / Number(whole)).toFixed(1)}`;
  };
  const cells = await first.getByRole("gridcell").allInnerTexts();
  expect([cells[0], cells[1]].map((text) => Number.parseFloat(text ?? "").toFixed(1))).toEqual([
    share(own, ofOwn.value),
    share(base, ofBase.value),
  ]);
  await page.getByTestId("changed").focus();
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("view-sandwich")).toHaveAttribute("aria-selected", "true");
});

test("one of several files is looked at alone, and its chip goes like any other", async ({ page }) => {
  const core = await coreOf([SHOP]);
  const { samples } = core.select(profileIn(core, "cpu").id, {});
  await page.goto("./#type=cpu");
  await drop(page, fromDisk(SHOP), fromDisk(CHUNKS), fromDisk(SHOP));
  await expect(page.getByTestId("flame").locator("g.frame").first()).toBeVisible();
  await page.getByTestId("files").click();
  await page.getByRole("button", { name: "Show only shop.jfr (2)" }).click();
  await expect(page.getByTestId("chip")).toHaveText("fileshop.jfr (2)");
  await expect(page.getByTestId("total-samples")).toHaveAttribute("data-exact", samples.toString());
  await page.getByTestId("chip").getByRole("button").click();
  await expect(page.getByTestId("chip")).toHaveCount(0);
});
