/**
 * Frames focused, merged, hidden, collapsed and split by line: by key, menu and chip, against stacks shaped in plain
 * sums.
 */
import type { Page } from "@playwright/test";
import { buildChunk } from "../../test/kit/jfr/jfr-builder.ts";
import { cpuChunk } from "../../test/kit/jfr/jfr-types.ts";
import { type ExpectedProfile, fixture, profileOf, SHOP } from "../kit/expected.ts";
import { expectTree, treeOf } from "../kit/flame.ts";
import { chips, drop, expect, expectTotals, openFixture, showView, test } from "../kit/page.ts";

type Stacks = ExpectedProfile["stacks"];

const CPU = profileOf(SHOP, "cpu");
const HANDLE = "shop.Shop$Front.handle";
const SEARCH = "shop.Shop$Front.search";

const open = (page: Page, hash = "") => openFixture(page, fixture("shop.jfr"), hash);
const sums = (stacks: Stacks) => ({
  samples: stacks.reduce((sum, { samples }) => sum + samples, 0),
  value: stacks.reduce((sum, { value }) => sum + value, 0),
});
const having = (name: string) => CPU.stacks.filter(({ frames }) => frames.includes(name));
const without = (name: string) => CPU.stacks.filter(({ frames }) => !frames.includes(name));
/** Leaf first, so the outermost frame is the last one. */
const from = (name: string): Stacks =>
  having(name).map((s) => ({ ...s, truncated: false, frames: s.frames.slice(0, s.frames.lastIndexOf(name) + 1) }));
const merged = (stacks: Stacks, name: string): Stacks =>
  stacks.map((s) => ({ ...s, frames: s.frames.filter((frame) => frame !== name) }));

/** Makes the frame current by the keyboard: its way down from the root. */
async function goTo(page: Page, name: string): Promise<void> {
  await page.getByTestId("flame").focus();
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press("ArrowDown");
    if ((await page.getByTestId("frame-detail").locator("bdi").textContent()) === name) return;
  }
  throw new Error(`${name} is not below the widest frames`);
}

test("F begins stacks at a function, and only those that have it count", async ({ page }) => {
  await open(page);
  await goTo(page, HANDLE);
  await page.keyboard.press("f");
  await expectTotals(page, sums(having(HANDLE)));
  await expectTree(page, treeOf(from(HANDLE)));
  await expect(chips(page)).toHaveText([`from${HANDLE}`]);
  await expect(page.getByTestId("flame")).toBeFocused();
  // The same in every view, and by the address.
  await showView(page, "tree");
  await expect(page.getByTestId("tree-row").first()).toContainText(HANDLE);
  await page.getByTestId("view-flame").click();
  await expect(page).toHaveURL(/from=(?!.*view=tree)/);
  const url = page.url();
  await page.goto("about:blank");
  await openFixture(page, fixture("shop.jfr"), new URL(url).hash);
  await expectTree(page, treeOf(from(HANDLE)));
  await page.getByTestId("clear").click();
  await expectTotals(page, CPU);
  await page.keyboard.press("Control+z");
  await expectTree(page, treeOf(from(HANDLE)));
});

test("M gives a function's frames to their callers, in the graph and in the table", async ({ page }) => {
  await open(page);
  await goTo(page, HANDLE);
  await page.keyboard.press("m");
  await expect(chips(page)).toHaveText([`merged${HANDLE}`]);
  await expectTree(page, treeOf(merged(CPU.stacks, HANDLE)));
  await expectTotals(page, CPU);
  await goTo(page, SEARCH);
  await page.keyboard.press("m");
  await expectTree(page, treeOf(merged(merged(CPU.stacks, HANDLE), SEARCH)));
  await showView(page, "top");
  await expect(page.getByTestId("top-row").first()).toHaveAttribute("data-id", /./);
  const rows = page.getByTestId("top-row");
  await expect(rows.filter({ hasText: SEARCH })).toHaveCount(0);
  await page.getByTestId("view-flame").click();
  await page.keyboard.press("Control+z");
  await expectTree(page, treeOf(merged(CPU.stacks, HANDLE)));
  await chips(page).getByRole("button").click();
  await expectTree(page, treeOf(CPU.stacks));
});

test("H leaves out the stacks with a function of this very name", async ({ page }) => {
  await open(page);
  await goTo(page, SEARCH);
  await page.keyboard.press("h");
  await expect(chips(page)).toHaveText([`without${SEARCH}`]);
  await expectTotals(page, sums(without(SEARCH)));
  await expectTree(page, treeOf(without(SEARCH)));
});

test("merging by a pattern comes with the address, and Why's functions follow", async ({ page }) => {
  await open(
    page,
    `#merged=${encodeURIComponent("^shop\\.Shop\\$Front\\.")}&view=overview`.replace("&view=overview", ""),
  );
  const front = CPU.stacks.map((s) => ({
    ...s,
    frames: s.frames.filter((name) => !name.startsWith("shop.Shop$Front.")),
  }));
  await expectTree(page, treeOf(front));
  await expect(chips(page)).toHaveText(["merged/^shop\\.Shop\\$Front\\./"]);
  await page.getByTestId("view-overview").click();
  await expect(page.getByTestId("why-top").getByRole("listitem").first()).toBeVisible();
  await expect(page.getByTestId("why-top").getByText("shop.Shop$Front.")).toHaveCount(0);
});

test.describe("recursion and lines", () => {
  const work = (method: string, line: number) => ({ className: "demo/Work", method, line });
  const stack = (...frames: [string, number][]) => ({
    frames: frames.map(([name, line]) => work(name, line)).reverse(),
  });
  const bytes = buildChunk(
    cpuChunk([
      { stack: stack(["main", 1], ["walk", 10], ["walk", 11], ["read", 30]), weight: 40n },
      { stack: stack(["main", 1], ["walk", 10], ["list", 20], ["walk", 12], ["read", 31]), weight: 30n },
      { stack: stack(["main", 2], ["walk", 10]), weight: 20n },
    ]),
  ).bytes;
  const tree = (picture: Record<string, number>) =>
    Object.fromEntries(
      Object.entries(picture).map(([path, value]) => [
        ["all", ...path.split(" ").filter((name) => name !== "")]
          .map((name, i) => (i === 0 ? name : `demo.Work.${name}`))
          .join(" → "),
        value,
      ]),
    );
  const WHOLE = {
    "": 90,
    main: 90,
    "main walk": 90,
    "main walk walk": 40,
    "main walk walk read": 40,
    "main walk list": 30,
    "main walk list walk": 30,
    "main walk list walk read": 30,
  };

  test("R folds a function into itself, Shift+R wherever it comes again, and both come back", async ({ page }) => {
    await page.goto("./#view=flame");
    await drop(page, { name: "walk.jfr", bytes });
    await expectTree(page, tree(WHOLE));
    await page.getByTestId("flame").focus();
    await page.keyboard.press("r");
    await expect(chips(page)).toHaveText(["collapseddirect recursion"]);
    const { "main walk walk": _, "main walk walk read": read, ...rest } = WHOLE;
    await expectTree(page, tree({ ...rest, "main walk read": read }));
    await page.keyboard.press("R");
    await expectTree(page, tree({ "": 90, main: 90, "main walk": 90, "main walk read": 70 }));
    await page.keyboard.press("R");
    await expectTree(page, tree(WHOLE));
    await page.keyboard.press("Control+z");
    await expect(chips(page)).toHaveText(["collapsedall recursion"]);
    // A link of before had it as a grouping.
    await page.goto("about:blank");
    await page.goto("./#grouping=collapsed");
    await drop(page, { name: "walk.jfr", bytes });
    await expect(chips(page)).toHaveText(["collapseddirect recursion"]);
  });

  test("L splits frames by line, and filters go by function", async ({ page }) => {
    await page.goto("./#view=flame");
    await drop(page, { name: "walk.jfr", bytes });
    await expectTree(page, tree(WHOLE));
    await page.getByTestId("flame").focus();
    await page.keyboard.press("l");
    const lines = {
      "": 90,
      "main:1": 70,
      "main:1 walk:10": 70,
      "main:1 walk:10 walk:11": 40,
      "main:1 walk:10 walk:11 read:30": 40,
      "main:1 walk:10 list:20": 30,
      "main:1 walk:10 list:20 walk:12": 30,
      "main:1 walk:10 list:20 walk:12 read:31": 30,
      "main:2": 20,
      "main:2 walk:10": 20,
    };
    await expectTree(page, tree(lines));
    await expect(page).toHaveURL(/lines=true/);
    await page.getByTestId("search").fill("read$");
    await expect(page.getByTestId("search-found")).toHaveAttribute("data-exact", "70");
    await expect(page.locator("g[data-match]")).toHaveCount(2);
    await page.getByTestId("search").fill("");
    await page.getByTestId("flame").focus();
    await page.keyboard.press("Home");
    for (const _ of [1, 2, 3]) await page.keyboard.press("ArrowDown");
    await expect(page.getByTestId("frame-detail")).toContainText("demo.Work.walk:11");
    await page.keyboard.press("s");
    await expect(page.getByTestId("sandwich-name")).toHaveText("demo.Work.walk");
    await expect(page.getByTestId("callees-of")).toHaveAttribute("data-total", "90");
  });
});
