import type { Page } from "@playwright/test";
import { buildChunk } from "../../test/kit/jfr/jfr-builder.ts";
import { cpuChunk, field } from "../../test/kit/jfr/jfr-types.ts";
import { writeCrowd } from "../kit/crowd.ts";
import { chips, drop, expect, expectTotals, listBy, rankBy, test } from "../kit/page.ts";
import { VIEW_FACTS } from "../kit/view-facts.ts";
import { eachView } from "../kit/views.ts";

const HTML = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;
const BIDI = "total\u202e\u2066gnp.elif\u200b";
const LONG = "Long".repeat(50_000);
const CONTROL = "line\nbreak\u0000\u001b[31m";

function hostile(): Uint8Array<ArrayBuffer> {
  const names = [HTML, BIDI, LONG, CONTROL, "", "__proto__", "constructor"];
  const samples = names.map((name, i) => ({
    stack: { frames: [{ className: name.slice(0, 200), method: name }] },
    thread: { javaName: name, javaId: BigInt(i + 1), osName: name, osId: BigInt(i + 1) },
    weight: BigInt(100 - i),
    span: BigInt(i + 1),
    root: BigInt(i + 1),
    more: { [HTML]: name, operation: name, toString: name },
  }));
  const context = [HTML, "operation", "toString"].map((key) => field(key, "java.lang.String"));
  return buildChunk(cpuChunk(samples, {}, context)).bytes;
}

const NAME = `"><img src=x onerror=alert(1)>\u202efdp.${"x".repeat(200)}.jfr`;

/** Nothing of the recording became an element, and no part of the page is wider than the window. */
async function expectUnharmed(page: Page): Promise<void> {
  await expect(page.locator("img, script:not([src]), iframe")).toHaveCount(0);
  await expect(page).toHaveTitle(/^(.* — )?Spanflame$/);
  const [scroll, client] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [scrollWidth, clientWidth];
  });
  expect(scroll).toBeLessThanOrEqual(client);
  const seen = await page.evaluate(() => document.body.textContent + document.title);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: their absence is the point
  expect(seen).not.toMatch(/[\u0000\u001b\u200b\u202e\u2066]/);
  const titles = await page.locator("[title]").evaluateAll((all) => all.map((e) => e.getAttribute("title") ?? ""));
  for (const title of titles) expect(title).not.toMatch(/[\u202e\u2066\u200b]/);
}

test("names with markup, bidi controls and 200,000 letters are text, and stay in their places", async ({ page }) => {
  await page.goto("./#view=flame");
  await drop(page, { name: NAME, bytes: hostile() });
  await expectTotals(page, { samples: 7, value: 100 + 99 + 98 + 97 + 96 + 95 + 94 });
  await expectUnharmed(page);
  const frames = page.getByTestId("flame").locator("g.frame");
  await expect(frames).toHaveCount(8);
  for (let i = 1; i < 8; i++) {
    await frames.nth(i).hover();
    await expect(page.getByTestId("frame-detail")).toContainText("samples by weight");
    await expectUnharmed(page);
  }
  const names = await frames.evaluateAll((all) => all.map((e) => e.getAttribute("aria-label") ?? ""));
  expect(names.filter((name) => name.includes("<img src=x onerror="))).toHaveLength(1);
  expect(names.some((name) => name.includes("total\\u202e\\u2066gnp.elif\\u200b"))).toBe(true);
  expect(Math.max(...names.map((name) => name.length))).toBeLessThan(1000);
});

test("hostile keys and values can be ranked, chosen and removed", async ({ page }) => {
  await page.goto("./#view=flame");
  await drop(page, { name: NAME, bytes: hostile() });
  await expectTotals(page, { samples: 7, value: 679 });
  for (const key of [HTML, "toString", "operation"]) {
    await rankBy(page, key);
    await expect(page.getByTestId("rank-row")).toHaveCount(6);
    const rows = page.getByTestId("rank-row");
    for (const i of [0, 1, 3]) {
      await rows.nth(i).click();
      await expectTotals(page, { samples: 1, value: 100 - i });
      await expectUnharmed(page);
    }
    // The page knows only the beginning of 200,000 letters: it reports that instead of finding nothing.
    await expect(rows.nth(2)).toHaveAttribute("title", /too long to filter by/);
    await rows.nth(2).click({ force: true });
    await expectTotals(page, { samples: 1, value: 97 });
    await page.getByTestId("clear").click();
    await expect(chips(page)).toHaveCount(0);
  }
});

test("200,000 threads and 100,000 operations are answered for on every tab, view and lane", async ({ page }, info) => {
  test.slow();
  const THREADS = 200_000;
  const path = info.outputPath("crowd.jfr");
  await writeCrowd(path, THREADS, [HTML, BIDI, CONTROL, "pool-"]);
  await page.goto("./#view=flame");
  await page.getByTestId("file-input").setInputFiles(path);
  await expectTotals(page, { samples: THREADS, value: THREADS });
  await expectUnharmed(page);

  await page.getByTestId("rank-sort").selectOption("weight");
  for (const [name, count, least] of [
    ["operation", "100,000 operations", "2"],
    ["root", "70,000 requests", "2"],
    ["span", "200,000 spans", "1"],
    ["thread", "200,000 threads", "1"],
  ] as const) {
    await listBy(page, name);
    await expect(page.getByText(count, { exact: true })).toBeVisible();
    await expect(page.getByTestId("rank-value").first()).toBeVisible();
    await page.getByRole("listbox").press("End");
    await expect(page.locator("[data-testid=rank-row][data-active] [data-testid=rank-value]")).toHaveText(least);
    await expectUnharmed(page);
  }
  await page.getByTestId("rows").fill("/^pool-19999[0-9]$/");
  await expect(page.getByText("3 threads found", { exact: true })).toBeVisible();
  await rankBy(page, "__proto__");
  await expect(page.getByText("20 values", { exact: true })).toBeVisible();

  await page.getByTestId("lanes-toggle").click();
  await expect(page.getByTestId("lanes-count")).toHaveText("the 5,000 busiest of 200,000 threads");
  await page.getByTestId("lanes-filter").fill("^pool-[0-9]$");
  await expect(page.getByTestId("lane")).toHaveText(["pool-3", "pool-7"]);
  await page.getByTestId("heat-toggle").click();
  await expect(page.getByTestId("heat-cells")).toBeVisible();
  await expectUnharmed(page);

  const eachIsSound = () =>
    eachView(page, async (view) => {
      await expect(page.locator(VIEW_FACTS[view].shows).first()).toBeVisible();
      await expectUnharmed(page);
    });
  await eachIsSound();
  // A value of the key that every object has already.
  await page.getByTestId("rank-row").first().click();
  await expectTotals(page, { samples: THREADS / 20, value: THREADS / 20 });
  await eachIsSound();
  await expect(page.getByTestId("message")).toHaveCount(0);
});

test("a hostile address is only ever text", async ({ page }) => {
  await page.goto(
    `./?sample#type=${encodeURIComponent(HTML)}&attr=${encodeURIComponent(`${HTML}=${HTML}`)}&focus=9e99`,
  );
  await expect(page.getByTestId("no-samples")).toBeVisible();
  await expect(chips(page)).toHaveCount(1);
  await expectUnharmed(page);
});

test("a zoom that the recording does not have leads to the whole graph", async ({ page }) => {
  await page.goto("./?sample#focus=4000000");
  await expectTotals(page, { samples: 899, value: 899 });
  await expect(page.getByTestId("breadcrumb")).toHaveCount(0);
  await expect(page.getByTestId("flame").locator("g.frame").first()).toBeVisible();
  await expect(page.getByTestId("message")).toHaveCount(0);
});
