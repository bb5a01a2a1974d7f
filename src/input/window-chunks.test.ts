import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { hourly } from "../../test/kit/hourly.ts";
import { bytesSource } from "../bytes/byte-source.ts";
import { chunksAround, chunksOf, chunksWith, onlyChunks } from "./window-chunks.ts";

const CHUNK = readFileSync(new URL("../../fixtures/waits/holders-jdk25.jfr", import.meta.url));
const ROOT = 3517919941336254721n;

it("finds the chunks with an id and around a time, and reads these", async () => {
  const source = bytesSource(hourly(CHUNK, ROOT));
  const chunks = (await chunksOf(source))!;
  expect(chunks.map(({ at }) => at)).toEqual([0, CHUNK.length, 2 * CHUNK.length]);
  const found = [chunks[1]!];
  expect(await chunksWith(source, [ROOT])).toEqual({ all: chunks, some: found });
  expect(await chunksWith(source, [ROOT + 1n])).toEqual({ all: chunks, some: [] });
  const { startUnixNano, durationNano } = found[0]!;
  expect(chunksAround(chunks, startUnixNano + durationNano, startUnixNano + durationNano)).toEqual(found);
  const only = onlyChunks(source, chunks, [chunks[0]!, chunks[2]!]);
  expect(only.byteLength).toBe(2 * CHUNK.length);
  const bytes = await only.slice(CHUNK.length - 5, CHUNK.length + 5);
  const all = await source.slice(0, source.byteLength);
  expect([...bytes]).toEqual([
    ...all.subarray(CHUNK.length - 5, CHUNK.length),
    ...all.subarray(2 * CHUNK.length).subarray(0, 5),
  ]);
});

it("leaves damaged recordings to those who read all", async () => {
  const tiny = Buffer.from(CHUNK.subarray(0, 68));
  tiny.writeBigInt64BE(68n, 8);
  const both = async (...parts: Buffer[]) => {
    const source = bytesSource(Buffer.concat(parts));
    const [plain, searched] = [await chunksOf(source), await chunksWith(source, [ROOT])];
    expect(searched?.all ?? null).toEqual(plain);
    return plain;
  };
  expect(await both(hourly(CHUNK, ROOT), Buffer.from("no chunk"))).toBeNull();
  expect(await both(...Array(3).fill(tiny))).toHaveLength(3);
  expect(await both(...Array(2 ** 14 + 1).fill(tiny))).toBeNull();
  // Headers on the edges of what is read at once.
  const long = (bytes: number) => {
    const chunk = Buffer.concat([tiny, Buffer.alloc(bytes - tiny.length)]);
    chunk.writeBigInt64BE(BigInt(bytes), 8);
    return chunk;
  };
  for (const edge of [-68, -67, -1, 0, 1]) expect(await both(long(2 ** 22 + edge), tiny, long(100))).toHaveLength(3);
  expect(await both(long(2 ** 22 + 1), tiny.subarray(0, 67))).toBeNull();
});
