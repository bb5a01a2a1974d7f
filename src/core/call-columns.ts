/** Columns of the calls of dumps, for lists that filter and sort a million of them. Row 0 of each is unused. */
import * as Row from "../../assembly/abi/call-row.ts";
import * as CallTree from "../../assembly/abi/call-tree.ts";
import type { Instance } from "./instance.ts";

const NUMBERS = {
  run: Row.CALL_RUN,
  file: Row.CALL_FILE,
  offset: Row.CALL_OFFSET,
  ordinal: Row.CALL_ORDINAL,
  twin: Row.CALL_TWIN,
  /** Id in the dictionary of the run. */
  method: Row.CALL_METHOD,
  /** A string, as are the values of parameters. */
  thread: Row.CALL_THREAD,
  /** Row of the parameters, 0 = none. */
  params: Row.CALL_PARAMS,
  /** Row of the link of its Brave ids, 0 = none. */
  link: Row.CALL_LINK,
  /** Frames, with the root. */
  enters: Row.CALL_ENTERS,
  format: Row.CALL_FORMAT,
  tree: Row.CALL_TREE,
} as const;

/** Figures, and the least format of a record that has them; null: every call has them. Times in ms, sizes in bytes. */
const FIGURES = {
  start: [Row.CALL_START, null],
  duration: [Row.CALL_DURATION, null],
  suspension: [Row.CALL_SUSPENSION, null],
  cpu: [Row.CALL_CPU, 2],
  wait: [Row.CALL_WAIT, 2],
  memory: [Row.CALL_MEMORY, 2],
  queue: [Row.CALL_QUEUE, 4],
  transactions: [Row.CALL_TRANSACTIONS, 4],
  fileRead: [Row.CALL_FILE_READ, 3],
  fileWritten: [Row.CALL_FILE_WRITTEN, 3],
  netRead: [Row.CALL_NET_READ, 3],
  netWritten: [Row.CALL_NET_WRITTEN, 3],
  logsGenerated: [Row.CALL_LOGS_GENERATED, 1],
  logsWritten: [Row.CALL_LOGS_WRITTEN, 1],
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
    const field = name === "threadId" ? Row.CALL_THREAD_ID : Row.CALL_TREE_WALL;
    return this.keep(name, (view, rows) => {
      const column = new Float64Array(rows).fill(Number.NaN);
      for (let i = 1, p = Row.CALL_BYTES; i < rows; i++, p += Row.CALL_BYTES)
        if (this.hasTree(i)) column[i] = longAt(view, p + field);
      return column;
    });
  }

  numbers(name: CallNumber): Uint32Array {
    return this.keep(name, (view, rows) => {
      const column = new Uint32Array(rows);
      for (let i = 1, p = Row.CALL_BYTES + NUMBERS[name]; i < rows; i++, p += Row.CALL_BYTES)
        column[i] = view.getUint32(p, true);
      return column;
    });
  }

  /** NaN where the record does not have the figure. */
  figures(name: CallFigure): Float64Array {
    return this.keep(name, (view, rows) => {
      const [field, least] = FIGURES[name];
      const column = new Float64Array(rows);
      for (let i = 1, p = Row.CALL_BYTES; i < rows; i++, p += Row.CALL_BYTES) {
        const format = view.getUint32(p + Row.CALL_FORMAT, true);
        const isKnown = least === null || (format >= least && format !== Row.CALL_UNRECORDED);
        column[i] = isKnown ? longAt(view, p + field) : Number.NaN;
      }
      return column;
    });
  }

  /** 1 for calls with a record. */
  recorded(): Uint8Array {
    return this.keep("recorded", (_, rows) => {
      const formats = this.numbers("format");
      return Uint8Array.from({ length: rows }, (__, i) => Number(formats[i] !== Row.CALL_UNRECORDED));
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
    const bytes = memory.bytes(wasm.callRows(), this.rows * Row.CALL_BYTES);
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
