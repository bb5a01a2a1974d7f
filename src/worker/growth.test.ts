/** A recording that is open while it is read: what a session answers between its chunks, and in the end. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { type Asking, asking } from "../../test/kit/asking.ts";
import { emptyCore } from "../../test/kit/core/read-store.ts";
import { later } from "../../test/kit/jfr/later.ts";
import { blobSource } from "../bytes/byte-source.ts";
import { keepContexts } from "../core/samples/contexts.ts";
import { PLAIN } from "../core/tables/extra-events.ts";
import type { ProfileSummary } from "../core/types.ts";
import { readInputs } from "../input/open.ts";
import { inference } from "../model/context/infer.ts";
import type { InputFile, Overview, Query } from "./api.ts";
import { Session } from "./session.ts";

const BYTES = await readFile(new URL("../../fixtures/shop-chunks.jfr", import.meta.url));
const ENDS: number[] = [];
for (let at = 0; at < BYTES.length; ENDS.push(at)) at += Number(BYTES.readBigInt64BE(at + 8));
const first = async () => WebAssembly.compile(await readFile(new URL("../../build/core.wasm", import.meta.url)));
const ALL: Query = { profile: 0, measure: 0, filter: {} };
const WRITE = { profile: null, filter: {}, options: { format: "otlp" }, gzip: false, withRecordings: false } as const;

/** A file whose bytes from `limit` on are not there yet. */
class SlowBlob extends Blob {
  limit = ENDS[0] ?? 0;
  private waiting: (() => void)[] = [];

  moveTo(limit: number): void {
    this.limit = limit;
    for (const wake of this.waiting) wake();
    this.waiting = [];
  }

  override slice(start = 0, end?: number): Blob {
    const part = super.slice(start, end);
    part.arrayBuffer = async () => {
      while (start >= this.limit) await new Promise<void>((wake) => this.waiting.push(wake));
      return Blob.prototype.arrayBuffer.call(part);
    };
    return part;
  }
}

const WITHOUT = { ...PLAIN, inferred: false };

/** A session that has told of other files and of the first chunk. */
async function growing(more: InputFile[] = [], choice = PLAIN) {
  const session = asking(new Session({ first }));
  const blob = new SlowBlob([Uint8Array.from(BYTES)]);
  const told: Overview[] = [];
  let tell: (overview: Overview) => unknown = () => {};
  const next = () => new Promise<Overview>((resolve) => (tell = resolve));
  const grown = next();
  const answer = session.open(
    [...more, { name: "shop.jfr", blob }],
    choice,
    () => {},
    undefined,
    (overview) => {
      told.push(overview);
      tell(overview);
      return true;
    },
  );
  return { session, blob, told, answer, next, grown: await grown };
}

async function totals(session: Asking<Session>) {
  const answer = await session.totals(ALL);
  return answer.ok ? answer.value : answer.error;
}

const samplesIn = ({ profiles }: Overview) => profiles[0]?.samples;

test("the first chunk is open before the others are read, and the session answers for it", async () => {
  const { session, blob, next, answer, grown } = await growing();
  expect(grown).toMatchObject({ open: "these", isPart: true, cancelled: false, diagnostics: [] });
  expect(grown.files[0]?.chunks).toHaveLength(1);
  expect(await totals(session)).toMatchObject({ samples: samplesIn(grown) });
  const second = next();
  blob.moveTo(ENDS[1] ?? 0);
  const more = await second;
  expect(more.files[0]?.chunks).toHaveLength(2);
  expect(await totals(session)).toMatchObject({ samples: samplesIn(more) });
  blob.moveTo(BYTES.length + 1);
  const all = await answer;
  if (!all.ok) throw new Error(all.error.message);
  expect(all.value.isPart).toBeUndefined();
  expect(all.value.files[0]?.chunks).toHaveLength(3);
  expect(await totals(session)).toMatchObject({ samples: samplesIn(all.value) });
});

test("nodes keep their numbers, and the output is that of a reading in one go, which it waits for", async () => {
  const { session, blob, answer } = await growing();
  const before = await session.frames(ALL, { focus: 0, width: 1000 });
  const download = session.download(WRITE);
  blob.moveTo(BYTES.length + 1);
  await answer;
  const after = await session.frames(ALL, { focus: 0, width: 1000 });
  const plain = asking(new Session({ first }));
  await plain.open([{ name: "shop.jfr", blob: new Blob([Uint8Array.from(BYTES)]) }], PLAIN, () => {});
  expect(after).toEqual(await plain.frames(ALL, { focus: 0, width: 1000 }));
  const expected = await plain.download(WRITE);
  const written = await download;
  if (!before.ok || !after.ok || !written.ok || !expected.ok) throw new Error("no answer");
  const named = ({ frames: { node, name, names } }: typeof after.value) =>
    new Map(Array.from(node, (each, row) => [each, names[name[row] ?? 0]]));
  const names = named(after.value);
  const known = [...named(before.value)].filter(([node]) => names.has(node));
  expect(known.length).toBeGreaterThan(10);
  expect(known).toEqual(known.map(([node]) => [node, names.get(node)]));
  expect(await written.value.blob.bytes()).toEqual(await expected.value.blob.bytes());
});

test("several files are open when the last one has its first chunk", async () => {
  const blob = new Blob([later(BYTES.subarray(0, ENDS[0]))]);
  const { session, blob: slow, grown, answer } = await growing([{ name: "first.jfr", blob }], WITHOUT);
  expect(grown.files.map(({ name, chunks }) => [name, chunks.length])).toEqual([
    ["first.jfr", 1],
    ["shop.jfr", 1],
  ]);
  expect(await totals(session)).toMatchObject({ samples: samplesIn(grown) });
  slow.moveTo(BYTES.length + 1);
  const all = await answer;
  if (!all.ok) throw new Error(all.error.message);
  expect(all.value.files.map(({ chunks }) => chunks.length)).toEqual([1, 3]);
});

test("a cancelled reading keeps what has been read, though the next bytes never come", async () => {
  const { session, answer, grown } = await growing();
  session.cancel();
  const all = await answer;
  expect(all).toMatchObject({ ok: true, value: { open: "these", cancelled: true } });
  expect(await totals(session)).toMatchObject({ samples: samplesIn(grown) });
});

test("other files end the reading, and what has been read of it is closed", async () => {
  const { session, answer } = await growing();
  const other = session.open([{ name: "none.jfr", blob: new Blob(["nothing"]) }], PLAIN, () => {});
  expect(await answer).toMatchObject({ ok: false, error: { code: "superseded" } });
  expect(await other).toMatchObject({ ok: true, value: { open: "nothing" } });
  expect(await totals(session)).toMatchObject({ code: "closed", lost: true });
});

test("a file of one chunk is told of once, in the end", async () => {
  const session = asking(new Session({ first }));
  const told: Overview[] = [];
  const blob = new Blob([Uint8Array.from(BYTES.subarray(0, ENDS[0]))]);
  const grow = (overview: Overview) => told.push(overview) > 0;
  const answer = await session.open([{ name: "shop.jfr", blob }], WITHOUT, () => {}, undefined, grow);
  expect(answer).toMatchObject({ ok: true, value: { open: "these" } });
  expect(told).toEqual([]);
});

const RECORDED = new URL("../../fixtures/", import.meta.url);

test.each([
  ["traces/ddctx-jdk17.jfr", true],
  // Without live objects, which are counted at the end as well.
  ["shop.jfr", true],
  ["recorded/jdk17-profile.jfr", false],
])("%s is shown before its context is inferred, if it has any", async (name, hasContext) => {
  const session = asking(new Session({ first }));
  const told: Overview[] = [];
  const blob = new Blob([Uint8Array.from(await readFile(new URL(name, RECORDED)))]);
  const grow = (overview: Overview) => told.push(overview) > 0;
  const answer = await session.open([{ name: "a.jfr", blob }], PLAIN, () => {}, undefined, grow);
  if (!answer.ok) throw new Error(answer.error.message);
  const isInferred = ({ profiles }: Overview) => profiles.some(({ inferredBy }) => inferredBy !== undefined);
  expect([told.map(isInferred), isInferred(answer.value)]).toEqual([hasContext ? [false] : [], hasContext]);
  const shown = (of: Overview) => of.profiles.map(({ type, samples }) => [type, samples]);
  expect(shown(answer.value)).toEqual(expect.arrayContaining(told.flatMap(shown)));
  // The same as a reading that infers from the beginning.
  const core = await emptyCore();
  await keepContexts(core, inference());
  await readInputs(core, [{ name, source: blobSource(blob) }]);
  const inferred = (of: { profiles: readonly ProfileSummary[] }) =>
    of.profiles.map(({ type, samples, inferredSpan = 0, inferredRoot = 0 }) => [
      type,
      samples,
      inferredSpan,
      inferredRoot,
    ]);
  expect(inferred(answer.value)).toEqual(inferred({ profiles: core.profiles() }));
});
