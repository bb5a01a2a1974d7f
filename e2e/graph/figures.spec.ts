/** One request has one figure in every list, the header, Why, Operations and Top, and they are the answers in Node. */
import type { Page } from "@playwright/test";
import { outlineOf } from "../../src/core/outline.ts";
import type { ProfileSummary } from "../../src/core/types.ts";
import { SELECTION_KEYS } from "../../src/model/lists/request-keys.ts";
import { durationWords } from "../../src/model/trace/operation-words.ts";
import { formatCount, formatCounted, formatFigure, formatNanos, formatPercent } from "../../src/model/words/format.ts";
import { measured } from "../../src/model/words/measure.ts";
import { HeldCore } from "../../src/requests/held-core.ts";
import type { EndpointTimes } from "../../src/worker/api.ts";
import { answersOf, type PageAnswers } from "../../test/kit/page-answers.ts";
import { fixture } from "../kit/expected.ts";
import { drop, expect, expectTotals, fromDisk, rankRow, showView, tab, test } from "../kit/page.ts";

const cellsOf = (page: Page, grid: string) =>
  page
    .getByTestId(`${grid}-row`)
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll("[role=gridcell]")].map((cell) => (cell.textContent ?? "").trim())),
    );

/** The longest request that has samples enough to tell of, and its figures. */
async function longestOf({ core, spans }: PageAnswers) {
  const all = await spans.ask("choiceTime", [{}, {}]);
  const found = all?.longest.find(({ id }) => core.select(null, { localRoot: id }).samples >= 10);
  if (found === undefined) throw new Error("no request with ten samples");
  const { id } = found;
  const filter = { localRoot: id };
  const samplesIn = (profile: ProfileSummary) => core.select(profile.id, filter).samples;
  const [profile] = [...core.profiles()].sort((a, b) => samplesIn(b) - samplesIn(a));
  if (profile === undefined) throw new Error("no profile");
  const totals = core.select(profile.id, filter);
  const top = core.views.top("self", 0, 5).rows.filter(({ self }) => self > 0n);
  const time = await spans.ask("choiceTime", [{}, filter]);
  const outline = outlineOf(new HeldCore(core), core.profiles(), filter, SELECTION_KEYS);
  if (time === null) throw new Error("a request without time");
  return { id, profile, totals, top, time, outline };
}

for (const [recording, trace] of [
  ["shop.jfr", null],
  ["recorded/dd152-jdk17-all.jfr", null],
  ["traces/ddctx-jdk17.jfr", "traces/ddctx-jdk17.captured.datadog.json.gz"],
] as const) {
  test(`${recording}: a request has one duration, endpoint, count and division of its time`, async ({ page }) => {
    const files = [recording, ...(trace === null ? [] : [trace])].map(fixture);
    const answers = await answersOf(fixture(recording), trace === null ? null : fixture(trace), true);
    const { id, profile, totals, top, time, outline } = await longestOf(answers);
    const operations = await answers.spans.ask("operations", ["p95", false, 0, 50]);
    const duration = durationWords(time.duration, time.source);
    const name = outline.endpoint || outline.operation;

    await page.goto(`./#view=flame&type=${profile.type}&by=root&rows=${id}&root=${id}`);
    await drop(page, ...files.map((path) => fromDisk(path)));
    await expectTotals(page, totals);
    await expect(tab(page, profile.type).locator("[data-count]")).toContainText(
      `${formatCount(totals.samples)} / ${formatCount(profile.samples)}`,
    );
    // The list and the header: by the trace file or the end that is recorded, else to the last sample of any profile.
    // Beside the waterfall the list is closed.
    if (trace !== null) await showView(page, "flame");
    const row = rankRow(page, String(id));
    await expect(row.getByTestId("rank-duration")).toHaveText(duration);
    await expect(row.getByTestId("rank-samples")).toHaveAttribute("data-exact", String(totals.samples));
    if (outline.endpoint !== "") await expect(row).toHaveAttribute("title", new RegExp(`\n${outline.endpoint}\n`));
    await expect(page.getByTestId("selection-name")).toHaveText(name);
    await expect(page.getByTestId(`selection-${trace === null ? "extent" : "duration"}`)).toHaveText(duration);
    await expect(page.getByTestId(`split-${profile.type}`)).toContainText(formatCount(totals.samples));

    await showView(page, "top");
    const functions = top.map(({ name, self }) => [
      formatFigure(self, measured(profile, 0)),
      formatPercent(self, totals.value),
      name || "(no name)",
    ]);
    const shown = async () => (await cellsOf(page, "top")).slice(0, top.length);
    await expect
      .poll(async () => (await shown()).map((cells) => [cells[0], cells[1], cells.at(-1)]))
      .toEqual(functions);

    // Why and where the time went: the duration that is recorded, if one is.
    await page.getByTestId("view-overview").click();
    const sentence = page.getByTestId("why-sentence");
    await expect(sentence).toHaveText(new RegExp(`^${duration}[.: ]`));
    await expect(sentence).toHaveAttribute("aria-busy", "false");
    const shares = time.breakdown.map(({ nano }) => formatPercent(nano, time.duration));
    const [told = ""] = ((await sentence.textContent()) ?? "").split(/\. (?:Other|Few|No|Only)/);
    for (const [share] of told.matchAll(/<?[\d.]+ %/g)) expect(shares).toContain(share);
    await page.getByTestId("selection-time").click();
    const total = page.getByTestId("request-time-total");
    await expect(total).toHaveAttribute("data-requests", "1");
    await expect(total).toContainText(`1 request: ${duration}.`);
    const parts = page.getByTestId("request-time").getByRole("listitem");
    await expect(parts).toHaveCount(time.breakdown.length);
    for (const [i, { nano }] of time.breakdown.entries()) {
      const share = formatPercent(Number(nano), time.duration);
      await expect(parts.nth(i)).toContainText(`${formatNanos(Number(nano))}, ${share}`);
    }

    // The lists of Operations.
    await page.getByTestId("operations-shape").getByText("Map").click();
    const span = page.locator(`[data-testid=region-spans-row][data-id="${id}"]`);
    await expect(span.getByRole("gridcell").first()).toHaveText(duration);
    await page.getByTestId("operations-shape").getByText("Table").click();
    const rows = operations.rows.map(({ operation, spans, p50, p95, max }) => [
      operation,
      formatCount(spans),
      ...[p50, p95, max].map((nano) => durationWords(nano, operations.source)),
    ]);
    await expect
      .poll(async () =>
        (await cellsOf(page, "operations")).map((cells) => [...cells.slice(0, 2), ...cells.slice(3, 6)]),
      )
      .toEqual(rows);
  });
}

for (const [recording, trace] of [
  ["../public/sample.jfr", null],
  ["traces/ddctx-jdk17.jfr", "traces/ddctx-jdk17.captured.datadog.json.gz"],
] as const) {
  test(`${recording}: an endpoint has the same requests and durations in every list`, async ({ page }) => {
    const files = [recording, ...(trace === null ? [] : [trace])].map(fixture);
    const answers = await answersOf(fixture(recording), trace === null ? null : fixture(trace), true);
    const times = await answers.spans.ask("endpointTimes", []);
    expect(times.length).toBeGreaterThan(3);
    const wordsOf = ({ p50, p95, max, source }: EndpointTimes) => [p50, p95, max].map((n) => durationWords(n, source));

    await page.goto("./#view=operations&by=endpoint");
    await drop(page, ...files.map((path) => fromDisk(path)));
    await showView(page, "operations");
    for (const row of times) {
      const { endpoint, requests } = row;
      const listed = page.locator(`[data-testid=rank-row][title^="trace endpoint = ${endpoint}\\a "]`);
      await expect(listed.getByTestId("rank-requests")).toContainText(formatCounted(requests, "request"));
      const [p50, p95, max] = wordsOf(row);
      if (max !== "–")
        await expect(listed.getByTestId("rank-requests")).toContainText(`p50 ${p50} · p95 ${p95} · max ${max}`);
    }
    // Without a trace, requests are named by their endpoints.
    const cells = (await cellsOf(page, "operations")).map((row) => [row[0], row[1], ...row.slice(3, 6)]);
    if (trace === null)
      expect(cells).toEqual(
        expect.arrayContaining(times.map((row) => [row.endpoint, formatCount(row.requests), ...wordsOf(row)])),
      );
    else expect(times.every(({ source }) => source === "files")).toBe(true);
    // The durations of trace files are those that the list of the slowest requests is beside.
    for (const { endpoint, alike } of await answers.spans.ask("slowRequests", [{}, 100]))
      expect(times).toContainEqual({ endpoint, ...alike });
  });
}
