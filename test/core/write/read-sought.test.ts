/**
 * Events without the bytes of a wanted id are passed without decoding: ids of all lengths and ways to write them,
 * beside ids and texts with the same first bytes, in events of all lengths.
 */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { Core } from "../../../src/core/core.ts";
import { readOnlyNeeded } from "../../../src/core/reading/read-filter.ts";
import type { Filter } from "../../../src/core/types.ts";
import { readInputs } from "../../../src/input/open.ts";
import { buildChunk, type Item, type TypeSpec } from "../../kit/jfr/jfr-builder.ts";
import { Out, Text } from "../../kit/jfr/jfr-bytes.ts";
import {
  CONTEXT,
  Constants,
  CPU,
  event,
  field,
  JVM_TYPES,
  javaStack,
  MAIN,
  STACK,
  START,
  THREAD,
} from "../../kit/jfr/jfr-types.ts";

const module = await WebAssembly.compile(readFileSync(new URL("../../../build/core.wasm", import.meta.url)));
const IDS = [
  5n,
  300n,
  (1n << 28n) - 3n,
  (1n << 28n) + 77n,
  0x12_3456_789an,
  (1n << 56n) - 9n,
  0x7123_4567_89ab_cdefn,
  (1n << 64n) - 1n,
];
const TYPES: TypeSpec[] = [
  ...JVM_TYPES,
  event(CPU, [START, THREAD, STACK, field("state", "java.lang.String"), ...CONTEXT, field("tail", "java.lang.String")]),
  event("datadog.ObjectSample", [START, THREAD, STACK, field("size", "long"), ...[...CONTEXT].reverse()]),
];

let state = 7;
function random(end: number): number {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return (state >>> 8) % end;
}

/** A text of `n` random bytes, in the middle of which those of the id are. */
function textWith(id: bigint, n: number): Text {
  const codes = Array.from({ length: n }, () => random(256));
  codes.splice(n >> 1, 0, ...new Out().long(id).bytes);
  return Text.latin1(String.fromCharCode(...codes));
}

function recordingOf(id: bigint, compressed: boolean, padding: number): Uint8Array {
  const pools = new Constants();
  const others = [0n, 9n, id ^ 1n, id ^ (1n << 40n), (1n << 63n) | 1n];
  const items: Item[] = [];
  const idOr = () => (random(5) === 0 ? id : others[random(others.length)]!);
  for (let i = 0; i < 700; i++) {
    const at = {
      startTime: BigInt(i),
      eventThread: pools.thread(MAIN),
      stackTrace: pools.stack(javaStack(`m${i % 9}`)),
    };
    const ids = { spanId: idOr(), localRootSpanId: idOr() };
    const text = () => (random(3) === 0 ? textWith(id, random(60)) : Text.latin1("x".repeat(random(120))));
    items.push(
      i % 3 === 0
        ? { event: "datadog.ObjectSample", values: { ...at, size: 8n, ...ids } }
        : { event: CPU, values: { ...at, state: text(), ...ids, tail: text() } },
    );
  }
  items.push({ checkpoint: pools.all() });
  return buildChunk({ types: TYPES, items, compressed, padding, durationNanos: 1_000_000n }).bytes;
}

async function read(core: Core, bytes: Uint8Array, filter: Filter | null): Promise<void> {
  core.reset();
  if (filter !== null) readOnlyNeeded(core, { filter, stacks: true, all: false });
  await readInputs(core, [{ name: "a.jfr", source: bytesSource(bytes) }]);
}

it.each(IDS.map((id) => [id]))("finds all samples of %d, and no others", async (id) => {
  const [whole, part] = [await Core.instantiate(module, [], 1n), await Core.instantiate(module, [], 2n)];
  for (const [compressed, padding] of [
    [true, 1],
    [true, 7],
    [true, 9],
    [false, 1],
  ] as const) {
    const bytes = recordingOf(id, compressed, padding);
    await read(whole, bytes, null);
    for (const filter of [{ localRoot: id }, { span: id }, { span: id, not: { localRoot: id } }] satisfies Filter[]) {
      await read(part, bytes, filter);
      const { samples } = whole.select(null, filter);
      expect(samples).toBeGreaterThan(0);
      expect(part.samples()).toBe(samples);
      const [a, b] = [part, whole].map((core) => core.write(null, filter, { format: "otlp" }).bytes);
      expect(Buffer.compare(a!, b!)).toBe(0);
    }
  }
});
