/** A trace beside a recording: the list of traces, the waterfall, its keys, and the filter of a span. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { expectNothingByAxe } from "../kit/axe.ts";
import { allShown, drop, expect, showView, test } from "../kit/page.ts";

const fileOf = (name: string) => ({
  name,
  bytes: readFileSync(new URL(`../../fixtures/traces/${name}`, import.meta.url)),
});
const RECORDING = fileOf("ddctx-jdk17.jfr");
const TRACE = fileOf("ddctx-jdk17.captured.datadog.json.gz");

const traces = (page: Page) => page.getByTestId("traces-row");
const spans = (page: Page) => page.getByTestId("spans-row");

async function openBoth(page: Page): Promise<void> {
  await page.goto("./#view=trace");
  await drop(page, RECORDING, TRACE);
  await expect(page.getByTestId("traces-total")).toHaveText(/^60 traces with 310 spans\./);
}

test("a recording and a trace that are dropped together show the traces; Enter opens one", async ({ page }) => {
  await openBoth(page);
  await expect(page.getByTestId("view-trace")).toHaveAttribute("aria-selected", "true");
  await expect(traces(page).nth(1)).toContainText("servlet.request");
  await page.getByTestId("traces").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("trace-total")).toContainText("demo-shop: servlet.request");
  await expect(page).toHaveURL(/trace=[0-9a-f]{32}/);
  await page.getByTestId("all-traces").click();
  await expect(traces(page).first()).toBeVisible();
  await expect(page).toHaveURL(/trace=all/);
  await page.goBack();
  await expect(spans(page).first()).toBeVisible();
});

test("a trace that is dropped on an open recording joins it, and nothing is asked", async ({ page }) => {
  await page.goto("./#view=flame");
  await drop(page, RECORDING);
  await allShown(page);
  await drop(page, TRACE);
  await showView(page, "trace");
  await expect(page.getByTestId("traces-total")).toHaveText(/^60 traces with 310 spans\./);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.getByTestId("view-flame").click();
  await expect(page.getByTestId("total-value")).not.toHaveText("");
});

test("a span without samples offers the samples of its time, of its thread and of all threads", async ({ page }) => {
  await openBoth(page);
  await traces(page).first().click();
  const button = page.getByTestId("span-then");
  const walk = async () => {
    await page.getByTestId("spans").focus();
    for (let i = 0; i < 20 && !(await button.isVisible()); i++) await page.keyboard.press("ArrowDown");
  };
  await walk();
  await button.click();
  await expect(page).toHaveURL(/time=\d+-\d+/);
  await expect(page.getByTestId("view-flame")).toHaveAttribute("aria-selected", "true");
  await page.goBack();
  await walk();
  await page.getByTestId("span-then-thread").click();
  await expect(page).toHaveURL(/attr=thread\.name/);
});

test("a span that is opened is the filter of every view", async ({ page }) => {
  await openBoth(page);
  await traces(page).first().click();
  const first = spans(page).first();
  const id = await first.getAttribute("data-id");
  await page.getByTestId("spans").focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`span=${id}`));
  await expect(page.getByTestId("span-filter")).toHaveAttribute("aria-pressed", "true");
  const counted = (await page.getByTestId("span-panel").textContent()) ?? "";
  const cpu = Number(/CPU(\d+) sample/.exec(counted)?.[1] ?? 0);
  expect(cpu).toBeGreaterThan(0);
  await page.getByTestId("view-flame").click();
  await expect(page.getByTestId("total-samples")).toHaveAttribute("data-exact", String(cpu));
});

test("the panel of a span says where its time went, and a part opens exactly its samples", async ({ page }) => {
  await openBoth(page);
  await traces(page).first().click();
  const time = page.getByTestId("span-time");
  const shares = async () => {
    const texts = await time.getByRole("listitem").allTextContents();
    return texts.map((text) => Number(/, ([\d.]+) %/.exec(text)?.[1] ?? 0));
  };
  // The parts add up to the duration, of the request and of the span alone.
  for (const by of ["Request", "This span"]) {
    await page.getByTestId("span-time-by").getByText(by).click();
    await expect(page.getByTestId("span-part-cpu")).toBeVisible();
    await expect
      .poll(async () => Math.abs((await shares()).reduce((sum, share) => sum + share, 0) - 100))
      .toBeLessThan(1);
  }
  await expect(page.getByTestId("span-interval-cpu")).toHaveText(/ – /);
  await expect(page.getByTestId("span-peers")).toContainText(/of \d+ other spans/);
  await expect(page.getByTestId("span-others-cpu")).toContainText(/others .*p95/);
  await expect(page.getByTestId("span-states").getByRole("row").nth(1)).toContainText(/%.*–.*%/);
  const part = page.getByTestId("span-part-cpu");
  const samples = (await part.getAttribute("data-samples")) ?? "";
  await part.click();
  await expect(page.getByTestId("view-flame")).toHaveAttribute("aria-selected", "true");
  await expect(page).toHaveURL(/span=\d+/);
  await expect(page.getByTestId("total-samples")).toHaveAttribute("data-exact", samples);
  // It is one step back.
  await page.keyboard.press("Control+z");
  await expect(page).not.toHaveURL(/span=/);
});

test("Left and Right close and open spans; the search finds them by attribute", async ({ page }) => {
  await openBoth(page);
  await traces(page).first().click();
  await expect(spans(page)).toHaveCount(2);
  await page.getByTestId("spans").focus();
  await page.keyboard.press("ArrowLeft");
  await expect(spans(page)).toHaveCount(1);
  await page.keyboard.press("ArrowRight");
  await expect(spans(page)).toHaveCount(2);
  await page.getByTestId("spans-search").fill("thread.name=worker");
  await expect(page.getByTestId("spans-found")).toHaveText(/^\d+ spans?$/);
  await expect(page).toHaveURL(/trace-search=thread\.name/);
});

test("the pasted text of a trace joins the recording; a pasted id is searched for", async ({ page }) => {
  await page.goto("./#view=flame");
  await drop(page, RECORDING);
  await allShown(page);
  const paste = (text: string) =>
    page.evaluate((pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", pasted);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, text);
  await paste(gunzipSync(TRACE.bytes).toString());
  await expect(page.getByTestId("files")).toHaveAttribute("data-tip", /trace/);
  await showView(page, "trace");
  await expect(page.getByTestId("traces-total")).toHaveText(/^60 traces with 310 spans\./);
  await traces(page).first().click();
  const id = (await spans(page).first().getAttribute("data-id")) ?? "";
  await paste(id);
  await expect(page).toHaveURL(new RegExp(`(span|root)=${id}`));
});

test("a report has the waterfall of the open trace and where its time went; it prints in one column", async ({
  page,
  context,
}) => {
  await openBoth(page);
  await traces(page).first().click();
  await expect(page.getByTestId("span-panel")).toBeVisible();
  await page.getByTestId("export").click();
  await page.getByTestId("format-html").check({ force: true });
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByTestId("export-download").click()]);
  const file = await download.path();
  const report = await context.newPage();
  await report.setContent(readFileSync(file, "utf8"));
  await expect(report.locator("#trace tbody tr").first()).toContainText("servlet.request");
  await expect(report.locator("#trace svg rect").first()).toBeVisible();
  await expect(report.locator("#time tbody tr").first()).toContainText("%");
  await expect(report.locator("#operations tbody tr").first()).toBeVisible();
  await expect(report.locator("#coverage tbody tr").first()).toBeVisible();
  await report.emulateMedia({ media: "print" });
  const [wide, page0] = await report.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(wide).toBeLessThanOrEqual(page0 ?? 0);
});

for (const scheme of ["light", "dark"] as const) {
  test(`axe finds nothing in the list and in the waterfall, ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await openBoth(page);
    await expectNothingByAxe(page);
    await traces(page).first().click();
    await expect(page.getByTestId("span-panel")).toBeVisible();
    await expectNothingByAxe(page);
  });
}

const WHOLE = "6b0242b30000000018c78af588731b24";

test("a pasted trace id of 128 bits opens the overview of its roots, and Trace shows this trace", async ({ page }) => {
  await openBoth(page);
  const rows = JSON.parse(gunzipSync(TRACE.bytes).toString()) as {
    trace_id: bigint;
    meta?: Record<string, string>;
  }[][];
  const tid = rows.flat().find(({ meta }) => meta?.["_dd.p.tid"] !== undefined)!.meta!["_dd.p.tid"]!;
  const text = gunzipSync(TRACE.bytes).toString();
  const low = BigInt(/"trace_id": ?(\d+)/.exec(text)![1]!)
    .toString(16)
    .padStart(16, "0");
  await page.getByTestId("view-flame").click();
  await page.keyboard.press("Control+k");
  await page.keyboard.type(`${tid}${low}`);
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("view-overview")).toHaveAttribute("aria-selected", "true");
  await expect(page.getByTestId("request-bars")).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`trace=${tid}${low}`));
  await page.getByTestId("view-trace").click();
  await expect(spans(page).first()).toBeVisible();
  await expect(page.getByTestId("chip").first()).toBeVisible();
});

test("an id that nothing knows shows no other trace, and what is known instead", async ({ page }) => {
  await openBoth(page);
  await page.keyboard.press("Control+k");
  await page.keyboard.type(WHOLE.replace(/^6b/, "5c"));
  await page.keyboard.press("Enter");
  await expect(page.getByText("The files contain no trace of this id.")).toBeVisible();
  await expect(spans(page)).toHaveCount(0);
  await page.getByTestId("view-flame").click();
  const known = page.getByTestId("unknown-id");
  await expect(known).toContainText("Neither the recordings nor the trace files know the id");
  await expect(known).toContainText("The recordings cover ddctx-jdk17.jfr");
});

test("a span that only the trace file knows leads to its trace from every view", async ({ page }) => {
  await page.goto("./#inferred=no&view=trace");
  await drop(page, RECORDING, TRACE);
  await expect(page.getByTestId("traces-total")).toBeVisible();
  for (const view of ["overview", "flame"] as const) {
    await showView(page, view);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("329860404170454056");
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("view-trace")).toHaveAttribute("aria-selected", "true");
    await expect(spans(page).first()).toBeVisible();
    await expect(page.getByTestId("chip").first()).toContainText("329860404170454056");
  }
  await showView(page, "flame");
  const none = page.getByTestId("no-samples");
  await expect(none).toContainText("Part 0, 5.1 ms.");
  await expect(none).not.toContainText(/does not have|know the id|Similar ids/);
  await page.getByTestId("show-in-trace").click();
  await expect(spans(page).first()).toBeVisible();
});
