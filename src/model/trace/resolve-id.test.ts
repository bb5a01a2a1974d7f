/** What an id means: the order of the rules, traces of several roots, and answers for unknown ids. */
import { describe, expect, it } from "vitest";
import { type DrawnSpan, drawn, ENTRIES } from "../../../test/kit/span-table.ts";
import type { CarriedIds } from "../../core/carried-ids.ts";
import type { FileSummary } from "../../core/types.ts";
import { IdMap } from "../../ids/map.ts";
import { coveredWords, resolveId, similarIds, unknownWords, whenWords } from "./resolve-id.ts";
import { traceTree } from "./tree.ts";

const HIGH = 0x4bf92f3577b34da6n;
const LOW = 0xa3ce929d0e0e4736n;
const TRACE = (HIGH << 64n) | LOW;
const HEX = "4bf92f3577b34da6a3ce929d0e0e4736";
const span = (id: bigint, trace: bigint, parent = 0n): DrawnSpan => ({ id, trace, parent, start: id, end: id + 9n });
const SPANS = [span(11n, TRACE), span(12n, TRACE, 11n), span(13n, TRACE, 12n), span(21n, 0x77n), span(LOW, 0x88n)];

function treeOf(spans = SPANS) {
  return traceTree(drawn(spans), Uint32Array.from(spans.keys()), ENTRIES);
}
/** Spans with their roots, and roots of samples. */
function carried(spans: [bigint, bigint][], roots: bigint[]): CarriedIds {
  const low = (id: bigint) => BigInt.asUintN(64, id);
  return { spans: new IdMap(spans), roots: new IdMap(roots.map((root) => [low(root), root])) };
}
const NONE = carried([], []);

describe("an id of a trace of the files", () => {
  const ids = carried(
    [
      [12n, 11n],
      [13n, 13n],
      [21n, 21n],
    ],
    [11n, 13n, 21n],
  );

  it("means the samples of its local roots", () => {
    expect(resolveId([TRACE], ids, treeOf())).toEqual({
      kind: "local-root",
      ids: [11n, 13n],
      asked: TRACE,
      trace: HEX,
    });
  });

  it("with another upper half is no id of it", () => {
    expect(resolveId([TRACE + (1n << 64n)], ids, treeOf())).toBeNull();
    expect(resolveId([TRACE + (1n << 64n), LOW], ids, treeOf())).toBeNull();
    expect(resolveId([TRACE + (1n << 64n), LOW], carried([], [LOW]), null)).toMatchObject({ ids: [LOW] });
  });

  it("means its spans if their samples name no root, and itself without samples", () => {
    const spans = carried([[12n, 0n]], []);
    expect(resolveId([TRACE], spans, treeOf())).toMatchObject({ kind: "span", ids: [12n] });
    expect(resolveId([TRACE], NONE, treeOf())).toMatchObject({ kind: "local-root", ids: [TRACE], trace: HEX });
  });

  it("may be of 64 bits in the file or in the question", () => {
    expect(resolveId([0x77n], ids, treeOf())).toMatchObject({ ids: [21n], trace: "77".padStart(32, "0") });
    expect(resolveId([(5n << 64n) | 0x77n], ids, treeOf())).toMatchObject({ ids: [21n] });
  });
});

describe("an id of 64 bits", () => {
  it("is a local root before a trace, and a trace before a span", () => {
    expect(resolveId([LOW], carried([], [LOW]), treeOf())).toMatchObject({ kind: "local-root", ids: [LOW] });
    // It is also a span of another trace.
    expect(resolveId([LOW], carried([[12n, 11n]], [11n]), treeOf())).toMatchObject({ ids: [11n], trace: HEX });
  });

  it("of a span leads to its trace if a trace is asked for", () => {
    const ids = carried([[12n, 11n]], [11n]);
    expect(resolveId([12n], ids, treeOf(), true)).toMatchObject({ kind: "local-root", ids: [11n], trace: HEX });
    expect(resolveId([12n], ids, treeOf())).toMatchObject({ kind: "span", ids: [12n], trace: HEX });
    expect(resolveId([12n], ids, null, true)).toMatchObject({ kind: "local-root", ids: [11n], trace: null });
  });

  it("counts if a candidate before it means nothing", () => {
    expect(resolveId([99n, 21n], carried([], [21n]), null)).toMatchObject({ ids: [21n], asked: 21n });
  });

  it("leads to a trace of 128 bits of samples", () => {
    expect(resolveId([LOW], carried([], [TRACE]), null)).toMatchObject({ ids: [TRACE], trace: HEX });
    expect(resolveId([TRACE], carried([], [TRACE]), null)).toMatchObject({ ids: [TRACE] });
  });
});

describe("an id that nothing knows", () => {
  const KNOWN = 4657123412341222n;
  const how = (asked: bigint, known = KNOWN) => similarIds([asked], carried([[known, 0n]], []), null)[0]?.how;

  it.each<[string, bigint, bigint?]>([
    ["a digit differs", 4657123412341223n],
    ["a digit differs", 4657123421341222n],
    ["the last digits are missing", 46571234n],
    ["the first digits are missing", 412341222n],
    ["its bytes in reverse order", 0x8877665544332211n, 0x1122334455667788n],
    ["these digits as a hexadecimal number", 1122334455667788n, 0x1122334455667788n],
    ["these digits as a decimal number", 0x1122334455667788n, 1122334455667788n],
    ["rounded to a floating-point number", 5622108563542500000n, 5622108563542500123n],
    ["the lower half of the id", TRACE, LOW],
    ["the upper half of the id", TRACE, HIGH],
  ])("%s: %s", (expected, asked, known) => {
    expect(how(asked, known)).toBe(expected);
  });

  it("has no similar one by chance", () => {
    expect(how(0x0123456789abcdefn)).toBeUndefined();
    expect(how(12n)).toBeUndefined();
  });

  it("is answered with what is known", () => {
    const similar = [{ id: 10n, how: "a digit differs" }];
    expect(unknownWords(11n, similar, ["a.jfr, service shop"], false)).toEqual([
      "no sample carries the id 11",
      "similar ids: 10 (0x000000000000000a): a digit differs",
      "the recordings cover a.jfr, service shop",
      "add a trace file, which leads from a trace id to its samples, or another recording",
    ]);
    expect(unknownWords(TRACE, [], [], true)[0]).toBe(`neither the recordings nor the trace files know the id ${HEX}`);
  });
});

describe("the time of an id", () => {
  const chunk = { startUnixNano: 1_790_000_000_000_000_000n, durationNano: 60_000_000_000n };
  const file = {
    name: "a.jfr",
    resource: { "service.name": "shop" },
    chunks: [chunk],
    messages: [],
  } as unknown as FileSummary;
  const at = (second: bigint) => ((1_790_000_000n + second) << 96n) | 7n;

  it("is told beside that of the recordings, if it is of their day", () => {
    const told = (second: bigint) => whenWords(at(second), [file])[0]?.replace(/^.*Z(?=,)/, "");
    expect([30n, 360n, -19n, -120n, 18_960n, 90_000n].map(told)).toEqual([
      ", within the recordings",
      ", 5 min after the recordings",
      ", 19 s before the recordings",
      ", 2 min before the recordings",
      ", 5 h 15 min after the recordings",
      undefined,
    ]);
    expect([whenWords(7n, [file]), whenWords(at(0n), [])]).toEqual([[], []]);
  });

  it("comes with the requests of a single recording", () => {
    const [one] = coveredWords([file], carried([], [1n, 2n]));
    expect(one).toMatch(/^a\.jfr, service shop, .*Z, 2 requests$/);
    expect(coveredWords([file, file], carried([], [1n]))[0]).not.toContain("requests");
  });
});
