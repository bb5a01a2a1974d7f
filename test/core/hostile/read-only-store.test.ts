/** Views and writers read the store: no table of it changes, whatever is asked or written, in whatever order. */
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import * as StoreTable from "../../../assembly/abi/store-table.ts";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import { allColumns, frameColumns, observationColumns } from "../../../src/core/samples/store-columns.ts";
import { splitByProfile } from "../../../src/core/split.ts";
import { FORMATS } from "../../../src/core/tables/formats.ts";
import { PRESETS } from "../../../src/core/tables/presets.ts";
import type { Filter, Resource } from "../../../src/core/types.ts";
import type { Shape } from "../../../src/core/view-types.ts";
import { why } from "../../../src/core/why.ts";
import { readInputs } from "../../../src/input/open.ts";
import { parseRoots } from "../../../src/model/query/root-by.ts";
import { parseRules } from "../../../src/model/query/run-rules.ts";
import { HeldCore } from "../../../src/requests/held-core.ts";
import { openStoreCore, storeBytes, storeStrings } from "../../kit/core/store-runs.ts";
import { matrixOf } from "../../kit/needs.ts";

/** With native frames, lone ids, roots with endpoints, several events of a profile, second measures. */
const RECORDINGS = ["shop.jfr", "shop-chunks.jfr", "recorded/dd152-jdk17-all.jfr", "recorded/ap46-jdk17-all.jfr"];

/** Texts that no recording has, so that a writer which interned them would show. */
const RESOURCE: Resource = {
  "service.name": "read-only-service",
  "read-only.count": 123_456_789n,
  "read-only.share": 0.123456789,
  "read-only.on": true,
  // An ArrayValue with the string "read-only".
  "read-only.list": Uint8Array.from([0x2a, 13, 0x0a, 11, 0x0a, 9, ...Buffer.from("read-only")]),
};

const TABLES = Object.values(StoreTable).filter((table) => table !== StoreTable.Frames);

let core: Core;

async function read(...names: string[]) {
  const inputs = names.map((name) => ({ name, source: bytesSource(readFileSync(`fixtures/${name}`)) }));
  await readInputs(core, inputs);
  // Lists of live objects count from the end of their file on.
  return core.profiles();
}

function filters(): Filter[] {
  const bounds = core.views.timeBounds() ?? { from: 0n, to: 1n };
  const quarter = (bounds.to - bounds.from) / 4n;
  return [
    {},
    { frames: [{ pattern: "run|main" }, { pattern: "read-only", exclude: true }] },
    { time: { from: bounds.from + quarter, to: bounds.to - quarter } },
    { attributes: [{ key: "read-only key", value: "read-only value", exclude: true }] },
    { span: 0xdead_beefn },
  ];
}

function writeAll(profiles: { id: number; measures: unknown[] }[]): void {
  for (const filter of filters()) {
    for (const { name: format, single } of FORMATS) {
      for (const profile of [...(single === true ? [] : [null]), ...profiles.map(({ id }) => id)]) {
        for (const { name: preset } of PRESETS) {
          core.write(profile, filter, { format, preset, pretty: true, resource: RESOURCE });
        }
        core.write(profile, filter, { format, timestamps: true });
      }
      for (const { id, measures } of profiles) {
        for (let measure = 0; measure < measures.length; measure++) core.write(id, filter, { format, measure });
        core.write(id, filter, { format, shape: SHAPE });
      }
    }
    const payload = { format: "read-only payload", bytes: 3, put: () => {} };
    core.writeTo(null, filter, { format: "otlp", payload }, () => {});
    Array.from(splitByProfile(core, null, filter, { format: "otlp" }, 1000));
  }
}

/** Every question of the views to the current shape of the tree. */
function askAll(profile: number, name: string): void {
  const { views } = core;
  const box = { width: 1000 };
  const { frames } = views.frames({ focus: 0, ...box });
  for (const id of frames.nameIds.slice(0, 20)) views.fileOf(id);
  for (const order of ["self", "total", "name"] as const) views.top(order, 0, 1000, { find: "a", reversed: true });
  const path = Array.from(frames.nameIds.slice(0, 2));
  views.regroup({ grouping: { kind: "callers" }, path, ...box });
  views.regroup({ grouping: { kind: "callers-of", name }, path: [], ...box });
  views.regroup({ grouping: { kind: "callees-of", name: "read-only function" }, path: [], ...box });
  views.search("run|read-only");
  for (const { node } of views.children(0)) views.children(node);
  views.keepBaseline(true);
  core.select(profile, { frames: [{ pattern: "run" }] });
  for (const rest of [false, true]) {
    views.diff({ focus: 0, ...box, rest, normalised: true });
    views.changed(rest, false, 0, 100);
  }
}

const SHAPE: Shape = {
  from: "",
  merged: [],
  recursion: "kept",
  lines: false,
  roots: parseRoots("operation,thread-pool"),
  runs: parseRules(["jdk", "Odd: ;name=run"]),
};

function viewAll(profiles: { id: number; measures: unknown[] }[]): void {
  const { views } = core;
  for (const filter of filters()) {
    for (const { id, measures } of profiles) {
      core.select(id, filter, measures.length - 1);
      const name = views.top("self", 0, 1).rows[0]?.name ?? "";
      for (const lines of [false, true]) {
        for (const recursion of ["kept", "direct", "all"] as const) {
          const from = recursion === "all" ? name : "";
          const runs = parseRules(["jdk", "Run=run"]);
          const opened = [{ rule: "Run", below: "JDK" }];
          const roots = parseRoots(lines ? "thread-pool,attr:read-only key" : "endpoint");
          views.shape({ from, merged: ["java"], recursion, lines, runs, opened, roots });
          core.select(id, filter);
          askAll(id, name);
        }
      }
      const keys = [...core.attributeKeys(), "thread.name", "jfr.event", "profile.type", "read-only key"];
      for (const by of [{ kind: "span" }, { kind: "local-root" }, ...keys.map((key) => ({ kind: "attribute", key }))]) {
        views.rank(by as { kind: "span" }, 0, 100, { about: keys, find: { text: "e" } });
      }
      const threads = views.threads(id).rows.map(({ thread }) => thread);
      views.timeline(id, 100, threads, null);
      views.heat(id, 50, null);
      why(new HeldCore(core), { profile: id, measure: 0, filter });
    }
    core.select(null, filter);
    observationColumns(core.instance, null, 0, 1000);
    for (const table of TABLES) allColumns(core.instance, table);
    frameColumns(core.instance, 0, 1, 1);
    views.pauseCover(views.marks());
    for (const row of views.timeRows()) views.series(row, row, 50);
    views.seriesSummary();
  }
}

// The first one compiles.
beforeEach(async () => {
  core = await openStoreCore();
}, 120_000);

describe("the store is as it was", () => {
  it.each(matrixOf(RECORDINGS))("after every format and preset, %s", async (name) => {
    const profiles = await read(name);
    const before = storeBytes(core);
    expect(storeStrings(core)).toBeGreaterThan(100);

    writeAll(profiles);

    expect(storeBytes(core)).toEqual(before);
  });

  it.each(matrixOf(RECORDINGS))("after every view, %s", async (name) => {
    const profiles = await read(name);
    const before = storeBytes(core);

    viewAll(profiles);

    expect(storeBytes(core)).toEqual(before);
  });

  it("after both, of several files", async () => {
    const profiles = await read("shop.jfr", "shop-chunks.jfr");
    const before = storeBytes(core);

    viewAll(profiles);
    writeAll(profiles);

    expect(storeBytes(core)).toEqual(before);
  });

  it.each(["otlp", "pprof"] as const)("of a message of ours, %s", async (format) => {
    await read("recorded/dd152-jdk17-all.jfr");
    const { bytes } = core.write(null, {}, { format, resource: RESOURCE });
    core = await openStoreCore();
    await readInputs(core, [{ name: "message", source: bytesSource(bytes) }]);
    const profiles = core.profiles();
    const before = storeBytes(core);

    viewAll(profiles);
    writeAll(profiles);

    expect(storeBytes(core)).toEqual(before);
  });
});

it("what is written does not depend on what was asked and written before", async () => {
  const profiles = await read("recorded/dd152-jdk17-all.jfr");
  const write = () =>
    FORMATS.filter(({ single }) => single !== true).map(({ name }) => core.write(null, {}, { format: name }).bytes);
  const first = write();

  viewAll(profiles.slice(0, 2));
  writeAll(profiles.slice(0, 2));
  core.views.shape({ from: "", merged: [], recursion: "kept", lines: false });

  expect(write()).toEqual(first);
});

it("reading more changes it, so that the comparison sees a change", async () => {
  await read("shop.jfr");
  const before = storeBytes(core);

  await read("shop-chunks.jfr");

  expect(storeBytes(core)).not.toEqual(before);
});
