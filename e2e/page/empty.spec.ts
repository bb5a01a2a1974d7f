/** Recordings with little to show: every view and list reports that and offers a next step. */
import type { Page } from "@playwright/test";
import { buildChunk, type Item } from "../../test/kit/jfr/jfr-builder.ts";
import { type CpuSample, cpuChunk, DURATION, event, field, JVM_TYPES, START } from "../../test/kit/jfr/jfr-types.ts";
import { expectNothingByAxe } from "../kit/axe.ts";
import { drop, expect, expectTotals, showView, test } from "../kit/page.ts";
import { VIEW_FACTS } from "../kit/view-facts.ts";
import { OTHER_FORMS, RECORDING_VIEWS } from "../kit/view-lists.ts";
import { eachView, viewsOn } from "../kit/views.ts";

const PAUSE = event("jdk.GCPhasePause", [START, DURATION, field("gcId", "int"), field("name", "java.lang.String")]);
const PAUSES: Item[] = Array.from({ length: 9 }, (_, i) => ({
  event: PAUSE.name,
  values: { startTime: BigInt(i) * 100_000_000n, duration: 3_000_000n, gcId: BigInt(i), name: "GC Pause" },
}));
const SIZES = [
  [1440, 900],
  [1280, 800],
  [1024, 768],
  [390, 844],
] as const;

async function openSamples(page: Page, samples: CpuSample[]): Promise<void> {
  await page.goto("./#view=flame");
  await drop(page, { name: "little.jfr", bytes: buildChunk(cpuChunk(samples)).bytes });
  await expect(page.getByTestId("total-samples")).toBeVisible();
}

test("samples without a stack have no functions, but times, threads and figures", async ({ page }) => {
  await openSamples(page, [
    { at: 1n, stack: null },
    { at: 5_000_000n, stack: null },
  ]);
  await expectTotals(page, { samples: 2, value: 2 });
  for (const view of OTHER_FORMS) {
    await showView(page, view);
    await expect(page.getByTestId("no-stacks")).toContainText("No stack was recorded for these 2 samples");
  }
  await page.getByTestId("view-overview").click();
  await expect(page.getByTestId("why-headline")).toContainText("2 samples");
  await page.getByTestId("lanes-toggle").click();
  await expect(page.getByTestId("lane")).toHaveText(["main"]);
});

test("samples that add up to 0 are reported on every view, with a way to the other figures", async ({ page }) => {
  await openSamples(page, [
    { at: 1n, weight: 0n, span: 3n, root: 2n },
    { at: 9n, weight: 0n },
  ]);
  await expectTotals(page, { samples: 2, value: 0 });
  await eachView(page, async (view) => {
    const told = page.getByTestId("no-weight");
    if (!VIEW_FACTS[view].frames) await expect(told).toHaveCount(0);
    else await expect(told).toContainText("These samples add up to 0");
  });
  await page.getByTestId("view-flame").click();
  await page.getByTestId("no-weight").getByRole("button", { name: "Overview" }).click();
  await expect(page.getByTestId("why-headline")).toContainText("2 samples");
});

test("one moment, in 1970, is a recording too", async ({ page }) => {
  await openSamples(page, [{ at: -1_700_000_000_000_000_000n, span: 3n, root: 2n }]);
  await expectTotals(page, { samples: 1, value: 1 });
  for (const toggle of ["lanes-toggle", "heat-toggle"]) await page.getByTestId(toggle).click();
  await expect(page.getByTestId("heat-cells")).toBeVisible();
  expect((await viewsOn(page)).sort()).toEqual([...RECORDING_VIEWS].sort());
  await eachView(page, () => expect(page.getByTestId("message")).toHaveCount(0));
});

for (const [name, types, items, words] of [
  ["no event", [], [], "This file contains no events."],
  ["pauses of the collector only", [PAUSE], PAUSES, "This file contains events, but no profile samples."],
] as const) {
  test(`a recording with ${name} leads to other files and to the settings, at every size`, async ({ page }) => {
    await page.goto("./#view=flame");
    const spec = { types: [...JVM_TYPES, ...types], items: [...items] };
    await drop(page, { name: "nothing.jfr", bytes: buildChunk(spec).bytes });
    const nothing = page.getByTestId("nothing");
    await expect(nothing).toContainText(words);
    await expect(nothing.getByRole("heading", { name: "How to record samples" })).toBeVisible();
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await expect(nothing.getByRole("button", { name: "Open another file…" })).toBeInViewport();
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
    await expectNothingByAxe(page);
  });
}

test("the details of a recording without events have no empty table", async ({ page }) => {
  await page.goto("./#view=flame");
  await drop(page, { name: "empty.jfr", bytes: buildChunk({ types: JVM_TYPES, items: [] }).bytes });
  await page.getByTestId("about").click();
  await page.getByTestId("about-more").click();
  await expect(page.getByTestId("chunks")).toBeVisible();
  await expect(page.getByTestId("coverage-table")).toHaveCount(0);
  await expectNothingByAxe(page);
});

test("an OTLP message without samples says so and what to do", async ({ page }) => {
  const tables = ["mapping", "location", "function", "link", "attribute", "stack"].map((each) => [
    `${each}Table`,
    [{}],
  ]);
  const message = { resourceProfiles: [], dictionary: { stringTable: [""], ...Object.fromEntries(tables) } };
  await page.goto("./#view=flame");
  await drop(page, { name: "nothing.json", bytes: Buffer.from(JSON.stringify(message)) });
  const said = page.getByRole("alert");
  await expect(said).toContainText("The message has no samples");
  await expect(said).toContainText("open the recording that it was made from");
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await expect(page.getByRole("button", { name: "Choose files…" })).toBeVisible();
  }
});

test("without any span the lists of roots and spans say what is missing", async ({ page }) => {
  await openSamples(page, [{ at: 1n }, { at: 5_000_000n }]);
  for (const name of ["root", "span"]) {
    await page.getByTestId(`by-${name}`).click();
    await expect(page.getByText("No sample of this profile carries a span id.")).toBeVisible();
  }
  await page.getByTestId("by-thread").click();
  await expect(page.getByTestId("rank-row")).toHaveCount(1);
});
