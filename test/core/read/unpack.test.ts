/** Wrappers around recordings: each decompresses to the recording, in every compression and every way of reading. */
import { readFileSync } from "node:fs";
import { deflateRawSync, gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { Expansion } from "../../../src/bytes/expansion.ts";
import { unpackLz4 } from "../../../src/bytes/lz4.ts";
import { StreamSource } from "../../../src/bytes/stream-source.ts";
import { zipEntries } from "../../../src/bytes/zip.ts";
import { Core } from "../../../src/core/core.ts";
import { readInputs } from "../../../src/input/open.ts";

const at = (path: string) => new Uint8Array(readFileSync(new URL(`../../../fixtures/${path}`, import.meta.url)));
const SHOP = at("shop.jfr");
const ZSTD = at("packed/shop.jfr.zst");
const LZ4 = at("packed/shop.jfr.lz4");
const module = await WebAssembly.compile(
  new Uint8Array(readFileSync(new URL("../../../build/core.wasm", import.meta.url))),
);

function concat(...parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((n, part) => n + part.length, 0));
  let to = 0;
  for (const part of parts) {
    all.set(part, to);
    to += part.length;
  }
  return all;
}

async function open(bytes: Uint8Array): Promise<{ core: Core; readable: number; codes: string[] }> {
  const core = await Core.instantiate(module);
  const { readable } = await readInputs(core, [{ name: "in", source: bytesSource(bytes) }]);
  return { core, readable, codes: core.diagnostics().map(({ code }) => code) };
}

/** Content of a recording, by the core's answers. */
function content(core: Core): unknown {
  return core.profiles().map(({ type, samples, value }) => [type, samples, value]);
}

const plain = content((await open(SHOP)).core);
const SKIPPABLE = Uint8Array.of(0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 9, 9, 9);

describe("a compressed recording", () => {
  it.each([
    ["zstd", ZSTD],
    ["lz4, linked blocks", LZ4],
    ["lz4 behind a skippable frame of its own", concat(LZ4, SKIPPABLE)],
    ["zstd behind a skippable frame", concat(SKIPPABLE, ZSTD)],
    ["zstd in gzip", new Uint8Array(gzipSync(ZSTD))],
  ])("reads like the plain one: %s", async (_, packed) => {
    const { core, codes } = await open(packed);
    expect(codes).toEqual([]);
    expect(content(core)).toEqual(plain);
    expect(core.files()).toMatchObject([{ name: "in", bytes: SHOP.length }]);
  });

  it.each([
    ["gzip", new Uint8Array(gzipSync(SHOP))],
    ["zstd", ZSTD],
    ["lz4", LZ4],
  ])("of two frames is two chunks: %s", async (_, packed) => {
    const { core, codes } = await open(concat(packed, packed));
    expect(codes).toEqual(["source.copy"]);
    expect(core.files().map(({ chunks }) => chunks.map(({ copy }) => copy === true))).toEqual([[false, true]]);
    expect(core.files()[0]?.bytes).toBe(2 * SHOP.length);
  });

  it.each([
    ["gzip", new Uint8Array(gzipSync(SHOP))],
    ["zstd", ZSTD],
    ["lz4", LZ4],
  ])("that breaks off says so: %s", async (packing, packed) => {
    const { codes } = await open(packed.subarray(0, packed.length - 2000));
    expect(codes).toContain(`${packing}.damaged`);
  });
});

describe("a zip archive", () => {
  it("has an entry of the overview for each recording in it", async () => {
    const zip = zipSync({ "a/one.jfr": SHOP, "notes.txt": new TextEncoder().encode("hello"), "two.jfr.zst": ZSTD });
    const { core, codes, readable } = await open(zip);
    expect(core.files().map(({ name, bytes }) => [name, bytes])).toEqual([
      ["in/a/one.jfr", SHOP.length],
      ["in/two.jfr.zst", SHOP.length],
    ]);
    expect(codes).toEqual(["source.foreign", "source.copy"]);
    expect(core.diagnostics()[0]).toMatchObject({ severity: "warning", file: "in/notes.txt" });
    expect(readable).toBe(1);
  });

  it("of stored entries is read too", async () => {
    const { core } = await open(zipSync({ "one.jfr": SHOP }, { level: 0 }));
    expect(content(core)).toEqual(plain);
  });

  it("with paths too long for a hash keeps their ends", async () => {
    const { core, readable } = await open(zipSync({ [`${"a".repeat(20_000)}/one.jfr`]: SHOP }));
    expect(readable).toBe(1);
    expect(core.files()[0]?.name).toMatch(/^[^…]*…a+\/one\.jfr$/);
    expect(core.files()[0]?.name.length).toBeLessThan(1_100);
  });

  it("that breaks off keeps what stands before", async () => {
    const zip = zipSync({ "one.jfr": SHOP, "two.jfr": SHOP });
    const { core, codes } = await open(zip.subarray(0, Math.floor(zip.length * 0.7)));
    expect(core.files()[0]).toMatchObject({ name: "in/one.jfr", bytes: SHOP.length });
    expect(codes).toContain("zip.damaged");
  });

  it("of thousands of small entries is read to its end", async () => {
    const text = new TextEncoder().encode("x".repeat(30));
    const files = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`d/${i}.txt`, text]));
    const { core, codes, readable } = await open(zipSync({ ...files, "good.jfr": SHOP }));
    expect([readable, content(core)]).toEqual([1, plain]);
    expect(new Set(codes)).toEqual(new Set(["source.foreign"]));
  });

  /** An entry as a writer makes it that knows sizes only afterwards. */
  function streamed(name: string, data: Uint8Array, method: number, how: { signature: boolean; wide: boolean }) {
    const head = new Uint8Array(30 + name.length);
    const view = new DataView(head.buffer);
    for (const [at, value] of [
      [0, 0x04034b50],
      [6, 8],
      [8, method],
      [26, name.length],
    ] as const) {
      view.setUint32(at, value, true);
    }
    head.set(new TextEncoder().encode(name), 30);
    const wide = how.wide ? 8 : 4;
    const descriptor = new DataView(new ArrayBuffer(4 + 2 * wide));
    descriptor.setUint32(4, data.length, true);
    const signature = how.signature ? Uint8Array.of(0x50, 0x4b, 7, 8) : new Uint8Array(0);
    return concat(head, data, signature, new Uint8Array(descriptor.buffer));
  }
  const END = Uint8Array.of(0x50, 0x4b, 5, 6, ...new Uint8Array(18));

  it.each([
    ["deflated, with a descriptor", 8, { signature: true, wide: false }],
    ["deflated, with a descriptor without signature", 8, { signature: false, wide: false }],
    ["deflated, with sizes of 64 bits", 8, { signature: true, wide: true }],
    ["stored, with a descriptor", 0, { signature: true, wide: false }],
  ])("whose entries give their size afterwards is read: %s", async (_, method, how) => {
    const pack = (bytes: Uint8Array) => (method === 8 ? new Uint8Array(deflateRawSync(bytes)) : bytes);
    // Bytes of a signature inside the data are not an end, because the size after them is not that of the data.
    const traps = concat(SHOP, Uint8Array.of(0x50, 0x4b, 7, 8), new Uint8Array(40), Uint8Array.of(0x50, 0x4b, 3, 4));
    const zip = concat(streamed("a.jfr", pack(traps), method, how), streamed("b.jfr", pack(SHOP), method, how), END);
    const { core, codes } = await open(zip);
    expect(core.files().map(({ name, bytes }) => [name, bytes])).toEqual([
      ["in/a.jfr", traps.length],
      ["in/b.jfr", SHOP.length],
    ]);
    expect(new Set(codes)).toEqual(new Set(["jfr.foreign-bytes", "source.copy"]));
  });

  it.each([
    ["is encrypted", 6, 1],
    ["has an unknown method", 8, 12],
  ])("names an entry that %s, and reads the others", async (_, at, value) => {
    const zip = zipSync({ "one.jfr": SHOP, "two.jfr": SHOP });
    new DataView(zip.buffer, zip.byteOffset).setUint16(at, value, true);
    const { core, codes } = await open(zip);
    expect(codes).toEqual(["zip.damaged"]);
    expect([core.files().map(({ name }) => name), content(core)]).toEqual([["in/two.jfr"], plain]);
  });

  it("is inflated in small pieces", async () => {
    const zip = zipSync({ a: new Uint8Array(64 << 20) });
    let most = 0;
    for await (const { source } of zipEntries(bytesSource(zip), new Expansion({ byteLength: zip.length }))) {
      for (let at = 0; (await source.ahead(at, at + 1)) > 0; at = source.byteLength) {
        most = Math.max(most, source.bytesKept);
      }
      expect(source.byteLength).toBe(64 << 20);
    }
    expect(most).toBeLessThan(20 << 20);
  });

  it("is not blamed for what the core throws", async () => {
    const core = await Core.instantiate(module);
    core.step = () => {
      throw new Error("out of memory");
    };
    const reading = readInputs(core, [{ name: "in", source: bytesSource(zipSync({ "one.jfr": SHOP })) }]);
    await expect(reading).rejects.toThrow("out of memory");
    expect(core.diagnostics()).toEqual([]);
  });
});

describe("lz4 frames", () => {
  async function unpack(bytes: Uint8Array): Promise<string> {
    let p = 0;
    const parts: Uint8Array[] = [];
    const take = async (n: number) => {
      const piece = bytes.subarray(p, p + n);
      p += piece.length;
      return piece;
    };
    for await (const part of unpackLz4(take)) parts.push(part);
    return new TextDecoder().decode(concat(...parts));
  }
  const HEAD = [4, 0x22, 0x4d, 0x18, 0x60, 0x40, 0];
  const END = [0, 0, 0, 0];

  it("repeat what overlaps itself", async () => {
    // One literal, then a match of 4 + 15 + 2 bytes at distance 1, then two literals.
    const block = [0x1f, 0x61, 1, 0, 2, 0x20, 0x62, 0x63];
    expect(await unpack(Uint8Array.of(...HEAD, block.length, 0, 0, 0, ...block, ...END))).toBe(`${"a".repeat(22)}bc`);
  });

  it("may hold stored blocks", async () => {
    expect(await unpack(Uint8Array.of(...HEAD, 2, 0, 0, 0x80, 0x68, 0x69, ...END))).toBe("hi");
  });

  it.each([
    ["a match from before the start", [0x1f, 0x61, 9, 0, 2, 0x20, 0x62, 0x63]],
    ["a match at distance 0", [0x1f, 0x61, 0, 0, 2, 0x20, 0x62, 0x63]],
    ["literals behind the end", [0xf0, 200, 0x61]],
  ])("with %s are refused", async (_, block) => {
    await expect(unpack(Uint8Array.of(...HEAD, block.length, 0, 0, 0, ...block, ...END))).rejects.toThrow(/^lz4: /);
  });
});

describe("a stream source", () => {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < 100; i += 7) yield Uint8Array.from({ length: Math.min(7, 100 - i) }, (_, k) => i + k);
  }

  it("gives any stretch ahead of it", async () => {
    const source = new StreamSource(bytes());
    expect([...(await source.slice(0, 10))]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect([...(await source.slice(3, 5))]).toEqual([3, 4]);
    source.hold(20);
    expect([...(await source.slice(60, 62))]).toEqual([60, 61]);
    expect([...(await source.slice(20, 23))]).toEqual([20, 21, 22]);
    source.hold(null);
    expect([...(await source.slice(95, 200))]).toEqual([95, 96, 97, 98, 99]);
    expect([source.byteLength, source.ended]).toEqual([100, true]);
    await expect(source.slice(0, 1)).rejects.toThrow(RangeError);
  });
});
