/** Patterns that would backtrack without end, and patterns past the limits: by address, by typing, and in a report. */
import { mkdtemp, rm, writeFile as save } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "@playwright/test";
import { buildChunk } from "../../test/kit/jfr/jfr-builder.ts";
import { cpuChunk } from "../../test/kit/jfr/jfr-types.ts";
import { exportFile } from "../kit/export.ts";
import { chips, drop, expect, expectTotals, inFlame, showView, test } from "../kit/page.ts";

const BACKTRACKING = "(a+)+$";
const NAME = `${"a".repeat(40)}!`;
const OTHERS = 5;

function hostile(): Uint8Array<ArrayBuffer> {
  const samples = [NAME, ...Array.from({ length: OTHERS }, (_, i) => `other${i}`)].map((method, i) => ({
    stack: { frames: [{ className: null, method }] },
    thread: { javaName: method, javaId: BigInt(i + 1), osName: method, osId: BigInt(i + 1) },
    weight: 1n,
    span: BigInt(i + 1),
    root: BigInt(i + 1),
  }));
  return buildChunk(cpuChunk(samples)).bytes;
}

const open = async (page: Page, hash = "") => {
  await page.goto(`./${inFlame(hash)}`);
  await drop(page, { name: "hostile.jfr", bytes: hostile() });
};
const found = (page: Page) => page.getByTestId("search-found");

test("a search that would backtrack without end comes by address, and the page goes on", async ({ page }) => {
  await open(page, `#search=${encodeURIComponent(BACKTRACKING)}`);
  await expect(found(page)).toHaveText("No match");
  await showView(page, "top");
  await expect(page.getByTestId("top-row")).toHaveCount(OTHERS + 1);
  await page.getByTestId("search").fill("(a+)+!$");
  await expect(found(page)).toContainText("1 match");
});

test("a filter that would backtrack without end comes by address, and the page goes on", async ({ page }) => {
  await open(page, `#frame=${encodeURIComponent(BACKTRACKING)}&merged=${encodeURIComponent("(a|aa)+$")}`);
  await expectTotals(page, { samples: 0, value: 0 });
  await page.getByTestId("clear").click();
  await expectTotals(page, { samples: OTHERS + 1, value: OTHERS + 1 });
});

test("lanes are narrowed by a pattern that would backtrack without end", async ({ page }) => {
  await open(page, `#timeline=threads&lanes=${encodeURIComponent(BACKTRACKING)}`);
  await expect(page.getByTestId("lanes-count")).toHaveText("0 threads");
  await page.getByTestId("lanes-filter").fill("(a+)+!$");
  await expect(page.getByTestId("lanes-count")).toHaveText("1 thread");
});

test("a pattern of 35,000 characters is refused with the limit, typed or by address", async ({ page }) => {
  const words = "a pattern has at most 4,000 characters; this one has 35,000";
  await open(page);
  await expectTotals(page, { samples: OTHERS + 1, value: OTHERS + 1 });
  await page.getByTestId("search").fill("a".repeat(35_000));
  await expect(found(page)).toHaveText(words);
  await page.getByTestId("search").fill("other");
  await expect(found(page)).toContainText(`${OTHERS} matches`);

  await page.goto("about:blank");
  await open(page, `#search=${"a".repeat(35_000)}`);
  await expect(found(page)).toHaveText(words);
  await page.getByTestId("search").press("Escape");

  await page.goto("about:blank");
  await open(page, `#frame=${"a".repeat(35_000)}`);
  await expect(page.getByText(words)).toBeVisible();
  await chips(page).first().getByRole("button").first().click();
  await expectTotals(page, { samples: OTHERS + 1, value: OTHERS + 1 });
});

test("a plain text finds frames, and the first pattern after it does", async ({ page }) => {
  await open(page, "#search=other1|other2");
  await expect(found(page)).toContainText("2 matches");
  await page.getByTestId("search").fill("other[123]");
  await expect(found(page)).toContainText("3 matches");
});

test("a pattern that the engine refuses is refused in every box", async ({ page }) => {
  await open(page);
  await page.getByTestId("search").fill("a(");
  await expect(found(page)).toHaveText("missing closing ): a(");
  await page.getByTestId("id-input").fill("/b(?=c)/");
  await page.getByTestId("id-input").press("Enter");
  await expect(page.getByRole("alert")).toHaveText("look-ahead and look-behind are not supported");
  await page.getByTestId("id-input").fill("/other[1]/");
  await page.getByTestId("id-input").press("Enter");
  await expect(chips(page)).toHaveCount(1);
  await expectTotals(page, { samples: 1, value: 1 });
});

test("a report's search takes plain texts", async ({ page, browser }) => {
  await open(page);
  await expectTotals(page, { samples: OTHERS + 1, value: OTHERS + 1 });
  const { bytes } = await exportFile(page, "format-html");
  const folder = await mkdtemp(join(tmpdir(), "spanflame-patterns-"));
  const context = await browser.newContext({ offline: true });
  try {
    const path = join(folder, "report.html");
    await save(path, bytes);
    const report = await context.newPage();
    await report.goto(pathToFileURL(path).href);
    await report.locator("#search").fill(BACKTRACKING);
    await expect(report.locator("#found")).toContainText("0 matches");
    await report.locator("#search").fill("AA!");
    await expect(report.locator("[data-match]")).toHaveCount(0);
    await report.locator("#search").fill("aa!|OTHER1");
    await expect(report.locator("[data-match]")).toHaveCount(1);
    await report.locator("#search").fill("aa!|other1");
    await expect(report.locator("[data-match]")).toHaveCount(2);
  } finally {
    await context.close();
    await rm(folder, { recursive: true });
  }
});
