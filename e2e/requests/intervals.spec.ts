/** Recordings with different sampling intervals on one page: each sample counts the interval of its own file. */
import type { Page } from "@playwright/test";
import { coreOf, profileIn } from "../kit/core.ts";
import { fixture } from "../kit/expected.ts";
import { drop, expect, fromDisk, test } from "../kit/page.ts";

// A sample each 5 ms, and each 2 ms.
const FILES = [fixture("recorded/dd152-jdk17-all.jfr"), fixture("recorded/dd152-jdk17-remotesym.jfr")];

/** Times of all CPU samples and of the heaviest function, as shown. */
async function times(page: Page, files: string[]): Promise<string[]> {
  // The same address again would keep the page, and its recording.
  await page.goto("about:blank");
  await page.goto("./#type=cpu&view=top");
  await drop(page, ...files.map((file) => fromDisk(file)));
  const row = page.getByTestId("top-row").first();
  // Before the answer, a row has its place only.
  await expect(row).not.toHaveAttribute("data-id", "");
  await expect(page.getByTestId("incoming")).toHaveCount(0);
  const total = await page.getByTestId("total-value").getAttribute("data-exact");
  return [total ?? "", ...(await row.getByRole("gridcell").allTextContents())];
}

test("B1: two files with different intervals add up to the sum of their times, in either order", async ({ page }) => {
  const sums = await Promise.all(
    FILES.map(async (file) => {
      const core = await coreOf([file]);
      const { id, period } = profileIn(core, "cpu");
      const { value } = core.select(id, {});
      return { value, period };
    }),
  );
  expect(new Set(sums.map(({ period }) => period)).size).toBe(2);
  const nanos = sums.reduce((sum, { value, period }) => sum + value * BigInt(period), 0n);

  const [first, ...rest] = await times(page, FILES);
  expect(BigInt(first ?? 0)).toBe(nanos);
  const other = await times(page, [...FILES].reverse());
  expect(other).toEqual([first, ...rest]);
});
