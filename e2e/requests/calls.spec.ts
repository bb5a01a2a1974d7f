/** Dumps on the page: the list of calls, their selection by mouse and keys, and views of the selected calls. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { zipSync } from "fflate";
import { hashToQuery } from "../../src/model/query/written/query-hash.ts";
import { asFolder, type WrittenCall, writeStreams } from "../../test/kit/cdt/cdt-writer.ts";
import { expectNothingByAxe } from "../kit/axe.ts";
import { expect, showProfile, showView, test } from "../kit/page.ts";

const REAL = fileURLToPath(new URL("../../../shared/recordings/cdt/local-dump/", import.meta.url));
const START = Date.UTC(2024, 1, 3);
const METHODS = Array.from({ length: 12 }, (_, i) => `void shop.cart.Cart${i}.run() (Cart${i}.java:7) [shop.jar]`);
const SERVERS = 20;
const CALLS_PER_SERVER = 10_000;

/** Call `i` takes i % 1000 ms and 2 in a child; each thousandth has failed, and its title is markup. */
function calls(count: number): WrittenCall[] {
  return Array.from({ length: count }, (_, i) => ({
    threadId: 1 + (i % 8),
    thread: `http-${i % 8}`,
    at: START + 2000 * i,
    root: {
      method: METHODS[i % 5]!,
      before: 0,
      after: i % 1000,
      children: [{ method: METHODS[5 + (i % 7)]!, before: 0, after: 2, children: [] }],
    },
    isRecorded: i % 10 !== 9,
    reactive: 0,
    params: {
      "profiler.title": [i % 1000 === 7 ? `<img src=x onerror=alert(${i})>` : `GET /orders/${i}`],
      tenant: [`t${i % 4}`],
      ...(i % 1000 === 7 && { "call.red": ["true"] }),
    },
  }));
}

/** An archive of runs of the same calls, one for each server. */
function archive(count: number, servers: number) {
  const { streams } = writeStreams({ calls: calls(count), start: START, eventsPerBlock: 100, blocksPerFile: 500 });
  const one = asFolder(streams, "dump/SERVER/2024/02/03/1706918400000");
  const files = Array.from({ length: servers }, (_, i) =>
    Object.entries(one).map(([path, bytes]) => [path.replace("SERVER", `web${i}`), bytes] as const),
  );
  const bytes = zipSync(Object.fromEntries(files.flat()), { level: 0 });
  return { name: "dump.zip", mimeType: "application/zip", buffer: Buffer.from(bytes) };
}

const small = archive(1000, 1);
const rows = (page: Page) => page.getByTestId("calls-row");
const grid = (page: Page) => page.getByTestId("calls");
const selected = (page: Page) => page.getByTestId("calls-selected");

async function open(page: Page, files: Parameters<ReturnType<Page["getByTestId"]>["setInputFiles"]>[0]) {
  await page.goto("./#view=calls");
  await page.getByTestId("file-input").first().setInputFiles(files);
  await expect(rows(page).first()).toBeVisible({ timeout: 60_000 });
}

test("a dump opens with its calls, the slowest first, and explains what a call is", async ({ page }) => {
  await open(page, small);
  await expect(page.getByTestId("calls-total")).toHaveText(/^1,000 calls/);
  await expect(page.getByText("A call is one request or job")).toBeVisible();
  await expect(rows(page).first()).toContainText("1 s");
  await expect(page.getByRole("columnheader", { name: "duration" })).toHaveAttribute("aria-sort", "descending");
  await page.getByTestId("sort-duration").click();
  await expect(page.getByRole("columnheader", { name: "duration" })).toHaveAttribute("aria-sort", "ascending");
  await expect(rows(page).first()).toContainText("2 ms");
  await expectNothingByAxe(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectNothingByAxe(page, { coloursOnly: true });
});

test("the first tab is the overview: the slowest calls with their causes, and the methods; each selects", async ({
  page,
}) => {
  await open(page, small);
  await expect(page.getByRole("tablist", { name: "Views" }).getByRole("tab").first()).toHaveText("Overview");
  await showView(page, "overview");
  const overview = page.getByTestId("calls-overview");
  // Call i takes i ms, and 2 in its child.
  await expect(overview).toContainText("1,000 calls, 8 min 22 s in all");
  const slow = page.getByTestId("slow-call");
  await expect(slow).toHaveCount(8);
  await expect(slow.nth(1)).toContainText("GET /orders/998");
  await expect(slow.nth(1)).toContainText("99.1 % not measured");
  const kinds = page.getByTestId("call-kind");
  await expect(kinds).toHaveCount(5);
  await expect(kinds.first()).toHaveAttribute("data-id", "shop.cart.Cart4.run");
  await expect(kinds.first()).toContainText("200");
  await expectNothingByAxe(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectNothingByAxe(page, { coloursOnly: true });
  await kinds.first().click();
  await expect(overview).toContainText("200 calls");
  await expect(slow.nth(1)).toContainText("GET /orders/994");
  await slow.nth(1).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("call-time")).toContainText("GET /orders/994");
  await expect(slow).toHaveCount(0);
  await expect(page.getByTestId("call-paths")).toContainText("Cart4.run");
});

test("the pauses of the JVM are a list, the longest first, also from the search box; Enter selects the time of one", async ({
  page,
}) => {
  const pauses = [
    [1020, 8],
    [3000, 120],
    [500, 30],
  ] as const;
  const { streams } = writeStreams({ calls: calls(20), start: START, pauses });
  const bytes = zipSync(asFolder(streams, `dump/web/2024/02/03/${START}`));
  await open(page, { name: "dump.zip", mimeType: "application/zip", buffer: Buffer.from(bytes) });
  await page.getByTestId("coverage").click();
  await page.getByTestId("legend-paused").getByRole("button").click();
  await expect(page.getByTestId("pauses-total")).toHaveText("3 pauses, 158 ms in all");
  await expect(page.getByTestId("pause-row").locator(":scope > :first-child")).toHaveText(["120 ms", "30 ms", "8 ms"]);
  await expectNothingByAxe(page);
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("pause-list")).toHaveCount(0);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("longest pauses");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("pause-row")).toHaveCount(3);
  await page.getByRole("grid", { name: /^Pauses/ }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("pause-list")).toHaveCount(0);
  await expect
    .poll(() => hashToQuery(new URL(page.url()).hash).filter.time ?? null)
    .toEqual({ from: BigInt(START + 3900) * 1_000_000n, to: BigInt(START + 4020) * 1_000_000n });
});

test("filters become chips and part of the address; titles with markup are texts", async ({ page }) => {
  await open(page, small);
  await page.getByTestId("calls-min").getByText("500 ms").click();
  await expect(page.getByTestId("calls-total")).toHaveText(/^502 calls/);
  await page.getByTestId("calls-search").fill("tenant=t3 onerror");
  await expect(page.getByTestId("calls-total")).toHaveText(/^0 calls|^1 call/);
  await page.getByTestId("calls-min").getByText("any").click();
  await expect(page.getByTestId("calls-total")).toHaveText(/^1 call,/);
  await expect(rows(page).first()).toContainText("<img src=x onerror=alert(7)>");
  await expect(rows(page).first()).toContainText("failed");
  await expect(page).toHaveURL(/call-text=tenant%3Dt3\+onerror/);
  await page.getByRole("button", { name: /^Remove calls with/ }).click();
  await page.getByTestId("calls-param").fill("tenant!=t3");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("calls-total")).toHaveText(/^800 calls/);
  await page.getByTestId("calls-roots").selectOption("unrecorded");
  // A root without a record has no parameters.
  await expect(page.getByTestId("calls-total")).toHaveText(/^100 calls/);
});

test("the selected calls are the filter of every view, by mouse and by keys", async ({ page }) => {
  await open(page, small);
  await expect(selected(page)).toHaveText(/^All of them/);
  await rows(page).nth(0).click();
  await rows(page)
    .nth(2)
    .click({ modifiers: ["ControlOrMeta"] });
  await expect(selected(page)).toHaveText(/^2 calls are selected/);
  await expect(page.getByTestId("chip")).toHaveText(/selected2 calls/);
  await rows(page)
    .nth(5)
    .click({ modifiers: ["Shift"] });
  await expect(selected(page)).toHaveText(/^4 calls are selected/);
  await grid(page).focus();
  await page.keyboard.press("ControlOrMeta+a");
  await expect(selected(page)).toHaveText(/^All of them/);
  await page.keyboard.press("Home");
  await page.keyboard.press("Space");
  await page.keyboard.press("Shift+ArrowDown");
  await expect(selected(page)).toHaveText(/^2 calls are selected/);
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("view-flame")).toHaveAttribute("aria-selected", "true");
  await expect(page.locator("[data-testid=flame] g.frame").first()).toBeVisible();
  await expect(page.getByTestId("total-value")).toHaveAttribute("data-exact", "1001000000");
  await showProfile(page, "invocations");
  await expect(page.getByTestId("total-value")).toHaveAttribute("data-exact", "2");
  await page.getByTestId("view-calls").click();
  await page.getByTestId("undo").click();
  await expect(selected(page)).toHaveText(/2 calls are selected/);
});

test("one selected call has its time below the list, in parts that are its own figures", async ({ page }) => {
  await open(page, small);
  const time = page.getByTestId("call-time");
  await expect(time).toHaveCount(0);
  await rows(page).first().click();
  await expect(time.getByRole("listitem")).not.toHaveCount(0);
  await expect(time).toContainText(/1 s/);
  // Call 998: 998 ms in itself, 2 ms in its child.
  await rows(page).nth(1).click();
  await expect(page.getByTestId("call-paths").getByRole("listitem")).toHaveText([
    "99.8 % Cart3.run",
    "0.2 % Cart3.run → Cart9.run",
  ]);
  await expectNothingByAxe(page);
  await page.getByTestId("calls-all").click();
  await expect(time).toHaveCount(0);
});

test("a link with a call opens the graph of this call", async ({ page }) => {
  await open(page, small);
  await rows(page).nth(0).dblclick();
  await expect(page.getByTestId("total-value")).toHaveAttribute("data-exact", "1001000000");
  await expect(page).toHaveURL(/[#&]call=/);
  const link = new URL(page.url());
  await page.goto("about:blank");
  await page.goto(`./${link.hash}`);
  await page.getByTestId("file-input").first().setInputFiles(small);
  await expect(page.getByTestId("total-value")).toHaveAttribute("data-exact", "1001000000");
});

test("slow calls are compared with the rest, and one call with those of its method", async ({ page }) => {
  await open(page, small);
  await page.getByTestId("calls-slowest").click();
  await expect(page.getByTestId("view-diff")).toHaveAttribute("aria-selected", "true");
  await expect(page.getByTestId("diff-own")).toHaveAttribute("data-exact", "48825000000");
  await expect(page.getByTestId("diff-base")).toHaveAttribute("data-exact", "452675000000");
  await expect(page.getByTestId("baseline")).toHaveValue("calls");
  await expect(page.locator("[data-testid=flame] g.frame").first()).toBeVisible();
  await page.getByTestId("view-calls").click();
  await rows(page).nth(0).click();
  await page.getByTestId("calls-of-method").click();
  await expect(page.getByTestId("baseline")).toHaveValue("method:shop.cart.Cart4.run");
  await expect(page.getByTestId("diff-own")).toHaveAttribute("data-exact", "1001000000");
  await expect(page.locator("[data-testid=flame] g.frame").first()).toBeVisible();
});

test("a narrow window has the columns that matter", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await open(page, small);
  const heads = await page.getByRole("columnheader").allTextContents();
  expect(heads).toContain("duration");
  expect(heads.length).toBeLessThan(6);
  await expectNothingByAxe(page);
});

test("200,000 calls of 20 runs are listed, sorted and scrolled", async ({ page }) => {
  test.setTimeout(180_000);
  await open(page, archive(CALLS_PER_SERVER, SERVERS));
  await expect(page.getByTestId("calls-total")).toHaveText(/^200,000 calls/);
  await page.getByTestId("sort-start").click();
  await expect(page.getByRole("columnheader", { name: "start" })).toHaveAttribute("aria-sort", "descending");
  await expect(rows(page).first()).toContainText("05:33:18");
  await grid(page).focus();
  await page.keyboard.press("End");
  await expect(page.locator('[data-testid=calls-row][aria-rowindex="200001"]')).toContainText("GET /orders/0");
  expect(await rows(page).count()).toBeLessThan(100);
  await page.getByTestId("calls-server").selectOption("web3");
  await expect(page.getByTestId("calls-total")).toHaveText(/^10,000 calls/);
  await showView(page, "top");
  await expect(page.getByTestId("top-row").first()).toContainText("shop.cart.Cart");
});

test("the folder of a real dump", async ({ page }) => {
  test.skip(!existsSync(REAL), "no ../shared/recordings/cdt");
  const files = readdirSync(REAL, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const entries = files.map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return [path.slice(REAL.length).replaceAll("\\", "/"), new Uint8Array(readFileSync(path))] as const;
  });
  const buffer = Buffer.from(zipSync(Object.fromEntries(entries)));
  await open(page, { name: "local-dump.zip", mimeType: "application/zip", buffer });
  await expect(page.getByTestId("calls-total")).toHaveText(/^8 calls/);
  await expect(rows(page).first()).toContainText("470 ms");
  await expectNothingByAxe(page);
});
