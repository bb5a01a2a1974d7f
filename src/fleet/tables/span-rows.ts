/** Rows of the table of spans: those of trace files, and those that recordings know. */

import * as SpanRow from "../../../assembly/abi/rows/span-row.ts";
import { Numbered } from "../../bytes/numbered.ts";
import type { Core } from "../../core/core.ts";
import { recordedSpans } from "../../core/samples/recorded-spans.ts";
import { openSpans, rowsOf, type SpanColumns, type Spans, wholeTraceHighs } from "../../core/samples/spans.ts";
import { IdMap } from "../../ids/map.ts";
import { type ColumnData, coded, intValues, longValues, sameText, textValues } from "../parquet/column-data.ts";
import { asCodes } from "../parquet/columns.ts";
import type { Rows } from "../parquet/file.ts";
import type { Kernels } from "../parquet/kernels.ts";
import type { TraceIds } from "./contexts.ts";
import { type DatedRows, dateOf } from "./dated-rows.ts";
import type { Recording } from "./recording-rows.ts";
import { bigEndian } from "./spans-message.ts";

const NANOS_OF_MICRO = 1000n;
const DAY = 86_400_000_000_000n;
/** As in OTLP. */
const STATUSES = ["", "ok", "error"];
const NO_TIME = BigInt.asIntN(64, BigInt(SpanRow.NO_TIME));

/** A span by its row in the columns of its source. */
interface SpanPlace {
  columns: SpanColumns;
  row: number;
  /** Index of its recording or trace file. */
  recording: number;
  day: number;
  isOfFile: boolean;
}

/**
 * What a span of trace files is known by, in whatever format: some have microseconds, and some no upper half of a trace
 * id. `start`: 0n if it is unknown.
 */
export function spanKey(traceLow: bigint, id: bigint, start: bigint): string {
  return `${BigInt.asUintN(64, traceLow)} ${BigInt.asUintN(64, id)} ${start / NANOS_OF_MICRO}`;
}

/** The same of a row. */
export function keyOf({ traceLow, id, start }: SpanColumns, row: number): string {
  return spanKey(traceLow[row]!, id[row]!, known(start[row]!));
}

const known = (time: bigint) => (time === NO_TIME ? 0n : time);

export class SpanTable implements DatedRows {
  readonly name = "spans";
  private readonly kernels: Kernels;
  private readonly spans: Spans;
  private readonly all: readonly SpanPlace[];
  /** Those that are written: each span of trace files once. */
  private own: readonly SpanPlace[];

  private constructor(kernels: Kernels, spans: Spans, all: readonly SpanPlace[]) {
    this.kernels = kernels;
    this.spans = spans;
    this.all = all;
    this.own = all;
    this.leaveOut(new Set());
  }

  /** Leaves out spans of trace files with these keys, and those that are there twice. */
  leaveOut(keys: ReadonlySet<string>): void {
    const seen = new Set(keys);
    this.own = this.own.filter(({ columns, row, isOfFile }) => {
      if (!isOfFile) return true;
      const key = keyOf(columns, row);
      return !seen.has(key) && seen.add(key) !== null;
    });
  }

  /** Ids of the spans of trace files, by date. */
  idsOfFiles(): Map<string, Set<bigint>> {
    const found = new Map<string, Set<bigint>>();
    for (const { columns, row, day, isOfFile } of this.own) {
      if (!isOfFile) continue;
      const date = dateOf(day);
      const ids = found.get(date) ?? new Set();
      found.set(date, ids.add(BigInt.asIntN(64, columns.id[row]!)));
    }
    return found;
  }

  /** `recorded`: also those that the recordings know. Spans of files that are in no part are left out. */
  static async of(
    kernels: Kernels,
    core: Core,
    recordings: readonly Recording[],
    recorded: boolean,
  ): Promise<SpanTable> {
    const spans = await openSpans(core);
    const columns = spans.columns();
    const files = new Map(recordings.map(({ traceFile }, i) => [traceFile, i]));
    const byChunk = (source: number) =>
      recordings.findIndex(
        ({ chunks: [from, to], knownChunks }) => source > from && source <= to && !knownChunks.has(source - 1),
      );
    const chunks = new Map<number, number>();
    const recordingOf = (source: number): number => {
      const known = chunks.get(source) ?? byChunk(source);
      chunks.set(source, known);
      return known;
    };
    const places = (own: SpanColumns, rows: Uint32Array, isOfFile: boolean): SpanPlace[] =>
      Array.from(rows, (row) => ({
        columns: own,
        row,
        recording: isOfFile ? (files.get(own.source[row]!) ?? -1) : recordingOf(own.source[row]!),
        day: Number(own.start[row]! / DAY),
        isOfFile,
      })).filter(({ recording }) => recording >= 0);
    // A row of id 0 states the id of a trace only.
    const ofFiles = rowsOf(columns, "files");
    const spansOfFiles = ofFiles.filter((row) => columns.id[row] !== 0n);
    const all = places({ ...columns, traceHigh: wholeTraceHighs(columns, ofFiles) }, spansOfFiles, true);
    if (recorded) {
      const own = recordedSpans(spans).columns;
      all.push(
        ...places(
          own,
          Uint32Array.from({ length: own.count }, (_, i) => i),
          false,
        ),
      );
    }
    withDays(all);
    return new SpanTable(kernels, spans, all);
  }

  /** Days since 1970 on which spans start, with the recordings of these spans. */
  days(): Map<number, Set<number>> {
    const found = new Map<number, Set<number>>();
    for (const { day, recording } of this.own) {
      const own = found.get(day) ?? new Set();
      found.set(day, own.add(recording));
    }
    return found;
  }

  /** Traces of the spans of trace files. A span id that several traces have says nothing: views give it to each. */
  traces(): TraceIds {
    const found = new IdMap<readonly [bigint, bigint]>();
    const shared = new Set<bigint>();
    for (const { columns, row, isOfFile } of this.all) {
      const [high, low, id] = [columns.traceHigh[row]!, columns.traceLow[row]!, columns.id[row]!];
      if (!isOfFile || high === 0n) continue;
      const [ownHigh, ownLow] = found.get(id) ?? [high, low];
      if (ownHigh !== high || ownLow !== low) shared.add(id);
      found.set(id, [high, low]);
    }
    return { get: (id) => (shared.has(id) ? undefined : found.get(id)) };
  }

  rowsOf(part: string, day: number, numbers: ReadonlyMap<number, number>): { rows: Rows; count: number } {
    const own = this.own.filter((span) => span.day === day).sort(byTraceAndStart);
    const longs = (of: (span: SpanPlace) => bigint, none: 0 | null = null) => longValues(own.map(of), none);
    const texts = (of: (span: SpanPlace) => string, nullable = true) => textValues(own.map(of), nullable);
    const stored = (name: "service" | "name" | "kind" | "threadName") =>
      texts(({ columns, row }) => this.spans.string(columns[name][row]!));
    const start = ({ columns, row }: SpanPlace) => known(columns.start[row]!);
    const end = ({ columns, row }: SpanPlace) => known(columns.end[row]!);
    const rows: Rows = {
      part: sameText(part, own.length),
      recording_id: intValues(
        own.map(({ recording }) => numbers.get(recording) ?? -1),
        true,
      ),
      trace_id: traceIds(own),
      // As codes, which a bloom filter needs.
      span_id: asCodes(
        this.kernels,
        longs(({ columns, row }) => BigInt.asIntN(64, columns.id[row]!)),
      ),
      parent_span_id: longs(({ columns, row }) => BigInt.asIntN(64, columns.parent[row]!)),
      service: stored("service"),
      name: stored("name"),
      kind: stored("kind"),
      status: texts(({ columns, row }) => STATUSES[columns.status[row]!] ?? ""),
      thread: stored("threadName"),
      start: longs((span) => start(span) / NANOS_OF_MICRO, 0),
      end: longs((span) => end(span) / NANOS_OF_MICRO, 0),
      start_unix_nano: longs(start),
      duration_nano: longs((span) => end(span) - start(span)),
      origin: texts(({ isOfFile }) => (isOfFile ? "trace" : "recording"), false),
    };
    return { rows, count: own.length };
  }
}

/** Gives spans without a time the first day of their recording or trace file. */
function withDays(all: readonly SpanPlace[]): void {
  const isTimed = ({ columns, row }: SpanPlace) => columns.start[row] !== NO_TIME;
  if (all.every(isTimed)) return;
  const first = new Map<number, number>();
  for (const { recording, day } of all.filter(isTimed))
    first.set(recording, Math.min(day, first.get(recording) ?? day));
  for (const place of all) if (!isTimed(place)) place.day = first.get(place.recording) ?? 0;
}

function byTraceAndStart(a: SpanPlace, b: SpanPlace): number {
  return (
    compared(a.columns.traceHigh[a.row]!, b.columns.traceHigh[b.row]!) ||
    compared(a.columns.traceLow[a.row]!, b.columns.traceLow[b.row]!) ||
    compared(a.columns.start[a.row]!, b.columns.start[b.row]!)
  );
}

function compared(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** 16 bytes each, big-endian; code 0 for none. */
function traceIds(own: readonly SpanPlace[]): ColumnData {
  const traces = new Numbered("0 0", new Uint8Array(16));
  const codes = Uint32Array.from(own, ({ columns, row }) => {
    const [high, low] = [columns.traceHigh[row]!, columns.traceLow[row]!];
    return traces.of(`${high} ${low}`, () => bigEndian(high, low));
  });
  return coded({ of: "bytes16", values: traces.list }, codes, 0);
}
