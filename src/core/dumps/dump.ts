/**
 * CDT dumps in the core: streams are passed slice by slice, and the calls of a run become rows. Streams come in the
 * order of assembly/abi/cdt-stream.ts (assembly/read/cdt/dump.ts). All times of dumps are in milliseconds.
 */

import * as Fault from "../../../assembly/abi/formats/cdt.ts";
import * as As from "../../../assembly/abi/frames-as.ts";
import * as ListedFrameAbi from "../../../assembly/abi/listed-frame.ts";
import * as CallRowAbi from "../../../assembly/abi/rows/call-row.ts";
import * as ParamRow from "../../../assembly/abi/rows/param-row.ts";
import * as PauseRow from "../../../assembly/abi/rows/pause-row.ts";
import * as Row from "../../../assembly/abi/rows/run-row.ts";
import type { Input, Wasm } from "../instance/capacity.ts";
import type { Instance } from "../instance/instance.ts";
import { Packer } from "../instance/packer.ts";
import {
  CallColumns,
  type CallFigures,
  type CallNumbers,
  type CallTreeState,
  mapped,
  treeState,
} from "./call-columns.ts";
import { DumpReferences } from "./dump-references.ts";
import { DumpTally } from "./dump-tally.ts";

/** Why the reading of a stream file stopped. */
export type StreamFault = "truncated" | "implausible" | "phrase" | "format";

const FAULTS: Record<number, StreamFault> = {
  [Fault.Truncated]: "truncated",
  [Fault.Implausible]: "implausible",
  [Fault.PhraseLength]: "phrase",
  [Fault.CallsFormat]: "format",
};

/**
 * A call: a record of the stream `calls`, or a root of the trace without one; null is not recorded. `file`, `offset`,
 * `ordinal`: the enter of its root, by trace file, block and event; `twin` counts calls of one key.
 */
export interface CallRow
  extends Omit<CallNumbers, "format" | "thread" | "params" | "tree">,
    Omit<CallFigures, "transactions"> {
  recorded: boolean;
  tree: CallTreeState;
  thread: string;
  /** Of calls with a tree, as the wall time, ms. */
  threadId: bigint | null;
  treeWall: bigint | null;
  transactions: number | null;
  /** Values by parameter. */
  params: Record<string, string[]>;
}

/** A frame of a call. Times in ms; `total` and `self` are wall times, `suspended` is the part of self in pauses. */
export interface ListedFrame {
  call: number;
  depth: number;
  /** Id in the dictionary; null for time that the call reports beyond its tree. */
  method: number | null;
  start: bigint;
  total: bigint;
  self: bigint;
  suspended: bigint;
  params: Record<string, string[]>;
}

/**
 * What a pass over a trace makes of the frames of calls: `others` are samples that the selected ones are compared with.
 */
export type FramesAs = "samples" | "list" | "tally" | "others";

const HOW: Record<FramesAs, number> = { samples: As.Samples, list: As.List, tally: As.Tally, others: As.Others };

/** Method of a frame that no dictionary has. */
export const REACTIVE = 0xffff_ffff;

/** Columns of listed frames, as ListedFrame has them; `method` is REACTIVE for time beyond the tree. */
export interface ListedColumns {
  depth: Uint32Array;
  method: Uint32Array;
  start: Float64Array;
  total: Float64Array;
  self: Float64Array;
  suspended: Float64Array;
}

/** The least format of a record that has these figures. */
const LOGS = 1;
const TIMES = 2;
const IO = 3;
const QUEUE = 4;

/** Bytes of the core that a stream may take in any case, and for each byte of its files. Calls take 300 bytes each. */
const FREE_HELD = 2 ** 26;
const HELD_PER_BYTE = 64;

/** Counts of a run, and of what is not sound in it. */
const COUNTS = {
  words: Row.WORDS,
  params: Row.PARAMS,
  pauses: Row.PAUSES,
  /** Calls with a tree; roots, and those of them without a record. */
  linked: Row.LINKED,
  roots: Row.ROOTS,
  unrecorded: Row.UNRECORDED,
  blocks: Row.BLOCKS,
  events: Row.EVENTS,
  threads: Row.THREADS,
  /** Large texts. */
  sql: Row.SQL,
  xml: Row.XML,
  /** Calls that lead to no enter of their method. */
  dangling: Row.DANGLING,
  /** Pieces of roots without a beginning; exits without an enter; frames that end before they begin. */
  fragments: Row.FRAGMENTS,
  underflows: Row.UNDERFLOWS,
  backwards: Row.BACKWARDS,
  /** Frames deeper than stacks are long. */
  deep: Row.DEEP,
} as const;

export interface RunCounts extends Record<keyof typeof COUNTS, number> {
  /** Formats of its calls, ascending. */
  formats: number[];
  /** Sum of the pauses as they were recorded, ms. */
  paused: bigint;
  /** The lowest id without a text. */
  short: number | null;
  /** References that lead to no text, and the first of them. */
  lost: { references: number; all: number; stream: number; file: number; offset: number } | null;
}

/** A run of a dump: one JVM. Texts are "" where nothing is known. */
export interface RunInfo {
  /** Unique among the runs of a core. */
  label: string;
  container: "directory" | "zip" | "streams" | "capture";
  server: string;
  service: string;
  namespace: string;
  pod: string;
  /** Name of the input that it was read from. */
  input?: string;
}

/** A parameter as the stream `params` states it. */
export interface StatedParam {
  name: string;
  /** Its values are indexed by the profiler's storage; it may have several values. */
  indexed: boolean;
  list: boolean;
  /** The lowest is first. */
  order: number;
  /** Function that groups its values, such as `sql`; "" without one. */
  signature: string;
}

/** Times in which a JVM made no progress: beginnings and ends in ms since 1970. */
export interface Pauses {
  from: Float64Array;
  to: Float64Array;
}

export class Dumps {
  readonly tally: DumpTally;
  readonly references: DumpReferences;
  /** By their numbers. */
  readonly runs: RunInfo[] = [];
  /** Their labels before they were made unique in the core. */
  readonly labels: string[] = [];
  private readonly instance: Instance;
  /** For the steps of reading, which need nothing of the host. */
  readonly wasm: Wasm;
  private readonly samplesChanged: () => void;
  readonly columns: CallColumns;
  /** By stream. */
  private readonly allowances = new Map<number, { left: number }>();

  /** `samplesChanged` drops all results that were computed from samples. */
  constructor(instance: Instance, samplesChanged: () => void) {
    this.instance = instance;
    this.wasm = instance.wasm;
    this.samplesChanged = samplesChanged;
    this.columns = new CallColumns(instance);
    this.references = new DumpReferences(instance);
    this.tally = new DumpTally(instance, this);
  }

  /** The label of a run that is begun next: `LABEL#2` for the second of a label. */
  labelFor(label: string): string {
    this.forget();
    const same = this.labels.filter((known) => known === label).length;
    return same === 0 ? label : `${label}#${same + 1}`;
  }

  /** Attributes of the Resource of a run: a run is one process. */
  resourceOf({ label, server, service, namespace, pod }: RunInfo): Record<string, string> {
    const known = {
      "service.name": service || server,
      "service.instance.id": label,
      "k8s.namespace.name": namespace,
      "k8s.pod.name": pod,
    };
    return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== ""));
  }

  /** Begins a run; the answer is its number. */
  beginRun({ label, container, server, service, namespace, pod, input = "" }: RunInfo): number {
    this.forget();
    const number = this.wasm.beginDumpRun();
    this.runs.push({ label: this.labelFor(label), container, server, service, namespace, pod, input });
    this.labels.push(label);
    const packer = new Packer();
    for (const text of Object.entries(this.resourceOf(this.runs[number]!)).flat()) packer.text(text);
    const bytes = packer.taken();
    this.buffer(bytes.length).set(bytes);
    this.wasm.setRunResource(number, this.instance.buffer.at, bytes.length);
    return number;
  }

  /** Drops the runs of before a reset of the core. */
  private forget(): void {
    if (this.wasm.callCount.value > 0) return;
    this.runs.length = 0;
    this.labels.length = 0;
    this.allowances.clear();
    this.columns.forget();
  }

  /**
   * What a stream of `bytes` more may take of the core: the files of all runs share it. Each zero byte may be a record
   * of some hundred bytes, and a thousand of them are one byte of a compressed file.
   */
  allowanceOf(stream: number, bytes: number): { left: number } {
    const allowance = this.allowances.get(stream) ?? { left: FREE_HELD };
    allowance.left += HELD_PER_BYTE * bytes;
    this.allowances.set(stream, allowance);
    return allowance;
  }

  /** Room for `bytes` of a slice; the buffer's content is void. */
  buffer(bytes: number): Uint8Array {
    const input: Input = { kind: "message", offset: 0 };
    this.instance.reserve(bytes, input);
    return this.instance.buffer.view(0, bytes);
  }

  /** Reads the first `length` bytes of the buffer, from `from` on; the answer is how many were consumed. */
  push(length: number, isFinal: boolean, from = 0): number {
    return this.wasm.pushBytes(this.instance.buffer.at + from, length - from, isFinal);
  }

  /** What stopped the reading of the current file, at this position in it. */
  fault(): { fault: StreamFault; position: number; block: number } | null {
    const fault = FAULTS[this.wasm.streamFault()];
    if (fault === undefined) return null;
    return { fault, position: this.wasm.faultPosition(), block: this.wasm.faultBlock() };
  }

  private count(run: number, field: number): number {
    return this.instance.memory.u32(this.wasm.runRow(run) + field);
  }

  /** What a run has, and what of it is not sound. */
  counts(run: number): RunCounts {
    const count = (field: number) => this.count(run, field);
    const short = count(Row.SHORT);
    const references = count(Row.LOST_REFERENCES);
    const lost = {
      references,
      all: count(Row.REFERENCES),
      stream: count(Row.LOST_STREAM),
      file: count(Row.LOST_FILE),
      offset: count(Row.LOST_OFFSET),
    };
    return {
      ...mapped(COUNTS, count),
      formats: [0, 1, 2, 3, 4].filter((format) => (count(Row.FORMATS) >> format) & 1),
      paused: this.instance.memory.i64(this.wasm.runRow(run) + Row.PAUSED),
      short: short === 0 ? null : short - 1,
      lost: references === 0 ? null : lost,
    };
  }

  /** Pauses of a run that meet [from, to], in the order of time and apart from each other: ms since 1970. */
  pausesWithin(run: number, from: number, to: number): Pauses {
    const { memory } = this.instance;
    const at = this.wasm.pauseRows(run);
    const count = this.wasm.pauseCount(run);
    const [starts, ends]: number[][] = [[], []];
    // An empty range meets no pause, also within one.
    for (let i = 0; i < count && from < to; i++) {
      const row = at + i * PauseRow.BYTES;
      const end = Number(memory.i64(row + PauseRow.TO));
      const start = Number(memory.i64(row + PauseRow.FROM));
      if (start >= to) break;
      if (end <= from) continue;
      starts!.push(start);
      ends!.push(end);
    }
    return { from: Float64Array.from(starts!), to: Float64Array.from(ends!) };
  }

  /** How many calls there are of all runs; they are numbered from 1. */
  get callCount(): number {
    return Math.max(0, this.wasm.callCount.value - 1);
  }

  /** Text of an id of a run's dictionary; `#ID` if it has none. */
  word(run: number, id: number): string {
    return this.wordOrNull(run, id) ?? `#${id}`;
  }

  wordOrNull(run: number, id: number): string | null {
    const text = this.wasm.wordText(run, id);
    return text === 0 ? null : this.instance.string(text - 1);
  }

  /** Parameters that a run states, in the order of its file. */
  statedParams(run: number): StatedParam[] {
    const at = this.wasm.paramRows(run);
    return Array.from({ length: this.count(run, Row.PARAMS) }, (_, i) => {
      const u32 = (field: number) => this.instance.memory.u32(at + i * ParamRow.BYTES + field);
      const flags = u32(ParamRow.FLAGS);
      return {
        name: this.instance.string(u32(ParamRow.NAME)),
        indexed: (flags & ParamRow.INDEXED) !== 0,
        list: (flags & ParamRow.LIST) !== 0,
        order: u32(ParamRow.ORDER) | 0,
        signature: this.instance.string(u32(ParamRow.GROUPING)),
      };
    });
  }

  /** Offsets of the blocks of a trace file that calls name, ascending. */
  blocks(run: number, file: number): number[] {
    const offsets = new Set<number>();
    const at = this.wasm.callRows();
    for (let i = 1; i <= this.callCount; i++) {
      const p = at + i * CallRowAbi.BYTES;
      const { memory } = this.instance;
      if (memory.u32(p + CallRowAbi.RUN) === run && memory.u32(p + CallRowAbi.FILE) === file)
        offsets.add(memory.u32(p + CallRowAbi.OFFSET));
    }
    return [...offsets].sort((a, b) => a - b);
  }

  /** One literal: a search looks at a million calls, and a row made by a table takes a hundred times as long. */
  call(i: number): CallRow {
    const { memory } = this.instance;
    const p = this.wasm.callRows() + i * CallRowAbi.BYTES;
    const u32 = (field: number) => memory.u32(p + field);
    const i64 = (field: number) => memory.i64(p + field);
    const format = u32(CallRowAbi.FORMAT);
    const recorded = format !== CallRowAbi.UNRECORDED;
    const since = (least: number, field: number) => (recorded && format >= least ? i64(field) : null);
    const tree = treeState(u32(CallRowAbi.TREE));
    const hasTree = tree === "whole" || tree === "active";
    const run = u32(CallRowAbi.RUN);
    const transactions = since(QUEUE, CallRowAbi.TRANSACTIONS);
    return {
      run,
      file: u32(CallRowAbi.FILE),
      offset: u32(CallRowAbi.OFFSET),
      ordinal: u32(CallRowAbi.ORDINAL),
      twin: u32(CallRowAbi.TWIN),
      method: u32(CallRowAbi.METHOD),
      recorded,
      tree,
      thread: this.instance.string(u32(CallRowAbi.THREAD)),
      threadId: hasTree ? i64(CallRowAbi.THREAD_ID) : null,
      start: i64(CallRowAbi.START),
      duration: i64(CallRowAbi.DURATION),
      suspension: i64(CallRowAbi.SUSPENSION),
      treeWall: hasTree ? i64(CallRowAbi.TREE_WALL) : null,
      enters: u32(CallRowAbi.ENTERS),
      cpu: since(TIMES, CallRowAbi.CPU),
      wait: since(TIMES, CallRowAbi.WAIT),
      queue: since(QUEUE, CallRowAbi.QUEUE),
      transactions: transactions === null ? null : Number(transactions),
      memory: since(TIMES, CallRowAbi.MEMORY),
      fileRead: since(IO, CallRowAbi.FILE_READ),
      fileWritten: since(IO, CallRowAbi.FILE_WRITTEN),
      netRead: since(IO, CallRowAbi.NET_READ),
      netWritten: since(IO, CallRowAbi.NET_WRITTEN),
      logsGenerated: since(LOGS, CallRowAbi.LOGS_GENERATED),
      logsWritten: since(LOGS, CallRowAbi.LOGS_WRITTEN),
      link: u32(CallRowAbi.LINK),
      params: this.params(run, u32(CallRowAbi.PARAMS)),
    };
  }

  // ---- frames: a second pass over the trace ----

  /** Begins it for the calls of a run that `isMarked` accepts. */
  beginFrames(run: number, isMarked: (call: number) => boolean, as: FramesAs): void {
    const at = this.wasm.callMarks(run);
    const first = this.count(run, Row.FIRST_CALL);
    const marks = this.instance.memory.bytes(at, this.count(run, Row.LAST_CALL) - first);
    for (let i = 0; i < marks.length; i++) if (isMarked(first + i)) marks[i] = 1;
    this.wasm.beginFrames(run, HOW[as]);
  }

  /** Number of the first trace file that has frames of the marked calls. */
  get firstFile(): number {
    return this.wasm.firstFile.value >>> 0;
  }

  /** Offset in it of the first block that has some. */
  get firstOffset(): number {
    return this.wasm.firstOffset.value >>> 0;
  }

  /** False where the core has no room for a separate Resource of the run. */
  endFrames(as: FramesAs): boolean {
    return this.wasm.endFrames(HOW[as]);
  }

  /** Takes back the samples that were added after a mark. Nothing is selected then. */
  takeSamplesBack(mark: number): void {
    this.wasm.takeSamplesBack(mark);
    this.samplesChanged();
  }

  /** Columns of the listed frames, in the order of entering. */
  listedColumns(): ListedColumns {
    const rows = this.wasm.listedCount();
    const bytes = this.instance.memory.bytes(this.wasm.listedFrames(), rows * ListedFrameAbi.BYTES);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const numbers = (field: number) =>
      Uint32Array.from({ length: rows }, (_, i) => view.getUint32(i * ListedFrameAbi.BYTES + field, true));
    const times = (field: number) =>
      Float64Array.from({ length: rows }, (_, i) => Number(view.getBigInt64(i * ListedFrameAbi.BYTES + field, true)));
    return {
      depth: numbers(ListedFrameAbi.DEPTH),
      method: numbers(ListedFrameAbi.METHOD),
      start: times(ListedFrameAbi.START),
      total: times(ListedFrameAbi.TOTAL),
      self: times(ListedFrameAbi.SELF),
      suspended: times(ListedFrameAbi.SUSPENDED),
    };
  }

  /** Tag `i`: row of its frame, id of its name in the dictionary, and its text, or its place if no text was read. */
  listedTag(i: number): { frame: number; word: number; text: string } {
    const p = this.wasm.listedTagRows() + i * ListedFrameAbi.TAG_BYTES;
    const { memory } = this.instance;
    const value = memory.u32(p + ListedFrameAbi.TAG_VALUE);
    const isHere = memory.u32(p + ListedFrameAbi.TAG_STREAM) === 0;
    return {
      frame: memory.u32(p + ListedFrameAbi.TAG_FRAME),
      word: memory.u32(p + ListedFrameAbi.TAG_WORD),
      text: isHere ? this.instance.string(value - 1) : this.references.text(value),
    };
  }

  /** The listed frames, in the order of entering. References of their tags are resolved as far as texts were read. */
  listed(run: number): ListedFrame[] {
    const { memory } = this.instance;
    const at = this.wasm.listedFrames();
    const frames = Array.from({ length: this.wasm.listedCount() }, (_, i): ListedFrame => {
      const p = at + i * ListedFrameAbi.BYTES;
      const method = memory.u32(p + ListedFrameAbi.METHOD);
      return {
        call: memory.u32(p + ListedFrameAbi.CALL),
        depth: memory.u32(p + ListedFrameAbi.DEPTH),
        method: method === REACTIVE ? null : method,
        start: memory.i64(p + ListedFrameAbi.START),
        total: memory.i64(p + ListedFrameAbi.TOTAL),
        self: memory.i64(p + ListedFrameAbi.SELF),
        suspended: memory.i64(p + ListedFrameAbi.SUSPENDED),
        params: Object.create(null),
      };
    });
    for (let i = 0; i < this.wasm.listedTagCount(); i++) {
      const { frame, word, text } = this.listedTag(i);
      const { params } = frames[frame]!;
      const name = this.word(run, word);
      const values = params[name] ?? [];
      params[name] = values;
      values.push(text);
    }
    return frames;
  }

  /** Values by parameter, of a row of parameters. */
  params(run: number, row: number): Record<string, string[]> {
    // No prototype: a parameter may be called __proto__.
    const params: Record<string, string[]> = Object.create(null);
    if (row === 0) return params;
    const at = this.wasm.callParamsPointer(row);
    const size = this.wasm.callParamsSize(row);
    const pairs = this.instance.memory.u32s(at, size >> 2);
    for (let i = 0; i + 1 < pairs.length; i += 2) {
      const name = this.word(run, pairs[i]!);
      const values = params[name] ?? [];
      params[name] = values;
      if (pairs[i + 1] !== CallRowAbi.NO_VALUE) values.push(this.instance.string(pairs[i + 1]!));
    }
    return params;
  }
}
