/** Links with the trace ids of a trace beside the recordings: one for each trace and span; roots become attributes. */
import { describe, expect, it } from "vitest";
import { openSpans } from "../../../src/core/samples/spans.ts";
import { message, read } from "../../kit/core/read-store.ts";
import { CPU, cpuType, JVM_TYPES } from "../../kit/jfr/jfr-types.ts";
import { flatten } from "../../kit/otlp/otlp-schema.ts";

const HIGH = 0x640f_0b2a_0000_0000n;
const hex = (id: bigint, digits: number) => id.toString(16).padStart(digits, "0");

/** A recording of samples with these ids, beside a trace. */
async function recorded(
  samples: readonly [root: bigint, span: bigint][],
  trace: readonly [span: bigint, high: bigint][],
) {
  const values = { startTime: 0n, eventThread: 0n, stackTrace: 0n, weight: 1n };
  const items = samples.map(([root, span]) => ({
    event: CPU,
    values: { ...values, spanId: span, localRootSpanId: root },
  }));
  const core = await read({ types: [...JVM_TYPES, cpuType([])], items });
  (await openSpans(core)).nameTraces({
    id: BigUint64Array.from(trace, ([span]) => span),
    traceHigh: BigUint64Array.from(trace, ([, high]) => high),
    traceLow: BigUint64Array.from(trace, () => 7n),
  });
  return core;
}

/** `trace/span root`, sorted: - for none. */
function links(core: Awaited<ReturnType<typeof recorded>>): string[] {
  return flatten(message(core))
    .flatMap(({ samples }) => samples)
    .map(({ link, attributes }) => {
      const ids = link === null ? "-" : `${link.traceId}/${link.spanId}`;
      return `${ids} ${attributes["local_root_span.id"] ?? attributes["span.id"] ?? "-"}`;
    })
    .sort();
}

const known = (span: bigint, root: string) => `${hex(HIGH, 16)}${hex(7n, 16)}/${hex(span, 16)} ${root}`;

describe("a Link of a span in a trace", () => {
  it("keeps its root where the trace states the id 0", async () => {
    const core = await recorded([[1n, 2n]], []);
    const zero = new BigUint64Array(1);
    (await openSpans(core)).nameTraces({ id: BigUint64Array.of(2n), traceHigh: zero, traceLow: zero });
    expect(links(core)).toEqual([`${hex(1n, 32)}/${hex(2n, 16)} -`]);
  });

  it("has the trace's id, and its local root is an attribute; other Links stay", async () => {
    const core = await recorded(
      [
        [1n, 2n],
        [1n, 3n],
        [0n, 4n],
        [1n, 0n],
        [0n, 0n],
      ],
      [
        [2n, HIGH],
        [4n, HIGH],
      ],
    );
    const plain = `${hex(1n, 32)}/${hex(3n, 16)} -`;
    expect(links(core)).toEqual([`- ${hex(1n, 16)}`, "- -", plain, known(2n, hex(1n, 16)), known(4n, "-")].sort());
  });

  it("is one for all roots of the span, and has 64 bits where the trace has", async () => {
    const roots: [bigint, bigint][] = [
      [1n, 2n],
      [5n, 2n],
      [0n, 2n],
      [7n, 3n],
      [1n, 3n],
      [0n, 3n],
    ];
    const core = await recorded(roots, [
      [2n, HIGH],
      [3n, 0n],
    ]);
    // `message` refuses rows of a table that are there twice.
    const short = (root: string) => `${hex(7n, 32)}/${hex(3n, 16)} ${root}`;
    expect(links(core)).toEqual(
      [
        ...["-", hex(1n, 16), hex(5n, 16)].map((root) => known(2n, root)),
        ...["-", hex(1n, 16), hex(7n, 16)].map(short),
      ].sort(),
    );
  });

  it("is as ever when the trace is forgotten", async () => {
    const core = await recorded([[1n, 2n]], [[2n, HIGH]]);
    (await openSpans(core)).nameTraces({
      id: new BigUint64Array(),
      traceHigh: new BigUint64Array(),
      traceLow: new BigUint64Array(),
    });
    expect(links(core)).toEqual([`${hex(1n, 32)}/${hex(2n, 16)} -`]);
  });
});
