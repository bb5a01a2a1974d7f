/** Opened OTLP files are checked by the validator's rules; the page shows its report. */
import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { validateBytes } from "../../src/validate/validate.ts";
import { jsonOf } from "../../test/kit/otlp/otlp-encode.ts";
import { concat, DICTIONARY, protobufOf } from "../../test/kit/otlp/otlp-message.ts";
import { broken } from "../../test/kit/otlp/sound-message.ts";
import { expectNothingByAxe } from "../kit/axe.ts";
import { coreOf } from "../kit/core.ts";
import { fixture } from "../kit/expected.ts";
import { exportFile } from "../kit/export.ts";
import { drop, expect, openFixture, tabCounts, test } from "../kit/page.ts";

const SHOP = fixture("shop.jfr");
const text = (json: unknown) => new TextEncoder().encode(JSON.stringify(json));
const report = (page: Page) => page.getByTestId("otlp-report");

/** A message around the recording, with much wrong with it. */
const faulty = async () => concat([protobufOf({ format: "jfr", payload: await readFile(SHOP) }), DICTIONARY]);

test("what is wrong with a message is said beside the recording in it, as the validator says it", async ({ page }) => {
  const bytes = await faulty();
  const { findings } = validateBytes(bytes, "protobuf");
  expect(findings.map(({ rule }) => rule)).toContain("E06");
  await page.goto("./#view=flame");
  await drop(page, { name: "trace.pb", bytes });
  await expect(report(page).locator("summary")).toHaveText(/^trace\.pb as OTLP profiles: not valid: \d+ errors/);
  const rows = report(page).getByRole("listitem");
  await expect(rows).toHaveCount(findings.length);
  for (const [index, { rule, severity, message, where, count }] of findings.entries()) {
    const row = rows.nth(index);
    await expect(row).toHaveAttribute("data-rule", rule);
    for (const part of [severity === "info" ? "note" : severity, message, where]) await expect(row).toContainText(part);
    if (count > 1) await expect(row).toContainText(`(${count} times)`);
  }
  await expect(rows.filter({ hasText: "E06" })).toContainText("Every index is in the range of its table");
  const core = await coreOf([SHOP]);
  expect(await tabCounts(page)).toEqual(
    Object.fromEntries(core.profiles().map(({ type, samples }) => [type, samples])),
  );
});

test("of a clean message there is the word valid, where one asks", async ({ page }) => {
  await openFixture(page, SHOP);
  const { bytes } = await exportFile(page, "export-recording");
  await page.goto("about:blank");
  await page.goto("./#view=flame");
  await drop(page, { name: "clean.pb", bytes });
  await page.getByTestId("about").click();
  const clean = page.getByTestId("otlp-clean");
  await expect(clean.locator("p")).toHaveText("clean.pb as OTLP profiles: valid");
  await expect(clean.getByRole("listitem")).toHaveCount(0);
  await page.goto("about:blank");
  await page.goto("./#view=flame");
  await drop(page, { name: "noted.json", bytes: jsonOf(broken("resourceProfiles.0.resource", undefined)) });
  await page.getByTestId("about").click();
  await expect(clean.locator("p")).toHaveText("noted.json as OTLP profiles: valid, 1 note");
  await expect(clean.getByRole("listitem")).toHaveText([/^note I16 .*service\.name/]);
  await expect(report(page)).toHaveCount(0);
});

test("a message that cannot be shown is reported on all the same, compressed or not", async ({ page }) => {
  await page.goto("./#view=flame");
  const json = { resource_profiles: [], dictionary: {} };
  const snake = text({ resourceProfiles: [{ scope_profiles: [] }], ...json });
  await drop(page, { name: "snake.json", bytes: snake }, { name: "snake.json.gz", bytes: gzipSync(snake) });
  await expect(page.getByTestId("message")).toBeVisible();
  const rule = report(page).locator("[data-rule=E21]");
  await expect(rule).toHaveText([/Keys in JSON are lowerCamelCase/, /Keys in JSON are lowerCamelCase/]);
  await expect(report(page).nth(1)).toContainText("the file is compressed with gzip");
});

test("another recording takes the report away", async ({ page }) => {
  await page.goto("./#view=flame");
  await drop(page, { name: "trace.pb", bytes: await faulty() });
  await expect(report(page)).toBeVisible();
  await page.getByTestId("file-input").setInputFiles(SHOP);
  await page.getByTestId("join-replace").click();
  await expect(page.getByRole("banner")).toContainText("shop.jfr");
  await expect(report(page)).toHaveCount(0);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing on a report, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto("./#view=flame");
    await drop(page, { name: "trace.pb", bytes: await faulty() });
    await expect(report(page).getByRole("listitem").first()).toBeVisible();
    await expectNothingByAxe(page);
  });
}
