/** The frame of the page around the views: how much of the window it leaves them. */
import type { Page } from "@playwright/test";
import { expectNothingByAxe } from "../kit/axe.ts";
import { fixture } from "../kit/expected.ts";
import { chips, expect, openFixture, showView, test } from "../kit/page.ts";

const AGENT = fixture("recorded/ddagent-jdk17.jfr");
const HEIGHT = 844;

const boxOf = async (page: Page, id: string) => (await page.getByTestId(id).boundingBox())!;
const graphHeight = (page: Page) =>
  page
    .getByTestId("flame")
    .locator("..")
    .evaluate((scroller) => scroller.getBoundingClientRect().height);

async function selectRequest(page: Page) {
  await openFixture(page, AGENT, "#type=cpu&by=root&view=flame");
  if (await page.getByTestId("drawer").isVisible()) await page.getByTestId("drawer").click();
  await page.getByTestId("rank-row").first().click();
  await expect(page.getByTestId("selection")).toHaveAttribute("aria-busy", "false");
}

test("on a phone the graph has 60 % of the height, also with a request selected", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: HEIGHT });
  await openFixture(page, AGENT, "#view=flame");
  expect(await graphHeight(page)).toBeGreaterThanOrEqual(0.6 * HEIGHT);
  await page.goto("about:blank");
  await selectRequest(page);
  expect(await graphHeight(page)).toBeGreaterThanOrEqual(0.6 * HEIGHT);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(HEIGHT);

  // What had no room is behind buttons.
  await expect(page.getByTestId("undo")).toBeHidden();
  await page.getByTestId("filters-more").click();
  for (const id of ["undo", "redo", "clear", "passing"]) await expect(page.getByTestId(id)).toBeInViewport();
  await page.getByTestId("clear").click();
  await expect(chips(page)).toHaveCount(0);
  await expect(page.getByTestId("undo")).toBeFocused();
  await page.getByTestId("view-menu").click();
  await page.getByTestId("grouping").getByText("Callers").click();
  await expect(page).toHaveURL(/grouping=callers/);
  await page.keyboard.press("Escape");
  await page.getByTestId("timeline-show").click();
  await expect(page.getByTestId("lanes-toggle")).toBeInViewport();
});

test("a search on a phone begins with a button, and its field has the whole row", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: HEIGHT });
  await openFixture(page, AGENT, "#view=flame");
  const top = (await boxOf(page, "flame")).y;
  await page.getByTestId("search").click();
  await page.getByTestId("search").fill("demo");
  await expect(page.getByTestId("search-only")).toBeInViewport({ ratio: 1 });
  expect((await boxOf(page, "search")).width).toBeGreaterThan(350);
  expect((await boxOf(page, "flame")).y).toBe(top);
});

test("below the views is one line of 28 px, which the pointer does not move", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await selectRequest(page);
  const bottom = () =>
    page
      .getByTestId("flame")
      .locator("..")
      .evaluate((scroller) => innerHeight - scroller.getBoundingClientRect().bottom);
  expect(await bottom()).toBe(28);
  const { x } = await boxOf(page, "total-samples");
  for (const index of [0, 4, 8]) {
    await page.getByTestId("flame").locator("g.frame").nth(index).hover({ force: true });
    expect([await bottom(), (await boxOf(page, "total-samples")).x]).toEqual([28, x]);
  }
});

test("the tabs of the views stay where they are when something is selected", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openFixture(page, AGENT, "#type=cpu&by=root&view=flame");
  await expect(page.getByTestId("recording-line")).toContainText("Length");
  const { y } = await boxOf(page, "view-flame");
  await page.getByTestId("rank-row").first().click();
  await expect(page.getByTestId("selection")).toHaveAttribute("aria-busy", "false");
  expect((await boxOf(page, "view-flame")).y).toBe(y);
  await page.getByTestId("view-diff").click();
  await expect(page.getByTestId("baseline")).toBeVisible();
  // Its tools are one line.
  const middle = async (id: string) => {
    const { y: top, height } = await boxOf(page, id);
    return Math.round(top + height / 2);
  };
  expect(new Set(await Promise.all(["baseline", "pin", "diff-scale", "view-menu"].map(middle))).size).toBe(1);
});

test("the field for frames is at least 220 px wide", async ({ page }) => {
  await openFixture(page, AGENT, "#type=cpu&view=flame&search=demo");
  for (const width of [1440, 1280, 1100, 1024, 900, 842, 800, 720]) {
    await page.setViewportSize({ width, height: 800 });
    // While the tools move to another line, the field is in none.
    await expect.poll(async () => (await page.getByTestId("search").boundingBox())?.width).toBeGreaterThanOrEqual(220);
    await expect(page.getByTestId("search")).toBeInViewport({ ratio: 1 });
  }
  await page.getByTestId("search").focus();
  await expect(page.getByTestId("search-found")).toHaveText(/^[\d,]+ matches · [\d.]+ % of total$/);
  for (const word of ["Keep", "Exclude", "Merge"])
    await expect(page.getByRole("search").getByRole("button", { name: word })).toBeInViewport({ ratio: 1 });
});

test("in a low window both halves of the sandwich have room for frames", async ({ page }) => {
  await openFixture(page, AGENT, "#type=cpu&view=sandwich");
  for (const [width, height] of [
    [720, 450],
    [844, 450],
    [390, 640],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const side of ["callers-of", "callees-of"])
      await expect
        .poll(async () => (await page.getByTestId(side).locator("[part=graph]").boundingBox())?.height)
        .toBeGreaterThanOrEqual(40);
    await expect(page.getByTestId("pick-row").first()).toBeInViewport();
  }
});

test("no tool of a view is out of reach in a narrow window", async ({ page }) => {
  for (const width of [1024, 390]) {
    await page.setViewportSize({ width, height: HEIGHT });
    for (const [view, tools] of [
      ["tree", ["search", "hottest-path", "view-menu"]],
      ["diff", ["baseline", "pin", "diff-scale", "diff-shape", "search", "view-menu"]],
    ] as const) {
      await page.goto("about:blank");
      await openFixture(page, AGENT, "#type=cpu&attr=thread.name%3Dworker-1&view=flame");
      await showView(page, view);
      for (const id of tools) await expect(page.getByTestId(id)).toBeInViewport({ ratio: 1 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  }
});

test("every control of the frame is 24 px large, or as far from the others", async ({ page }) => {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    // A phone has the timeline closed from the beginning.
    await page.goto("about:blank");
    await page.goto("./?sample#view=flame");
    await expect(page.getByTestId("flame").locator("g.frame").first()).toBeVisible();
    if (width === 390) await page.getByTestId("timeline-show").click();
    await expect(page.getByTestId("jvm-toggle")).toBeVisible();
    await expectNothingByAxe(page, { targetsOf: "body" });
  }
});
