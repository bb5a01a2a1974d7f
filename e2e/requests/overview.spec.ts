/**
 * Two walks, by mouse and by keys, in a wide and a narrow window: from the id of a trace to the reason for its time and
 * its OTLP profile, and from a recording to the reason for its slowest request.
 */
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { PART_WORDS } from "../../src/model/span-time/words.ts";
import { durationWords } from "../../src/model/trace/operation-words.ts";
import { criticalWords } from "../../src/model/why/critical-words.ts";
import { mainCause } from "../../src/model/why/sentence.ts";
import { formatNanos } from "../../src/model/words/format.ts";
import { criticalOf } from "../../src/requests/critical.ts";
import { HeldCore } from "../../src/requests/held-core.ts";
import type { ChoiceTime, SlowRequest } from "../../src/worker/api.ts";
import { flatten, readOtlp } from "../../test/kit/otlp/otlp-schema.ts";
import { findingsOf } from "../../test/kit/otlp/valid.ts";
import { answersOf } from "../../test/kit/page-answers.ts";
import { expectNothingByAxe } from "../kit/axe.ts";
import { fixture } from "../kit/expected.ts";
import { dialog } from "../kit/export.ts";
import { drop, expect, fromDisk, tabTo, test } from "../kit/page.ts";

const RECORDING = fixture("traces/ddctx-jdk17.jfr");
const TRACE = fixture("traces/ddctx-jdk17.whole.otlp.pb.gz");
/** Wall samples from which a sentence names the parts. */
const ENOUGH = 10;

interface Known {
  request: SlowRequest;
  time: ChoiceTime;
  /** Samples of it in all profiles. */
  samples: number;
}

/** The slowest request; `atLeast`: of those with so many wall samples. */
async function slowest(trace: string | null, atLeast: number): Promise<Known> {
  const { core, spans } = await answersOf(RECORDING, trace, true);
  for (const request of await spans.ask("slowRequests", [{}, 100])) {
    const filter = { localRoot: request.id };
    const time = await spans.ask("choiceTime", [{}, filter]);
    if (time === null || time.samples + time.inferredSamples < atLeast) continue;
    const samples = core.profiles().reduce((sum, { id }) => sum + core.select(id, filter).samples, 0);
    return { request, time, samples };
  }
  throw new Error("no such request");
}

/** How a person gets at a control. */
type Way = (page: Page, target: Locator) => Promise<void>;
const WAYS: [name: string, use: Way][] = [
  ["mouse", (_, target) => target.click()],
  [
    "keys",
    async (page, target) => {
      await tabTo(page, target);
      await page.keyboard.press("Enter");
    },
  ],
];

for (const [name, use] of WAYS) {
  for (const width of [1440, 390]) {
    test.describe(`by ${name}, ${width} px wide`, () => {
      test.use({ viewport: { width, height: 844 } });

      test("a trace id leads to where its time went, and to the OTLP profile of that request", async ({ page }) => {
        const { request, time, samples } = await slowest(TRACE, ENOUGH);
        await page.goto("./#view=flame");
        await drop(page, fromDisk(RECORDING), fromDisk(TRACE));
        await expect(page.getByTestId("total-samples")).toBeVisible();

        await page.keyboard.press("Control+k");
        await page.keyboard.type(request.trace);
        await page.keyboard.press("Enter");
        const sentence = page.getByTestId("why-sentence");
        await expect(sentence).toHaveAttribute("aria-busy", "false");
        const told = `${formatNanos(request.duration)}: ${mainCause(request.breakdown, request.duration)}`;
        await expect(sentence).toContainText(told);
        await expect(page.getByTestId("request-bars")).toContainText(formatNanos(request.duration));
        for (const { part, low, high } of time.breakdown.filter(({ low, high }) => low < high))
          await expect(page.getByTestId(`span-interval-${part}`)).toHaveText(
            `${formatNanos(Number(low))} – ${formatNanos(Number(high))}`,
          );

        await use(page, page.getByTestId("export"));
        await expect(dialog(page)).toBeVisible();
        const waiting = page.waitForEvent("download");
        await use(page, page.getByTestId("export-download"));
        const bytes = await readFile(await (await waiting).path());
        expect(findingsOf(bytes, "protobuf")).toEqual([]);
        const written = flatten(readOtlp(bytes)).flatMap((profile) => profile.samples);
        expect(
          written.reduce((sum, { values, timestamps }) => sum + Math.max(values.length, timestamps.length), 0),
        ).toBe(samples);
      });

      test("a recording alone leads to the reason of its slowest request", async ({ page }) => {
        const { request, time } = await slowest(null, 0);
        await page.goto("./");
        await drop(page, fromDisk(RECORDING));
        const first = page.getByTestId("slow-request").first();
        await expect(first).toContainText(request.endpoint);
        await expect(first).toContainText(mainCause(request.breakdown, request.duration));
        await use(page, first);
        await expect(page.getByTestId("chip")).toContainText(String(request.id));
        await expect(page.getByTestId("request-bars")).toContainText(formatNanos(time.duration));
        await expect(page.getByTestId("slow-requests")).toHaveCount(0);
        for (const { part } of time.breakdown)
          await expect(page.getByTestId("request-parts")).toContainText(PART_WORDS[part].name);
      });
    });
  }
}

test("a whole recording has its endpoints by CPU, which a click selects, and strips of the JVM", async ({ page }) => {
  const sample = fixture("../public/sample.jfr");
  const { core, spans } = await answersOf(sample, null, true);
  const cpu = core.profiles().find(({ type }) => type === "cpu");
  core.select(cpu?.id ?? null, {});
  const { rows } = core.views.rank({ kind: "attribute", key: "trace endpoint" }, 0, 8);
  const times = await spans.ask("endpointTimes", []);
  await page.goto("./#view=overview");
  await drop(page, fromDisk(sample));
  const listed = page.getByTestId("overview-endpoint");
  await expect(listed).toHaveCount(rows.length);
  for (const [i, { label }] of rows.entries()) {
    const { requests, max, source } = times.find(({ endpoint }) => endpoint === label) ?? times[0]!;
    await expect(listed.nth(i)).toContainText(label);
    await expect(listed.nth(i)).toContainText(`${requests}${durationWords(max, source)}`);
  }
  const jvm = page.getByTestId("overview-jvm");
  await expect(jvm.getByTestId("pauses")).toHaveCount(1);
  await expect(jvm.getByTestId("jvm-strip").first()).toHaveAttribute("data-series", "cpu");
  await expectNothingByAxe(page);
  await listed.nth(1).click();
  await expect(page.getByTestId("chip")).toContainText(rows[1]!.label);
  await expect(jvm).toHaveCount(0);
  await expect(listed).toHaveCount(0);
});

// Events have a request where context is inferred.
test("a request leads to its critical path, its longest wait and the median request", async ({ page }) => {
  const { core, spans } = await answersOf(RECORDING, TRACE, true);
  const all = await spans.ask("slowRequests", [{}, 100]);
  const found: [SlowRequest, ChoiceTime][] = [];
  for (const each of all) {
    const time = await spans.ask("choiceTime", [{}, { localRoot: each.id }]);
    if (time !== null && time.wait !== null && time.rest?.median != null) found.push([each, time]);
  }
  const [[request, time] = []] = found;
  if (request === undefined || time === undefined) throw new Error("no request that waited");
  const trace = await spans.ask("spans", [request.trace, []]);
  const longest = Math.max(...trace!.critical);
  const place = trace!.critical.indexOf(longest);

  await page.goto(`./#view=overview&root=${request.id}`);
  await drop(page, fromDisk(RECORDING), fromDisk(TRACE));
  await page.getByTestId("view-overview").click();
  const span = page.getByTestId("critical-span").first();
  await expect(span).toHaveAttribute("data-id", String(trace!.id[place]));
  await expect(span).toContainText(formatNanos(longest));
  // What it did: its hottest function, or its longest wait with the holder.
  const frames = await criticalOf(new HeldCore(core), spans.placesOf(request.trace)!);
  const did = frames.filter((each) => each.place === place && criticalWords(each) !== "");
  const told = did.reduce((a, b) => (b.to - b.from > a.to - a.from ? b : a));
  await expect(span.getByTestId("critical-did")).toHaveText(criticalWords(told));
  const median = page.getByTestId("next-median");
  await expect(median).toContainText(formatNanos(time.rest!.median!.duration));
  await expect(page.getByTestId("why-sentence")).toHaveAttribute("aria-busy", "false");
  await expectNothingByAxe(page);

  await span.click();
  await expect(page.getByTestId("trace-total")).toContainText(request.trace);
  await expect(page.locator("[data-testid=spans-row][data-active=true]")).toHaveAttribute(
    "data-id",
    String(trace!.id[place]),
  );
  await page.getByTestId("view-overview").click();
  await page.getByTestId("next-wait").click();
  await expect(page.getByTestId("view-chart")).toHaveAttribute("aria-selected", "true");
  await expect(page).toHaveURL(/chart=\d+-\d+/);
  await page.getByTestId("view-overview").click();
  await median.click();
  await expect(page.getByTestId("view-diff")).toHaveAttribute("aria-selected", "true");
  await expect(page.getByTestId("baseline")).toContainText("pinned");
});
