/**
 * Samples of the selected calls. A dump may have far more frames than memory, so the store has those of one selection,
 * and beside them those of the calls that it is compared with, under a reserved attribute. A question that needs other
 * calls fails with `Missing`; the session loads them and repeats it.
 */
import type { Core } from "../../core/core.ts";
import type { Dumps, FramesAs } from "../../core/dumps/dump.ts";
import { Missing } from "../../core/instance/missing.ts";
import { Stream } from "../../core/tables/dump-streams.ts";
import type { CallPart, Filter } from "../../core/types.ts";
import type { OpenRun } from "../../input/dump/read-dumps.ts";
import { readFrames } from "../../input/dump/read-run.ts";
import { Slices } from "../../input/turn.ts";
import { partFilter, slowestCount, slowestOf } from "../../model/calls/call-parts.ts";
import { filterKey } from "../../model/query/query.ts";
import type { FramesProgress } from "../api/calls-api.ts";
import { ByteCount } from "../dump-files.ts";
import { markSources } from "../open-files.ts";
import { Refusal } from "../refusal.ts";
import type { CallTable } from "./call-table.ts";

/** The attribute of samples of other calls (assembly/store/keys.ts). */
const OTHERS = { key: "spanflame.calls", value: "others" };
/** Marks in the samples: before those of the selected calls, and before those of others. */
const SELECTED_MARK = 0;
const OTHERS_MARK = 1;

/** The calls of a question: those selected, and those that they are compared with. */
interface Need {
  selected: string;
  others: string | null;
}

export class CallSamples {
  private readonly core: Core;
  private readonly dumps: Dumps;
  private readonly runs: readonly OpenRun[];
  private readonly table: CallTable;
  /** The files are dumps only: conditions on time and file select calls. */
  private readonly onlyDumps: boolean;
  /** What the store has. */
  private held: { selected: string | null; others: string | null } = { selected: null, others: null };
  private loading: { need: Need; done: Promise<void>; isOver: boolean } | null = null;
  /** Passes over traces take turns: the core has one. */
  private queue: Promise<unknown> = Promise.resolve();
  private passes = 0;
  /** The newest question that had frames read. */
  private newest = 0;
  /** Conditions by their keys. */
  private readonly filters = new Map<string, Filter>();
  private readonly onChange: () => void;
  onProgress: (progress: FramesProgress | null) => void = () => {};

  /** `onChange` is called when answers of before are void. */
  constructor(
    { core, dumps, runs, table }: { core: Core; dumps: Dumps; runs: readonly OpenRun[]; table: CallTable },
    onChange: () => void,
  ) {
    this.core = core;
    this.dumps = dumps;
    this.runs = runs;
    this.table = table;
    this.onlyDumps = core.files().every(({ format }) => format === "cdt");
    this.onChange = onChange;
    dumps.wasm.markSamples(SELECTED_MARK);
  }

  /**
   * The filter of samples for a filter of the page, once the store has the frames of its calls. Throws
   * Missing before that. `others`: the calls of this filter are compared with it. `alone`: the store has to have
   * the selected calls only.
   */
  samplesOf(filter: Filter, others: Filter | null = null, alone = false): Filter {
    const need = { selected: this.keyOf(filter), others: others === null ? null : this.keyOf(others) };
    const { held } = this;
    const isHeld =
      held.selected === need.selected &&
      (need.others === null || held.others === need.others) &&
      !(alone && held.others !== null);
    if (!isHeld) throw new Missing("the frames of these calls are not read", (turn) => this.load(need, alone, turn));
    // A pass uses the core's input buffer, as questions do.
    if (this.passes > 0) throw new Missing("the core is busy", () => this.queue.then(() => {}));
    return this.plain(filter, held.others === null ? [] : [{ ...OTHERS, exclude: true }]);
  }

  /** The filter of the calls that the selected ones are compared with, after `samplesOf` with them. */
  othersOf(filter: Filter): Filter {
    return this.plain(filter, [OTHERS]);
  }

  private plain({ calls: _, ...filter }: Filter, attributes: NonNullable<Filter["attributes"]>): Filter {
    const all = [...(filter.attributes ?? []), ...attributes];
    const { time, file, ...rest } = filter;
    const kept = this.onlyDumps ? { ...rest, rawNames: true } : filter;
    return all.length === 0 ? kept : { ...kept, attributes: all };
  }

  /** The part of a filter that selects calls. */
  private keyOf({ calls = [], time, file }: Filter): string {
    const part: Filter = {
      calls,
      ...(this.onlyDumps && time !== undefined && { time }),
      ...(this.onlyDumps && file !== undefined && { file }),
    };
    const key = filterKey(part);
    this.filters.set(key, part);
    return key;
  }

  /** Numbers of the calls of a filter. */
  callsOf({ calls = [], time, file }: Filter): Uint32Array {
    const ofFile: CallPart[] = file === undefined ? [] : [{ part: "run", text: file }];
    const { calls: matching } = this.table.matching(partFilter([...calls, ...ofFile], [], time));
    const slowest = slowestOf(calls);
    if (slowest === null) return matching;
    const count = slowestCount(slowest, matching.length);
    return this.table.ordered(matching, "duration", false).subarray(0, count);
  }

  /** Ends the reading of frames; questions about them are refused. */
  cancel(): void {
    if (this.loading !== null) this.loading.isOver = true;
  }

  private load(need: Need, alone: boolean, turn: number): Promise<void> {
    const { loading } = this;
    const isLoading = loading !== null && !loading.isOver;
    const { selected } = isLoading ? loading.need : this.held;
    // A question that is asked again may be older than the one whose calls these are.
    if (turn < this.newest && selected !== need.selected) return Promise.reject(ended());
    this.newest = Math.max(this.newest, turn);
    if (isLoading) {
      // The question is asked again afterwards.
      if (loading.need.selected === need.selected) return loading.done;
      loading.isOver = true;
    }
    const mine = { need, done: Promise.resolve(), isOver: false };
    mine.done = this.exclusive(() => this.read(mine, alone)).finally(() => {
      if (this.loading === mine) this.loading = null;
    });
    this.loading = mine;
    return mine.done;
  }

  /** Runs a job after all others that need the core's pass over a trace. */
  exclusive<T>(job: () => Promise<T>): Promise<T> {
    this.passes++;
    const mine = this.queue.then(job).finally(() => {
      this.passes--;
    });
    this.queue = mine.catch(() => {});
    return mine;
  }

  private async read(load: { need: Need; isOver: boolean }, alone: boolean): Promise<void> {
    if (load.isOver) throw ended();
    const { selected, others } = load.need;
    const { held } = this;
    const keepsSelected = held.selected === selected;
    const keepsOthers = keepsSelected && !alone && others === null;
    if (keepsSelected && keepsOthers) return;
    this.held = { selected: keepsSelected ? selected : null, others: null };
    if (!keepsSelected) {
      this.dumps.takeSamplesBack(SELECTED_MARK);
      this.onChange();
      await this.add(selected, "samples", load);
      this.dumps.wasm.markSamples(OTHERS_MARK);
      this.held = { selected, others: null };
    } else if (held.others !== null) this.dumps.takeSamplesBack(OTHERS_MARK);
    this.onChange();
    if (others === null) return;
    await this.add(others, "others", load);
    this.held = { selected, others };
    this.onChange();
  }

  private async add(key: string, as: FramesAs, load: { isOver: boolean }): Promise<void> {
    const calls = this.callsOf(this.filters.get(key) ?? {});
    const isMarked = new Uint8Array(this.table.count + 1);
    for (const call of calls) isMarked[call] = 1;
    const runOf = this.table.columns.numbers("run");
    const wanted = new Set(calls.map((call) => runOf[call]!));
    const count = new ByteCount();
    const runs = this.runs.filter(({ number }) => wanted.has(number));
    const total = runs.reduce((sum, { run }) => sum + traceBytes(run.files), 0);
    const slices = new Slices();
    const report = () => this.onProgress({ bytes: Math.min(count.bytes, total), total, calls: calls.length });
    const breathe = async () => {
      report();
      await slices.rest();
      return !load.isOver;
    };
    report();
    try {
      for (const { run, number } of runs) {
        const open = { run: count.countedRun(run), number };
        const reading = { dumps: this.dumps, note: () => {}, breathe };
        if (await readFrames(reading, open, (call) => isMarked[call] === 1, as)) continue;
        throw ended();
      }
      // Questions that the reading was for are not asked again: they would end the one that ended it.
      if (load.isOver) throw ended();
      this.core.endFile();
      await markSources(this.core);
    } finally {
      this.onProgress(null);
    }
  }
}

function ended(): Refusal {
  return new Refusal("calls.cancelled", "The reading of frames was ended.");
}

function traceBytes(files: OpenRun["run"]["files"]): number {
  return files.reduce((sum, { stream, open }) => sum + (stream === Stream.Trace ? open().byteLength : 0), 0);
}
