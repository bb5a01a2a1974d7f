/** What axe, which looks for what keeps people out, has against a page. */
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

interface Look {
  /** Selectors of parts that another test checks: axe needs longest for the hundreds of frames of a graph. */
  without?: string[];
  /** Nothing but the colours is another than before. */
  coloursOnly?: boolean;
  /** Selector of a part whose controls are looked at for their size alone: 24 px. */
  targetsOf?: string;
}

/** Ends of a range, and lines between panes: a drag that begins beside them does the same, as do keys. */
const DRAGGED = /^<[^>]* role="(slider|separator)"/;

export const GRAPH = "[data-testid=flame]";
/** Rows of the list beside the views. */
export const ROWS = "[role=listbox]";

export async function expectNothingByAxe(
  page: Page,
  { without = [], coloursOnly = false, targetsOf }: Look = {},
): Promise<void> {
  // The other mode opens another page to join the results of frames, and takes twice as long. No page here has
  // any.
  expect(await page.locator("iframe, frame").count()).toBe(0);
  // Its script is half a megabyte, and stays in the page.
  const isThere = await page.evaluate(() => "axe" in window);
  const builder = new AxeBuilder({ page, ...(isThere && { axeSource: ";" }) });
  // Otherwise it describes every element that passes, too.
  const axe = builder
    .setLegacyMode(true)
    .options({ resultTypes: ["violations"], rules: { "target-size": { enabled: true } } });
  for (const selector of without) axe.exclude(selector);
  if (coloursOnly) axe.withRules(["color-contrast"]);
  if (targetsOf !== undefined) axe.include(targetsOf).withRules(["target-size"]);
  const { violations } = await axe.analyze();
  const found = violations.map(({ id, nodes }) => ({
    id,
    nodes: nodes.filter(({ html }) => id !== "target-size" || !DRAGGED.test(html)),
  }));
  expect(found.flatMap(({ id, nodes }) => (nodes.length === 0 ? [] : [`${id}: ${nodes[0]?.html}`]))).toEqual([]);
}
