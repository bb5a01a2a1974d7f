/**
 * Profiles of the Firefox Profiler. The processed format has tables of columns, `null` for none:
 *
 *   thread       { name, pid, tid, samples: { stack, time | timeDeltas, weight?, weightType, threadCPUDelta? }, … }
 *   stackTable   prefix (from version 66 on prefixOffset: rows back to the caller, 0 at a root), frame
 *   frameTable   func, line, column, address, category, lib (before 70: that of the func's resource), flags (from 71)
 *   funcTable    name, source (before 57 fileName), lineNumber, resource
 *
 * The tables are those of a thread, from version 60 on of `shared`. Gecko's format has the same tables as rows of
 * `data`, whose order `schema` states, and processes inside `processes`.
 */
import type { MadeFrame } from "../../otlp/dictionary.ts";
import type { MadeSample, Series, Stacks } from "./batch.ts";
import { type Faults, frameTypeOf, MOST_DEEP } from "./faults.ts";
import {
  indexOf,
  isList,
  type List,
  lineOf,
  listOf,
  type Node,
  nodeOf,
  numberOf,
  ownUnit,
  textOf,
  wholeOf,
} from "./parsed.ts";

const MILLI = 1e6;
/** Flags of frames: which of their columns have a value. */
const HAS_ADDRESS = 2;
const HAS_CATEGORY = 4;
const HAS_LINE = 16;
const HAS_COLUMN = 32;
const MOST_PROCESSES = 10_000;

/** Types of frames by the names of categories, as Spanflame and other writers have them. */
const CATEGORIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ java: "jvm", native: "native", kernel: "kernel", erlang: "beam", python: "cpython", cuda: "cuda" },
    ...{ ".net": "dotnet", go: "go", lua: "luajit", perl: "perl", php: "php", ruby: "ruby", rust: "rust" },
    ...{ javascript: "v8js" },
  }),
);

/** Nanoseconds of a unit of CPU time. */
const CPU_UNITS: ReadonlyMap<string, number> = new Map(Object.entries({ ns: 1, µs: 1000, us: 1000 }));

/** A table by its columns. */
class Table {
  readonly length: number;
  private readonly columns: ReadonlyMap<string, List>;
  /** Of Gecko's format. */
  private readonly places: ReadonlyMap<string, unknown> | null;
  private readonly rows: List;

  constructor(value: unknown) {
    const table = nodeOf(value);
    const lists = Object.entries(table).filter((entry): entry is [string, List] => isList(entry[1]));
    this.columns = new Map(lists);
    this.rows = listOf(table.data);
    this.places = "schema" in table ? new Map(Object.entries(nodeOf(table.schema))) : null;
    const longest = lists.reduce((most, [, { length }]) => Math.max(most, length), 0);
    this.length = this.places === null ? longest : this.rows.length;
  }

  has(name: string): boolean {
    return (this.places ?? this.columns).has(name);
  }

  get(name: string, row: number): unknown {
    if (this.places === null) return this.columns.get(name)?.[row];
    return listOf(this.rows[row])[numberOf(this.places.get(name)) ?? -1];
  }
}

export function* firefoxSamples(file: Node, faults: Faults): Generator<MadeSample> {
  const left: unknown[] = [file];
  const series = new Map<string, Series>();
  let processes = 0;
  for (let next = left.shift(); next !== undefined && processes++ < MOST_PROCESSES; next = left.shift()) {
    const profile = nodeOf(next);
    left.push(...Array.from(listOf(profile.processes)));
    const threads = listOf(profile.threads);
    const shared = sharedStacks(profile, faults);
    const owners = ownersOf(threads);
    for (let i = 0; i < threads.length; i++)
      yield* new Thread(profile, nodeOf(threads[i]), `threads[${i}]`, { series, shared, faults, owners }).samples();
  }
}

/** What is not read of a profile: "12 markers and 1 counter"; empty if it is all read. */
export function unreadOf(file: Node): string {
  const threads = Array.from(listOf(file.threads), nodeOf);
  const markers = threads.reduce((sum, thread) => sum + new Table(thread.markers).length, 0);
  const parts = [
    [markers, "marker"],
    [listOf(file.counters).length, "counter"],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`)
    .join(" and ");
}

function sharedStacks(profile: Node, faults: Faults): StackTables | null {
  const shared = nodeOf(profile.shared);
  return "stackTable" in shared ? new StackTables(profile, shared, "shared", faults) : null;
}

class StackTables implements Stacks {
  readonly stacks: Table;
  private readonly frames: Table;
  private readonly funcs: Table;
  private readonly resources: Table;
  private readonly sources: Table;
  private readonly strings: List;
  private readonly libs: List;
  private readonly categories: List;
  private readonly product: string;
  private readonly hasOffsets: boolean;
  private readonly place: string;
  private readonly faults: Faults;

  constructor(profile: Node, of: Node, place: string, faults: Faults) {
    const shared = nodeOf(profile.shared);
    const meta = nodeOf(profile.meta);
    this.stacks = new Table(of.stackTable);
    this.frames = new Table(of.frameTable);
    this.funcs = new Table(of.funcTable);
    this.resources = new Table(of.resourceTable);
    this.sources = new Table(of.sources ?? shared.sources);
    this.strings = listOf(of.stringArray ?? of.stringTable ?? shared.stringArray);
    this.libs = listOf(profile.libs);
    this.categories = listOf(meta.categories);
    this.product = textOf(meta.product);
    this.hasOffsets = this.stacks.has("prefixOffset");
    this.place = place;
    this.faults = faults;
  }

  private text(index: unknown): string {
    return textOf(this.strings[indexOf(index, this.strings.length)]);
  }

  /** Callers precede what they call, so there are no circles. */
  framesOf(stack: number): number[] {
    const frames: number[] = [];
    for (let at = stack; at >= 0 && frames.length < MOST_DEEP; ) {
      const frame = indexOf(this.stacks.get("frame", at), this.frames.length);
      if (frame >= 0 && !this.isNoStack(frame)) frames.push(frame);
      else if (frame < 0) this.faults.add("with a frame that does not exist, which was left out", this.stackPlace(at));
      const caller = this.callerOf(at);
      if (caller >= at) this.faults.add("that is its own caller; the stack ends there", this.stackPlace(at));
      at = caller < at ? caller : -1;
    }
    return frames;
  }

  private stackPlace(row: number): string {
    return `${this.place}.stackTable[${row}]`;
  }

  private callerOf(row: number): number {
    if (!this.hasOffsets) return indexOf(this.stacks.get("prefix", row), this.stacks.length);
    const offset = numberOf(this.stacks.get("prefixOffset", row)) ?? 0;
    return offset > 0 ? row - offset : -1;
  }

  private isNoStack(frame: number): boolean {
    const func = indexOf(this.frames.get("func", frame), this.funcs.length);
    return this.product === "Spanflame" && this.text(this.funcs.get("name", func)) === "(no stack)";
  }

  frameOf(row: number): MadeFrame {
    const { frames, funcs } = this;
    if (!frames.has("func")) return this.geckoFrame(row);
    const func = indexOf(frames.get("func", row), funcs.length);
    const flags = frames.has("flags") ? (numberOf(frames.get("flags", row)) ?? 0) : -1;
    const of = (name: string, flag: number) => ((flags & flag) !== 0 ? frames.get(name, row) : null);
    const name = this.text(funcs.get("name", func));
    const file = this.fileOf(func);
    const lib = this.libOf(row, func);
    const address = wholeOf(of("address", HAS_ADDRESS));
    const startLine = lineOf(funcs.get("lineNumber", func));
    const place = { startLine, line: lineOf(of("line", HAS_LINE)), column: lineOf(of("column", HAS_COLUMN)) };
    const isJs = funcs.get("isJS", func) === true || (lineOf(funcs.get("flags", func)) & 1) !== 0;
    const type = this.typeOf(of("category", HAS_CATEGORY), isJs, file, lib);
    const isNameless = name === "" || (lib !== null && /^0x[0-9a-f]+$/.test(name));
    if (isNameless && lib !== null && address !== null && address >= 0n)
      return {
        name: "",
        type,
        address,
        library: { file: textOf(lib.path) || textOf(lib.name), buildId: buildIdOf(lib) },
      };
    return { name: name === "" ? "(no name)" : name, file, type, ...place };
  }

  private fileOf(func: number): string {
    const { funcs, sources } = this;
    if (!funcs.has("source")) return this.text(funcs.get("fileName", func));
    return this.text(sources.get("filename", indexOf(funcs.get("source", func), sources.length)));
  }

  private libOf(frame: number, func: number): Node | null {
    const { frames, resources, libs } = this;
    const resource = indexOf(this.funcs.get("resource", func), resources.length);
    const index = frames.has("lib") ? frames.get("lib", frame) : resources.get("lib", resource);
    const lib = indexOf(index, libs.length);
    return lib < 0 ? null : nodeOf(libs[lib]);
  }

  private typeOf(category: unknown, isJs: boolean, file: string, lib: Node | null): string {
    const name = textOf(nodeOf(this.categories[indexOf(category, this.categories.length)]).name).toLowerCase();
    if (this.product === "Spanflame") return CATEGORIES.get(name) ?? "";
    if (isJs) return "v8js";
    if (lib !== null) return /^\[?kernel|^vmlinux/.test(textOf(lib.name)) ? "kernel" : "native";
    return CATEGORIES.get(name) ?? frameTypeOf(file);
  }

  /** `name (file:line:column)` of a script, an address, or a label. */
  private geckoFrame(row: number): MadeFrame {
    const text = this.text(this.frames.get("location", row));
    const [, name = text, file = "", line = "", column = ""] =
      /^(.*) \((.+?)(?::(\d+))?(?::(\d+))?\)$/.exec(text) ?? [];
    const at = { line: lineOf(Number(line)), column: lineOf(Number(column)) };
    return { name: name === "" ? "(no name)" : name, file, type: frameTypeOf(file), ...at };
  }
}

/** samply states the build id of ELF files as `codeId`. */
function buildIdOf(lib: Node): string {
  const id = textOf(lib.codeId);
  return /^(?:[0-9a-f]{2}){8,}$/i.test(id) ? id.toLowerCase() : "";
}

/** What threads of a file share. */
interface Around {
  series: Map<string, Series>;
  shared: StackTables | null;
  faults: Faults;
  owners: ReadonlyMap<unknown, unknown>;
}

/** The name that has each thread id: a recorder may have numbered the threads of a JVM and those of the system. */
function ownersOf(threads: List): Map<unknown, unknown> {
  const owners = new Map<unknown, unknown>();
  for (const { tid, name } of Array.from(threads, nodeOf)) if (!owners.has(tid)) owners.set(tid, name);
  return owners;
}

class Thread {
  private readonly thread: Node;
  private readonly meta: Node;
  private readonly place: string;
  private readonly around: Around;
  private readonly of: StackTables;
  private readonly attributes: Record<string, string | bigint>;
  private readonly start: bigint;

  constructor(profile: Node, thread: Node, place: string, around: Around) {
    this.thread = thread;
    this.meta = nodeOf(profile.meta);
    this.place = place;
    this.around = around;
    this.of = around.shared ?? new StackTables(profile, thread, place, around.faults);
    this.start = wholeOf(this.meta.startTime, MILLI) ?? 0n;
    this.attributes = this.isOwn ? this.named() : { ...this.named(), ...this.processOf() };
  }

  private get isOwn(): boolean {
    return this.meta.product === "Spanflame";
  }

  private named(): Record<string, string | bigint> {
    const { tid, name } = this.thread;
    const id = wholeOf(numeric(tid));
    // Spanflame writes 0 for a thread without an id.
    const isId = id !== null && (id !== 0n || !this.isOwn) && this.around.owners.get(tid) === name;
    return { "thread.name": textOf(name), ...(isId && { "thread.id": id }) };
  }

  private processOf(): Record<string, string | bigint> {
    const pid = wholeOf(numeric(this.thread.pid));
    return {
      ...(pid !== null && { "process.pid": pid }),
      "process.executable.name": textOf(this.thread.processName),
    };
  }

  *samples(): Generator<MadeSample> {
    const { thread } = this;
    yield* this.table(thread.samples, "samples", (weight) => this.seriesOfSamples(weight));
    const bytes = () => this.series({ type: "allocated", unit: "bytes" });
    yield* this.table(thread.nativeAllocations, "nativeAllocations", bytes);
    yield* this.table(thread.jsAllocations, "jsAllocations", bytes);
  }

  private *table(value: unknown, name: string, seriesOf: (weight: string) => Series): Generator<MadeSample> {
    const samples = new Table(value);
    const { attributes, of } = this;
    const weightType = textOf(nodeOf(value).weightType);
    const series = seriesOf(weightType);
    const factor = weightType === "tracing-ms" ? MILLI : 1;
    const cpuFactor = CPU_UNITS.get(textOf(nodeOf(this.meta.sampleUnits).threadCPUDelta)) ?? 0;
    const cpu = this.series({ type: "cpu", unit: "nanoseconds" });
    const isDelta = !samples.has("time");
    const hasCpu = cpuFactor > 0 && samples.has("threadCPUDelta");
    let at = 0;
    for (let i = 0; i < samples.length; i++) {
      at = (isDelta ? at : 0) + (numberOf(samples.get(isDelta ? "timeDeltas" : "time", i)) ?? Number.NaN);
      const place = `${this.place}.${name}[${i}]`;
      const given = samples.get("weight", i);
      const value = given === undefined || given === null ? 1n : wholeOf(given, factor);
      const relative = wholeOf(at, MILLI);
      if (relative === null || value === null) {
        this.around.faults.add("without a time or with a weight that is no number; left out", place);
        if (Number.isNaN(at)) at = 0;
        continue;
      }
      const index = samples.get("stack", i);
      const stack = index === null || index === undefined ? -1 : indexOf(index, of.stacks.length);
      if (stack < 0 && index !== null && index !== undefined)
        this.around.faults.add("with a stack that does not exist, which was left out", place);
      const time = this.start + relative;
      const sample = { of, stack, attributes, time: time < 0n ? null : time };
      // A sample without a stack states that the thread did not run.
      if (stack >= 0) yield { ...sample, series, value };
      const used = hasCpu ? (wholeOf(samples.get("threadCPUDelta", i), cpuFactor) ?? 0n) : 0n;
      if (used > 0n && stack >= 0) yield { ...sample, series: cpu, value: used };
    }
  }

  private seriesOfSamples(weightType: string): Series {
    const period = wholeOf(this.meta.interval, MILLI) ?? 0n;
    const type = this.isOwn ? textOf(this.thread.processName) : "wall";
    const each = period > 0n ? { unit: "nanoseconds", value: period } : undefined;
    if (weightType === "bytes") return this.series({ type: this.isOwn ? type : "allocated", unit: "bytes" });
    if (weightType === "tracing-ms") return this.series({ type, unit: "nanoseconds" });
    return this.series({ type, unit: this.isOwn ? ownUnit(type) : "samples", ...(!this.isOwn && { period: each }) });
  }

  private get range(): Series["range"] {
    const duration = wholeOf(this.meta.profilingEndTime, MILLI) ?? 0n;
    return this.start > 0n && duration > 0n ? { start: this.start, duration } : undefined;
  }

  private series(series: Series): Series {
    const { type, unit, period } = series;
    const key = JSON.stringify([type, unit, `${period?.value}`]);
    const known = this.around.series.get(key) ?? { ...series, range: this.range };
    this.around.series.set(key, known);
    return known;
  }
}

/** Ids are numbers or texts. */
function numeric(id: unknown): number | null {
  return numberOf(typeof id === "string" && /^\d+$/.test(id) ? Number(id) : id);
}
