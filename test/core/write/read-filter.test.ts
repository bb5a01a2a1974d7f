/**
 * Filters given to the readers before reading: a message of what they let through has the bytes of one that is filtered
 * after everything was read.
 */
import { describe, expect, it } from "vitest";
import { Core } from "../../../src/core/core.ts";
import { FORMATS, formatRow } from "../../../src/core/tables/formats.ts";
import type { Filter, OutputFormat, ProfileSummary } from "../../../src/core/types.ts";
import { CORE, casesOf, fixture, RECORDINGS, read } from "../../kit/core/read-filters.ts";
import { matrixOf } from "../../kit/needs.ts";
import { hasSeveral } from "../../kit/otlp/several-profiles.ts";

const OUTPUTS = FORMATS.map(({ name }) => name);

/** A field of its events decides between it and another profile, and is not read of skipped ones. */
const ROUTED = "socket-write";
/** Of a chunk; damage in it leaves nothing that can be read. */
const HEADER = 68;

function typesOf(core: Core): string[] {
  return core.profiles().map(({ type }) => type);
}

function message(core: Core, format: OutputFormat, type: string | undefined, filter: Filter): string {
  const id = type === undefined ? null : core.profiles().find((profile) => profile.type === type)?.id;
  expect(id, type).not.toBe(undefined);
  if (formatRow(format).single && hasSeveral(core, id ?? null, filter)) return "several profiles";
  const { bytes, ...totals } = core.write(id ?? null, filter, { format });
  return `${JSON.stringify(totals)} ${Buffer.from(bytes).toString("latin1")}`;
}

describe.each(matrixOf(RECORDINGS))("%s", (name) => {
  const bytes = fixture(name);

  it("has the same messages, whether samples are excluded while reading or after it", async () => {
    const whole = await Core.instantiate(CORE, [], 1n);
    const part = await Core.instantiate(CORE, [], 2n);
    await read(whole, bytes, null);
    let exact = 0;
    const cases = casesOf(whole);
    for (const [what, type, filter] of cases) {
      const isFiltered = await read(part, bytes, { ...(type === undefined ? {} : { types: [type] }), filter });
      expect(isFiltered, what).toBe(true);
      const asked = whole.profiles().find((profile) => profile.type === type);
      const { samples } = whole.select(asked?.id ?? null, filter);
      const alike = whole.profiles().filter(({ meaning }) => meaning.kind === asked?.meaning.kind);
      const all = alike.reduce((sum, each) => sum + each.samples, 0);
      // Attributes of roots may come later, and a type may be that of several profiles, or name their kind.
      if (part.samples() === samples || (all > samples && part.samples() === all)) exact++;
      const names = typesOf(part);
      if (type === undefined)
        expect(typesOf(whole).filter((each) => !names.includes(each) && each !== ROUTED)).toEqual([]);
      else expect(names, what).toContain(type);
      for (const format of OUTPUTS) {
        const a = message(part, format, type, filter);
        const b = message(whole, format, type, filter);
        // Not toBe: the difference of two messages takes minutes to print.
        expect(a === b, `${what}, ${format}: ${a.length} and ${b.length}`).toBe(true);
      }
    }
    expect(exact).toBeGreaterThan(cases.length / 2);
  });
});

describe.each(matrixOf(RECORDINGS))("%s, its observations only counted", (name) => {
  const bytes = fixture(name);

  it("has the same profiles, totals, lists and frames", async () => {
    const whole = await Core.instantiate(CORE, [], 1n);
    const part = await Core.instantiate(CORE, [], 2n);
    await read(whole, bytes, null);
    await read(part, bytes, { single: false, all: true });
    expect(part.instance.wasm.observationCount.value).toBeLessThan(whole.instance.wasm.observationCount.value);
    expect(part.samples()).toBe(whole.samples());
    expect(part.files()).toEqual(whole.files());
    // The distances of observations tell the tick of a kernel, so these profiles have the stated interval.
    const stated = ({ period, statedPeriod = period, meaning, ...rest }: ProfileSummary) => {
      const nanos = statedPeriod === period ? meaning.nanos : Number(statedPeriod);
      return { ...rest, period: statedPeriod, meaning: { ...meaning, nanos } };
    };
    expect(part.profiles().map(stated)).toEqual(whole.profiles().map(stated));
    for (const { id, measures } of whole.profiles()) {
      for (const i of measures.keys()) {
        expect(part.select(id, {}, i)).toEqual(whole.select(id, {}, i));
        expect(part.views.top("self", 0, 50)).toEqual(whole.views.top("self", 0, 50));
      }
    }
  });
});

it("has the same messages of damaged recordings", async () => {
  const bytes = fixture("shop-chunks.jfr");
  const whole = await Core.instantiate(CORE, [], 1n);
  const part = await Core.instantiate(CORE, [], 2n);
  const random = randomBelow(19);
  for (let i = 0; i < 24; i++) {
    const damaged = bytes.slice();
    for (let k = random(20); k >= 0; k--) damaged[HEADER + random(damaged.length - HEADER)] = random(256);
    await read(whole, damaged, null);
    whole.select(null, {});
    const root = whole.views.rank({ kind: "local-root" }, 0, 100).rows[random(3)]?.id ?? 1n;
    const from = whole.files()[0]?.chunks[0]?.startUnixNano ?? 0n;
    for (const filter of [{ localRoot: root }, { noSpan: true }, { time: { from, to: from + 1_000_000_000n } }]) {
      await read(part, damaged, { filter });
      const isSame = message(part, "otlp", undefined, filter) === message(whole, "otlp", undefined, filter);
      expect(isSame, `recording ${i}, ${Object.keys(filter)}`).toBe(true);
    }
  }
});

/** Random numbers, the same in each run. */
function randomBelow(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % end;
  };
}
