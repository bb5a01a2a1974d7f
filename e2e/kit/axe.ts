/** What axe, which looks for what keeps people out, has against a page. */
import { createRequire } from "node:module";
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

const { resolve } = createRequire(import.meta.url);
const { source } = createRequire(resolve("@axe-core/playwright"))("axe-core") as { source: string };

type Evaluate = (element: Element, ...more: unknown[]) => unknown;
type Checks = Record<string, { evaluate: Evaluate }>;

/** Texts that axe passed for their contrast: colours and size of each, and the colours of all that is under it. */
let passed: string[] = [];

/**
 * Axe's check of contrast is three quarters of its time, and a page has each pair of colours hundreds of times. A text
 * that looks like one that passed, in a test before or on this page, passes.
 */
function keepContrast(page: Page): Promise<void> {
  return page.evaluate((before) => {
    const known = new Set(before);
    interface Ground {
      paint: string;
      isOpaque: boolean;
    }
    const grounds = new Map<Element, Ground>();
    const groundOf = (element: Element): Ground => {
      const had = grounds.get(element);
      if (had !== undefined) return had;
      const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode, fill } = getComputedStyle(element);
      const isPlain = `${backgroundImage} ${opacity} ${filter} ${mixBlendMode}` === "none 1 none normal";
      const isClear = isPlain && backgroundColor === "rgba(0, 0, 0, 0)" && !(element instanceof SVGElement);
      const paint = isClear ? "" : [backgroundColor, backgroundImage, opacity, filter, mixBlendMode, fill].join();
      const made = { paint, isOpaque: isPlain && backgroundColor.startsWith("rgb(") };
      grounds.set(element, made);
      return made;
    };
    /** What is over a text and under it, as far as the first that hides the rest; and groups that are faded. */
    const stackOf = (stack: Element[], element: Element) => {
      const at = stack.indexOf(element);
      const last = stack.findIndex((each, i) => i >= at && groundOf(each).isOpaque);
      const rest = last < 0 ? [] : stack.slice(last + 1).filter((each) => getComputedStyle(each).opacity !== "1");
      const seen = [...(last < 0 ? stack : stack.slice(0, last + 1)), ...rest];
      return seen.flatMap((each) => groundOf(each).paint || []).join("|");
    };
    /** Null where a part of the text is out of sight. */
    const looksOf = (element: Element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const places = [...range.getClientRects()].flatMap(({ left, right, top, bottom }) =>
        [left + 1, (left + right) / 2, right - 1].map((x) => document.elementsFromPoint(x, (top + bottom) / 2)),
      );
      if (places.length === 0 || places.some((stack) => !stack.includes(element))) return null;
      const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
      const under = new Set(places.map((stack) => stackOf(stack, element)));
      return [color, fontSize, fontWeight, textShadow, ...[...under].sort()].join(";");
    };
    const { axe } = window as unknown as { axe: { passed?: Set<string>; _audit: { checks: Checks } } };
    axe.passed = known;
    const check = axe._audit.checks["color-contrast"] as { evaluate: Evaluate & { real?: Evaluate } };
    const { evaluate } = check;
    const real = evaluate.real ?? evaluate;
    check.evaluate = Object.assign(
      function (this: unknown, element: Element, ...more: unknown[]) {
        const looks = looksOf(element);
        if (looks !== null && known.has(looks)) return true;
        const answer = real.call(this, element, ...more);
        if (looks !== null && answer === true) known.add(looks);
        return answer;
      },
      { real },
    );
  }, passed);
}

export async function expectNothingByAxe(
  page: Page,
  { without = [], coloursOnly = false, targetsOf }: Look = {},
): Promise<void> {
  // The other mode opens another page to join the results of frames, and takes twice as long. No page here has
  // any.
  expect(await page.locator("iframe, frame").count()).toBe(0);
  // Its script is half a megabyte, and stays in the page.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  await keepContrast(page);
  const builder = new AxeBuilder({ page, axeSource: ";" });
  // Otherwise it describes every element that passes, too.
  const axe = builder
    .setLegacyMode(true)
    .options({ resultTypes: ["violations"], rules: { "target-size": { enabled: true } } });
  for (const selector of without) axe.exclude(selector);
  if (coloursOnly) axe.withRules(["color-contrast"]);
  if (targetsOf !== undefined) axe.include(targetsOf).withRules(["target-size"]);
  const { violations } = await axe.analyze();
  passed = await page.evaluate(() => [...(window as unknown as { axe: { passed: Set<string> } }).axe.passed]);
  const found = violations.map(({ id, nodes }) => ({
    id,
    nodes: nodes.filter(({ html }) => id !== "target-size" || !DRAGGED.test(html)),
  }));
  expect(found.flatMap(({ id, nodes }) => (nodes.length === 0 ? [] : [`${id}: ${nodes[0]?.html}`]))).toEqual([]);
}
