/** The types that profilers write, and pools of frames and threads for samples that a test describes. */
import type { ChunkSpec, FieldSpec, Item, Pool, TypeSpec, Value } from "./jfr-builder.ts";

export interface Frame {
  /** Slashed, as in a recording; null: the method has no class. */
  className: string | null;
  method: string;
  descriptor?: string;
  line?: number;
  type?: string;
}

export interface Stack {
  frames: Frame[];
  truncated?: boolean;
}

export interface Thread {
  javaName: string | null;
  javaId: bigint;
  osName: string | null;
  osId: bigint;
}

export const field = (name: string, type: string, more: Partial<FieldSpec> = {}): FieldSpec => ({
  name,
  type,
  ...more,
});
export const ref = (name: string, type: string): FieldSpec => ({ name, type, pool: true });

export const START = field("startTime", "long", { unit: "TICKS", annotation: "jdk.jfr.Timestamp" });
export const DURATION = field("duration", "long", { unit: "TICKS" });
export const THREAD = ref("eventThread", "java.lang.Thread");
export const STACK = ref("stackTrace", "jdk.types.StackTrace");
export const CONTEXT = [field("spanId", "long"), field("localRootSpanId", "long")];
export const ATTRIBUTE = "profiler.types.AttributeValue";

const simple = (name: string, of = "string"): TypeSpec => ({
  name,
  simple: true,
  fields: [field(of, "java.lang.String")],
});

export const JVM_TYPES: TypeSpec[] = [
  {
    name: "java.lang.Thread",
    fields: [
      field("osName", "java.lang.String"),
      field("osThreadId", "long"),
      field("javaName", "java.lang.String"),
      field("javaThreadId", "long"),
    ],
  },
  simple("jdk.types.Symbol"),
  simple("jdk.types.FrameType", "description"),
  simple("jdk.types.ThreadState", "name"),
  simple(ATTRIBUTE, "value"),
  { name: "java.lang.Class", fields: [ref("name", "jdk.types.Symbol"), field("modifiers", "int")] },
  {
    name: "jdk.types.Method",
    fields: [
      ref("type", "java.lang.Class"),
      ref("name", "jdk.types.Symbol"),
      ref("descriptor", "jdk.types.Symbol"),
      field("modifiers", "int"),
      field("hidden", "boolean"),
    ],
  },
  {
    name: "jdk.types.StackFrame",
    fields: [
      ref("method", "jdk.types.Method"),
      field("lineNumber", "int"),
      field("bytecodeIndex", "int"),
      ref("type", "jdk.types.FrameType"),
    ],
  },
  {
    name: "jdk.types.StackTrace",
    fields: [field("truncated", "boolean"), field("frames", "jdk.types.StackFrame", { array: true })],
  },
];

/** Classes as the JDK's recorder writes them, with package and module. */
export const MODULE_TYPES: TypeSpec[] = [
  ...JVM_TYPES.map((type) =>
    type.name === "java.lang.Class"
      ? { ...type, fields: [...(type.fields ?? []), ref("package", "jdk.types.Package")] }
      : type,
  ),
  { name: "jdk.types.Package", fields: [ref("name", "jdk.types.Symbol"), ref("module", "jdk.types.Module")] },
  { name: "jdk.types.Module", fields: [ref("name", "jdk.types.Symbol"), ref("version", "jdk.types.Symbol")] },
];

export const event = (name: string, fields: FieldSpec[]): TypeSpec => ({ name, fields, superType: "jdk.jfr.Event" });

export const CPU = "datadog.ExecutionSample";
export const WALL = "datadog.MethodSample";
export const ALLOC = "datadog.ObjectSample";
export const ENTER = "jdk.JavaMonitorEnter";

/** A cpu sample with the weight and the context fields named. */
export function cpuType(context: FieldSpec[] = [], name = CPU): TypeSpec {
  return event(name, [START, THREAD, STACK, field("weight", "long"), ...CONTEXT, ...context]);
}

const TOP = (1n << 64n) - 1n;

/** Pools that fill as keys are asked for, upwards from the first, or downwards from 2⁶⁴ − 1; 0 is never given out. */
export class Constants {
  private readonly pools = new Map<string, Map<string, [bigint, Value]>>();
  private readonly firstKey: bigint;
  /** Name and version of the module by package, for MODULE_TYPES; the others are of an unnamed module. */
  private readonly modules: Record<string, [name: string, version: string | null]>;

  constructor(firstKey = 1n, modules: Record<string, [string, string | null]> = {}) {
    this.firstKey = firstKey;
    this.modules = modules;
  }

  key(type: string, identity: string, value: () => Value): bigint {
    let pool = this.pools.get(type);
    if (pool === undefined) {
      pool = new Map();
      this.pools.set(type, pool);
    }
    const known = pool.get(identity);
    if (known !== undefined) return known[0];
    const key = this.firstKey === TOP ? TOP - BigInt(pool.size) : this.firstKey + BigInt(pool.size);
    const entry: [bigint, Value] = [key, null];
    pool.set(identity, entry);
    entry[1] = value();
    return key;
  }

  symbol(text: string): bigint {
    return this.key("jdk.types.Symbol", text, () => ({ string: text }));
  }

  attribute(text: string | null): bigint {
    return text === null ? 0n : this.key(ATTRIBUTE, text, () => ({ value: text }));
  }

  frameType(text: string): bigint {
    return this.key("jdk.types.FrameType", text, () => ({ description: text }));
  }

  classOf(name: string | null): bigint {
    if (name === null) return 0n;
    return this.key("java.lang.Class", name, () => ({ name: this.symbol(name), modifiers: 1, ...this.homeOf(name) }));
  }

  /** Recorders without modules are written by tests that name none. */
  private homeOf(name: string): Record<string, Value> {
    if (Object.keys(this.modules).length === 0) return {};
    const home = name.slice(0, name.lastIndexOf("/"));
    return { package: this.key("jdk.types.Package", home, () => this.packageOf(home)) };
  }

  private packageOf(home: string): Value {
    const [title, version] = this.modules[home] ?? [null, null];
    const textOf = (text: string | null) => (text === null ? 0n : this.symbol(text));
    const module = this.key("jdk.types.Module", `${title} ${version}`, () => ({
      name: textOf(title),
      version: textOf(version),
    }));
    return { name: this.symbol(home), module };
  }

  method({ className, method, descriptor = "()V" }: Frame): bigint {
    return this.key("jdk.types.Method", JSON.stringify([className, method, descriptor]), () => ({
      type: this.classOf(className),
      name: this.symbol(method),
      descriptor: this.symbol(descriptor),
      modifiers: 9,
      hidden: false,
    }));
  }

  frame(frame: Frame): Value {
    return {
      method: this.method(frame),
      lineNumber: frame.line ?? 0,
      bytecodeIndex: 7,
      type: this.frameType(frame.type ?? "JIT compiled"),
    };
  }

  stack(stack: Stack | null): bigint {
    if (stack === null) return 0n;
    const frames = () => stack.frames.map((frame) => this.frame(frame));
    return this.key("jdk.types.StackTrace", JSON.stringify(stack), () => ({
      truncated: stack.truncated ?? false,
      frames: frames(),
    }));
  }

  thread(thread: Thread | null): bigint {
    if (thread === null) return 0n;
    const identity = `${thread.javaName} ${thread.javaId} ${thread.osName} ${thread.osId}`;
    return this.key("java.lang.Thread", identity, () => ({
      osName: thread.osName,
      osThreadId: thread.osId,
      javaName: thread.javaName,
      javaThreadId: thread.javaId,
    }));
  }

  all(): Pool[] {
    return [...this.pools].map(([type, pool]) => ({ type, entries: [...pool.values()] }));
  }
}

export const MAIN: Thread = { javaName: "main", javaId: 1n, osName: "os-main", osId: 4711n };

/** A Java stack of these method names, leaf first, all of class demo/Work. */
export function javaStack(...names: string[]): Stack {
  return { frames: names.map((method, i) => ({ className: "demo/Work", method, line: 10 + i })) };
}

export interface CpuSample {
  at?: bigint;
  stack?: Stack | null;
  thread?: Thread | null;
  weight?: bigint;
  span?: bigint;
  root?: bigint;
  /** Values of further fields. */
  more?: Record<string, Value>;
}

export function cpuItem(
  c: Constants,
  { at = 0n, stack, thread = MAIN, weight = 1n, span, root, more }: CpuSample,
): Item {
  return {
    event: CPU,
    values: {
      startTime: at,
      eventThread: c.thread(thread),
      stackTrace: c.stack(stack === undefined ? javaStack("leaf", "root") : stack),
      weight,
      spanId: span ?? 0n,
      localRootSpanId: root ?? 0n,
      ...more,
    },
  };
}

/** A chunk of cpu samples: events, then one checkpoint with all their constants. */
export function cpuChunk(samples: CpuSample[], rest: Partial<ChunkSpec> = {}, context: FieldSpec[] = []): ChunkSpec {
  const constants = new Constants();
  const items = samples.map((sample) => cpuItem(constants, sample));
  return { types: [...JVM_TYPES, cpuType(context)], items: [...items, { checkpoint: constants.all() }], ...rest };
}
