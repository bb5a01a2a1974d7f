/** Every view that the page offers for a recording: read off its tabs, which are made from the table of views. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { zipSync } from "fflate";
import { FORMS } from "../../src/model/query/query.ts";
import { asFolder, writeStreams } from "../../test/kit/cdt/cdt-writer.ts";
import { type Dropped, expect, showView } from "./page.ts";

const traces = (name: string): Dropped => ({
  name,
  bytes: readFileSync(new URL(`../../fixtures/traces/${name}`, import.meta.url)),
});

/** A dump of two calls. */
function dump(): Dropped {
  const start = Date.UTC(2024, 1, 3);
  const child = { method: "void shop.Cart.read() (Cart.java:9) [shop.jar]", before: 0, after: 20, children: [] };
  const root = { method: "void shop.Cart.run() (Cart.java:7) [shop.jar]", before: 0, after: 30, children: [child] };
  const calls = [1, 2].map((threadId) => ({
    threadId,
    thread: `http-${threadId}`,
    at: start + 1000 * threadId,
    root,
    isRecorded: true,
    reactive: 0,
    params: { "profiler.title": [`GET /cart/${threadId}`] },
  }));
  const { streams } = writeStreams({ calls, start, eventsPerBlock: 100, blocksPerFile: 500 });
  return { name: "dump.zip", bytes: zipSync(asFolder(streams, "dump/web/2024/02/03/1706918400000")) };
}

/** Files that together have every view. */
export const WITH_EVERY_VIEW: [name: string, files: () => Dropped[]][] = [
  ["a recording with a trace", () => [traces("ddctx-jdk17.jfr"), traces("ddctx-jdk17.captured.datadog.json.gz")]],
  ["a dump", () => [dump()]],
];

const tabs = (page: Page) => page.getByRole("tablist", { name: "Views" }).getByRole("tab");

/** The ids of the views, in the order of their tabs; of the tab of the flame graph all its forms. */
export async function viewsOn(page: Page): Promise<string[]> {
  await expect(tabs(page).first()).toBeVisible();
  const ids = await tabs(page).evaluateAll((all) => all.map((tab) => (tab.dataset.testid ?? "").replace(/^view-/, "")));
  return ids.flatMap((id) => (id === FORMS[0] ? FORMS : [id]));
}

/** Shows each view, and calls `check` with it. */
export async function eachView(page: Page, check: (view: string) => unknown = () => {}): Promise<void> {
  for (const view of await viewsOn(page)) {
    await showView(page, view);
    await expect(page.locator("[role=tabpanel]").last()).not.toBeEmpty();
    await check(view);
  }
}
