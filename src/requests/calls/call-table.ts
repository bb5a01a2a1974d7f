/** The calls of dumps as a table that is filtered and sorted by columns, without a record for each call. */
import { Numbered } from "../../bytes/numbered.ts";
import type { CallColumns } from "../../core/dumps/call-columns.ts";
import type { Dumps } from "../../core/dumps/dump.ts";
import { wordsOf } from "../../model/calls/call-filter.ts";
import type { PartFilter } from "../../model/calls/call-parts.ts";
import { methodName } from "../../model/calls/method.ts";
import type { CallSort } from "../../model/query/query.ts";
import { sortedBy } from "./radix-sort.ts";

const TITLE = "profiler.title";
const RED = "call.red";
const NANOS = 1_000_000n;

/** Numbers of calls in an order, and sums of figures in ms. */
export interface Matching {
  /** In the order of start. */
  calls: Uint32Array;
  duration: number;
  suspension: number;
}

export class CallTable {
  readonly columns: CallColumns;
  private readonly dumps: Dumps;
  private byStart: Uint32Array | null = null;
  private readonly keys = new Map<CallSort, Float64Array | Uint32Array>();
  private readonly names = new Map<number, string>();

  constructor(dumps: Dumps) {
    this.dumps = dumps;
    this.columns = dumps.columns;
  }

  get count(): number {
    return this.dumps.callCount;
  }

  /** `package.Class.method`. */
  nameOf(run: number, method: number): string {
    // Ids are below 2³², and runs are few.
    const key = run * 2 ** 32 + method;
    const known = this.names.get(key);
    if (known !== undefined) return known;
    const name = methodName(this.dumps.word(run, method));
    this.names.set(key, name);
    return name;
  }

  /** Id of a word in the dictionary of a run; −1 if the run does not have it. */
  private wordId(run: number, word: string): number {
    const known = this.wordIds.get(word) ?? this.dumps.runs.map((_, each) => this.findWord(each, word));
    this.wordIds.set(word, known);
    return known[run] ?? -1;
  }

  private findWord(run: number, word: string): number {
    const { words } = this.dumps.counts(run);
    for (let id = 0; id < words; id++) if (this.dumps.word(run, id) === word) return id;
    return -1;
  }

  /** Ids of words by run. */
  private readonly wordIds = new Map<string, number[]>();

  /** The string of the first value of a parameter, by the number of the call; −1 without one. */
  private paramOf(name: string): (call: number) => number {
    const { columns } = this;
    const [paramsOf, runOf] = [columns.numbers("params"), columns.numbers("run")];
    const ids = this.dumps.runs.map((_, run) => this.wordId(run, name));
    return (call) => {
      const id = ids[runOf[call]!]!;
      return id < 0 ? -1 : columns.valueOf(paramsOf[call]!, id);
    };
  }

  titleOf(call: number): string | null {
    const title = this.paramOf(TITLE)(call);
    return title < 0 ? null : this.columns.string(title);
  }

  /** Whether a call is marked as failed, by its number. */
  reds(): (call: number) => boolean {
    const red = this.paramOf(RED);
    return (call) => red(call) >= 0;
  }

  /** All calls by start, run and key. */
  private all(): Uint32Array {
    if (this.byStart !== null) return this.byStart;
    let order = new Uint32Array(this.count).map((_, i) => i + 1) as Uint32Array;
    for (const column of ["twin", "ordinal", "offset", "file", "run"] as const) {
      order = sortedBy(order, this.columns.numbers(column));
    }
    this.byStart = sortedBy(order, this.columns.figures("start"));
    return this.byStart;
  }

  /** The calls that pass a filter, in the order of start. */
  matching(filter: PartFilter): Matching {
    const tests = this.tests(filter);
    const all = this.all();
    const calls = new Uint32Array(all.length);
    const durations = this.columns.figures("duration");
    const suspensions = this.columns.figures("suspension");
    let [count, duration, suspension] = [0, 0, 0];
    for (const call of all) {
      if (!tests.every((test) => test(call))) continue;
      calls[count++] = call;
      duration += durations[call]!;
      suspension += suspensions[call]!;
    }
    return { calls: calls.slice(0, count), duration, suspension };
  }

  private tests(filter: PartFilter): ((call: number) => boolean)[] {
    const { columns } = this;
    const tests: ((call: number) => boolean)[] = [];
    const { roots, min, max, from, to } = filter;
    if (roots !== "all") {
      const recorded = columns.recorded();
      const wanted = Number(roots === "recorded");
      tests.push((call) => recorded[call] === wanted);
    }
    const [least, most] = [Number(min), Number(max)];
    const durations = columns.figures("duration");
    tests.push((call) => durations[call]! >= least && durations[call]! < most);
    // A start in ms is in [from, to) where its nanoseconds are.
    const [first, last] = [Number((from + NANOS - 1n) / NANOS), Number((to + NANOS - 1n) / NANOS)];
    const starts = columns.figures("start");
    tests.push((call) => starts[call]! >= first && starts[call]! < last);
    tests.push(...this.idTests(filter), ...this.runTests(filter), ...this.textTests(filter));
    return tests;
  }

  private idTests({ ids, notIds }: PartFilter): ((call: number) => boolean)[] {
    const tests: ((call: number) => boolean)[] = [];
    if (ids.length > 0) {
      const wanted = new Set(this.numbersOf(ids));
      tests.push((call) => wanted.has(call));
    }
    if (notIds.length > 0) {
      const others = new Set(this.numbersOf(notIds));
      tests.push((call) => !others.has(call));
    }
    return tests;
  }

  /** Numbers of calls by their ids; ids that no call has are left out. */
  numbersOf(ids: readonly string[]): number[] {
    const wanted = new Set(ids);
    // Few calls are in the blocks of those that are wanted.
    const blocks = new Set(ids.map((id) => Number(/:(\d+):\d+(~\d+)?$/.exec(id)?.[1])));
    const offsets = this.columns.numbers("offset");
    const found: number[] = [];
    for (let call = 1; call <= this.count; call++) {
      if (blocks.has(offsets[call]!) && wanted.has(this.idOf(call))) found.push(call);
    }
    return found;
  }

  /** `RUN:FILE:OFFSET:ORDINAL`, with `~2` for the second call of a key. */
  idOf(call: number): string {
    const [run, file, offset, ordinal, twin] = (["run", "file", "offset", "ordinal", "twin"] as const).map(
      (name) => this.columns.numbers(name)[call]!,
    ) as [number, number, number, number, number];
    const label = this.dumps.runs[run]?.label ?? "";
    return `${label}:${file}:${offset}:${ordinal}${twin > 1 ? `~${twin}` : ""}`;
  }

  private runTests({ runs, servers, methods, threads }: PartFilter): ((call: number) => boolean)[] {
    const { columns, dumps } = this;
    const tests: ((call: number) => boolean)[] = [];
    const runOf = columns.numbers("run");
    if (runs.length > 0 || servers.length > 0) {
      const passes = dumps.runs.map(
        ({ label, server, input = "" }) =>
          (runs.length === 0 || runs.includes(label) || runs.includes(input)) &&
          (servers.length === 0 || servers.includes(server)),
      );
      tests.push((call) => passes[runOf[call]!] === true);
    }
    if (methods.length > 0) {
      const methodOf = columns.numbers("method");
      const wanted = new Set(methods);
      tests.push((call) => wanted.has(this.nameOf(runOf[call]!, methodOf[call]!)));
    }
    if (threads.length > 0) {
      const threadOf = columns.numbers("thread");
      const wanted = new Set(threads);
      const isWanted = memo((string) => wanted.has(columns.string(string)));
      tests.push((call) => isWanted(threadOf[call]!));
    }
    return tests;
  }

  private textTests({ query, params }: PartFilter): ((call: number) => boolean)[] {
    const words = wordsOf(query).map(({ word, isAbsent }) => {
      const has = this.hasWord(word);
      return (call: number) => has(call) !== isAbsent;
    });
    const wanted = new Map<string, Set<string>>();
    const tests = words;
    for (const { key, value, exclude } of params) {
      if (exclude === true) {
        const has = this.hasParam(key, new Set([value]));
        tests.push((call) => !has(call));
      } else wanted.set(key, (wanted.get(key) ?? new Set()).add(value));
    }
    for (const [key, values] of wanted) tests.push(this.hasParam(key, values));
    return tests;
  }

  private hasParam(name: string, values: ReadonlySet<string>): (call: number) => boolean {
    const { columns } = this;
    const runOf = columns.numbers("run");
    const paramsOf = columns.numbers("params");
    const isValue = memo((string) => values.has(columns.string(string)));
    const ids = this.dumps.runs.map((_, run) => this.wordId(run, name));
    return (call) => {
      const pairs = columns.pairs(paramsOf[call]!);
      const id = ids[runOf[call]!];
      for (let i = 0; i < pairs.length; i += 2) if (pairs[i] === id && isValue(pairs[i + 1]!)) return true;
      return false;
    };
  }

  /** Whether a word in small letters is in method, thread, run or a parameter. Each text is searched once. */
  private hasWord(word: string): (call: number) => boolean {
    const { columns, dumps } = this;
    const has = (text: string) => text.toLowerCase().includes(word);
    const runHas = dumps.runs.map(({ label }) => has(label));
    const [runOf, methodOf, threadOf, paramsOf] = (["run", "method", "thread", "params"] as const).map((name) =>
      columns.numbers(name),
    ) as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
    const threadHas = memo((string) => has(columns.string(string)));
    const methodHas = dumps.runs.map((_, run) => memo((method) => has(dumps.word(run, method))));
    // A word with the sign may begin in a name and end in its value.
    const spans = word.includes("=");
    const nameHas = dumps.runs.map((_, run) => memo((id) => has(dumps.word(run, id))));
    const valueHas = memo((string) => has(columns.string(string)));
    const pairHas = (run: number, id: number, value: number) =>
      spans ? has(`${dumps.word(run, id)}=${columns.string(value)}`) : nameHas[run]!(id) || valueHas(value);
    return (call) => {
      const run = runOf[call]!;
      if (runHas[run] === true || methodHas[run]!(methodOf[call]!) || threadHas(threadOf[call]!)) return true;
      const pairs = columns.pairs(paramsOf[call]!);
      for (let i = 0; i < pairs.length; i += 2) if (pairHas(run, pairs[i]!, pairs[i + 1]!)) return true;
      return false;
    };
  }

  /** Calls in the order of a column: figures descending, texts ascending; calls without the figure are last. */
  ordered(calls: Uint32Array, sort: CallSort, reversed: boolean): Uint32Array {
    const column = this.columnOf(sort);
    const sorted = sortedBy(calls, column);
    const isText = sort === "name" || sort === "thread";
    if (isText === !reversed) return sorted;
    let known = sorted.length;
    while (known > 0 && Number.isNaN(column[sorted[known - 1]!]!)) known--;
    return descending(sorted, column, known);
  }

  private columnOf(sort: CallSort): Float64Array | Uint32Array {
    const known = this.keys.get(sort);
    if (known !== undefined) return known;
    const made = this.newColumn(sort);
    this.keys.set(sort, made);
    return made;
  }

  private newColumn(sort: CallSort): Float64Array | Uint32Array {
    const { columns } = this;
    switch (sort) {
      case "net": {
        const suspensions = columns.figures("suspension");
        return columns.figures("duration").map((duration, call) => duration - suspensions[call]!);
      }
      case "io": {
        const parts = (["fileRead", "fileWritten", "netRead", "netWritten"] as const).map((name) =>
          columns.figures(name),
        );
        return parts[0]!.map((_, call) => parts.reduce((sum, part) => sum + part[call]!, 0));
      }
      case "frames":
        return columns.numbers("enters");
      case "name":
        return this.nameRanks();
      case "thread": {
        const threadOf = columns.numbers("thread");
        return this.ranks(
          (call) => threadOf[call]!,
          (call) => columns.string(threadOf[call]!),
        );
      }
      default:
        return columns.figures(sort);
    }
  }

  /** By title, or else by the name of the method. */
  private nameRanks(): Uint32Array {
    const { columns } = this;
    const [titleOf, runOf, methodOf] = [this.paramOf(TITLE), columns.numbers("run"), columns.numbers("method")];
    return this.ranks(
      (call) => {
        const title = titleOf(call);
        return title < 0 ? -1 - (runOf[call]! * 2 ** 32 + methodOf[call]!) : title;
      },
      (call) => {
        const title = titleOf(call);
        return title < 0 ? this.nameOf(runOf[call]!, methodOf[call]!) : columns.string(title);
      },
    );
  }

  /**
   * Ranks of texts by their code units: of a million texts, an order by locale would take a minute. Calls of one key
   * have one text, which is decoded once.
   */
  private ranks(keyOf: (call: number) => number, textOf: (call: number) => string): Uint32Array {
    const texts = new Numbered<number, string>();
    const ofCall = new Uint32Array(this.count + 1);
    for (let call = 1; call <= this.count; call++) ofCall[call] = texts.of(keyOf(call), () => textOf(call));
    const order = [...texts.list].sort();
    // Keys may differ and have one text.
    const rankOf = new Map<string, number>();
    for (const [rank, text] of order.entries()) rankOf.set(text, rank);
    const ranks = Uint32Array.from(texts.list, (text) => rankOf.get(text)!);
    for (let call = 1; call <= this.count; call++) ofCall[call] = ranks[ofCall[call]!]!;
    return ofCall;
  }
}

/** The first `known` rows the other way round, except that rows of one value keep their order. */
function descending(rows: Uint32Array, column: Float64Array | Uint32Array, known: number): Uint32Array {
  const turned = rows.slice();
  let at = 0;
  for (let end = known; end > 0; ) {
    let first = end - 1;
    while (first > 0 && column[rows[first - 1]!] === column[rows[end - 1]!]) first--;
    turned.set(rows.subarray(first, end), at);
    at += end - first;
    end = first;
  }
  return turned;
}

const NO = 1;
const YES = 2;

/** A test of strings or ids that answers each number once. */
function memo(test: (index: number) => boolean): (index: number) => boolean {
  let known = new Uint8Array(1 << 10);
  return (index) => {
    // The number of a value that is not there (NO_VALUE).
    if (index === 0xffff_ffff) return test(index);
    if (index >= known.length) {
      const more = new Uint8Array(2 ** Math.ceil(Math.log2(index + 1)));
      more.set(known);
      known = more;
    }
    if (known[index] === 0) known[index] = test(index) ? YES : NO;
    return known[index] === YES;
  };
}
