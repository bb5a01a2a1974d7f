/** Recordings made by a program: dictionaries, profiles and samples, which are then written or asked as a recording. */
import type { Core } from "../../core/core.ts";
import { SpanflameError } from "../../core/instance/error.ts";
import { type Part, SPLIT_BYTES } from "../../core/split.ts";
import type { OutputFormat, WriteResult, WriteTotals } from "../../core/types.ts";
import type { Report } from "../../validate/validate.ts";
import {
  type Check,
  type Checks,
  checked,
  isBoolean,
  isFunction,
  isRootId,
  isSpanId,
  isText,
  oneOf,
  wrong,
} from "../check.ts";
import { DISPOSE, DISPOSE_ASYNC } from "../dispose.ts";
import type { CoreSource } from "../load-core.ts";
import { loadModule } from "../load-core.ts";
import { coreOf, openWith } from "../open.ts";
import { checkFormat, isCoreSource, MESSAGES, WRITE, WRITE_ASYNC } from "../option-checks.ts";
import type { MessagesOptions, ValidateOptions, WriteAsyncOptions, WriteSelectionOptions } from "../options.ts";
import { Recording } from "../recording.ts";
import type { Lists } from "../tables.ts";
import { validate } from "../validate.ts";
import { partsOf } from "../writing.ts";
import { jsonOf } from "./json.ts";
import { messageOf } from "./message.ts";
import { checkLists, ProfileRows } from "./profile-rows.ts";
import { BuilderTables, type BuilderValue, COUNT, MOST_64, type Whole, whole } from "./tables.ts";

/** Options of `ProfileBuilder.create`. */
export interface BuilderOptions {
  /** The core's module, its bytes, or the address of `core.wasm`: bundlers may need it. */
  core?: CoreSource;
}

/** A binary or library. Its addresses are [start, limit), or both are 0. */
export interface BuilderMapping {
  file?: string;
  start?: Whole;
  limit?: Whole;
  /** Offset of `start` in the file. */
  offset?: Whole;
  /** In hex; of kind `go` any text. */
  buildId?: string;
  /** `gnu` by default. */
  buildIdKind?: "gnu" | "go" | "htlhash";
  /** Rows of attributes. */
  attributes?: readonly number[];
}

/** A function. At least one of the texts is not empty. */
export interface BuilderFunction {
  name?: string;
  /** As the linker has it, mangled. */
  systemName?: string;
  file?: string;
  startLine?: Whole;
}

/** A line of a location. */
export interface BuilderLine {
  /** Row of the function. */
  function?: number;
  line?: Whole;
  column?: Whole;
}

/** A place in a program, a frame of stacks. */
export interface BuilderLocation {
  /** Row of the mapping. */
  mapping?: number;
  address?: Whole;
  /** Several if functions were inlined: the innermost one first, the last one is the caller of the others. */
  lines?: readonly BuilderLine[];
  /** The attribute `profile.frame.type`: `jvm`, `native`, `kernel`, `v8js`, …. */
  type?: string;
  /** Rows of attributes. */
  attributes?: readonly number[];
}

/** The span of a sample, with its local root or its trace or both. */
export interface BuilderLink {
  span: bigint;
  localRoot?: bigint;
  /** Of 64 or 128 bits. */
  trace?: bigint;
}

/** The instrumentation scope of profiles. */
export interface BuilderScope {
  name?: string;
  version?: string;
  attributes?: Readonly<Record<string, BuilderValue>>;
  schemaUrl?: string;
}

/** What a profile is of. */
export interface BuilderProfile {
  type: string;
  unit: string;
  periodType?: string;
  periodUnit?: string;
  period?: Whole;
  /** In nanoseconds since 1970; by default the time of the first sample. */
  start?: Whole;
  /** In nanoseconds; by default up to the last sample. */
  duration?: Whole;
  /** 16 bytes, not all of them 0. */
  id?: Uint8Array;
  /** Rows of attributes. */
  attributes?: readonly number[];
  /** Row of the resource. */
  resource?: number;
  /** Row of the scope. */
  scope?: number;
  /** False for a profile without times, whose samples are sums. */
  times?: boolean;
}

/** Checked where it is used, because that needs the tables. */
const later: Check = () => {};
const BUILD_ID = "process.executable.build_id";
const FRAME_TYPE = "profile.frame.type";
const SLICE = 1 << 24;

const CREATE: Checks<BuilderOptions> = { core: isCoreSource };
const MAPPING: Checks<BuilderMapping> = {
  file: isText,
  start: later,
  limit: later,
  offset: later,
  buildId: isText,
  buildIdKind: oneOf(["gnu", "go", "htlhash"]),
  attributes: later,
};
const FUNCTION: Checks<BuilderFunction> = { name: isText, systemName: isText, file: isText, startLine: later };
const LINE: Checks<BuilderLine> = { function: later, line: later, column: later };
const LOCATION: Checks<BuilderLocation> = {
  mapping: later,
  address: later,
  lines: (value, option) => {
    if (!Array.isArray(value)) wrong(option, value, "an array of lines");
  },
  type: isText,
  attributes: later,
};
const LINK: Checks<BuilderLink> = { span: isSpanId, localRoot: isSpanId, trace: isRootId };
const SCOPE: Checks<BuilderScope> = { name: isText, version: isText, attributes: later, schemaUrl: isText };
const PROFILE: Checks<BuilderProfile> = {
  type: isText,
  unit: isText,
  periodType: isText,
  periodUnit: isText,
  period: later,
  start: later,
  duration: later,
  id: (value, option) => {
    if (!(value instanceof Uint8Array) || value.length !== 16 || value.every((byte) => byte === 0))
      wrong(option, value, "a Uint8Array of 16 bytes that are not all 0");
  },
  attributes: later,
  resource: later,
  scope: later,
  times: isBoolean,
};

/**
 * Makes profiles of what a program measures. Each of the methods for entries (`attribute` to `scope`) returns the row
 * number of an entry, the same for equal ones; 0 is none, and may be passed wherever a row is due. A message contains
 * the entries that samples use, whatever else was made.
 *
 * Every method can throw a `SpanflameError`: `option.value`, `option.unknown` and `option.id` for its arguments,
 * `builder.row` for a number that is no row, and `recording.closed`. Nothing has changed then.
 */
export class ProfileBuilder implements Disposable {
  private readonly tables = new BuilderTables();
  private readonly profiles: ProfileRows[] = [];
  private readonly module: WebAssembly.Module;
  private core: Core | null;
  /** The content as a recording, for the formats that the core writes, and the changes that it has. */
  private recording: { of: Recording; changes: number } | null = null;

  private constructor(module: WebAssembly.Module, core: Core) {
    this.module = module;
    this.core = core;
  }

  /**
   * An empty builder.
   *
   * @throws `core.load`, `option.unknown`, `option.value`
   */
  static async create(options?: BuilderOptions): Promise<ProfileBuilder> {
    const { core } = checked("create", options, CREATE);
    return ProfileBuilder.with(() => loadModule(core));
  }

  /** @internal */
  static async with(load: () => Promise<WebAssembly.Module>): Promise<ProfileBuilder> {
    const { module, core } = await coreOf(load);
    return new ProfileBuilder(module, core);
  }

  /** An attribute. Its unit is a code of UCUM: `By`, `ns`, `{request}`. */
  attribute(key: string, value: BuilderValue, unit?: string): number {
    this.tables.refuseClosed();
    return this.tables.attribute(key, value, unit);
  }

  /** A binary or library. */
  mapping(fields: BuilderMapping): number {
    const { tables } = this;
    tables.refuseClosed();
    const given = checked("mapping", fields, MAPPING);
    const start = whole(given.start ?? 0n, "mapping: start");
    const limit = whole(given.limit ?? 0n, "mapping: limit");
    const offset = whole(given.offset ?? 0n, "mapping: offset");
    if (start >= limit && (start !== 0n || limit !== 0n)) wrong("mapping: limit", limit, `above its start, ${start}`);
    const { file = "", buildId = "", buildIdKind = "gnu", attributes } = given;
    if (buildId !== "" && buildIdKind !== "go" && !/^(?:[0-9a-f]{2})+$/i.test(buildId))
      wrong("mapping: buildId", buildId, "bytes in hex");
    const build = buildId === "" ? 0 : tables.attribute(`${BUILD_ID}.${buildIdKind}`, buildId);
    const set = tables.setOfRows(attributes, "mapping: attributes", build);
    return tables.mapping(start, limit, offset, tables.text(file), set);
  }

  /** A function. */
  function(fields: BuilderFunction): number {
    const { tables } = this;
    tables.refuseClosed();
    const { name = "", systemName = "", file = "", startLine = 0n } = checked("function", fields, FUNCTION);
    if (name === "" && systemName === "" && file === "") wrong("function: name", name, "not empty, or another text is");
    const line = whole(startLine, "function: startLine", COUNT);
    return tables.function(tables.text(name), tables.text(systemName), tables.text(file), line);
  }

  /** A place in a program. */
  location(fields: BuilderLocation): number {
    const { tables } = this;
    tables.refuseClosed();
    const { mapping, address = 0n, lines = [], type = "", attributes } = checked("location", fields, LOCATION);
    const words = lines.flatMap((each, i) => {
      const option = `location: lines[${i}]`;
      const { function: fn, line = 0n, column = 0n } = checked(option, each, LINE);
      return tables.line(
        tables.row(tables.functions, fn, `${option}: function`),
        whole(line, `${option}: line`, COUNT),
        whole(column, `${option}: column`, COUNT),
      );
    });
    const frameType = type === "" ? 0 : tables.attribute(FRAME_TYPE, type);
    return tables.location(
      tables.row(tables.mappings, mapping, "location: mapping"),
      whole(address, "location: address"),
      tables.setOfRows(attributes, "location: attributes", frameType),
      words,
    );
  }

  /** A stack of locations, leaf first. */
  stack(locations: ArrayLike<number>): number {
    const { tables } = this;
    tables.refuseClosed();
    if (!Array.isArray(locations) && !(locations instanceof Uint32Array))
      wrong("stack", locations, "an array of locations");
    return this.internStack(locations as Uint32Array | number[], 0, locations.length);
  }

  /** Many stacks, as `recording.tables.stacks()` has them; or none if it throws. */
  stacks(lists: Lists): Uint32Array {
    this.tables.refuseClosed();
    checkLists(lists, "stacks");
    const { offsets, items } = lists;
    const { stacks } = this.tables;
    const rows = new Uint32Array(offsets.length - 1);
    stacks.reserve(rows.length, items.length);
    const before = stacks.count;
    try {
      for (let i = 0; i < rows.length; i++) rows[i] = this.internStack(items, offsets[i]!, offsets[i + 1]!);
    } catch (error) {
      stacks.cut(before);
      throw error;
    }
    return rows;
  }

  /** The span of samples. Samples get the attribute `datadog.local_root_span_id` if it has a local root. */
  link(fields: BuilderLink): number {
    this.tables.refuseClosed();
    const { span, localRoot = 0n, trace = 0n } = checked("link", fields, LINK);
    if (span === undefined) wrong("link: span", span, "an id", "option.id");
    if (localRoot === 0n && trace === 0n) wrong("link: localRoot", undefined, "an id, or the trace is", "option.id");
    return this.tables.link(span, localRoot, trace);
  }

  /** The process or the service that profiles are of. */
  resource(attributes: Readonly<Record<string, BuilderValue>>, schemaUrl = ""): number {
    const { tables } = this;
    tables.refuseClosed();
    isText(schemaUrl, "resource: schemaUrl");
    return tables.resource(tables.setOfObject(attributes, "resource"), tables.text(schemaUrl));
  }

  /** The instrumentation scope: the program or module that measures. */
  scope(fields: BuilderScope): number {
    const { tables } = this;
    tables.refuseClosed();
    const { name = "", version = "", schemaUrl = "", attributes } = checked("scope", fields, SCOPE);
    const set = tables.setOfObject(attributes, "scope: attributes");
    return tables.scope(tables.text(name), tables.text(version), tables.text(schemaUrl), set);
  }

  /** Begins a profile. Its samples are added to what it returns. */
  profile(fields: BuilderProfile): ProfileRows {
    const { tables } = this;
    tables.refuseClosed();
    const given = checked("profile", fields, PROFILE);
    const { type = "", unit = "", periodType = "", periodUnit = "", times = true } = given;
    if (type === "") wrong("profile: type", type, "not empty");
    if (unit === "") wrong("profile: unit", unit, "not empty");
    const start = whole(given.start ?? 0n, "profile: start");
    const duration = whole(given.duration ?? 0n, "profile: duration");
    if (start + duration > MOST_64) wrong("profile: duration", duration, "such that its end has 64 bits");
    const profile = new ProfileRows(tables, {
      type: tables.text(type),
      unit: tables.text(unit),
      periodType: tables.text(periodType),
      periodUnit: tables.text(periodUnit),
      period: whole(given.period ?? 0n, "profile: period", COUNT),
      start,
      duration,
      id: given.id?.slice() ?? new Uint8Array(0),
      set: tables.setOfRows(given.attributes, "profile: attributes"),
      resource: tables.row(tables.resources, given.resource, "profile: resource"),
      scope: tables.row(tables.scopes, given.scope, "profile: scope"),
      times,
    });
    this.profiles.push(profile);
    tables.changes++;
    return profile;
  }

  /**
   * Writes everything as one message. OTLP without options has what the builder was given and nothing else; all other
   * messages are those of a recording.
   *
   * @throws `profile.missing` before the first `profile`; otherwise as `Selection.write` does
   */
  write(format: OutputFormat, options?: WriteSelectionOptions): WriteResult {
    return this.own(format, checked("write", options, WRITE)) ?? this.recorded().write(format, options);
  }

  /** Writes the same message in parts, as `Selection.writeTo` does. */
  writeTo(format: OutputFormat, sink: (part: Uint8Array) => void, options?: WriteSelectionOptions): WriteTotals {
    isFunction(sink, "writeTo: sink");
    const own = this.own(format, checked("writeTo", options, WRITE));
    if (own === null) return this.recorded().select(null).writeTo(format, sink, options);
    const { bytes, ...totals } = own;
    sink(bytes);
    return totals;
  }

  /** Writes the same message as a stream of parts, as `Selection.writeAsync` does. */
  writeAsync(format: OutputFormat, options?: WriteAsyncOptions): AsyncGenerator<Uint8Array, WriteTotals, undefined> {
    const { signal, ...rest } = checked("writeAsync", options, WRITE_ASYNC);
    this.tables.refuseClosed();
    checkFormat(format);
    return partsOf((sink) => this.writeTo(format, sink, rest), signal);
  }

  /** Writes one message or, if that is above a size, several, as `Selection.messages` does. */
  async *messages(format: OutputFormat, options?: MessagesOptions): AsyncGenerator<Part, void, undefined> {
    const { signal, limit = SPLIT_BYTES, ...rest } = checked("messages", options, MESSAGES);
    signal?.throwIfAborted();
    const own = this.own(format, rest);
    if (own !== null && own.size <= limit) {
      yield { ...own, type: null, oversized: false };
      return;
    }
    const recording = await this.open();
    try {
      yield* recording.select(null).messages(format, options);
    } finally {
      recording.close();
    }
  }

  /** Checks the message of `write("otlp")` by the rules of docs/validator.md. */
  async validate(options?: ValidateOptions): Promise<Report> {
    return validate(this.message().bytes, options);
  }

  /** A recording of what the builder has at the moment. It stays as it is if the builder goes on. */
  async open(): Promise<Recording> {
    return openWith(async () => this.module, { name: "builder", data: this.message().bytes });
  }

  /** Whether the builder was closed. */
  get isClosed(): boolean {
    return this.tables.isClosed;
  }

  /** Releases the memory. Every later call throws `recording.closed`. Recordings that it has opened stay. */
  close(): void {
    this.tables.close();
    for (const profile of this.profiles) profile.release();
    this.profiles.length = 0;
    this.recording = null;
    this.core = null;
  }

  /** `close`, for `using`. */
  [DISPOSE](): void {
    this.close();
  }

  /** `close`, for `await using`. */
  async [DISPOSE_ASYNC](): Promise<void> {
    this.close();
  }

  /** The row of the stack [from, to) of a list, which is not changed if one of them is no row of a location. */
  private internStack(rows: Uint32Array | number[], from: number, to: number): number {
    const { locations, stacks } = this.tables;
    const { count } = locations;
    let isPlain = true;
    for (let i = from; i < to; i++) {
      const row = rows[i]!;
      if (Number.isInteger(row) && row > 0 && row < count) continue;
      this.tables.row(locations, row ?? null, `location ${i - from} of the stack`);
      isPlain = false;
    }
    // 0 is no location.
    return isPlain ? stacks.intern(rows, from, to) : stacks.intern(rows.slice(from, to).filter(Boolean));
  }

  /** The message if the builder writes it itself: OTLP as it was given. Null for what only the core writes. */
  private own(format: OutputFormat, options: WriteSelectionOptions): WriteResult | null {
    this.tables.refuseClosed();
    checkFormat(format);
    const { pretty = false, ...others } = options;
    if (Object.values(others).some((value) => value !== undefined)) return null;
    if (format === "otlp" && options.pretty === undefined) return this.message();
    if (format !== "otlp-json") return null;
    const { bytes: protobuf, ...totals } = this.message();
    const bytes = fitting(() => jsonOf(protobuf, pretty));
    return { ...totals, bytes, size: bytes.length };
  }

  private message(): WriteResult {
    this.tables.refuseClosed();
    if (this.profiles.length === 0) throw new SpanflameError("profile.missing", "the builder has no profile");
    return fitting(() => messageOf(this.tables, this.profiles));
  }

  /** The content in the core of the builder. */
  private recorded(): Recording {
    const { changes } = this.tables;
    if (this.recording?.changes === changes) return this.recording.of;
    const { bytes } = this.message();
    const core = this.core!;
    this.recording = null;
    core.reset();
    core.beginReading();
    try {
      core.beginFile("builder", bytes.length, "otlp");
      core.reserve(bytes.length, { kind: "message", offset: 0 });
      core.input(bytes.length).set(bytes);
      let status = core.openMessage(bytes.length, 0);
      while (status === "more") status = core.step(SLICE);
      core.close();
      core.endFile(bytes.length);
    } finally {
      core.endReading();
    }
    if (core.full) throw new SpanflameError("core.memory", "the samples do not fit into memory");
    const of = Recording.of(core, [{ name: "builder", read: "wholly" }]);
    this.recording = { of, changes };
    return of;
  }
}

/** Engines throw a RangeError for arrays and texts that are too long. */
function fitting<T>(make: () => T): T {
  try {
    return make();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new SpanflameError("core.memory", "the message does not fit into memory", { cause });
  }
}
