/** A file whose bytes the browser gives to the page's worker only up to where the test says. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { bytesSource } from "../../src/bytes/byte-source.ts";
import { readInputs } from "../../src/input/open.ts";
import { coreOf } from "./core.ts";
import { inWorker } from "./page.ts";

/** Offsets of the chunks of a recording, and its end. */
export function chunksOf(path: string): number[] {
  const bytes = readFileSync(path);
  const offsets = [0];
  for (let at = 0; at < bytes.length; offsets.push(at)) at += Number(bytes.readBigInt64BE(at + 8));
  return offsets;
}

/** What the first bytes of a recording have. */
export async function coreOfPart(path: string, end: number) {
  const core = await coreOf([]);
  await readInputs(core, [{ name: path, source: bytesSource(readFileSync(path).subarray(0, end)) }]);
  return core;
}

const slow = (limit: number) => {
  const { slice, arrayBuffer } = Blob.prototype;
  const starts = new WeakMap<Blob, number>();
  let waiting: (() => void)[] = [];
  new BroadcastChannel("bytes").onmessage = ({ data }: MessageEvent<number>) => {
    limit = data;
    for (const wake of waiting) wake();
    waiting = [];
  };
  Blob.prototype.slice = function (start, end, type) {
    const part = slice.call(this, start, end, type);
    starts.set(part, start ?? 0);
    return part;
  };
  Blob.prototype.arrayBuffer = async function () {
    while ((starts.get(this) ?? 0) >= limit) await new Promise<void>((wake) => waiting.push(wake));
    return arrayBuffer.call(this);
  };
};

/** Reading at an offset from `limit` on waits. The answer moves the limit. */
export async function slowFiles(page: Page, limit: number): Promise<(limit: number) => Promise<void>> {
  await inWorker(page, `(${slow})(${limit})`);
  return (next) => page.evaluate((data) => new BroadcastChannel("bytes").postMessage(data), next);
}
