/** The hash tables of the store by themselves: assembly/testing/hash.ts. */
import { compileTesting } from "./compile.ts";

interface Exports {
  memory: WebAssembly.Memory;
  seedHashes(seed: bigint): void;
  room(): number;
  begin(words: number): void;
  addBytes(n: number): void;
  addKey(key: bigint): void;
  addRow(): void;
  byteSteps(): number;
  keySteps(): number;
  rowSteps(): number;
  colliding(key: bigint, mask: number): bigint;
}

export class HashCore {
  private readonly x: Exports;

  private constructor(exports: WebAssembly.Exports) {
    this.x = exports as unknown as Exports;
  }

  static async create(): Promise<HashCore> {
    return new HashCore((await WebAssembly.instantiate(await compileTesting("hash"), {})).exports);
  }

  /** Steps per key in a table of these keys. */
  keySteps(seed: bigint, keys: readonly bigint[]): number {
    this.begin(seed, 1);
    for (const key of keys) this.x.addKey(key);
    return this.x.keySteps() / keys.length;
  }

  /** Steps per row in a table of rows of these words, all of one length. */
  rowSteps(seed: bigint, rows: readonly (readonly bigint[])[]): number {
    this.begin(seed, rows[0]?.length ?? 1);
    const room = new DataView(this.x.memory.buffer, this.x.room());
    for (const row of rows) {
      row.forEach((word, i) => {
        room.setBigUint64(BigUint64Array.BYTES_PER_ELEMENT * i, word, true);
      });
      this.x.addRow();
    }
    return this.x.rowSteps() / rows.length;
  }

  /** Steps per run in a table of these byte runs, of at most 64 KiB each. */
  byteSteps(seed: bigint, runs: readonly Uint8Array[]): number {
    this.begin(seed, 1);
    for (const run of runs) {
      new Uint8Array(this.x.memory.buffer).set(run, this.x.room());
      this.x.addBytes(run.length);
    }
    return this.x.byteSteps() / runs.length;
  }

  /** `n` keys that share one slot of a table with this mask, under this seed. */
  colliding(seed: bigint, n: number, mask: number): bigint[] {
    this.begin(seed, 1);
    const keys: bigint[] = [];
    for (let key = 1n; keys.length < n; key++) {
      key = this.x.colliding(key, mask);
      keys.push(key);
    }
    return keys;
  }

  private begin(seed: bigint, words: number): void {
    this.x.seedHashes(seed);
    this.x.begin(words);
  }
}
