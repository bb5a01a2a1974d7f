/** Requests about the calls of dumps: the list, single calls and their frames. Loaded when a dump is opened. */
import { Numbered } from "../../bytes/numbered.ts";
import type { Core } from "../../core/core.ts";
import { type Dumps, type Pauses, REACTIVE } from "../../core/dumps/dump.ts";
import type { CallPart, Filter } from "../../core/types.ts";
import type { OpenRun } from "../../input/dump/read-dumps.ts";
import { readFrames } from "../../input/dump/read-run.ts";
import { callOf, netOf, reactiveOf, traceIdsOf } from "../../model/calls/call.ts";
import { partFilter } from "../../model/calls/call-parts.ts";
import { methodName, REACTIVE as REACTIVE_NAME } from "../../model/calls/method.ts";
import { CROSSING_CAP, cut } from "../../model/words/text.ts";
import type { Download, DownloadRequest } from "../api/api.ts";
import type {
  CallDensity,
  CallDetail,
  CallFrames,
  CallKind,
  CallPage,
  CallQuestion,
  CallRow,
  CallsOverview,
  DensityQuestion,
  FrameMethod,
  FrameParamsAnswer,
  FramesOfCalls,
  FramesProgress,
  FrameTags,
  SelectedCalls,
} from "../api/calls-api.ts";
import { repeated, throttled } from "../asking.ts";
import { Refusal } from "../refusal.ts";
import { Densities } from "./call-density.ts";
import { CallParams } from "./call-params.ts";
import { CallSamples } from "./call-samples.ts";
import { CallTable, type Matching } from "./call-table.ts";

/** Most frames of calls that are read together: that takes a second or two. */
const MOST_FRAMES = 1_000_000;
/** Slowest calls that are read if there are more frames. */
const SLOWEST = 1000;

/** Requests about calls, each by its name. */
export type CallRequests = Omit<Calls, "samples" | "watch" | "overview" | "file">;

/** The calls of the dumps in a core. */
export class Calls {
  readonly samples: CallSamples;
  private readonly dumps: Dumps;
  private readonly runs: readonly OpenRun[];
  private readonly table: CallTable;
  private readonly store: { core: Core; dumps: Dumps; runs: readonly OpenRun[]; samples: CallSamples };
  private readonly frameParams: CallParams;
  private readonly densities: Densities;
  /** The last list. */
  private listed: { key: string; matching: Matching } | null = null;
  private sorted: { key: string; calls: Uint32Array } | null = null;
  /** The call whose frames the core has listed. */
  private framed = 0;

  private constructor(core: Core, dumps: Dumps, runs: readonly OpenRun[], onChange: () => void) {
    this.dumps = dumps;
    this.runs = runs;
    this.table = new CallTable(dumps);
    this.samples = new CallSamples({ core, dumps, runs, table: this.table }, () => {
      this.framed = 0;
      onChange();
    });
    this.densities = new Densities({ dumps, table: this.table, samples: this.samples });
    this.store = { core, dumps, runs, samples: this.samples };
    this.frameParams = new CallParams(this.store);
  }

  /** The calls of runs, with samples of those that a page begins with. `onChange`: answers about samples are void. */
  static async of(core: Core, runs: readonly OpenRun[], onChange: () => void): Promise<Calls> {
    const calls = new Calls(core, await core.dumps(), runs, onChange);
    await repeated(() => calls.samples.samplesOf({ calls: calls.start() }));
    return calls;
  }

  /** The selection to begin with: all calls, or the slowest if the frames of all take long. */
  private start(): CallPart[] {
    const frames = this.table.columns.numbers("enters").reduce((sum, enters) => sum + enters, 0);
    return frames <= MOST_FRAMES ? [] : [{ part: "slowest", text: String(SLOWEST) }];
  }

  watch(onProgress: (progress: FramesProgress | null) => void): void {
    let shown = throttled(onProgress);
    this.samples.onProgress = (progress) => {
      if (progress !== null) return shown(progress);
      onProgress(null);
      // The first progress of the next reading is shown at once.
      shown = throttled(onProgress);
    };
  }

  overview(): CallsOverview {
    const { columns, count } = this.table;
    const [starts, durations] = [columns.figures("start"), columns.figures("duration")];
    const [runOf, enters, recorded] = [columns.numbers("run"), columns.numbers("enters"), columns.recorded()];
    const runs = this.dumps.runs.map((run) => ({ ...run, calls: 0 }));
    const all = { recorded: 0, frames: 0, longest: 0, from: Number.POSITIVE_INFINITY, to: 0 };
    for (let call = 1; call <= count; call++) {
      runs[runOf[call]!]!.calls++;
      all.recorded += recorded[call]!;
      all.frames += enters[call]!;
      all.longest = Math.max(all.longest, durations[call]!);
      all.from = Math.min(all.from, starts[call]!);
      all.to = Math.max(all.to, starts[call]! + durations[call]!);
    }
    const isNone = count === 0;
    const [from, to] = isNone ? [null, null] : [all.from, all.to];
    return { ...all, from, to, count, runs, start: this.start() };
  }

  /** Rows [offset, offset + limit) of the list. */
  list(question: CallQuestion, offset: number, limit: number): CallPage {
    const { matching, calls } = this.answer(question);
    const rows = Array.from(calls.subarray(offset, offset + limit), (call) => this.row(call));
    return { count: calls.length, duration: matching.duration, suspension: matching.suspension, offset, rows };
  }

  /** Ids of rows [first, last] of the list. */
  ids(question: CallQuestion, first: number, last: number): string[] {
    return Array.from(this.answer(question).calls.subarray(first, last + 1), (call) => this.table.idOf(call));
  }

  private answer({ parts, threads, time, sort, reversed }: CallQuestion): { matching: Matching; calls: Uint32Array } {
    const key = JSON.stringify([parts, threads, time], (_, value) => (typeof value === "bigint" ? `${value}` : value));
    if (this.listed?.key !== key) {
      const matching = this.table.matching(partFilter(parts, threads, time ?? undefined));
      this.listed = { key, matching };
      this.sorted = null;
    }
    const { matching } = this.listed;
    const order = `${sort} ${reversed}`;
    if (this.sorted?.key !== order) {
      this.sorted = { key: order, calls: this.table.ordered(matching.calls, sort, reversed) };
    }
    return { matching, calls: this.sorted.calls };
  }

  private row(number: number): CallRow {
    const { columns } = this.table;
    const call = this.dumps.call(number);
    // Not from columns of all calls, which a list makes only to sort by them.
    const short = (figure: bigint | null) => (figure === null ? null : Number(figure));
    const parts = [call.fileRead, call.fileWritten, call.netRead, call.netWritten].map(short);
    const run = columns.numbers("run")[number]!;
    return {
      number,
      id: this.table.idOf(number),
      run: this.dumps.runs[run]?.label ?? "",
      recorded: call.recorded,
      tree: call.tree,
      start: Number(call.start),
      duration: Number(call.duration),
      net: Number(netOf(call)),
      suspension: Number(call.suspension),
      cpu: short(call.cpu),
      wait: short(call.wait),
      queue: short(call.queue),
      transactions: call.transactions,
      memory: short(call.memory),
      io: parts.includes(null) ? null : parts.reduce<number>((sum, part) => sum + (part ?? 0), 0),
      frames: call.enters,
      title: this.table.titleOf(number),
      name: this.table.nameOf(run, call.method),
      thread: call.thread,
      red: this.table.reds()(number),
    };
  }

  /** Null if there is no call of this id. */
  callOf(id: string): CallDetail | null {
    const number = this.table.numbersOf([id])[0];
    return number === undefined ? null : this.detail(number);
  }

  private detail(number: number): CallDetail {
    const row = this.dumps.call(number);
    const call = callOf(number, row, this.dumps.runs, this.dumps.word(row.run, row.method));
    const short = (value: bigint | null) => (value === null ? null : Number(value));
    const { traceId = null, spanId = null } = traceIdsOf(call) ?? {};
    return {
      ...this.row(number),
      server: this.dumps.runs[row.run]?.server ?? "",
      method: call.method,
      threadId: call.threadId,
      treeWall: short(call.treeWall),
      reactive: Number(reactiveOf(call)),
      fileRead: short(call.fileRead),
      fileWritten: short(call.fileWritten),
      netRead: short(call.netRead),
      netWritten: short(call.netWritten),
      logsGenerated: short(call.logsGenerated),
      logsWritten: short(call.logsWritten),
      params: Object.entries(call.params).map(([name, values]) => ({ name, values: [...values] })),
      traceId,
      spanId,
    };
  }

  private check(number: number): void {
    if (number < 1 || number > this.table.count) throw new Refusal("calls.unknown", "There is no such call.");
  }

  /** The frames of a call in the order of entering, by its number. */
  frames(number: number): Promise<CallFrames> {
    this.check(number);
    return this.samples.exclusive(async () => {
      await this.enlist(number);
      const { dumps } = this;
      const row = dumps.call(number);
      const { start, method, ...columns } = dumps.listedColumns();
      const methods = new Numbered<number, FrameMethod>();
      const zero = start[0] ?? Number(row.start);
      return {
        ...columns,
        call: number,
        start: zero,
        from: start.map((time) => time - zero),
        method: method.map((id) => methods.of(id, () => this.methodOf(row.run, id))),
        methods: methods.list,
        tags: this.tags(row.run),
      };
    });
  }

  /** Pauses of the JVM of a call that meet [from, to], in the order of time: ms since 1970. */
  pauses(number: number, from: number, to: number): Pauses {
    this.check(number);
    return this.dumps.pausesWithin(this.dumps.call(number).run, from, to);
  }

  private methodOf(run: number, id: number): FrameMethod {
    if (id === REACTIVE) return { name: REACTIVE_NAME, text: REACTIVE_NAME };
    const text = this.dumps.word(run, id);
    return { name: methodName(text), text };
  }

  private tags(run: number): FrameTags {
    const { dumps } = this;
    const count = dumps.wasm.listedTagCount();
    const tags = { frame: new Uint32Array(count), name: new Uint32Array(count), value: new Uint32Array(count) };
    const [names, values] = [new Numbered<number, string>(), new Numbered<string>()];
    for (let i = 0; i < count; i++) {
      const { frame, word, text } = dumps.listedTag(i);
      tags.frame[i] = frame;
      tags.name[i] = names.of(word, () => dumps.word(run, word));
      tags.value[i] = values.of(cut(text, CROSSING_CAP));
    }
    return { ...tags, names: names.list, values: values.list };
  }

  /** The whole value of tag `tag` of the frames of a call. */
  frameValue(number: number, tag: number): Promise<string> {
    this.check(number);
    return this.samples.exclusive(async () => {
      await this.enlist(number);
      if (tag < 0 || tag >= this.dumps.wasm.listedTagCount())
        throw new Refusal("calls.unknown", "There is no such parameter.");
      return this.dumps.listedTag(tag).text;
    });
  }

  /** Parameters of the frames of selected calls. A request ends the one before it. */
  params(question: FramesOfCalls): Promise<FrameParamsAnswer> {
    const ticket = this.frameParams.end();
    return this.samples.exclusive(() => {
      // The pass makes the core's list of frames void.
      this.framed = 0;
      return this.frameParams.of(question, ticket);
    });
  }

  /** The whole value of this id in the last answer of `params`. */
  paramValue(id: number): string {
    return this.frameParams.value(id);
  }

  /** The file of a request that names calls; null if it has samples. */
  async file(request: DownloadRequest): Promise<Download | null> {
    const { invocationFile } = await import("./call-files.ts");
    this.framed = 0;
    return invocationFile(this.store, request);
  }

  /** The slowest of the selected calls, up to `limit` of them, with the sums of all. */
  selected(filter: Filter, limit: number): SelectedCalls {
    const calls = this.samples.callsOf(filter);
    const sum = (name: "duration" | "suspension") => {
      const figures = this.table.columns.figures(name);
      return calls.reduce((all, call) => all + figures[call]!, 0);
    };
    const slowest = this.table.ordered(calls, "duration", false).subarray(0, limit);
    return {
      count: calls.length,
      duration: sum("duration"),
      suspension: sum("suspension"),
      rows: Array.from(slowest, (call) => this.detail(call)),
    };
  }

  /** Methods of the selected calls with most time, up to `limit` of them. */
  kinds(filter: Filter, limit: number): CallKind[] {
    const { columns } = this.table;
    const [durations, runOf, methodOf] = [
      columns.figures("duration"),
      columns.numbers("run"),
      columns.numbers("method"),
    ];
    const kinds = new Map<string, CallKind>();
    for (const call of this.samples.callsOf(filter)) {
      const name = this.table.nameOf(runOf[call]!, methodOf[call]!);
      const { count, duration, longest } = kinds.get(name) ?? { count: 0, duration: 0, longest: 0 };
      const own = durations[call]!;
      kinds.set(name, { name, count: count + 1, duration: duration + own, longest: Math.max(longest, own) });
    }
    return [...kinds.values()].sort((a, b) => b.duration - a.duration).slice(0, limit);
  }

  /** Calls over time. */
  density(question: DensityQuestion): CallDensity {
    return this.densities.of(question);
  }

  /** Ends a request for `params` that has no answer yet: it is refused with `calls.cancelled`. */
  endParams(): void {
    this.frameParams.end();
  }

  /** Has the core list the frames of a call, unless it has. */
  private async enlist(number: number): Promise<void> {
    if (this.framed === number) return;
    const open = this.runs.find((run) => run.number === this.dumps.call(number).run);
    if (open === undefined) throw new Refusal("calls.unread", "The run of this call was not read as a whole.");
    const reading = { dumps: this.dumps, note: () => {}, breathe: async () => true };
    await readFrames(reading, open, (call) => call === number, "list");
    this.framed = number;
  }
}
