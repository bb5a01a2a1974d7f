/**
 * The page in a test, and hands to use it with. Every test that uses `test` from here also holds that nothing was
 * fetched from elsewhere, the policy was kept to, and the console stayed silent.
 */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import {
  type APIResponse,
  type Browser,
  test as base,
  type ConsoleMessage,
  expect,
  type Locator,
  type Page,
  type Request,
} from "@playwright/test";
import type { TimeRange } from "../../src/core/types.ts";
import { FORMS } from "../../src/model/query/query.ts";
import { hashToQuery } from "../../src/model/query/written/query-hash.ts";

declare global {
  interface Window {
    violations?: string[];
  }
}

interface Fixtures {
  /** Origins that the test sends to: the browser may ask them, and complain about their answers. */
  receivers: Set<string>;
  /** What the console may say: parts of messages about a fault that the test makes. */
  tolerated: Set<string>;
  /** What the browser remembers of earlier visits: the list and the timeline are open. Empty: a first visit. */
  remembered: Record<string, string>;
  /**
   * The tests have one page for each worker, and `openFixture` of the recording that is open there changes its address
   * only, which is a twentieth of opening it. Not for tests that leave behind what an address does not take back.
   */
  isShared: boolean;
  quiet: undefined;
}

/** The page of tests that share one; null before the first of them, and after one that failed. */
interface Kept {
  page: Page | null;
}

/** Pages of tests that share one; the recording that such a page has open by itself, and what it remembers. */
const shared = new WeakSet<Page>();
const openIn = new WeakMap<Page, { path: string; stored: string }>();

async function sharedPage(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: "reduce", ...(baseURL !== undefined && { baseURL }) });
  const page = await context.newPage();
  page.on("domcontentloaded", () => openIn.delete(page));
  shared.add(page);
  const { goto } = page;
  // An address that differs by its hash alone would not load the page again. What was remembered is forgotten.
  page.goto = async (...to) => {
    await page.evaluate(() => location.protocol === "about:" || localStorage.clear());
    await goto.call(page, "about:blank");
    return goto.apply(page, to);
  };
  return page;
}

/** Pages whose documents begin with what `quiet` needs. */
const prepared = new WeakSet<Page>();

async function prepare(page: Page, remembered: Record<string, string>): Promise<void> {
  if (prepared.has(page)) return;
  prepared.add(page);
  await page.addInitScript((known) => {
    // A phone has a closed timeline on each first visit.
    const keys = Object.keys(known).filter((key) => innerWidth > 600 || key !== "timeline");
    try {
      for (const key of keys)
        localStorage.getItem(`spanflame.${key}`) ?? localStorage.setItem(`spanflame.${key}`, known[key] ?? "");
    } catch {
      // A frame without an origin has no storage.
    }
  }, remembered);
  await page.addInitScript(() => {
    const violations: string[] = [];
    window.violations = violations;
    addEventListener("securitypolicyviolation", (event) => {
      violations.push(`${event.violatedDirective}: ${event.blockedURI}`);
    });
  });
}

export const test = base.extend<Fixtures, { kept: Kept }>({
  isShared: [false, { option: true }],
  kept: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures needed off the pattern
    async ({}, use) => {
      const kept: Kept = { page: null };
      await use(kept);
      await kept.page?.context().close();
    },
    { scope: "worker" },
  ],
  page: async ({ page, browser, baseURL, isShared, kept }, use, test) => {
    if (!isShared) return use(page);
    kept.page ??= await sharedPage(browser, baseURL);
    await kept.page.setViewportSize({ width: 1280, height: 720 });
    await kept.page.emulateMedia({ colorScheme: null, forcedColors: null, media: null });
    await use(kept.page);
    await kept.page.unrouteAll({ behavior: "ignoreErrors" });
    if (test.status === test.expectedStatus) return;
    await kept.page.context().close();
    kept.page = null;
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures needed off the pattern
  receivers: async ({}, use) => use(new Set()),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  tolerated: async ({}, use) => use(new Set()),
  remembered: [{ list: "true", timeline: "true" }, { option: true }],
  quiet: [
    async ({ page, baseURL, receivers, tolerated, remembered }, use) => {
      const faults: string[] = [];
      const onConsole = (message: ConsoleMessage) => {
        const ofReceiver = [...receivers].some((origin) =>
          `${message.location().url} ${message.text()}`.includes(origin),
        );
        const isTolerated = [...tolerated].some((part) => message.text().includes(part));
        if (["error", "warning"].includes(message.type()) && !ofReceiver && !isTolerated) faults.push(message.text());
      };
      const onError = (error: Error) => void faults.push(String(error));
      const onRequest = (request: Request) => {
        const url = new URL(request.url());
        const known = url.origin === new URL(baseURL ?? "").origin || receivers.has(url.origin);
        if (!known && !["blob:", "data:"].includes(url.protocol)) faults.push(`request to ${url}`);
      };
      page.on("console", onConsole).on("pageerror", onError).on("request", onRequest);
      await prepare(page, remembered);
      await use(undefined);
      page.off("console", onConsole).off("pageerror", onError).off("request", onRequest);
      expect(faults).toEqual([]);
      // A test that is skipped has opened nothing.
      if (page.url() !== "about:blank") expect(await page.evaluate(() => window.violations)).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

export interface Dropped {
  name: string;
  bytes: Uint8Array;
  /** The recording so many times over, each begun a nanosecond later: a copy would not count. */
  times?: number;
}

export function fromDisk(path: string, times = 1): Dropped {
  return { name: basename(path), bytes: readFileSync(path), times };
}

/** The real worker with a script before it. Fetched once: a worker that starts when the test ends waits for nothing. */
export async function inWorker(page: Page, script: string): Promise<void> {
  const fetched = new Map<string, Promise<{ response: APIResponse; body: string }>>();
  await page.route(/\/worker-[^/]*\.js$/, async (route) => {
    const fetching = async () => {
      const response = await route.fetch();
      return { response, body: `${script};${await response.text()}` };
    };
    const url = route.request().url();
    const once = fetched.get(url) ?? fetching();
    fetched.set(url, once);
    await route.fulfill(await once);
  });
}

/** Drops files on the window, as if dragged there from outside. */
export async function drop(page: Page, ...files: Dropped[]): Promise<void> {
  openIn.delete(page);
  const plain = files.map(({ name, bytes, times = 1 }) => ({
    name,
    times,
    base64: Buffer.from(bytes).toString("base64"),
  }));
  await page.locator("main").waitFor();
  await page.evaluate((list) => {
    const dataTransfer = new DataTransfer();
    // As test/kit/jfr/later.ts, which the page does not have.
    const later = (bytes: Uint8Array<ArrayBuffer>, nanos: number) => {
      if (nanos === 0) return bytes;
      const copy = bytes.slice();
      const view = new DataView(copy.buffer);
      for (let at = 0; at < copy.length; at += Number(view.getBigInt64(at + 8))) {
        view.setBigInt64(at + 32, view.getBigInt64(at + 32) + BigInt(nanos));
      }
      return copy;
    };
    for (const { name, base64, times } of list) {
      const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
      const parts = Array.from({ length: times }, (_, i) => later(bytes, i));
      dataTransfer.items.add(new File(parts, name));
    }
    for (const type of ["dragenter", "dragover", "drop"]) {
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    }
  }, plain);
}

/** Answers the question whether the page may read from this host. */
export async function allowHost(page: Page, origin: string): Promise<void> {
  const host = page.getByTestId("consent-host");
  await expect(host).toHaveText(origin);
  await page.getByTestId("consent-yes").click();
  await expect(host.filter({ hasText: origin })).toHaveCount(0);
}

/** The graph is there, and all of the files: a large recording is shown before it is read. */
export async function allShown(page: Page): Promise<void> {
  await expect(page.getByTestId("flame").locator("g.frame").first()).toBeVisible();
  await expect(page.getByTestId("incoming")).toHaveCount(0);
}

/** Opens a fixture with the list of local roots, which most tests pick from. */
export async function openFixture(page: Page, path: string, hash = "#by=root"): Promise<void> {
  const address = inFlame(hash);
  if (!(await isBack(page, path, address))) {
    await page.goto(`./${address}`);
    await drop(page, fromDisk(path));
  }
  const graph = page.getByTestId("flame").locator("g.frame").first();
  // A link with an id opens its overview.
  await expect(graph.or(page.getByTestId("why-headline"))).toBeVisible();
  await expect(page.getByTestId("incoming")).toHaveCount(0);
  // Context that was inferred meanwhile may change the order of the rows.
  await listed(page);
  if (shared.has(page)) openIn.set(page, { path, stored: await storedIn(page) });
}

/** What Escape ends. */
const OVER_THE_PAGE = "[data-testid$=-panel], [role=dialog], [role=menu]";

/** Whether a shared page that has the recording open is at this address, as if it had begun there. */
async function isBack(page: Page, path: string, address: string): Promise<boolean> {
  const before = openIn.get(page);
  openIn.delete(page);
  if (before?.path !== path || before.stored !== (await storedIn(page))) return false;
  await page.mouse.move(0, 0);
  await page.keyboard.press("Escape");
  if ((await page.locator(OVER_THE_PAGE).filter({ visible: true }).count()) > 0) return false;
  // By way of another view: the graph of the address before would pass for that of this one.
  const between = /view=top/.test(address) ? "tree" : "top";
  await follow(page, `#view=${between}`);
  await expect(page.getByTestId(between)).toBeVisible();
  await expect(page.getByTestId("flame")).toHaveCount(0);
  await follow(page, address || "#");
  await page.getByRole("main").focus();
  return true;
}

const storedIn = (page: Page) => page.evaluate(() => JSON.stringify(Object.entries(localStorage).sort()));
const follow = (page: Page, hash: string) => page.evaluate((to) => location.replace(to), hash);

/** The graph, unless a link names a view, or an id, which has its answer first. */
export function inFlame(hash: string): string {
  if (/\b(view|root|span|trace)=/.test(hash)) return hash;
  return `${hash}${hash === "" ? "#" : "&"}view=flame`;
}

/** Shows a view by its tab; the forms of the flame graph share one. */
export async function showView(page: Page, view: string): Promise<void> {
  const chosen = page.getByTestId(`view-${view}`);
  if (FORMS.slice(1).some((form) => form === view)) {
    await page.getByTestId("view-flame").click();
    await expect(page.getByTestId("view-graph")).toHaveAttribute("aria-selected", "true");
  }
  await chosen.click();
  await expect(chosen).toHaveAttribute("aria-selected", "true");
}

export function tab(page: Page, type: string): Locator {
  return page.getByTestId(`tab-${type}`);
}

/** Shows a profile: by its tab, or by the menu, which has all. */
export async function showProfile(page: Page, type: string): Promise<void> {
  await expect(page.locator("[role=tab][data-testid^=tab-]").first()).toBeVisible();
  if (await tab(page, type).isVisible()) return tab(page, type).click();
  const item = await profileItem(page, type);
  await item.click();
}

/** Opens the menu of profiles, and leads to an item of it. */
export async function profileItem(page: Page, type: string): Promise<Locator> {
  await page.getByTestId("profiles-menu").click();
  return page.getByTestId(`profile-${type}`);
}

/** Sample counts by profile type, as the tabs and the menu of all of them say; absent ones are left out. */
export async function tabCounts(page: Page): Promise<Record<string, number>> {
  const menu = page.getByTestId("profiles-menu");
  await expect(page.locator("[role=tab][data-testid^=tab-]").first()).toBeVisible();
  const hasMenu = await menu.isVisible();
  if (hasMenu) {
    await menu.click();
    await expect(page.getByTestId("profiles-menu-menu")).toBeVisible();
  }
  const counts = await page.locator(hasMenu ? "[data-testid^=profile-]" : "[data-testid^=tab-]").evaluateAll((all) =>
    all.map((element) => ({
      type: (element as HTMLElement).dataset.testid?.replace(/^(tab|profile)-/, "") ?? "",
      absent: element.getAttribute("aria-disabled") === "true",
      count: Number(element.querySelector("[data-count], kbd")?.textContent.replaceAll(",", "")),
    })),
  );
  if (hasMenu) await page.keyboard.press("Escape");
  return Object.fromEntries(counts.flatMap(({ type, absent, count }) => (absent ? [] : [[type, count]])));
}

/** Waits until the page says exactly these totals. */
export async function expectTotals(page: Page, cell: { samples: number; value: number | bigint }): Promise<void> {
  await expect(page.getByTestId("total-samples")).toHaveAttribute("data-exact", String(cell.samples));
  await expect(page.getByTestId("total-value")).toHaveAttribute("data-exact", String(cell.value));
}

/**
 * The range of time on the page, by its address. The page writes the address a moment after a change, or at once when
 * it is left; so it is told that it is left.
 */
export async function timeIn(page: Page): Promise<TimeRange> {
  const hash = await page.evaluate(() => {
    dispatchEvent(new PageTransitionEvent("pagehide"));
    return location.hash;
  });
  const { time } = hashToQuery(hash).filter;
  if (time === undefined) throw new Error(`no range in ${hash}`);
  return time;
}

export function rankRow(page: Page, id: string): Locator {
  return page.locator(`[data-testid=rank-row][data-id="${id}"]`);
}

/** A row of a ranking by attribute. */
export function valueRow(page: Page, value: string): Locator {
  return page.getByTestId("rank-row").filter({ has: page.locator("bdi").getByText(value, { exact: true }) });
}

/** Opens one of the explorer's tabs: `operation`, `endpoint`, `root`, `span`, `thread`. */
export async function listBy(page: Page, name: string): Promise<void> {
  await page.getByTestId(`by-${name}`).click();
  await expect(page.getByTestId(`by-${name}`)).toHaveAttribute("aria-selected", "true");
  await listed(page);
}

/** Waits for the rows of the list: until then they are those of the list before. */
export async function listed(page: Page): Promise<void> {
  await expect(page.locator("[role=tabpanel][aria-busy=true]")).toHaveCount(0);
}

export async function rankBy(page: Page, key: string): Promise<void> {
  await page.getByTestId("attribute-key").selectOption(key);
  await listed(page);
}

export function chips(page: Page): Locator {
  return page.getByTestId("chip");
}

/** Types into the id box and confirms. */
export async function find(page: Page, text: string): Promise<void> {
  await page.getByTestId("id-input").fill(text);
  await page.getByTestId("id-input").press("Enter");
}

/** The same for a trace, which opens on Wall where it has samples there, and back to the CPU. */
export async function findOnCpu(page: Page, id: string): Promise<void> {
  await find(page, id);
  await expect(page.getByTestId("selection")).toBeVisible();
  await showProfile(page, "cpu");
  await expect(tab(page, "cpu")).toHaveAttribute("aria-selected", "true");
}

/** Presses Tab until the element has the focus; the way there is part of the test. */
export async function tabTo(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  for (let i = 0; i < 80; i++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`80 times ${key} did not lead to ${target}`);
}

/** Unfolds the timeline, which a phone has folded. */
export async function showTimeline(page: Page): Promise<void> {
  const show = page.getByTestId("timeline-show");
  const timeline = page.locator("[data-testid=call-timeline], [data-testid=timeline-area]");
  await expect(show.or(timeline).first()).toBeVisible();
  if (await show.isVisible()) await show.click();
}
