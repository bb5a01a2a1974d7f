/** What is left of the page on paper, and in a narrow window. */
import { inflateSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { fixture } from "../kit/expected.ts";
import { drop, expect, openFixture, test } from "../kit/page.ts";
import { WITH_EVERY_VIEW } from "../kit/view-lists.ts";
import { eachView } from "../kit/views.ts";

const AGENT = fixture("recorded/ddagent-jdk17.jfr");
const HASH = "#type=cpu&attr=thread.name%3Dworker-1";

const background = (page: Page) =>
  page.evaluate(() => {
    const rect = document.querySelector<SVGRectElement>("[data-testid=flame] g.frame rect");
    return { page: getComputedStyle(document.body).backgroundColor, frame: rect?.getAttribute("fill") };
  });

test("prints what is filtered and the graph at the paper's width, in light colours, without the bars", async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: "light" });
  await openFixture(page, AGENT, HASH);
  const light = await background(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(() => background(page)).not.toEqual(light);

  await page.emulateMedia({ colorScheme: "dark", media: "print" });
  await page.setViewportSize({ width: 700, height: 1000 });
  await expect.poll(() => background(page)).toEqual(light);
  for (const id of [
    "export",
    "drawer",
    "rank-row",
    "view-flame",
    "undo",
    "clear",
    "id-input",
    "search",
    "lanes-toggle",
  ])
    await expect(page.getByTestId(id).first()).toBeHidden();
  await expect(page.getByTestId("print-head")).toHaveText("cpu · ddagent-jdk17.jfr");
  await expect(page.getByTestId("chip")).toHaveText(/thread\.name =worker-1/);
  await expect(page.getByTestId("total-samples")).toBeVisible();
  await expect(page.getByTestId("folded")).toBeVisible();
  const paper = page.getByTestId("paper");
  await expect(page.getByTestId("flame")).toBeHidden();
  await expect.poll(async () => (await paper.boundingBox())?.width).toBe(700);
  // Every box that was on screen, as parts of a path for each colour.
  const printed = await paper
    .locator("path")
    .evaluateAll((paths) => paths.reduce((n, path) => n + (path.getAttribute("d") ?? "").split("M").length - 1, 0));
  const drawn = await page
    .getByTestId("flame")
    .locator("canvas")
    .evaluate((canvas) => {
      const { __data__: layout } = canvas as unknown as { __data__: { boxes: number } };
      return layout.boxes;
    });
  expect(drawn).toBeGreaterThan(40);
  expect(printed).toBe(drawn);
  await expect(paper.locator("text").first()).toHaveText("all");
  await expect(page.getByTestId("legend").getByRole("button").first()).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(700);

  await page.emulateMedia({ colorScheme: "dark", media: "screen" });
  await expect(page.getByTestId("print-head")).toBeHidden();
  await expect(paper).toHaveCount(0);
  await expect.poll(() => background(page)).not.toEqual(light);
});

/** The colours that a PDF fills with: its streams of drawing commands are deflated. */
function fillsOf(pdf: string): string[] {
  const fills = [...pdf.matchAll(/stream\r?\n(.*?)\r?\nendstream/gs)].flatMap(([, data = ""]) => {
    try {
      const commands = inflateSync(Buffer.from(data, "latin1")).toString("latin1");
      return [...commands.matchAll(/[\d.]+ [\d.]+ [\d.]+ rg/g)].map(([fill]) => fill);
    } catch {
      return [];
    }
  });
  return [...new Set(fills)].sort();
}

test("a PDF of a graph that fits one page is one page, the same by night", async ({ page }) => {
  const printed = async (colorScheme: "light" | "dark") => {
    await page.emulateMedia({ colorScheme });
    return (await page.pdf({ format: "A4" })).toString("latin1");
  };
  await page.emulateMedia({ colorScheme: "light" });
  await openFixture(page, AGENT, HASH);
  const day = await printed("light");
  const night = await printed("dark");
  expect(day.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  expect(night.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  expect(fillsOf(day).length).toBeGreaterThan(4);
  expect(fillsOf(night)).toEqual(fillsOf(day));
});

const WINDOWS = [
  [360, 740],
  [600, 800],
  [800, 600],
  // 1440 by 900 at 200 %.
  [720, 450],
  [1280, 800],
] as const;

/** A view has the width of the view before it until the browser has laid it out. */
const fits = (page: Page, width: number) => (view: string) =>
  expect.poll(async () => [view, await wideOf(page)]).toEqual([view, width]);
const wideOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

for (const [name, files] of WITH_EVERY_VIEW) {
  test(`no view of ${name} is wider than the window`, async ({ page }) => {
    test.setTimeout(240_000);
    await page.goto("./#view=flame");
    await drop(page, ...files());
    for (const [width, height] of WINDOWS) {
      await page.setViewportSize({ width, height });
      await eachView(page, fits(page, width));
    }
  });
}

for (const [width, height] of WINDOWS) {
  test(`at ${width} pixels nothing is wider than the window, and the graph has room`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await openFixture(page, AGENT, HASH);
    // The line of the selection is at its widest when its facts are there.
    await expect(page.getByTestId("selection")).toHaveAttribute("aria-busy", "false");
    expect(await wideOf(page)).toBeLessThanOrEqual(width);
    const graph = await page.getByTestId("flame").locator("..").boundingBox();
    expect(graph?.height).toBeGreaterThan(160);

    const drawer = page.getByTestId("drawer");
    const row = page.getByTestId("rank-row").first();
    if (width > 840) {
      await expect(drawer).toBeHidden();
      await expect(row).toBeVisible();
    } else {
      await expect(row).toBeHidden();
      await drawer.press("Enter");
      await expect(drawer).toHaveAttribute("aria-expanded", "true");
      await row.click();
      await expect(page.getByTestId("chip")).toHaveCount(2);
      await expect(row).toBeHidden();
      await expect(drawer).toHaveAttribute("aria-expanded", "false");
      expect(await wideOf(page)).toBeLessThanOrEqual(width);
    }
    await eachView(page, fits(page, width));
    await page.getByTestId("export").click();
    await expect(page.getByTestId("export-dialog")).toBeVisible();
    const box = await page.getByTestId("export-dialog").boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
  });
}
