/** Extent and pauses of a selection: the same for each profile, and those of the timeline for the whole recording. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import type { Filter } from "../../../src/core/types.ts";
import { why } from "../../../src/core/why.ts";
import { readInputs } from "../../../src/input/open.ts";
import { HeldCore } from "../../../src/requests/held-core.ts";
import { emptyCore } from "../../kit/core/read-store.ts";

async function opened(name: string): Promise<Core> {
  const core = await emptyCore();
  const bytes = readFileSync(new URL(`../../../fixtures/${name}`, import.meta.url));
  await readInputs(core, [{ name, source: bytesSource(bytes) }]);
  return core;
}

/**
 * Local roots with CPU and wall samples, whose extents in the two profiles differ. Live objects are noted at the end of
 * a file, and a wait in a queue begins before the request.
 */
function roots(core: Core): { root: bigint; first: bigint; last: bigint }[] {
  const times = new Map<bigint, { first: bigint; last: bigint }[]>();
  for (const { id, type } of core.profiles()) {
    if (["live-heap", "queue-time"].includes(type)) continue;
    core.select(id, {});
    for (const row of core.views.rank({ kind: "local-root" }, 0, 1000).rows)
      times.set(row.id, [...(times.get(row.id) ?? []), row]);
  }
  return [...times].flatMap(([root, each]) => {
    const first = each.reduce((least, row) => (row.first < least ? row.first : least), each[0]!.first);
    const last = each.reduce((most, row) => (row.last > most ? row.last : most), 0n);
    return each.some((row) => row.first !== first || row.last !== last) ? [{ root, first, last }] : [];
  });
}

const timeOf = (core: Core, profile: number, filter: Filter) => {
  const { pauses, gaps } = why(new HeldCore(core), { profile, measure: 0, filter });
  const { samples: _, ...rest } = pauses;
  return { ...rest, gaps };
};

describe.each(["shop.jfr", "recorded/ddagent-jdk17.jfr", "recorded/dd152-jdk17-all.jfr"])(
  "the time of a selection in %s",
  (name) => {
    it("is that of all profiles of a root, whichever is asked about", async () => {
      const core = await opened(name);
      const profiles = core.profiles().filter(({ samplesWithRoot }) => samplesWithRoot > 0);
      const found = roots(core);
      expect(found.length).toBeGreaterThan(3);
      expect(profiles.length).toBeGreaterThan(1);
      for (const { root, first, last } of found) {
        const filter = { localRoot: root };
        const [one, ...others] = profiles.map(({ id }) => timeOf(core, id, filter));
        expect(one?.time).toEqual({ from: first, to: last });
        for (const other of others) expect(other).toEqual(one);
      }
    });

    it("counts a root's pauses that touch the extent", async () => {
      const core = await opened(name);
      const { start, pauses } = core.views.marks();
      const [profile] = core.profiles();
      for (const { root, first, last } of roots(core)) {
        const [from, to] = [Number(first - start), Number(last - start)];
        const touching = pauses.at.filter((at, i) => at <= to && at + pauses.nanos[i]! >= from);
        expect(timeOf(core, profile!.id, { localRoot: root }).pauses).toBe(touching.length);
      }
    });
  },
);

it("the pauses of a whole recording are those of the timeline", async () => {
  const core = await opened("recorded/ddagent-jdk17.jfr");
  const { pauses } = core.views.marks();
  const nanos = pauses.nanos.reduce((sum, each) => sum + each, 0);
  expect(pauses.at.length).toBe(4);
  for (const { id } of core.profiles()) expect(timeOf(core, id, {})).toMatchObject({ pauses: 4, nanos });
});
