/** Every view that the page offers for a recording: read off its tabs, which are made from the table of views. */
import type { Page } from "@playwright/test";
import type { ViewName } from "../../src/model/query/query.ts";
import { expect, showView } from "./page.ts";
import { viewsOfTabs } from "./view-lists.ts";

const tabs = (page: Page) => page.getByRole("tablist", { name: "Views" }).getByRole("tab");

/** The ids of the views, in the order of their tabs; of the tab of the flame graph all its forms. */
export async function viewsOn(page: Page): Promise<ViewName[]> {
  await expect(tabs(page).first()).toBeVisible();
  return viewsOfTabs(await tabs(page).evaluateAll((all) => all.map((tab) => tab.dataset.testid ?? "")));
}

/** Shows each view, and calls `check` with it. */
export async function eachView(page: Page, check: (view: ViewName) => unknown = () => {}): Promise<void> {
  for (const view of await viewsOn(page)) {
    await showView(page, view);
    await expect(page.locator("[role=tabpanel]").last()).not.toBeEmpty();
    await check(view);
  }
}
