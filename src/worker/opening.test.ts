/** A file is looked at once: its head is read once and one decompressor is started, whoever asks first what it is. */
import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { emptyCore } from "../../test/kit/core/read-store.ts";
import { later } from "../../test/kit/jfr/later.ts";
import { type ByteSource, blobSource } from "../bytes/byte-source.ts";
import { PLAIN } from "../core/tables/extra-events.ts";
import { readInputs } from "../input/open.ts";
import { HEAD_BYTES } from "../input/sniffed.ts";
import type { InputFile } from "../requests/api/api.ts";
import { Session } from "./session.ts";

const fixture = async (path: string) => await readFile(new URL(`../../fixtures/${path}`, import.meta.url));
const first = async () => WebAssembly.compile(await readFile(new URL("../../build/core.wasm", import.meta.url)));
const elf = Uint8Array.from({ length: 200 }, (_, i) => [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1][i] ?? 0);

/** A file that counts how often its head is read. */
class CountingBlob extends Blob {
  heads = 0;

  override slice(start?: number, end?: number): Blob {
    if (start === 0 && end === Math.min(HEAD_BYTES, this.size)) this.heads++;
    return super.slice(start, end);
  }
}

let decompressors = 0;

beforeEach(() => {
  decompressors = 0;
  const Platform = DecompressionStream;
  vi.stubGlobal(
    "DecompressionStream",
    class extends Platform {
      constructor(format: CompressionFormat) {
        super(format);
        decompressors++;
      }
    },
  );
});
afterEach(() => vi.unstubAllGlobals());

const fileOf = (name: string, bytes: Uint8Array<ArrayBuffer>) => ({ name, blob: new CountingBlob([bytes]) });

async function gzipped(path: string) {
  return fileOf(`${path}.gz`, Uint8Array.from(gzipSync(await fixture(path))));
}

/** The session with files that it was asked about before, as the page asks about what is dropped. */
async function dropped(session: Session, files: InputFile[]): Promise<string[]> {
  const kinds = await session.kindsOf(files);
  if (!kinds.ok) throw new Error(kinds.error.message);
  const isRead = (i: number) => kinds.value[i]?.kind !== "symbols";
  const known = files.map((file, i) => ({ ...file, known: kinds.value[i]! })).filter((_, i) => isRead(i));
  const opened = await session.open(known, PLAIN, () => {});
  expect(opened).toMatchObject({ ok: true, value: { open: "these", diagnostics: [] } });
  return kinds.value.map(({ kind, packed }) => `${kind}${packed ? " packed" : ""}`);
}

test("a packed recording that is dropped", async () => {
  const file = await gzipped("shop.jfr");
  expect(await dropped(new Session({ first }), [file])).toEqual(["jfr packed"]);
  expect([file.blob.heads, decompressors]).toEqual([1, 1]);
});

test("a recording with a packed trace and symbols beside it", async () => {
  const trace = fileOf("a.json.gz", Uint8Array.from(await fixture("traces/ddctx-jdk17.captured.datadog.json.gz")));
  const files = [fileOf("a.jfr", Uint8Array.from(await fixture("traces/ddctx-jdk17.jfr"))), trace, fileOf("a.so", elf)];
  expect(await dropped(new Session({ first }), files)).toEqual(["jfr", "trace packed", "symbols"]);
  expect([files.map(({ blob }) => blob.heads), decompressors]).toEqual([[1, 1, 1], 1]);
});

test("a recording with inferred context and no trace file, whose samples have spans", async () => {
  const file = fileOf("a.jfr", Uint8Array.from(await fixture("traces/ddctx-jdk17.jfr")));
  const session = new Session({ first });
  const opened = await session.open([file], { ...PLAIN, inferred: true }, () => {});
  expect(opened).toMatchObject({ ok: true, value: { open: "these", traces: { files: [] } } });
  expect(opened.ok && opened.value.traces?.spans).toBeGreaterThan(0);
});

test("files that are opened without a question before, or again", async () => {
  const file = await gzipped("shop.jfr");
  const session = new Session({ first });
  expect(await session.open([file], PLAIN, () => {})).toMatchObject({ ok: true, value: { open: "these" } });
  expect([file.blob.heads, decompressors]).toEqual([1, 1]);
  const other = { ...file, known: { id: "of another worker", kind: "jfr", packed: true } as const };
  expect(await session.open([other], PLAIN, () => {})).toMatchObject({ ok: true, value: { open: "these" } });
  expect([file.blob.heads, decompressors]).toEqual([2, 2]);
});

test("more packed files than are kept open at a time", async () => {
  const bytes = new Uint8Array(await fixture("shop-chunks.jfr"));
  const packed = (i: number) => Uint8Array.from(gzipSync(later(bytes, i)));
  const files = Array.from({ length: 40 }, (_, i) => fileOf(`${i}.jfr.gz`, packed(i)));
  expect(new Set(await dropped(new Session({ first }), files))).toEqual(new Set(["jfr packed"]));
  expect(decompressors).toBeLessThan(2 * files.length);
});

test("a packed input of the command line", async () => {
  const { name, blob } = await gzipped("shop.jfr");
  const source: ByteSource = blobSource(blob);
  expect(await readInputs(await emptyCore(), [{ name, source }])).toMatchObject({ readable: 1 });
  expect([blob.heads, decompressors]).toEqual([1, 1]);
});
