/**
 * Every recording of the shop, compared with the facts that its program wrote: by the core's answers and in the
 * messages.
 */
import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { Core } from "../../../src/core/core.ts";
import type { Filter } from "../../../src/core/types.ts";
import { readInputs } from "../../../src/input/open.ts";
import { message, stable } from "../../kit/core/read-store.ts";
import { type FlatProfile, flatten } from "../../kit/otlp/otlp-schema.ts";

const FIXTURES = new URL("../../../fixtures/", import.meta.url);

interface Cell {
  samples: number;
  value: number;
}
type Cells = Record<string, Cell>;
interface ExpectedProfile extends Cell {
  withSpan?: Cell;
  withRoot?: Cell;
  withoutIds?: Cell;
  attributes: Record<string, Cells>;
  objectClasses?: Cells;
  threads: Cells;
  self: Cells;
  stacks: (Cell & { frames: string[]; truncated: boolean })[];
}
interface Expected {
  chunks: Record<string, number>[];
  profiles: Record<string, ExpectedProfile>;
  localRoots: Record<string, Record<string, Cell>>;
  spans: Record<string, { root: string } & Record<string, Cell | string>>;
  locks: Record<string, { atLeast: number }>;
}
const json = (path: string): unknown => JSON.parse(readFileSync(new URL(path, FIXTURES), "utf8"));
/** Those in recorded/ are sampled, not counted: workload.test.ts has them. */
const NAMES = readdirSync(FIXTURES)
  .filter((name) => name.endsWith(".jfr"))
  .map((name) => name.slice(0, -4));

async function open(path: string): Promise<Core> {
  const wasm = new Uint8Array(readFileSync(new URL("../../../build/core.wasm", import.meta.url)));
  const core = await Core.instantiate(await WebAssembly.compile(wasm));
  const source = bytesSource(new Uint8Array(readFileSync(new URL(path, FIXTURES))));
  expect(await readInputs(core, [{ name: path, source }])).toMatchObject({ readable: 1, inputs: [{ read: "wholly" }] });
  return core;
}

const cell = ({ samples, value }: Cell): Cell => ({ samples, value });
const NONE: Cell = { samples: 0, value: 0 };

/** Observations counted by the key that `keyOf` returns; null: not counted. */
function tally(
  profile: FlatProfile | undefined,
  keyOf: (sample: FlatProfile["samples"][number]) => string | null,
): Cells {
  const cells: Cells = {};
  for (const sample of profile?.samples ?? []) {
    const key = keyOf(sample);
    if (key === null) continue;
    cells[key] ??= { samples: 0, value: 0 };
    cells[key].samples += sample.values.length;
    cells[key].value += Number(sample.values.reduce((a, b) => a + b, 0n));
  }
  return cells;
}

/** Class.getName() for people. */
function classLabel(name: string): string {
  const dims = name.lastIndexOf("[") + 1;
  if (dims === 0) return name;
  const base: Record<string, string> = { B: "byte", I: "int", J: "long", C: "char", D: "double", Z: "boolean" };
  const element = name.slice(dims);
  return (base[element] ?? element.slice(1, -1)) + "[]".repeat(dims);
}

const relabel = (cells: Cells, label: (key: string) => string): Cells =>
  Object.fromEntries(Object.entries(cells).map(([key, c]) => [label(key), cell(c)]));

describe.each(NAMES)("%s", (name) => {
  const expected = json(`${name}.expected.json`) as Expected;
  const types = Object.keys(expected.profiles);
  let core: Core;
  let flat: FlatProfile[];
  beforeAll(async () => {
    core = await open(`${name}.jfr`);
    flat = flatten(message(core));
  });

  const idOf = (type: string) => {
    const found = core.profiles().find((profile) => profile.type === type);
    if (found === undefined) throw new Error(`no profile ${type}`);
    return found.id;
  };
  const select = (type: string, filter: Filter): Cell => {
    const { samples, value } = core.select(idOf(type), filter);
    return { samples, value: Number(value) };
  };

  it("has the events of every chunk, and no fault", () => {
    const chunks = core.files()[0]?.chunks ?? [];
    const datadog = chunks.map(({ events }) =>
      Object.fromEntries(Object.entries(events).filter(([event]) => event.startsWith("datadog."))),
    );
    expect(datadog).toEqual(expected.chunks);
    for (const [event, { atLeast }] of Object.entries(expected.locks)) {
      const found = chunks.reduce((sum, { events }) => sum + (events[event] ?? 0), 0);
      expect(found).toBeGreaterThanOrEqual(atLeast);
    }
    expect(core.diagnostics()).toEqual([]);
    expect(core.profiles().map(({ type }) => type)).toEqual([...types, "lock-contention"]);
  });

  describe.each(types)("%s", (type) => {
    const wanted = expected.profiles[type]!;
    const rank = (by: Parameters<Core["views"]["rank"]>[0]) => {
      core.select(idOf(type), {});
      const { count, rows } = core.views.rank(by, 0, 100_000);
      expect(rows).toHaveLength(count);
      const values = rows.map(({ value }) => value);
      expect(values).toEqual(values.toSorted((a, b) => Number(b - a)));
      return rows.map((row) => ({ ...row, cell: { samples: row.samples, value: Number(row.value) } }));
    };

    it("adds up", () => {
      const found = core.profiles().find((profile) => profile.type === type);
      expect({ samples: found?.samples, value: Number(found?.value) }).toEqual(cell(wanted));
      expect(found?.samplesWithSpan).toBe(wanted.withSpan?.samples ?? 0);
      expect(
        tally(
          flat.find((p) => p.type === type),
          () => "all",
        ),
      ).toEqual({ all: cell(wanted) });
    });

    it("has its local roots and spans, each with its root", () => {
      const roots = Object.entries(expected.localRoots).filter(([, cells]) => cells[type]);
      expect(Object.fromEntries(rank({ kind: "local-root" }).map((r) => [r.id, r.cell]))).toEqual(
        Object.fromEntries(roots.map(([id, cells]) => [id, cells[type]])),
      );
      const spans = Object.entries(expected.spans).filter(([, cells]) => cells[type]);
      expect(
        Object.fromEntries(rank({ kind: "span" }).map((r) => [r.id, { root: String(r.root), ...r.cell }])),
      ).toEqual(Object.fromEntries(spans.map(([id, cells]) => [id, { root: cells.root, ...(cells[type] as Cell) }])));
    });

    it("is cut down to every root, every span and both together", () => {
      for (const [id, cells] of Object.entries(expected.localRoots)) {
        expect(select(type, { localRoot: BigInt(id) })).toEqual(cells[type] ?? NONE);
      }
      for (const [id, cells] of Object.entries(expected.spans)) {
        const here = (cells[type] as Cell | undefined) ?? NONE;
        expect(select(type, { span: BigInt(id) })).toEqual(here);
        if (cells.root !== "0") expect(select(type, { span: BigInt(id), localRoot: BigInt(cells.root) })).toEqual(here);
        expect(select(type, { span: BigInt(id), localRoot: 12_345n })).toEqual(NONE);
      }
    });

    it("has its attributes, ranked and as filters", () => {
      for (const [key, values] of Object.entries(wanted.attributes)) {
        // A number that is 0 makes no attribute.
        const kept = Object.entries(values).filter(([value]) => value !== "0");
        const rows = rank({ kind: "attribute", key });
        expect(Object.fromEntries(rows.map((r) => [r.label, r.cell]))).toEqual(Object.fromEntries(kept));
        for (const [value, c] of kept) expect(select(type, { attributes: [{ key, value }] })).toEqual(c);
        expect(select(type, { attributes: [{ key, value: "no such value" }] })).toEqual(NONE);
      }
    });

    it("has its threads, allocated classes and leaf frames", () => {
      const profile = flat.find((p) => p.type === type);
      expect(tally(profile, (s) => String(s.attributes["thread.name"]))).toEqual(relabel(wanted.threads, String));
      const threads = tally(profile, (s) => `${s.attributes["thread.name"]} ${s.attributes["thread.id"]}`);
      expect(core.profiles().find((p) => p.type === type)?.threads).toBe(Object.keys(threads).length);
      const classes = tally(profile, (s) => (s.attributes["alloc.class"] as string | undefined) ?? null);
      expect(classes).toEqual(relabel(wanted.objectClasses ?? {}, classLabel));
      expect(tally(profile, (s) => s.stack[0]?.name ?? "")).toEqual(relabel(wanted.self, String));
      const { value: total } = core.select(idOf(type), {});
      const { rows } = core.views.top("self", 0, 100_000);
      const self = rows.filter((f) => f.self > 0n).map((f) => [f.name, Number(f.self)]);
      expect(Object.fromEntries(self)).toEqual(
        Object.fromEntries(
          Object.entries(wanted.self)
            .filter(([, c]) => c.value > 0)
            .map(([key, c]) => [key, c.value]),
        ),
      );
      expect(Number(total)).toBe(wanted.value);
    });

    it("has its whole stacks", () => {
      const key = (frames: string[], truncated: boolean) =>
        [...frames, ...(truncated ? ["[truncated]"] : [])].join("\n");
      const found = tally(
        flat.find((p) => p.type === type),
        (s) => s.stack.map((f) => f.name).join("\n"),
      );
      const stacks: Cells = {};
      for (const { frames, truncated, samples, value } of wanted.stacks) {
        const at = key(frames, truncated);
        const before = stacks[at] ?? NONE;
        stacks[at] = { samples: before.samples + samples, value: before.value + value };
      }
      expect(found).toEqual(stacks);
    });

    it("links what has both ids, and keeps a lone one as an attribute", () => {
      const profile = flat.find((p) => p.type === type);
      const links = tally(profile, (s) =>
        s.link === null ? null : `${BigInt(`0x${s.link.spanId}`)} ${BigInt(`0x${s.link.traceId}`)}`,
      );
      const wantedLinks = Object.entries(expected.spans).filter(([, s]) => s.root !== "0" && s[type]);
      expect(links).toEqual(Object.fromEntries(wantedLinks.map(([id, s]) => [`${id} ${s.root}`, s[type]])));
      const lone = Object.entries(expected.spans).filter(([, s]) => s.root === "0" && s[type]);
      expect(
        tally(profile, (s) =>
          s.attributes["span.id"] === undefined ? null : String(BigInt(`0x${s.attributes["span.id"]}`)),
        ),
      ).toEqual(Object.fromEntries(lone.map(([id, s]) => [id, s[type]])));
      const withoutIds = tally(profile, (s) =>
        s.link === null && s.attributes["span.id"] === undefined && s.attributes["local_root_span.id"] === undefined
          ? "none"
          : null,
      );
      expect(withoutIds.none ?? NONE).toEqual(wanted.withoutIds ?? NONE);
      const { samples, value } = core.select(idOf(type), { noSpan: true });
      expect({ samples, value: Number(value) }).toEqual(wanted.withoutIds ?? NONE);
    });

    it("is written exactly as it is selected", () => {
      const [root] = Object.keys(expected.localRoots);
      const [span] = Object.keys(expected.spans);
      const filters: Filter[] = [{}, { localRoot: BigInt(root ?? 1) }, { span: BigInt(span ?? 1) }, { span: 1n }];
      for (const [key, values] of Object.entries(wanted.attributes)) {
        for (const value of Object.keys(values)) filters.push({ attributes: [{ key, value }] });
      }
      for (const filter of filters) {
        const totals = select(type, filter);
        // `message` holds the JSON against the protobuf, and both against the rules of the dictionary.
        const written = flatten(message(core, idOf(type), filter));
        expect(written.map((p) => p.type)).toEqual([type]);
        expect(tally(written[0], () => "all").all ?? NONE).toEqual(totals);
        const result = core.write(idOf(type), filter, { format: "otlp" });
        expect([result.observations, result.samples]).toEqual([totals.samples, written[0]?.samples.length ?? 0]);
      }
    });
  });

  it("says where its trace ids come from", () => {
    for (const profile of flat) {
      expect(profile.attributes["spanflame.trace_id"] ?? "local_root_span_id").toBe("local_root_span_id");
      if (profile.samples.some((s) => s.link !== null))
        expect(profile.attributes).toHaveProperty(["spanflame.trace_id"]);
    }
  });

  it("is the same when it is read twice, also as two files", async () => {
    const again = await open(`${name}.jfr`);
    expect(stable(flatten(message(again)))).toBe(stable(flat));
    const source = bytesSource(new Uint8Array(readFileSync(new URL(`${name}.jfr`, FIXTURES))));
    await readInputs(again, [{ name: "again", source }]);
    for (const type of types) {
      const found = again.profiles().find((profile) => profile.type === type);
      expect(found?.samples).toBe(expected.profiles[type]?.samples ?? 0);
    }
    expect(again.files().map((file) => file.name)).toEqual([`${name}.jfr`, "again"]);
  });
});
