/** Recordings without ids: thread pools in place of requests, and findings of all profiles by their time. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import { why } from "../../../src/core/why.ts";
import { readInputs } from "../../../src/input/open.ts";
import { endOf, summarySteps } from "../../../src/model/why/summary.ts";
import { HeldCore } from "../../../src/requests/held-core.ts";
import { emptyCore } from "../../kit/core/read-store.ts";

async function opened(name: string): Promise<Core> {
  const core = await emptyCore();
  const bytes = readFileSync(new URL(`../../../fixtures/${name}`, import.meta.url));
  await readInputs(core, [{ name, source: bytesSource(bytes) }]);
  return core;
}

function summary(core: Core, type: string) {
  const profiles = core.profiles();
  const profile = profiles.find((each) => each.type === type)!.id;
  const context = { profiles, marks: core.views.marks(), whole: new Map() };
  const wanted = { profile, measure: 0, filter: {} };
  return endOf(summarySteps(new HeldCore(core), why, wanted, context));
}

describe("the thread pools of a recording without ids", () => {
  it.each([
    // By events of waits and CPU samples, whichever profile is asked about.
    [
      "planted/jfr-monitor.jfr.gz",
      ["cpu", "native", "lock-contention"],
      "worker-*",
      3,
      "lock",
      "planted.Shop$Taxes.rateOf",
    ],
    ["planted/jfr-pool.jfr.gz", ["native", "park"], "worker-*", 3, "park", "planted.Shop$Reports.sales"],
    // By wall samples.
    ["planted/ap-monitor.jfr.gz", ["cpu", "wall"], "worker-*", 3, "lock", "planted.Shop$Taxes.rateOf"],
    ["planted/ap-timer.jfr.gz", ["wall"], "worker-*", 3, "sleep", "planted.Shop.rest"],
  ])("of %s have the longest first, and its cause", async (file, types, name, threads, part, path) => {
    const core = await opened(file);
    for (const type of types) {
      const { rows, idle } = summary(core, type).pools!;
      expect(rows[0]).toMatchObject({ name, threads, path: { name: path } });
      expect(rows[0]?.parts[0]?.part).toBe(part);
      expect(idle.map((pool) => pool.name)).toEqual(expect.arrayContaining(["heartbeat"]));
      for (const { nano, parts } of rows) expect(parts.reduce((sum, each) => sum + each.nano, 0n)).toBe(nano);
      const nanos = rows.map(({ nano }) => Number(nano));
      expect(nanos).toEqual([...nanos].sort((a, b) => b - a));
    }
  });

  it("are not told where samples have ids", async () => {
    expect(summary(await opened("recorded/ddagent-jdk17.jfr"), "wall").pools).toBeNull();
  });
});

describe("the findings of a recording without ids", () => {
  it("begin with the lock that threads waited longest for, and name its function", async () => {
    const { findings } = summary(await opened("planted/jfr-monitor.jfr.gz"), "cpu");
    const path = { name: "planted.Shop$Taxes.rateOf" };
    expect(findings[0]).toMatchObject({ name: "Lock contention", tone: "warning", waits: { threads: 3 }, path });
  });

  it("are of events where there are no wall samples, the longest first, whichever profile is asked about", async () => {
    const core = await opened("planted/jfr-pool.jfr.gz");
    const { findings } = summary(core, "native");
    expect(summary(core, "sleep").findings).toEqual(findings);
    expect(findings.map(({ name, figure, waits, path }) => [name, figure, waits?.threads, path?.name])).toEqual([
      ["Waiting for other threads", "time", 4, "planted.Shop$Reports.sales"],
      ["Sleeping", "time", 2, "planted.Shop.rest"],
    ]);
    const times = summary(await opened("recorded/jdk17-profile.jfr"), "cpu").findings;
    const size = (wanted: string) => times.filter(({ tone }) => tone === wanted).map(({ nanos }) => nanos ?? -1);
    for (const tone of ["warning", "info"]) expect(size(tone)).toEqual(size(tone).toSorted((a, b) => b - a));
    expect(times.map(({ name }) => name)).toEqual(expect.arrayContaining(["Network waits", "Lock contention"]));
  });
});
