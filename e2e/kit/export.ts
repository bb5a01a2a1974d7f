/** The export dialog, used as people use it. */
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import type { FlatSample } from "../../test/kit/otlp/otlp-schema.ts";
import type { Cell } from "./expected.ts";
import { expect } from "./page.ts";

export function dialog(page: Page): Locator {
  return page.getByTestId("export-dialog");
}

/** Most tests are about the profile on screen, which is not the dialog's first choice. */
export async function openExport(page: Page, scope: "one" | "all" = "one"): Promise<Locator> {
  await page.getByTestId("export").click();
  await expect(dialog(page)).toBeVisible();
  await page.getByTestId(`scope-${scope}`).check();
  await unfoldOptions(page);
  return dialog(page);
}

/** Unfolds "More options", which a format may not have. */
async function unfoldOptions(page: Page): Promise<void> {
  const more = page.getByTestId("export-more");
  if ((await more.count()) > 0 && (await more.getAttribute("open")) === null)
    await more.locator("summary").first().click();
}

export interface Written {
  name: string;
  bytes: Buffer;
  /** The dialog's words for it. */
  said: string;
}

/** Downloads with the choices of the open dialog. */
export async function writeFile(page: Page): Promise<Written> {
  const waiting = page.waitForEvent("download");
  await page.getByTestId("export-download").click();
  const file = await waiting;
  await expect(page.getByTestId("export-said")).toContainText("Saved");
  const said = (await page.getByTestId("export-said").textContent()) ?? "";
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()), said };
}

/** The whole way: opens the dialog, checks these radios and boxes, downloads, closes. */
export async function exportFile(page: Page, ...checked: string[]): Promise<Written> {
  await openExport(page);
  for (const id of checked) {
    if (id.startsWith("export-") || id.startsWith("preset-")) await unfoldOptions(page);
    await page.getByTestId(id).check({ force: id.startsWith("format-") });
  }
  const written = await writeFile(page);
  await page.getByTestId("export-close").click();
  await expect(dialog(page)).toBeHidden();
  return written;
}

/** What samples add up to, observation by observation. */
export function cellOf(samples: FlatSample[]): Cell {
  const values = samples.flatMap((sample) => sample.values);
  return { samples: values.length, value: Number(values.reduce((sum, value) => sum + value, 0n)) };
}
