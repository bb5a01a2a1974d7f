/** Names of 200 characters and counts of twelve digits, in every view and in narrow windows: no control is covered. */
import type { Page } from "@playwright/test";
import { buildChunk } from "../../test/kit/jfr/jfr-builder.ts";
import { type CpuSample, cpuChunk, field } from "../../test/kit/jfr/jfr-types.ts";
import { drop, expect, test } from "../kit/page.ts";
import { eachView } from "../kit/views.ts";

const long = (word: string, i = 0) => `${word}${i}`.repeat(200 / word.length);
const FRAMES = Array.from({ length: 12 }, (_, i) => ({
  className: `com/${long("shop", i)}`,
  method: long("total", i),
}));

const SAMPLES = Array.from({ length: 40 }, (_, i): CpuSample => {
  const name = `${long("worker")}-${i % 3}`;
  return {
    at: BigInt(i) * 20_000_000n,
    stack: { frames: FRAMES.slice(i % 4) },
    thread: { javaName: name, javaId: BigInt((i % 3) + 1), osName: name, osId: BigInt((i % 3) + 1) },
    weight: 123_456_789_000n,
    span: BigInt((i % 5) + 1),
    root: BigInt((i % 5) + 1),
    more: { operation: long("checkout", i % 2), tenant: long("tenant") },
  };
});

const FILE = {
  name: `${"recording".repeat(22)}.jfr`,
  bytes: buildChunk(
    cpuChunk(
      SAMPLES,
      {},
      ["operation", "tenant"].map((key) => field(key, "java.lang.String")),
    ),
  ).bytes,
};

/** Controls in the window whose middle is another element's: covered, or cut by a box that does not scroll. */
function covered(page: Page, within = "body"): Promise<string[]> {
  return page.evaluate((within) => {
    const found: string[] = [];
    for (const control of document.querySelectorAll<HTMLElement>(`${within} :is(button, input, select, a[href])`)) {
      const { left, top, width, height } = control.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      const name = control.dataset.testid ?? control.getAttribute("aria-label") ?? control.textContent ?? "";
      if (width === 0 || !control.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      let isScrolled = false;
      for (let around = control.parentElement; around !== null; around = around.parentElement) {
        const box = around.getBoundingClientRect();
        const isOutside = x < box.left || x > box.right || y < box.top || y > box.bottom;
        if (isOutside && /auto|scroll/.test(getComputedStyle(around).overflow)) isScrolled = true;
      }
      const at = document.elementFromPoint(x, y);
      // Below the window, which scrolls there.
      if (at === null || isScrolled || control.contains(at) || control.closest("label")?.contains(at)) continue;
      found.push(`${name} at ${Math.round(x)}, ${Math.round(y)}: ${at.outerHTML.slice(0, 80)}`);
    }
    return found;
  }, within);
}

test("long names and large counts cover no control, at any width", async ({ page }) => {
  test.setTimeout(180_000);
  await page.goto("./#root=1");
  await drop(page, FILE);
  await expect(page.getByTestId("selection")).toHaveAttribute("aria-busy", "false");
  for (const [width, height] of [
    [390, 844],
    [720, 450],
    [1024, 768],
  ] as const) {
    await page.setViewportSize({ width, height });
    await eachView(page, async (view) => {
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth), view)
        .toBeLessThanOrEqual(width);
      await expect.poll(() => covered(page), view).toEqual([]);
    });
    await page.getByTestId("export").click();
    await expect(page.getByTestId("export-dialog")).toBeVisible();
    await expect.poll(() => covered(page, "[data-testid=export-dialog]")).toEqual([]);
    await page.keyboard.press("Escape");
    await expect(page.getByTestId("export-dialog")).toBeHidden();
  }
});
