/** The frame of the page around the views: how much of the window it leaves them. */
import type { Page } from "@playwright/test";
import { expectNothingByAxe } from "../kit/axe.ts";
import { fixture } from "../kit/expected.ts";
import { chips, expect, openFixture, showTimeline, showView, tabTo, test } from "../kit/page.ts";

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
  await expect(page.getByTestId("recording-line")).toHaveCount(0);
  const { y } = await boxOf(page, "view-flame");
  await page.getByTestId("rank-row").first().click();
  await expect(page.getByTestId("selection")).toHaveAttribute("aria-busy", "false");
  expect((await boxOf(page, "view-flame")).y).toBe(y);
  await page.getByTestId("view-overview").click();
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
    await showTimeline(page);
    await expect(page.getByTestId("jvm-toggle")).toBeVisible();
    await expectNothingByAxe(page, { targetsOf: "body" });
  }
});

/** Rows of the lists of the overview: content, of which a recording may have any number. */
const ROWS = "[data-testid=slow-request], [data-testid=overview-endpoint]";
const CONTROLS = "button, a[href], input, select, textarea, summary, [role=tab], [role=slider], [role=option]";

test.describe("on a first visit", () => {
  test.use({ remembered: {} });

  const timeline = (page: Page) => page.getByRole("region", { name: "Timeline" });
  const tall = async (page: Page) => (await timeline(page).boundingBox())?.height ?? 0;

  async function openSample(page: Page, hash: string): Promise<void> {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`./?sample${hash}`);
    await expect(page.getByTestId("total-samples")).toBeVisible();
    await expect(page.getByTestId("incoming")).toHaveCount(0);
  }

  test("the overview of the sample has at most 30 controls, without the rows of its lists", async ({ page }) => {
    await openSample(page, "");
    await expect(page.getByTestId("slow-request").first()).toBeVisible();
    const names = await page.locator(`:is(${CONTROLS}):not(${ROWS})`).evaluateAll((all) =>
      all.flatMap((each) => {
        const { top, bottom, left, right } = each.getBoundingClientRect();
        const isInside = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth && bottom > top;
        const isSeen = isInside && each.checkVisibility({ opacityProperty: true, visibilityProperty: true });
        return isSeen ? [each.getAttribute("aria-label") ?? each.textContent] : [];
      }),
    );
    expect(names).toContain("Overview");
    expect(names.length, names.join(", ")).toBeLessThanOrEqual(30);
  });

  test("the graph has 85 % of the width and 80 % of the height of the window", async ({ page }) => {
    await openSample(page, "#view=flame");
    await expect(page.getByTestId("flame").locator("g.frame").first()).toBeVisible();
    const graph = page.getByTestId("flame").locator("..");
    const { width, height } = (await graph.boundingBox()) ?? { width: 0, height: 0 };
    const { width: drawn } = await boxOf(page, "flame");
    expect(Math.min(width, drawn)).toBeGreaterThanOrEqual(0.85 * 1440);
    expect(height).toBeGreaterThanOrEqual(0.8 * 900);
  });

  test("the timeline is 24 px high until the pointer or the focus is there, and moves nothing", async ({ page }) => {
    await openSample(page, "#view=flame");
    await expect(page.getByTestId("flame").locator("g.frame").first()).toBeVisible();
    const { y } = await boxOf(page, "flame");
    await page.mouse.move(700, 700);
    // With the line below it.
    expect(await tall(page)).toBe(25);
    await timeline(page).hover();
    await expect.poll(() => tall(page)).toBeGreaterThan(40);
    await expect(page.getByTestId("zoom-in")).toHaveCSS("opacity", "1");
    expect((await boxOf(page, "flame")).y).toBe(y);
    await page.mouse.move(700, 700);
    await expect.poll(() => tall(page)).toBe(25);
    await expect(page.getByTestId("zoom-in")).toHaveCSS("opacity", "0");

    await tabTo(page, page.getByTestId("lanes-toggle"));
    await expect.poll(() => tall(page)).toBeGreaterThan(40);
    await expectNothingByAxe(page);
    await tabTo(page, page.getByTestId("timeline-show"));
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("timeline-hide")).toBeFocused();
    await expect.poll(async () => (await boxOf(page, "flame")).y).toBeGreaterThan(y);
    // This browser remembers it.
    await page.goto("about:blank");
    await openSample(page, "#view=flame");
    await expect(page.getByTestId("timeline-hide")).toBeVisible();
    await page.getByTestId("timeline-hide").click();
    await page.mouse.move(700, 700);
    await expect.poll(() => tall(page)).toBe(25);
  });

  test("a range is dragged over the low timeline, and its lanes stay while they are wanted", async ({ page }) => {
    await openSample(page, "#view=flame");
    const area = await boxOf(page, "timeline-area");
    await page.mouse.move(area.x + 300, area.y + 12);
    await page.mouse.down();
    await page.mouse.move(area.x + 500, area.y + 200, { steps: 4 });
    await page.mouse.up();
    await expect(chips(page)).toHaveCount(1);
    await page.mouse.move(700, 700);
    await expect.poll(() => tall(page)).toBe(25);
    await timeline(page).hover();
    await page.getByTestId("lanes-toggle").click();
    await page.mouse.move(700, 800);
    await expect(page.getByTestId("lanes")).toBeInViewport();
    await expect.poll(() => tall(page)).toBeGreaterThan(100);
    await page.getByTestId("lanes-toggle").click();
    await page.mouse.move(700, 800);
    await expect.poll(() => tall(page)).toBe(25);
  });

  test.describe("by touch", () => {
    test.use({ hasTouch: true });

    test("a tap opens the timeline, and presses nothing in it", async ({ page }) => {
      await openSample(page, "#view=flame");
      const { x, y } = await boxOf(page, "lanes-toggle");
      await page.touchscreen.tap(x + 20, y + 12);
      await expect.poll(() => tall(page)).toBeGreaterThan(40);
      await expect(page.getByTestId("lanes")).toHaveCount(0);
      await page.touchscreen.tap(x + 20, y + 12);
      await expect(page.getByTestId("lanes")).toBeInViewport();
    });
  });
});
