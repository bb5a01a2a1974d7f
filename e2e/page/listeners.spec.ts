/** Using the page for long leaves no event listeners behind: after each round there are as many as after the first. */
import type { CDPSession, Page } from "@playwright/test";
import { fixture } from "../kit/expected.ts";
import { drop, expect, fromDisk, openFixture, showProfile, showView, test } from "../kit/page.ts";

// Listeners of other pages of the process would count.
test.use({ reuseContext: false });

const ROUNDS = 4;
/** Listeners of a worker that waits for the next files: at times there is none yet. */
const OF_SPARE = 4;
const VIEWS = ["top", "tree", "flame"];
const POPOVERS = ["files", "about", "share", "explorer-help", "view-menu"];
const DIALOGS = ["shortcuts", "export"];
/** React listens to some 150 events of an element that a portal leads to. */
const OF_PORTAL = 100;

async function listeners(cdp: CDPSession): Promise<number> {
  await cdp.send("HeapProfiler.collectGarbage");
  const { metrics } = await cdp.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "JSEventListeners")?.value ?? 0;
}

/** Their number once it stays the same: parts of the page come when the browser is idle. */
async function settledListeners(cdp: CDPSession): Promise<number> {
  let last = -1;
  const stays = async () => {
    const before = last;
    last = await listeners(cdp);
    return last === before;
  };
  await expect.poll(stays, { intervals: [500] }).toBe(true);
  return last;
}

/** Opens the popover of a button, and closes it. */
async function openPopover(page: Page, testId: string): Promise<void> {
  const button = page.getByTestId(testId);
  await button.click();
  await expect(button).toHaveAttribute("aria-expanded", "true");
  await expect(page.getByTestId(`${testId}-panel`)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(button).toHaveAttribute("aria-expanded", "false");
}

async function openDialog(page: Page, testId: string): Promise<void> {
  const dialog = page.locator("[data-modal][data-open]");
  await page.getByTestId(testId).click();
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
}

/** Some fifty actions, after which the page is as before. */
async function actOnEverything(page: Page, round: number): Promise<void> {
  const frames = page.getByTestId("flame").locator("g.frame");
  for (const view of VIEWS) {
    await showView(page, view);
    await expect(page.getByTestId(`view-${view}`)).toHaveAttribute("aria-selected", "true");
  }
  for (const type of ["wall", "cpu"]) {
    await showProfile(page, type);
    await expect(frames.first()).toBeVisible();
  }
  for (const popover of POPOVERS) await openPopover(page, popover);
  for (const dialog of DIALOGS) await openDialog(page, dialog);
  const { x, y } = (await page.getByTestId("flame").boundingBox()) ?? { x: 0, y: 0 };
  for (let i = 1; i < 8; i++) await page.mouse.move(x + 60 * i, y + 14 * i);
  await page.getByTestId("rank-row").first().click();
  await expect(page.getByTestId("chip").first()).toBeVisible();
  await page.keyboard.press("Control+z");
  await expect(page.getByTestId("chip")).toHaveCount(0);
  // Another recording, in another worker.
  await drop(page, { ...fromDisk(fixture("shop.jfr")), name: `${round}.jfr` });
  await expect(page.getByTestId("files")).toContainText(`${round}.jfr`);
  await showView(page, "flame");
  await expect(frames.first()).toBeVisible();
}

test("rounds of actions leave no event listeners behind", async ({ page }) => {
  // Some two hundred actions: a minute where many programs share one processor.
  test.slow();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable");
  await openFixture(page, fixture("shop.jfr"), "#type=cpu&by=root");
  await actOnEverything(page, 0);
  const first = await settledListeners(cdp);
  for (let round = 1; round < ROUNDS; round++) await actOnEverything(page, round);
  // What the page no longer uses is collected some time later.
  await expect.poll(() => listeners(cdp)).toBeLessThanOrEqual(first + OF_SPARE);
});

test("what was opened for the first time and is closed has no listeners left", async ({ page }) => {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable");
  await openFixture(page, fixture("shop.jfr"), "#type=cpu&by=root");
  const [known = "", ...others] = POPOVERS;
  await openPopover(page, known);
  const before = await settledListeners(cdp);
  for (const popover of others) await openPopover(page, popover);
  await openDialog(page, "shortcuts");
  // React forgets what is closed when the page changes next.
  const afterOneMore = async () => {
    await openPopover(page, known);
    return listeners(cdp);
  };
  await expect.poll(afterOneMore).toBeLessThan(before + OF_PORTAL);
});
