/** Pages with an embedded flame graph, served by the server of the examples with its strict policy. */
import type { Locator, Page } from "@playwright/test";
import { serve } from "../../examples/embedding/serve.mjs";
import type { SpanFlameElement } from "../../src/viewer/element.ts";
import type { ViewerEvents } from "../../src/viewer/types.ts";
import { fixture } from "./expected.ts";
import { expect, test as pageTest } from "./page.ts";

export type Element = SpanFlameElement;

/** `siteOf` makes the folder that is served; without it the server's own example is. */
export function embedded(siteOf: () => Promise<string | undefined> = async () => undefined) {
  return pageTest.extend<object, { address: string }>({
    address: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures needed off the pattern
      async ({}, use) => {
        const site = await siteOf();
        const { url, close } = await serve({ recording: fixture("shop.jfr"), ...(site !== undefined && { site }) });
        await use(url);
        await close();
      },
      { scope: "worker" },
    ],
    baseURL: async ({ address }, use) => use(address),
  });
}

/** The example's element with the recording, once its graph is drawn. */
export async function openEmbedded(page: Page): Promise<Locator> {
  await page.goto("./");
  const element = page.locator("#recording");
  await expect(element.locator("g.frame").first()).toBeVisible();
  return element;
}

/** Collects the details of an event from now on; bigints as text. */
export async function listenTo<K extends keyof ViewerEvents>(
  element: Locator,
  event: K,
): Promise<() => Promise<unknown[]>> {
  const list = await element.evaluateHandle((target: Element, name) => {
    const details: unknown[] = [];
    target.addEventListener(name as string, (heard) => {
      const text = JSON.stringify((heard as CustomEvent).detail, (_, value) =>
        typeof value === "bigint" ? String(value) : value,
      );
      details.push(JSON.parse(text));
    });
    return details;
  }, event);
  return () => list.evaluate((details) => details);
}
