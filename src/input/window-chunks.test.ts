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
  const found = await chunksWith(source, chunks, [ROOT]);
  expect(found).toEqual([chunks[1]]);
  expect(await chunksWith(source, chunks, [ROOT + 1n])).toEqual([]);
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
  const damaged = Buffer.concat([hourly(CHUNK, ROOT), Buffer.from("no chunk")]);
  expect(await chunksOf(bytesSource(damaged))).toBeNull();
  const tiny = Buffer.from(CHUNK.subarray(0, 68));
  tiny.writeBigInt64BE(68n, 8);
  expect(await chunksOf(bytesSource(Buffer.concat(Array(3).fill(tiny))))).toHaveLength(3);
  expect(await chunksOf(bytesSource(Buffer.concat(Array(2 ** 14 + 1).fill(tiny))))).toBeNull();
});
