/** Rows of the table of calls: those of the dumps in a core, by columns, because a dump may have millions. */
import * as StoreTable from "../../../assembly/abi/store-table.ts";
import type { Core } from "../../core/core.ts";
import type { CallColumns, CallFigure, CallNumber } from "../../core/dumps/call-columns.ts";
import type { Dumps } from "../../core/dumps/dump.ts";
import { allColumns } from "../../core/samples/store-columns.ts";
import { callId, isRed, titleOf } from "../../model/calls/call.ts";
import { methodName } from "../../model/calls/method.ts";
import {
  type Coded,
  type ColumnData,
  coded,
  intValues,
  longs,
  sameText,
  Texts,
  textValues,
} from "../parquet/column-data.ts";
import type { Rows } from "../parquet/file.ts";
import type { Kernels } from "../parquet/kernels.ts";
import { type Ids, idsOf, tracesOf } from "./contexts.ts";
import type { DatedRows } from "./dated-rows.ts";
import type { Recording } from "./recording-rows.ts";

const NANOS_OF_MS = 1_000_000n;
const MICROS_OF_MS = 1000n;
const DAY_MS = 86_400_000;
const MOST = 2n ** 63n - 1n;
/** Later moments have no nanoseconds in 64 bits. */
const LAST_MS = Number(MOST / NANOS_OF_MS);
/** Of calls that are in no recording. */
const NO_DAY = -1;
const WORD = 2 ** 32;

/** A run as it is where its recording is read alone. */
interface Run {
  recording: number;
  label: string;
  service: string;
}

/** What a row of parameters says. */
interface Params {
  /** Numbers of texts: key, value, key, value … */
  pairs: readonly number[];
  title: number;
  status: number;
}

export class CallTable implements DatedRows {
  readonly name = "calls";
  private readonly kernels: Kernels;
  private readonly dumps: Dumps;
  private readonly columns: CallColumns;
  private readonly runs = new Map<number, Run>();
  private readonly byDay = new Map<number, Set<number>>();
  /** By call. */
  private readonly dayOf: Int32Array;
  private readonly links: Record<"spans" | "traces", Ids>;
  private readonly texts = new Texts();
  private readonly params = new Map<number, Params>();

  private constructor(kernels: Kernels, core: Core, dumps: Dumps, recordings: readonly Recording[]) {
    this.kernels = kernels;
    this.dumps = dumps;
    this.columns = dumps.columns;
    const links = allColumns(core.instance, StoreTable.Links);
    this.links = {
      spans: idsOf(kernels, links[0]!, links[1]!),
      traces: tracesOf(links[4]!, links[5]!, links[6]!, links[7]!),
    };
    for (const [i, recording] of recordings.entries()) this.addRuns(i, recording);
    this.dayOf = this.datesOfCalls();
  }

  static async of(kernels: Kernels, core: Core, recordings: readonly Recording[]): Promise<CallTable> {
    return new CallTable(kernels, core, await core.dumps(), recordings);
  }

  /** Labels are unique in a recording; those of the core depend on what was read before. */
  private addRuns(recording: number, { runs, service }: Recording): void {
    const labels: string[] = [];
    for (const run of runs) {
      const label = this.dumps.labels[run]!;
      const same = labels.filter((each) => each === label).length;
      labels.push(label);
      const own = this.dumps.resourceOf(this.dumps.runs[run]!)["service.name"];
      this.runs.set(run, { recording, label: same === 0 ? label : `${label}#${same + 1}`, service: own ?? service });
    }
  }

  /** A call without a known start has the date of the first one of its run that has. */
  private datesOfCalls(): Int32Array {
    const [starts, runs] = [this.columns.figures("start"), this.columns.numbers("run")];
    const days = new Int32Array(this.columns.rows).fill(NO_DAY);
    const first = new Map<number, number>();
    for (let call = 1; call < days.length; call++) {
      if (!first.has(runs[call]!) && isTime(starts[call]!)) first.set(runs[call]!, dayOf(starts[call]!));
    }
    for (let call = 1; call < days.length; call++) {
      const run = this.runs.get(runs[call]!);
      if (run === undefined) continue;
      const day = isTime(starts[call]!) ? dayOf(starts[call]!) : (first.get(runs[call]!) ?? 0);
      days[call] = day;
      this.byDay.set(day, (this.byDay.get(day) ?? new Set()).add(run.recording));
    }
    return days;
  }

  days(): ReadonlyMap<number, ReadonlySet<number>> {
    return this.byDay;
  }

  rowsOf(part: string, day: number, numbers: ReadonlyMap<number, number>): { rows: Rows; count: number } {
    const own = this.callsOf(day);
    const picked = (name: CallNumber) => this.kernels.mapped(own, this.columns.numbers(name));
    const runs = Array.from(picked("run"), (run) => this.runs.get(run)!);
    const params = this.paramsOf(picked("run"), picked("params"));
    const recorded = this.columns.recorded();
    const texts = (of: (call: number) => string) => textValues(Array.from(own, of), false);
    const rows: Rows = {
      part: sameText(part, own.length),
      recording_id: intValues(runs.map(({ recording }) => numbers.get(recording) ?? -1)),
      ...this.names(own, runs, params),
      ...this.figures(own),
      tree: texts((call) => this.columns.treeOf(call)),
      origin: texts((call) => (recorded[call] === 1 ? "record" : "trace")),
      trace_id: linked(picked("link"), this.links.traces, 0),
      span_id: linked(picked("link"), this.links.spans),
      params: this.paramMaps(params),
    };
    return { rows, count: own.length };
  }

  /** Calls of a day by service and start. */
  private callsOf(day: number): Uint32Array {
    const [starts, runs] = [this.columns.figures("start"), this.columns.numbers("run")];
    const services = [...new Set([...this.runs.values()].map(({ service }) => service))].sort();
    const ranks = new Map([...this.runs].map(([run, { service }]) => [run, services.indexOf(service)]));
    const own: number[] = [];
    for (let call = 1; call < this.dayOf.length; call++) if (this.dayOf[call] === day) own.push(call);
    const rankOf = (call: number) => ranks.get(runs[call]!)!;
    return Uint32Array.from(own).sort((a, b) => rankOf(a) - rankOf(b) || starts[a]! - starts[b]! || a - b);
  }

  private names(own: Uint32Array, runs: readonly Run[], params: readonly Params[]): Rows {
    const { columns, dumps } = this;
    const [runOf, methodOf] = [columns.numbers("run"), columns.numbers("method")];
    const method = this.byKey(
      Array.from(own, (call) => runOf[call]! * WORD + methodOf[call]!),
      (i) => dumps.word(runOf[own[i]!]!, methodOf[own[i]!]!),
    );
    const name = method.map((text) => this.texts.of(methodName(this.texts.list[text]!)));
    const key = (["file", "offset", "ordinal", "twin"] as const).map((each) => columns.numbers(each));
    const ids = Array.from(own, (call, i) => {
      const [file, offset, ordinal, twin] = key.map((column) => column[call]!) as [number, number, number, number];
      return callId(runs[i]!.label, { file, offset, ordinal, twin });
    });
    const threads = columns.numbers("thread");
    const thread = this.byKey(
      Array.from(own, (call) => threads[call]!),
      (i) => columns.string(threads[own[i]!]!),
    );
    return {
      call_id: textValues(ids, false),
      service: textValues(
        runs.map(({ service }) => service),
        true,
      ),
      instance: textValues(
        runs.map(({ label }) => label),
        false,
      ),
      name: this.texts.column(name),
      method: this.texts.column(method),
      title: this.texts.column(
        Uint32Array.from(params, ({ title }) => title),
        0,
      ),
      thread: this.texts.column(thread, 0),
      status: this.texts.column(
        Uint32Array.from(params, ({ status }) => status),
        0,
      ),
    };
  }

  private figures(own: Uint32Array): Rows {
    const { kernels, columns } = this;
    const all = (column: ArrayLike<number>, factor: bigint, none: 0 | null = null) =>
      longs(
        words(own, (call) => scaled(column[call]!, factor)),
        none,
      );
    const known = (column: Float64Array, factor: bigint) =>
      kernels.sparseLongs(
        all(column, factor).words,
        Uint8Array.from(own, (call) => (Number.isNaN(column[call]!) ? 0 : 1)),
      );
    const times = (figure: CallFigure) => known(columns.figures(figure), NANOS_OF_MS);
    const counts = (figure: CallFigure) => known(columns.figures(figure), 1n);
    const starts = columns.figures("start").map((start) => (isTime(start) ? start : 0));
    return {
      thread_id: known(columns.ofTree("threadId"), 1n),
      start: all(starts, MICROS_OF_MS, 0),
      start_unix_nano: all(starts, NANOS_OF_MS),
      duration_nano: all(columns.figures("duration"), NANOS_OF_MS),
      suspension_nano: all(columns.figures("suspension"), NANOS_OF_MS),
      cpu_nano: times("cpu"),
      wait_nano: times("wait"),
      queue_nano: times("queue"),
      allocated_bytes: counts("memory"),
      file_read_bytes: counts("fileRead"),
      file_written_bytes: counts("fileWritten"),
      net_read_bytes: counts("netRead"),
      net_written_bytes: counts("netWritten"),
      logs_generated_bytes: counts("logsGenerated"),
      logs_written_bytes: counts("logsWritten"),
      transactions: counts("transactions"),
      invocations: all(columns.numbers("enters"), 1n),
      tree_nano: known(columns.ofTree("treeWall"), NANOS_OF_MS),
    };
  }

  /** Calls share rows of parameters, so each is decoded once. */
  private paramsOf(runs: Uint32Array, rows: Uint32Array): Params[] {
    return Array.from(runs, (run, i) => {
      const key = run * WORD + rows[i]!;
      const known = this.params.get(key) ?? this.decoded(run, rows[i]!);
      this.params.set(key, known);
      return known;
    });
  }

  private decoded(run: number, row: number): Params {
    const params = this.dumps.params(run, row);
    const pairs = Object.entries(params).flatMap(([key, values]) => [
      this.texts.of(key),
      this.texts.of(values.join("\n")),
    ]);
    return {
      pairs,
      title: this.texts.of(titleOf({ params }) ?? ""),
      status: this.texts.of(isRed({ params }) ? "error" : ""),
    };
  }

  private paramMaps(params: readonly Params[]): ColumnData {
    const offsets = new Uint32Array(params.length + 1);
    for (const [i, { pairs }] of params.entries()) offsets[i + 1] = offsets[i]! + pairs.length / 2;
    const [keys, values] = [new Uint32Array(offsets.at(-1)!), new Uint32Array(offsets.at(-1)!)];
    let n = 0;
    for (const { pairs } of params) {
      for (let i = 0; i < pairs.length; i += 2, n++) [keys[n], values[n]] = [pairs[i]!, pairs[i + 1]!];
    }
    return { kind: "map", offsets, keys: this.texts.column(keys), values: this.texts.column(values) };
  }

  /** Numbers of texts that are equal where their keys are; `textOf` gets the index of the first of a key. */
  private byKey(keys: readonly number[], textOf: (i: number) => string): Uint32Array {
    const known = new Map<number, number>();
    return Uint32Array.from(keys, (key, i) => {
      const text = known.get(key) ?? this.texts.of(textOf(i));
      known.set(key, text);
      return text;
    });
  }
}

function isTime(ms: number): boolean {
  return ms > 0 && ms <= LAST_MS;
}

function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** A whole number times a factor, or the number of 64 bits next to it. NaN is 0. */
function scaled(value: number, factor: bigint): bigint {
  const product = BigInt(Number.isNaN(value) ? 0 : value) * factor;
  if (product > MOST) return MOST;
  return product < -MOST ? -MOST : product;
}

function words(own: Uint32Array, of: (call: number) => bigint): Uint32Array {
  const longs = new BigInt64Array(own.length);
  for (let i = 0; i < own.length; i++) longs[i] = of(own[i]!);
  return new Uint32Array(longs.buffer);
}

function linked(links: Uint32Array, { codes, dictionary }: Ids, none: 0 | null = null): Coded {
  return coded(dictionary, links, none, codes);
}
