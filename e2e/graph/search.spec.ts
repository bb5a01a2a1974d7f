/** The search in every view of frames, against the matches and filters of the core in Node. */
import type { Page } from "@playwright/test";
import type { Core } from "../../src/core/core.ts";
import type { Filter } from "../../src/core/types.ts";
import { PROFILER } from "../../src/model/query/run-rules.ts";
import { coreOf, profileIn } from "../kit/core.ts";
import { fixture } from "../kit/expected.ts";
import { drawnFrames } from "../kit/flame.ts";
import { chips, expect, expectTotals, openFixture, showView, tabTo, test } from "../kit/page.ts";
import { FRAME_VIEWS } from "../kit/view-lists.ts";

const RECORDING = fixture("recorded/ddagent-jdk17.jfr");
const PATTERN = "search|compute";
const IS_FOUND = /search|compute/i;

let core: Core;
test.beforeAll(async () => {
  core = await coreOf([RECORDING]);
});

const select = (filter: Filter) => core.select(profileIn(core, "cpu").id, filter);
const open = async (page: Page, view: string, hash = `#search=${encodeURIComponent(PATTERN)}`) => {
  await openFixture(page, RECORDING, hash);
  await showView(page, view);
};
const names = (page: Page, testId: string) =>
  page.getByTestId(`${testId}-row`).evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.id ?? ""));

test("says the share through matches in every view of frames, and keeps what is looked for", async ({ page }) => {
  const { value } = select({ frames: [{ pattern: PATTERN }] });
  await open(page, "flame", "");
  await page.keyboard.press("/");
  await page.keyboard.type(PATTERN);
  for (const view of FRAME_VIEWS) {
    await showView(page, view);
    await expect(page.getByTestId("search")).toHaveValue(PATTERN);
    await expect(page.getByTestId("search-found")).toHaveAttribute("data-exact", String(value));
  }
});

test("Top marks what is found, and shows nothing else when asked to", async ({ page }) => {
  await open(page, "top");
  select({});
  const all = core.views.top("total", 0, 100_000).rows;
  const found = all.filter(({ name }) => IS_FOUND.test(name)).map(({ name }) => name);
  expect(found.length).toBeGreaterThan(2);
  await page.getByTestId("sort-total").click();
  const marked = page.getByTestId("top-row").filter({ has: page.locator("[data-match]") });
  await expect(marked.first()).toHaveAttribute("data-id", found[0] ?? "");
  for (const name of await marked.evaluateAll((rows) => rows.map((row) => row.dataset.id))) {
    expect(found).toContain(name);
  }
  await tabTo(page, page.getByTestId("only-found"));
  await page.keyboard.press("Space");
  await expect.poll(() => names(page, "top")).toEqual(found.slice(0, 40));
  await expect(page.getByTestId("top")).toHaveAttribute("aria-rowcount", String(found.length + 1));
  await expect(page).toHaveURL(/only=found/);
  // Looked for no more, all of them are there again.
  await page.getByTestId("search").press("Escape");
  await expect(page.getByTestId("top")).toHaveAttribute("aria-rowcount", String(all.length + 1));
  await page.getByTestId("search").fill("nothing is called this");
  await expect(page.getByTestId("top-row")).toHaveCount(0);
  await expect(page.getByTestId("search-found")).toHaveText("No match");
});

test("the call tree opens as far as a match is down, one after the other", async ({ page }) => {
  await open(page, "tree", `#search=${encodeURIComponent(PATTERN)}&profiler=shown`);
  select({});
  const { nodes } = core.views.search(PATTERN);
  expect(nodes.length).toBeGreaterThan(2);
  await expect(page.getByTestId("tree-row").first()).toBeVisible();
  const current = page.locator("[data-testid=tree-row][aria-selected=true]");
  await tabTo(page, page.getByTestId("tree"));
  await expect(page.getByTestId("search-found")).toHaveAttribute("data-exact", /\d/);
  for (const [key, at] of [
    ["n", 0],
    ["n", 1],
    ["n", 2],
    ["Shift+N", 1],
  ] as const) {
    await page.keyboard.press(key);
    await expect(current).toHaveAttribute("data-id", String(nodes[at]));
    await expect(current.locator("[data-match]")).toHaveText(IS_FOUND);
    await expect(current).toBeInViewport();
  }
  await page.getByTestId("search").hover();
  await page.getByRole("button", { name: "Next match" }).click();
  await expect(current).toHaveAttribute("data-id", String(nodes[2]));
});

test("both halves of the sandwich highlight it, and N walks in the one at hand", async ({ page }) => {
  await open(page, "sandwich", `#search=run&function=${encodeURIComponent("java.lang.Thread.run")}`);
  for (const side of ["callers-of", "callees-of"]) {
    const half = page.getByTestId(side);
    await expect(half.locator("g[data-match]").first()).toBeVisible();
    for (const name of await half.locator("g[data-match]").evaluateAll((all) => all.map((g) => g.ariaLabel))) {
      expect(name).toMatch(/run/i);
    }
  }
  const below = page.getByTestId("callees-of");
  await below.getByTestId("flame").focus();
  await page.keyboard.press("n");
  // Also where the current frame is too narrow for a label.
  const current = below.locator("[data-match][data-current]");
  await expect(current).toHaveAttribute("aria-level", "2");
  const walked = [await current.getAttribute("id")];
  for (let i = 0; i < 2; i++) {
    await page.keyboard.press("n");
    // A prefix is found where one of its frames is.
    await expect(current).toHaveAttribute("aria-label", /run| · \d/i);
    await expect(current).not.toHaveAttribute("id", walked.at(-1) ?? "");
    walked.push(await current.getAttribute("id"));
    await expect(below.getByTestId("flame")).toHaveAttribute("aria-activedescendant", walked.at(-1) ?? "");
  }
  expect(new Set(walked).size).toBe(3);
});

test("a comparison highlights it, as graph and as table", async ({ page }) => {
  select({});
  const [root] = core.views.rank({ kind: "local-root" }, 0, 1).rows;
  await open(page, "diff", `#type=cpu&search=${encodeURIComponent(PATTERN)}&root=${root?.id}`);
  const { value } = select({ localRoot: root?.id ?? 0n, frames: [{ pattern: PATTERN }] });
  await expect(page.getByTestId("search-found")).toHaveAttribute("data-exact", String(value));
  await expect(page.locator("g[data-match]").first()).toHaveAttribute("aria-label", IS_FOUND);
  await page.getByTestId("diff-shape").getByText("functions").click();
  await expect(page.locator("[data-testid=changed-row] [data-match]").first()).toHaveText(IS_FOUND);
  const plain = page.getByTestId("changed-row").filter({ hasText: IS_FOUND, hasNot: page.locator("[data-match]") });
  await expect(plain).toHaveCount(0);
});

test("what is found is kept, left out, or merged", async ({ page }) => {
  await open(page, "top");
  await page.getByTestId("search").click();
  await page.getByTestId("search-only").click();
  await expectTotals(page, select({ frames: [{ pattern: PATTERN }] }));
  await expect(page.getByTestId("search")).toBeFocused();
  await expect(page.getByTestId("search")).toHaveValue("");
  await page.getByTestId("undo").click();
  await page.getByTestId("search").fill(PATTERN);
  await page.getByTestId("search-without").click();
  await expect(chips(page)).toHaveText([`no frame/${PATTERN}/`]);
  await expectTotals(page, select({ frames: [{ pattern: PATTERN, exclude: true }] }));
  await chips(page).getByRole("button").click();

  await page.getByTestId("search").fill(PATTERN);
  await page.getByTestId("search-merge").click();
  await expect(chips(page)).toHaveText([`merged/${PATTERN}/`]);
  await expectTotals(page, select({}));
  core.views.shape({ from: "", merged: [PATTERN], recursion: "kept", lines: false });
  const rows = core.views.top("self", 0, 10, { last: PROFILER }).rows.map(({ name }) => name);
  core.views.shape({ from: "", merged: [], recursion: "kept", lines: false });
  await expect.poll(async () => (await names(page, "top")).slice(0, 10)).toEqual(rows);
});

test("frames are merged by a pattern in the settings of the graph, by keys alone", async ({ page }) => {
  await open(page, "flame", "");
  const found = async () => (await drawnFrames(page)).filter(({ name }) => /^java\./.test(name)).length;
  await expect.poll(found).toBeGreaterThan(3);
  await tabTo(page, page.getByTestId("view-menu"));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByTestId("merge"));
  await page.keyboard.type("^java\\.(");
  await expect(page.getByTestId("merge-error")).toHaveText(/missing closing/);
  await expect(page.getByTestId("merge-do")).toBeDisabled();
  await page.keyboard.press("Enter");
  await expect(chips(page)).toHaveCount(0);
  await page.keyboard.press("Backspace");
  await expect(page.getByTestId("merge-error")).toHaveText("");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("merge")).toHaveValue("");
  await page.keyboard.press("Escape");
  await expect(chips(page)).toHaveText(["merged/^java\\./"]);
  await expect.poll(found).toBe(0);
  await expectTotals(page, select({}));
  await page.keyboard.press("Control+z");
  await expect.poll(found).toBeGreaterThan(3);
});
