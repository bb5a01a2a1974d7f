/**
 * A recording made to break the page: names like `hostile.spec.ts` has them, and very many of
 * them.
 */
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { buildChunk } from "../../test/kit/jfr/jfr-builder.ts";
import { type CpuSample, cpuChunk, field } from "../../test/kit/jfr/jfr-types.ts";

/** As the builder dates its chunks. */
const START = 1_700_000_000_000_000_000n;
const LAST_MOMENT = (1n << 63n) - 1n;
const IN_CHUNK = 100_000;
const OPERATIONS = 100_000;
const FUNCTIONS = 300;
const MEGABYTE = "L".repeat(1 << 20);

/** Samples of so many threads, one each; the first is of the year 1970, the last of 2262. */
function sampleOf(i: number, threads: number, names: readonly string[]): CpuSample {
  const odd = names[i % names.length] ?? "";
  const name = `${odd}${i}`;
  const method = i % 1000 === 1 ? MEGABYTE : `${odd}${i % FUNCTIONS}`;
  const at = i === 0 ? -START : BigInt(i) * 50_000n;
  return {
    at: i === threads - 1 ? LAST_MOMENT - START : at,
    span: BigInt(i + 1),
    root: BigInt((i % 70_000) + 1),
    thread: { javaName: name, javaId: BigInt(i + 1), osName: name, osId: BigInt(i + 1) },
    stack: { frames: [method, "run"].map((each) => ({ className: "demo/Work", method: each })) },
    // In brackets it is a key like any other.
    more: { operation: `${odd}${i % OPERATIONS}`, ["__proto__"]: `${odd}${i % 5}` },
  };
}

/** Writes the recording chunk by chunk. */
export async function writeCrowd(path: string, threads: number, names: readonly string[]): Promise<void> {
  const context = ["operation", "__proto__"].map((key) => field(key, "java.lang.String"));
  const out = createWriteStream(path);
  for (let first = 0; first < threads; first += IN_CHUNK) {
    const samples = Array.from({ length: Math.min(IN_CHUNK, threads - first) }, (_, i) =>
      sampleOf(first + i, threads, names),
    );
    out.write(buildChunk(cpuChunk(samples, {}, context)).bytes);
  }
  out.end();
  await finished(out);
}
