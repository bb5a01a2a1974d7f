#!/usr/bin/env node
/**
 * node bench/page-dump.mjs [MB]: how long a user waits for the page with a generated Cloud Profiler dump of this size
 * (dump-files.mjs; 250 by default), and the tasks that blocked its main thread for 50 ms or longer during each step and
 * a second after it. Milliseconds; other jobs of the machine lengthen all of them.
 */
import { openViewer } from "../e2e/kit/viewer.mjs";
import { dumpOf } from "./dump-files.mjs";

const AFTER_MS = 1000;
const [size = "250"] = process.argv.slice(2);
const { folder } = dumpOf(Number(size), false);

const viewer = await openViewer();
try {
  const page = await viewer.browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  await page.addInitScript(() => {
    window.blocked = [];
    const watch = (list) => window.blocked.push(...list.getEntries().map(({ duration }) => Math.round(duration)));
    new PerformanceObserver(watch).observe({ type: "longtask" });
  });
  await page.goto(viewer.url);
  const step = async (name, act) => {
    await page.evaluate(() => {
      window.blocked = [];
    });
    const begin = performance.now();
    await act();
    const wait = Math.round(performance.now() - begin);
    await page.waitForTimeout(AFTER_MS);
    const blocked = await page.evaluate(() => window.blocked);
    console.log(`${name.padEnd(24)} ${String(wait).padStart(7)} ms, blocked: ${blocked.join(", ") || "never"}`);
  };
  const rows = page.getByTestId("calls-row");
  /** Until the rows are others. */
  const changed = async (act) => {
    const before = await rows.first().textContent();
    await act();
    await page.waitForFunction(
      (text) => {
        const now = document.querySelector("[data-testid=calls-row]")?.textContent ?? "";
        return now.length > 20 && now !== text;
      },
      before,
      { polling: 10, timeout: 120_000 },
    );
  };
  await step("open, to the list", async () => {
    await page.getByTestId("folder-input").setInputFiles(folder);
    await rows.first().waitFor({ timeout: 600_000 });
  });
  console.log(await page.getByTestId("calls-total").textContent());
  await step("sort by start", () => changed(() => page.getByTestId("sort-start").click()));
  await step("sort by title", () => changed(() => page.getByTestId("sort-name").click()));
  await step("scroll", async () => {
    await page.getByTestId("calls").hover();
    for (let i = 0; i < 40; i++) await page.mouse.wheel(0, 1500);
  });
  await step("filter by duration", () => changed(() => page.getByTestId("calls-min").getByText("500 ms").click()));
  await step("first graph", async () => {
    await page.getByTestId("view-flame").click();
    await page.locator("[data-testid=flame] g.frame").first().waitFor({ timeout: 600_000 });
  });
} finally {
  await viewer.close();
}
