/** Columns of the calls of dumps, for lists that filter and sort a million of them. Row 0 of each is unused. */

import * as CallTree from "../../../assembly/abi/call-tree.ts";
import * as Row from "../../../assembly/abi/rows/call-row.ts";
import type { Instance } from "../instance/instance.ts";

const NUMBERS = {
  run: Row.RUN,
  file: Row.FILE,
  offset: Row.OFFSET,
  ordinal: Row.ORDINAL,
  twin: Row.TWIN,
  /** Id in the dictionary of the run. */
  method: Row.METHOD,
  /** A string, as are the values of parameters. */
  thread: Row.THREAD,
  /** Row of the parameters, 0 = none. */
  params: Row.PARAMS,
  /** Row of the link of its Brave ids, 0 = none. */
  link: Row.LINK,
  /** Frames, with the root. */
  enters: Row.ENTERS,
  format: Row.FORMAT,
  tree: Row.TREE,
} as const;

/** Figures, and the least format of a record that has them; null: every call has them. Times in ms, sizes in bytes. */
const FIGURES = {
  start: [Row.START, null],
  duration: [Row.DURATION, null],
  suspension: [Row.SUSPENSION, null],
  cpu: [Row.CPU, 2],
  wait: [Row.WAIT, 2],
  memory: [Row.MEMORY, 2],
  queue: [Row.QUEUE, 4],
  transactions: [Row.TRANSACTIONS, 4],
  fileRead: [Row.FILE_READ, 3],
  fileWritten: [Row.FILE_WRITTEN, 3],
  netRead: [Row.NET_READ, 3],
  netWritten: [Row.NET_WRITTEN, 3],
  logsGenerated: [Row.LOGS_GENERATED, 1],
  logsWritten: [Row.LOGS_WRITTEN, 1],
} as const;

/** How much of a call's tree the trace has. */
export type CallTreeState = "none" | "whole" | "active" | "cut";

const TREES: Record<number, CallTreeState> = {
  [CallTree.None]: "none",
  [CallTree.Whole]: "whole",
  [CallTree.Active]: "active",
  [CallTree.Cut]: "cut",
};

export function treeState(tree: number): CallTreeState {
  return TREES[tree] ?? "none";
}

const WORD = Uint32Array.BYTES_PER_ELEMENT;

export type CallNumber = keyof typeof NUMBERS;
export type CallFigure = keyof typeof FIGURES;
export type CallNumbers = Record<CallNumber, number>;
/** Null where the record does not have the figure. */
export type CallFigures = {
  [Name in CallFigure]: (typeof FIGURES)[Name][1] extends null ? bigint : bigint | null;
};

/** Whether a record of the format has a figure. */
function hasFigure(format: number, least: number | null): boolean {
  return least === null || (format >= least && format !== Row.UNRECORDED);
}

/** A row by the table of its fields. */
export function mapped<Name extends string, Field, T>(
  fields: Readonly<Record<Name, Field>>,
  read: (field: Field) => T,
): Record<Name, T> {
  const row = {} as Record<Name, T>;
  for (const name in fields) row[name] = read(fields[name]);
  return row;
}

export class CallColumns {
  private readonly instance: Instance;
  private readonly known = new Map<string, Uint32Array | Float64Array | Uint8Array>();

  constructor(instance: Instance) {
    this.instance = instance;
  }

  /** Drops the columns of before a reset of the core. */
  forget(): void {
    this.known.clear();
  }

  /** Rows, with the unused one. */
  get rows(): number {
    return Math.max(1, this.instance.wasm.callCount.value);
  }

  /** Of calls with a tree: id of the thread, and wall time in ms; NaN for the others. */
  ofTree(name: "threadId" | "treeWall"): Float64Array {
    const field = name === "threadId" ? Row.THREAD_ID : Row.TREE_WALL;
    return this.keep(name, (view, rows) => {
      const column = new Float64Array(rows).fill(Number.NaN);
      for (let i = 1, p = Row.BYTES; i < rows; i++, p += Row.BYTES)
        if (this.hasTree(i)) column[i] = longAt(view, p + field);
      return column;
    });
  }

  numbers(name: CallNumber): Uint32Array {
    return this.keep(name, (view, rows) => {
      const column = new Uint32Array(rows);
      for (let i = 1, p = Row.BYTES + NUMBERS[name]; i < rows; i++, p += Row.BYTES) column[i] = view.getUint32(p, true);
      return column;
    });
  }

  /** NaN where the record does not have the figure. */
  figures(name: CallFigure): Float64Array {
    return this.keep(name, (view, rows) => {
      const [field, least] = FIGURES[name];
      const column = new Float64Array(rows);
      for (let i = 1, p = Row.BYTES; i < rows; i++, p += Row.BYTES) {
        const format = view.getUint32(p + Row.FORMAT, true);
        column[i] = hasFigure(format, least) ? longAt(view, p + field) : Number.NaN;
      }
      return column;
    });
  }

  /** 1 for calls with a record. */
  recorded(): Uint8Array {
    return this.keep("recorded", (_, rows) => {
      const formats = this.numbers("format");
      return Uint8Array.from({ length: rows }, (__, i) => Number(formats[i] !== Row.UNRECORDED));
    });
  }

  treeOf(call: number): CallTreeState {
    return treeState(this.numbers("tree")[call]!);
  }

  /** Whether the trace has the tree of a call. */
  hasTree(call: number): boolean {
    const tree = this.numbers("tree")[call];
    return tree === CallTree.Whole || tree === CallTree.Active;
  }

  /** Pairs of a row of parameters: the id of the name in the dictionary, and the string of the value. */
  pairs(params: number): Uint32Array {
    const { wasm, memory } = this.instance;
    if (params === 0) return NO_PAIRS;
    return memory.words(wasm.callParamsPointer(params), wasm.callParamsSize(params) >> 2);
  }

  /** The first value of a name in a row of parameters: a string, or −1. */
  valueOf(params: number, name: number): number {
    const { wasm, memory } = this.instance;
    if (params === 0) return -1;
    const from = wasm.callParamsPointer(params);
    const end = from + wasm.callParamsSize(params);
    for (let p = from; p < end; p += 2 * WORD) if (memory.u32(p) === name) return memory.u32(p + WORD);
    return -1;
  }

  string(index: number): string {
    return index === Row.NO_VALUE ? "" : this.instance.string(index);
  }

  private keep<T extends Uint32Array | Float64Array | Uint8Array>(
    name: string,
    make: (view: DataView, rows: number) => T,
  ): T {
    const known = this.known.get(name);
    if (known !== undefined && known.length === this.rows) return known as T;
    const { wasm, memory } = this.instance;
    const bytes = memory.bytes(wasm.callRows(), this.rows * Row.BYTES);
    const made = make(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), this.rows);
    this.known.set(name, made);
    return made;
  }
}

/** Two words are read in a fifth of the time of a bigint. */
function longAt(view: DataView, at: number): number {
  return view.getInt32(at + WORD, true) * 2 ** 32 + view.getUint32(at, true);
}

const NO_PAIRS = new Uint32Array(0);
