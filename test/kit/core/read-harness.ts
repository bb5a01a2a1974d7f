/** The cursor and the texts of the JFR reader under their own names: assembly/testing/read.ts. */
import { compileTesting } from "./compile.ts";

interface Exports {
  memory: WebAssembly.Memory;
  reset(): void;
  room(): number;
  seek(p: number, end: number): void;
  position(): number;
  left(): number;
  setCompressed(on: boolean): void;
  overrun: WebAssembly.Global;
  varLong(): bigint;
  fixed(n: number): bigint;
  readLong(): bigint;
  readInt(): number;
  readByte(): number;
  skipBytes(n: number): void;
  skipVarints(n: number): void;
  readText(): number;
  skipText(): number;
  textAt: WebAssembly.Global;
  textSize: WebAssembly.Global;
  textKey: WebAssembly.Global;
}

/** What `readText` answers, as in assembly/read/jfr/text.ts. */
export const TEXT = ["null", "present", "key", "damaged"] as const;

export class ReadCore {
  readonly x: Exports;

  private constructor(exports: WebAssembly.Exports) {
    this.x = exports as unknown as Exports;
    this.x.reset();
  }

  static async create(): Promise<ReadCore> {
    return new ReadCore((await WebAssembly.instantiate(await compileTesting("read"), {})).exports);
  }

  /** Puts the cursor on `bytes`; beyond its limit stand `behind`, which must not matter. */
  enter(bytes: ArrayLike<number>, behind = 0xa5, at = 0): void {
    const memory = new Uint8Array(this.x.memory.buffer);
    const room = this.x.room();
    memory.fill(behind, room, room + bytes.length + 64);
    memory.set(bytes, room);
    this.x.seek(room + at, room + bytes.length);
  }

  /** Offset of the cursor in the bytes entered. */
  at(): number {
    return (this.x.position() >>> 0) - this.x.room();
  }

  overrun(): boolean {
    return Boolean(this.x.overrun.value);
  }

  text(): { kind: (typeof TEXT)[number]; bytes: Uint8Array; key: bigint; at: number } {
    const kind = TEXT[this.x.readText()];
    if (kind === undefined) throw new RangeError("no kind of text");
    const bytes = new Uint8Array(this.x.memory.buffer, this.x.textAt.value, this.x.textSize.value).slice();
    return { kind, bytes, key: BigInt.asUintN(64, BigInt(this.x.textKey.value)), at: this.at() };
  }
}
