/** Threads as bands of states, in the lanes of the timeline and in the chart. */
import { fileURLToPath } from "node:url";
import type { Locator, Page } from "@playwright/test";
import { expect, openFixture, test } from "../kit/page.ts";

const HOLDERS = fileURLToPath(new URL("../../fixtures/waits/holders-jdk25.jfr", import.meta.url));

/** The colour of a part in the table of parts, as three numbers. */
const colourOf = (page: Page, part: string) =>
  page
    .locator(`[data-part="${part}"]`)
    .first()
    .evaluate((key) => getComputedStyle(key).backgroundColor.match(/\d+/g));

/** Share of the opaque pixels of a line of a canvas that have a colour; the place of the middle one, 0 to 1. */
const pixelsOf = (canvas: Locator, rgb: readonly string[], line: number) =>
  canvas.evaluate(
    (element, [wanted, y]) => {
      const { width, height } = element as HTMLCanvasElement;
      const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
      context?.drawImage(element as HTMLCanvasElement, 0, 0);
      const data = context?.getImageData(0, Math.floor(y * height), width, 1).data ?? new Uint8ClampedArray();
      const isOne = (x: number) => wanted.every((each, i) => Math.abs((data[4 * x + i] ?? 0) - Number(each)) < 4);
      const found = Array.from({ length: width }, (_, x) => x).filter((x) => data[4 * x + 3] === 255 && isOne(x));
      return { share: found.length / width, middle: (found[Math.floor(found.length / 2)] ?? 0) / width };
    },
    [rgb, line] as const,
  );

test("lanes have the states of their threads, and say what a thread waited for and who held it", async ({ page }) => {
  await openFixture(page, HOLDERS, "#timeline=threads");
  const lane = page.getByTestId("lane").first();
  await expect(page.getByTestId("lane-states")).toHaveText(/CPU\s*lock\s*.*sleep/);
  const canvas = lane.locator("canvas").first();
  const lock = (await colourOf(page, "lock")) ?? [];
  await expect.poll(async () => (await pixelsOf(canvas, lock, 0.8)).share).toBeGreaterThan(0.3);
  const { middle } = await pixelsOf(canvas, lock, 0.8);
  const box = await canvas.boundingBox();
  await page.mouse.move((box?.x ?? 0) + middle * (box?.width ?? 0), (box?.y ?? 0) + 20);
  const tip = page.getByTestId("frame-tip").filter({ visible: true });
  await expect(tip).toContainText(/lock [\d.]+ .?s for Holders\$\w+/);
  await expect(tip).toContainText(/held by .* for [\d.]+ .?s/);
  await expect(tip).toContainText("demo.Holders.use");
  await expect(tip).not.toContainText("no samples");
  // Nothing of the page is over it.
  const { x = 0, y = 0, width = 0 } = (await tip.boundingBox()) ?? {};
  const isTop = await page.evaluate(
    ([left, top]) => {
      const tooltip = document.querySelector<HTMLElement>("[data-testid=frame-tip]:not([hidden])");
      tooltip?.style.setProperty("pointer-events", "auto");
      return tooltip?.contains(document.elementFromPoint(left, top)) === true;
    },
    [x + width / 2, y + 8] as const,
  );
  expect(isTop).toBe(true);
});

test("a selection is what stands out of the lanes", async ({ page }) => {
  await openFixture(page, HOLDERS, "#timeline=threads");
  const canvas = page.getByTestId("lane").first().locator("canvas").first();
  const lock = (await colourOf(page, "lock")) ?? [];
  const share = async () => (await pixelsOf(canvas, lock, 0.8)).share;
  await expect.poll(share).toBeGreaterThan(0.3);
  const all = await share();
  await page.getByTestId("rank-row").first().click();
  await expect(page.getByTestId("chip")).toHaveCount(1);
  // What is left out is pale.
  await expect.poll(share).toBeLessThan(0.9 * all);
});

test("the chart has a row of states above the samples of a thread, with the wait in its detail", async ({ page }) => {
  await openFixture(page, HOLDERS);
  await page.getByTestId("view-chart").click();
  await expect(page.getByTestId("chart-state").filter({ hasText: "lock" })).toBeAttached();
  const current = page.getByTestId("chart-current");
  await page.getByTestId("chart-rows").focus();
  // The first box is a state.
  await expect(current).toHaveAttribute("aria-label", /^(lock|CPU|sleep|park)/);
  for (let i = 0; i < 9 && !/^lock/.test((await current.getAttribute("aria-label")) ?? ""); i++) {
    await page.keyboard.press("ArrowRight");
  }
  await expect(current).toHaveAttribute("aria-label", "lock");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("sample-state")).toContainText(/lock [\d.]+ .?s for Holders\$\w+/);
  await expect(page.getByTestId("sample-state")).toContainText("held by");
});
