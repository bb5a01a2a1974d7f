/**
 * Readers of speedscope files and of processed profiles of the Firefox Profiler, for tests: strict, every index
 * resolved.
 */

/** One list of samples, whatever the format: stacks root first. */
export interface Track {
  /** The profile, and the thread. */
  name: string;
  unit: string;
  stacks: string[][];
  weights: number[];
  /** Milliseconds since the start, where the format has times. */
  times: number[];
}

const SPEEDSCOPE_UNITS = ["none", "nanoseconds", "microseconds", "milliseconds", "seconds", "bytes"];

interface SpeedscopeFile {
  $schema: string;
  shared: { frames: { name: string }[] };
  profiles: {
    type: string;
    name: string;
    unit: string;
    startValue: number;
    endValue: number;
    samples: number[][];
    weights: number[];
  }[];
  activeProfileIndex: number;
}

export function readSpeedscope(text: string): Track[] {
  const file: SpeedscopeFile = JSON.parse(text);
  must(file.$schema === "https://www.speedscope.app/file-format-schema.json", "schema");
  const { frames } = file.shared;
  for (const frame of frames) must(typeof frame.name === "string", "a frame has no name");
  const { activeProfileIndex, profiles } = file;
  must(profiles.length === 0 || profiles[activeProfileIndex] !== undefined, "activeProfileIndex");
  return profiles.map(({ type, name, unit, startValue, endValue, samples, weights }): Track => {
    must(type === "sampled" && typeof name === "string", "type and name");
    must(SPEEDSCOPE_UNITS.includes(unit), `unit ${unit}`);
    must(samples.length === weights.length, "as many weights as samples");
    must(
      weights.every((weight) => weight > 0),
      "a weight that is not above 0",
    );
    // Doubles beyond 2⁵³ are rounded one by one.
    must(startValue === 0 && Math.abs(endValue - sum(weights)) <= endValue * 2 ** -48, "endValue");
    const stacks = samples.map((stack) => stack.map((i) => found(frames[i]).name));
    return { name, unit, stacks, weights, times: [] };
  });
}

/** An invocation of an "evented" profile of speedscope. */
export interface Invocation {
  name: string;
  depth: number;
  at: number;
  total: number;
}

interface EventedFile {
  $schema: string;
  shared: { frames: { name: string; file?: string; line?: number }[] };
  profiles: {
    type: string;
    name: string;
    unit: string;
    startValue: number;
    endValue: number;
    events: { type: string; frame: number; at: number }[];
  }[];
  activeProfileIndex: number;
}

/**
 * The invocations of each "evented" profile in the order of their opening. Checks the rules of speedscope: times never
 * descend and are within the profile, an event closes the frame that was opened last, and none stays open.
 */
export function readEvented(text: string): { name: string; unit: string; end: number; invocations: Invocation[] }[] {
  const { $schema, shared, profiles, activeProfileIndex }: EventedFile = JSON.parse(text);
  must($schema === "https://www.speedscope.app/file-format-schema.json", "schema");
  must(profiles[activeProfileIndex] !== undefined, "activeProfileIndex");
  for (const { name, file = "", line = 1 } of shared.frames) {
    must(typeof name === "string" && typeof file === "string" && Number.isInteger(line) && line > 0, "a frame");
  }
  return profiles.map(({ type, name, unit, startValue, endValue, events }) => {
    must(type === "evented" && typeof name === "string", "type and name");
    must(SPEEDSCOPE_UNITS.includes(unit), `unit ${unit}`);
    const invocations: Invocation[] = [];
    const open: { frame: number; row: Invocation }[] = [];
    let now = startValue;
    for (const { type: kind, frame, at } of events) {
      must(Number.isFinite(at) && at >= now && at <= endValue, "times ascend within the profile");
      now = at;
      if (kind === "O") {
        const row = { name: found(shared.frames[frame]).name, depth: open.length, at, total: 0 };
        invocations.push(row);
        open.push({ frame, row });
        continue;
      }
      must(kind === "C", "type of an event");
      const last = found(open.pop());
      must(last.frame === frame, "the frame opened last is closed first");
      last.row.total = at - last.row.at;
    }
    must(open.length === 0, "every frame is closed");
    return { name, unit, end: endValue, invocations };
  });
}

/** Columns of the tables in version 58; `length` is beside them. */
const TABLES = {
  markers: ["data", "name", "startTime", "endTime", "phase", "category"],
  stackTable: ["prefix", "frame"],
  frameTable: ["address", "inlineDepth", "category", "subcategory", "func", "line", "column"],
  funcTable: ["name", "isJS", "relevantForJS", "resource", "source", "lineNumber", "columnNumber"],
  resourceTable: ["lib", "name", "host", "type"],
  nativeSymbols: ["libIndex", "address", "name", "functionSize"],
  samples: ["stack", "time", "weight"],
} as const;

type Table<C extends readonly string[]> = Record<C[number], (number | null)[]> & { length: number };
type Thread = { [T in keyof typeof TABLES]: Table<(typeof TABLES)[T]> } & {
  processName: string;
  name: string;
  pid: string;
  tid: number;
  samples: { weightType: string };
};

interface FirefoxFile {
  meta: { preprocessedProfileVersion: number; interval: number };
  libs: unknown[];
  shared: { stringArray: string[]; sources: { length: number; uuid: null[]; filename: number[] } };
  threads: Thread[];
}

export function readFirefox(text: string): Track[] {
  const { meta, libs, shared, threads }: FirefoxFile = JSON.parse(text);
  must(meta.preprocessedProfileVersion === 58 && meta.interval > 0, "meta");
  must(libs.length === 0 && shared.sources.uuid.length === shared.sources.length, "libs and sources");
  for (const file of shared.sources.filename) found(shared.stringArray[file]);
  return threads.map((thread) => {
    for (const [name, columns] of Object.entries(TABLES)) {
      const table = thread[name as keyof typeof TABLES] as Table<string[]>;
      for (const column of columns) must(table[column]?.length === table.length, `${name}.${column}`);
    }
    const { stackTable, frameTable, funcTable, samples } = thread;
    must(typeof thread.pid === "string" && typeof thread.tid === "number", "pid and tid");
    const nameOf = (frame: number) => {
      const func = found(frameTable.func[frame]);
      return found(shared.stringArray[found(funcTable.name[func])]);
    };
    const stackOf = (node: number): string[] => {
      const name = nameOf(found(stackTable.frame[node]));
      const prefix = stackTable.prefix[node];
      if (prefix === null || prefix === undefined) return [name];
      must(prefix < node, "a prefix stands behind its stack");
      return [...stackOf(prefix), name];
    };
    const times = samples.time.map(found);
    must(
      times.every((time, i) => i === 0 || time >= times[i - 1]!),
      "times ascend",
    );
    return {
      name: `${thread.processName}: ${thread.name}`,
      unit: samples.weightType,
      stacks: samples.stack.map((node) => stackOf(found(node))),
      weights: samples.weight.map(found),
      times,
    };
  });
}

/** Lines as stacks, root first, with their weights. */
export function readCollapsed(text: string): { stacks: string[][]; weights: number[] } {
  must(text === "" || text.endsWith("\n"), "the last line ends");
  const lines = text.split("\n").slice(0, -1);
  const parts = lines.map((line) => found(/^(.*) (-?\d+)$/s.exec(line)));
  must(new Set(parts.map((part) => part[1])).size === lines.length, "a stack twice");
  return { stacks: parts.map((part) => part[1]!.split(";")), weights: parts.map((part) => Number(part[2])) };
}

export function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`not so: ${what}`);
}

function found<T>(value: T | undefined | null): T {
  if (value === undefined || value === null) throw new Error("an index of nothing");
  return value;
}
