import type { Page } from "@playwright/test";
import type { FlatProfile, FlatSample } from "../../test/kit/otlp/otlp-schema.ts";
import { dictionaryFaults, flatten, readOtlp, readOtlpJson } from "../../test/kit/otlp/otlp-schema.ts";
import { findingsOf } from "../../test/kit/otlp/valid.ts";
import { fixture, heaviest, profileOf, SHOP } from "../kit/expected.ts";
import { cellOf, exportFile } from "../kit/export.ts";
import { expect, expectTotals, find, findOnCpu, openFixture, rankRow, showProfile, test } from "../kit/page.ts";

const [ROOT] = heaviest(SHOP.localRoots, "cpu")[0] ?? [""];
const hex = (id: string) => BigInt(id).toString(16).padStart(16, "0");

async function download(
  page: Page,
  format: "otlp" | "otlp-json",
  ...checked: string[]
): Promise<{ name: string; profiles: FlatProfile[] }> {
  const { name, bytes } = await exportFile(page, `format-${format}`, ...checked);
  const data = format === "otlp" ? readOtlp(bytes) : readOtlpJson(bytes.toString("utf8"));
  expect(findingsOf(bytes, format === "otlp" ? "protobuf" : "json")).toEqual([]);
  expect(dictionaryFaults(data)).toEqual([]);
  return { name, profiles: flatten(data) };
}

/** Both downloads, which must say the same. */
async function both(page: Page, ...checked: string[]): Promise<{ names: string[]; profiles: FlatProfile[] }> {
  const pb = await download(page, "otlp", ...checked);
  const json = await download(page, "otlp-json", ...checked);
  expect(json.profiles).toEqual(pb.profiles);
  return { names: [pb.name, json.name], profiles: pb.profiles };
}

/** Samples as lines, observation by observation, in sorted order: two lists are equal as multisets. */
function observations(samples: FlatSample[]): string[] {
  const text = (_: string, value: unknown) => (typeof value === "bigint" ? `${value}n` : value);
  return samples
    .flatMap(({ stack, attributes, link, values, timestamps }) =>
      values.map((value, i) => {
        const sorted = Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1));
        return JSON.stringify([stack, sorted, link, value, timestamps[i]], text);
      }),
    )
    .sort();
}

function only(profiles: FlatProfile[]): FlatProfile {
  expect(profiles).toHaveLength(1);
  return profiles[0] as FlatProfile;
}

test("all of a profile is written: every stack, attribute and root with its samples", async ({ page }) => {
  await openFixture(page, fixture("shop.jfr"));
  for (const type of ["cpu", "wall", "alloc-samples"]) {
    await showProfile(page, type);
    const expected = profileOf(SHOP, type);
    await expectTotals(page, expected);
    const { names, profiles } = await both(page);
    expect(names).toEqual([`shop.${type}.pb`, `shop.${type}.json`]);
    const profile = only(profiles);
    expect(profile).toMatchObject({ type, unit: type === "alloc-samples" ? "bytes" : "samples" });
    const { samples } = profile;
    expect(cellOf(samples)).toEqual({ samples: expected.samples, value: expected.value });

    const stackOf = ({ stack }: FlatSample) => stack.map(({ name }) => name).join("\n");
    const stacks = new Map<string, FlatSample[]>();
    for (const sample of samples) stacks.set(stackOf(sample), [...(stacks.get(stackOf(sample)) ?? []), sample]);
    const cells = Object.fromEntries([...stacks].map(([stack, group]) => [stack, cellOf(group)]));
    const wanted = expected.stacks.map(({ frames, truncated, samples: n, value }) => [
      [...frames, ...(truncated ? ["[truncated]"] : [])].join("\n"),
      { samples: n, value },
    ]);
    expect(cells).toEqual(Object.fromEntries(wanted));

    for (const [key, values] of Object.entries(expected.attributes)) {
      for (const [value, cell] of Object.entries(values).filter(([text]) => text !== "0")) {
        expect(cellOf(samples.filter(({ attributes }) => String(attributes[key]) === value))).toEqual(cell);
      }
    }
    for (const [id, cell] of heaviest(SHOP.localRoots, type)) {
      const traceId = `${"0".repeat(16)}${hex(id)}`;
      const ofRoot = samples.filter(
        ({ link, attributes }) => link?.traceId === traceId || attributes["local_root_span.id"] === hex(id),
      );
      expect(cellOf(ofRoot)).toEqual(cell);
    }
  }
});

test("with a root chosen, exactly its samples are written", async ({ page }) => {
  await openFixture(page, fixture("shop.jfr"));
  const whole = only((await download(page, "otlp")).profiles);
  await rankRow(page, ROOT).click();
  await expectTotals(page, SHOP.localRoots[ROOT]?.cpu ?? { samples: -1, value: -1 });
  const { names, profiles } = await both(page);
  expect(names).toEqual([`shop.cpu.root-${ROOT}.pb`, `shop.cpu.root-${ROOT}.json`]);
  const { samples } = only(profiles);
  const mine = whole.samples.filter(({ link }) => link?.traceId.endsWith(hex(ROOT)));
  expect(observations(samples)).toEqual(observations(mine));
  expect(cellOf(samples)).toEqual(SHOP.localRoots[ROOT]?.cpu);
});

test("with a root, a span and a value chosen, what fits all of them is written", async ({ page }) => {
  await openFixture(page, fixture("shop.jfr"));
  const whole = only((await download(page, "otlp")).profiles);
  const [span] = heaviest(SHOP.spans, "cpu").find(([id]) => SHOP.spans[id]?.operation === "pricing.compute") ?? [""];
  await findOnCpu(page, SHOP.spans[span]?.root ?? "");
  await page.getByTestId("list-toggle").click();
  await page.getByRole("tab", { name: "Spans" }).click();
  await rankRow(page, span).click();
  await find(page, "operation=pricing.compute");
  await expectTotals(page, SHOP.spans[span]?.cpu ?? { samples: -1, value: -1 });
  const { names, profiles } = await both(page);
  expect(names[0]).toBe(`shop.cpu.root-${SHOP.spans[span]?.root}.span-${span}.operation-pricing.compute.pb`);
  const mine = whole.samples.filter(({ link }) => link?.spanId === hex(span));
  expect(observations(only(profiles).samples)).toEqual(observations(mine));
});

test("all profiles go into one file, under the same filter", async ({ page }) => {
  await openFixture(page, fixture("shop.jfr"), "#by=root&inferred=no");
  await rankRow(page, ROOT).click();
  const { names, profiles } = await both(page, "scope-all");
  expect(names[0]).toBe(`shop.all.root-${ROOT}.pb`);
  const cells = Object.fromEntries(profiles.map(({ type, samples }) => [type, cellOf(samples)]));
  expect(cells).toEqual(SHOP.localRoots[ROOT]);
  // The selection on screen is as it was.
  await expectTotals(page, SHOP.localRoots[ROOT]?.cpu ?? { samples: -1, value: -1 });
  await page.getByTestId("flame").locator("g.frame").nth(3).click();
  await expect(page.getByTestId("breadcrumb")).toBeVisible();
});

test("the sample's link, period and threads survive the way through the page", async ({ page }) => {
  await page.goto("./?sample#view=flame");
  await expectTotals(page, { samples: 899, value: 899 });
  const { names, profiles } = await both(page);
  expect(names[0]).toBe("sample.cpu.pb");
  const profile = only(profiles);
  expect(profile).toMatchObject({ periodType: "cpu", periodUnit: "nanoseconds", period: 5_000_000n });
  expect(profile.attributes["spanflame.trace_id"]).toBe("local_root_span_id");
  expect(cellOf(profile.samples)).toEqual({ samples: 899, value: 899 });
  for (const { attributes } of profile.samples) expect(attributes).toMatchObject({ "profile.type": "cpu" });
});
