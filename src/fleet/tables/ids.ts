/**
 * Where the samples and spans of an id are, by the index of each date (schema.ts, IDS): what a reader needs of a day
 * with many parts is a row group of the index, and not a request for each part.
 */
import { Damaged, Refused } from "../parquet/damage.ts";
import { Opened } from "../parquet/file-reader.ts";
import { type DataSetFiles, type GroupPlace, groupPlaces, mayHaveKey, type Part, pathOf } from "../parquet/parts.ts";
import { joinedPieces, type Piece } from "../parquet/ranges-ahead.ts";
import { IDS } from "../parquet/schema.ts";
import { longOf } from "./conditions.ts";
import type { SpanRow } from "./spans-message.ts";

/** Makes keys of ids, which are spread over all numbers for any tracer: files have equal shares. */
const SPREAD = 0x9e3779b97f4a7c15n;
/** Of a footer: which parts the index of the date knows, and how many files it has. */
const NOTE = "index";
const COLUMNS = ["part", "in_table", "first_row", "rows"];
/** Spans that do not begin work of a service: the local root of their samples is another one. */
const INNER = new Set([null, "internal", "client", "producer"]);
/** With more lookups the parts themselves are asked. */
const MOST_ROOTS = 64;

interface Note {
  parts: readonly string[];
  files: number;
}

export const noteOf = (note: Note) => ({ [NOTE]: JSON.stringify(note) });

interface Run {
  part: string;
  table: string;
  from: number;
  to: number;
}

class Day {
  readonly files: readonly Part[];
  readonly found = new Map<bigint, readonly Run[]>();
  private readonly all: DataSetFiles;
  /** By file and byte. */
  private readonly opened = new Map<string, Promise<Opened>>();
  /** Parts that it knows; none before the first answer, and if it is not whole. */
  covered: ReadonlySet<string> = new Set();

  constructor(all: DataSetFiles, files: readonly Part[]) {
    this.all = all;
    this.files = files;
  }

  async lookUp(id: bigint): Promise<void> {
    if (this.found.has(id)) return;
    const key = BigInt.asIntN(64, id * SPREAD);
    const own = this.files.filter((part) => mayHaveKey(part, key));
    const found = await Promise.all(
      (own.length > 0 ? own : this.files.slice(0, 1)).map((part) => this.runsIn(part, key)),
    );
    this.found.set(id, found.flat());
  }

  private async open(part: Part, places: readonly GroupPlace[] | null): Promise<Opened> {
    const [source, unpackers] = [this.all.open(part), this.all.unpackers ?? {}];
    const opened = await (places === null
      ? Opened.open(source, IDS, unpackers, part.footer)
      : Opened.openGroups(source, IDS, unpackers, places));
    try {
      const { parts, files } = JSON.parse(opened.footer.notes.get(NOTE) ?? "") as Note;
      // Files of two indexes, or not all of one: another process is exchanging them.
      if (files === this.files.length) this.covered = new Set(parts);
      return opened;
    } catch {
      throw new Damaged("the footer does not say what it is an index of");
    }
  }

  private async runsIn(part: Part, key: bigint): Promise<Run[]> {
    const places = groupPlaces(part, key);
    const name = `${part.part} ${places?.[0]?.to}`;
    const opening = this.opened.get(name) ?? this.open(part, places);
    this.opened.set(name, opening);
    const opened = await opening;
    const runs: Run[] = [];
    for (const group of opened.footer.groups) {
      const [chunk] = opened.chunksOf(group, ["key"]);
      const { least = null, most = null } = chunk ?? {};
      if (least !== null && most !== null && (longOf(least) > key || longOf(most) < key)) continue;
      const whole = [{ from: group.first, to: group.end }];
      const indexes = group.chunks.flatMap((own) => own.offsetIndex ?? []);
      opened.file.fetch([piece(group.chunks.map((own) => own.whole)), ...indexes]);
      const places = (await opened.cellsOf(group, "key", whole)).placesIn(whole, (value) => value === key);
      if (places.length === 0) continue;
      const cells = await Promise.all(COLUMNS.map((column) => opened.cellsOf(group, column, whole)));
      for (const place of places) {
        const [name, table, first, rows] = cells.map((column) => column.at(place));
        const [from, count] = [Number(first), Number(rows)];
        if (from < 0 || count <= 0) throw new Damaged(`row ${place} has ${count} rows from ${from} on`);
        runs.push({ part: String(name), table: String(table), from, to: from + count });
      }
    }
    return runs;
  }
}

/** Columns of a row group are neighbours. */
function piece(chunks: readonly Piece[]): Piece {
  return { from: Math.min(...chunks.map(({ from }) => from)), to: Math.max(...chunks.map(({ to }) => to)) };
}

export class IdIndex {
  private readonly days = new Map<string, Day>();
  private readonly damaged: string[];

  /** Of the dates that are near. What is wrong in an index is added to `damaged`, and its parts are asked. */
  constructor(files: DataSetFiles, isNear: (date: string) => boolean, damaged: string[]) {
    this.damaged = damaged;
    const index = files.parts.filter(({ table, date }) => table === IDS.name && isNear(date));
    for (const { date } of index)
      if (!this.days.has(date))
        this.days.set(
          date,
          new Day(
            files,
            index.filter((part) => part.date === date),
          ),
        );
  }

  get isEmpty(): boolean {
    return this.days.size === 0;
  }

  /** Reads where these ids are, and which parts the index knows. */
  async lookUp(ids: Iterable<bigint>): Promise<void> {
    await Promise.all(
      [...this.days].map(async ([date, day]) => {
        try {
          await Promise.all(Array.from(ids, (id) => day.lookUp(id)));
        } catch (error) {
          if (error instanceof Refused || !(error instanceof Error)) throw error;
          this.damaged.push(`${pathOf(day.files[0]!)}: ${error.message} (the index of the date is not used)`);
          this.days.delete(date);
        }
      }),
    );
  }

  /** Ascending ranges of rows of a part that have one of the ids; null if the index does not know the part. */
  rangesOf(table: "samples" | "spans", { date, part }: Part, ids: Iterable<bigint>): Piece[] | null {
    const day = this.days.get(date);
    if (day === undefined || !day.covered.has(part)) return null;
    const runs = [...new Set(ids)].flatMap((id) => day.found.get(id) ?? []);
    return joinedPieces(
      runs.filter((run) => run.part === part && run.table === table),
      0,
    );
  }
}

/**
 * Ids that may be local roots in a trace: of spans that begin the work of a service. Null if the trace lacks some, or
 * if there are many.
 */
export function localRootsOf(spans: readonly SpanRow[]): bigint[] | null {
  const known = new Map(spans.map((span) => [span.id, span]));
  const roots = new Set<bigint>();
  for (const { id, parent, service, kind } of spans) {
    const above = known.get(parent);
    const isInner = above?.service === service && INNER.has(kind);
    if (isInner) continue;
    roots.add(id);
    // Samples may name any span above it as their local root, and the trace lacks these.
    if (above === undefined && parent !== 0n && INNER.has(kind)) return null;
  }
  return roots.size > MOST_ROOTS ? null : [...roots];
}
