/** Names of the methods of a stack, leaf first, read from the store's tables without building a tree. */

import * as FrameType from "../../../assembly/abi/frame-type.ts";
import * as StoreTable from "../../../assembly/abi/store-table.ts";
import { Varint } from "../../bytes/protobuf.ts";
import type { Instance } from "../instance/instance.ts";
import { allColumns, frameColumns } from "./store-columns.ts";

/** Method of a frame: a handle of its name, whether it is a Java frame, and the number of its frame type. */
export type VisitMethod = (name: number, isJava: boolean, type: number) => boolean;

export class StackMethods {
  private readonly instance: Instance;
  /** Pointer and size of each stack's packed locations. */
  private readonly at: Uint32Array;
  private readonly size: Uint32Array;
  /** First frame of each location, and one more for the end. */
  private readonly firstFrame: Uint32Array;
  private readonly names: Uint32Array;
  private readonly types: Uint32Array;
  /** Function and line of each frame. */
  private readonly functions: Uint32Array;
  private readonly lines: Uint32Array;
  private readonly texts = new Map<number, string>();
  private readonly shown = new Map<number, number>();

  constructor(instance: Instance) {
    this.instance = instance;
    const [at, size] = allColumns(instance, StoreTable.Stacks);
    const [counts] = allColumns(instance, StoreTable.FrameCounts);
    this.at = at;
    this.size = size;
    this.firstFrame = new Uint32Array(counts.length + 1);
    for (let i = 0; i < counts.length; i++) this.firstFrame[i + 1] = this.firstFrame[i]! + counts[i]!;
    const frames = frameColumns(instance, 0, counts.length, this.firstFrame[counts.length]!);
    this.functions = frames[1]!;
    this.names = frames[2]!;
    this.lines = frames[3]!;
    this.types = frames[5]!;
  }

  /** Calls `visit` for the frames of a stack, leaf first, until it returns true. */
  find(stack: number, visit: VisitMethod): boolean {
    return this.walk(stack, (frame) => {
      const type = this.types[frame]!;
      return visit(this.names[frame]!, type === FrameType.Jvm, type);
    });
  }

  /** Calls `visit` for the frames of a stack, leaf first, with the row of the function; line 0 is unknown. */
  places(stack: number, visit: (of: number, line: number, name: number, isJava: boolean) => void): void {
    this.walk(stack, (frame) => {
      visit(this.functions[frame]!, this.lines[frame]!, this.names[frame]!, this.types[frame]! === FrameType.Jvm);
      return false;
    });
  }

  private walk(stack: number, visit: (frame: number) => boolean): boolean {
    const bytes = this.instance.memory.bytes(this.at[stack] ?? 0, this.size[stack] ?? 0);
    const varint = new Varint();
    for (let at = 0; at >= 0 && at < bytes.length; ) {
      at = varint.read(bytes, at, bytes.length);
      const end = this.firstFrame[varint.low + 1] ?? 0;
      for (let i = this.firstFrame[varint.low] ?? 0; i < end; i++) if (visit(i)) return true;
    }
    return false;
  }

  /** The name that views show for it: generated names are normalised, except where the selection has raw names. */
  shownName(name: number): number {
    const known = this.shown.get(name);
    if (known !== undefined) return known;
    const shown = this.instance.wasm.shownName(name) >>> 0;
    this.shown.set(name, shown);
    return shown;
  }

  /** The text of a name: `java.lang.Thread.sleep`. */
  text(name: number): string {
    const known = this.texts.get(name);
    if (known !== undefined) return known;
    const text = this.instance.string(name);
    this.texts.set(name, text);
    return text;
  }
}
