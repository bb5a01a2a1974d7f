/** Samples, stacks, links and attributes as the iterations of a selection give them. */
import type { AttributeValue } from "../core/types.ts";
import type { FrameTypeName } from "../model/flame/frame-types.ts";

/** Attributes by key. The object has no prototype, because keys are those of the recording. */
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** One function call of a stack. */
export interface Frame {
  /** Name of the function; without one the text of its place, such as `libc.so.6+0x1234`. */
  readonly function: string;
  /** Source file; empty if it is unknown. */
  readonly file: string;
  /** Line in the source, 0 if it is unknown. */
  readonly line: number;
  /** Column in the source, 0 if it is unknown. */
  readonly column: number;
  /** `"jvm"`, `"native"`, `"v8js"`, … (`FRAME_TYPES`), or empty if it is unknown. */
  readonly type: FrameTypeName;
  /** Binary or library of native code; null for other frames. */
  readonly mapping: Mapping | null;
  /** Address of the instruction, 0n if it is unknown. */
  readonly address: bigint;
}

/** A binary or library of native code. */
export interface Mapping {
  readonly file: string;
  /** Build id of GNU in hex; empty if it is unknown. */
  readonly buildId: string;
}

/** A stack trace. */
export interface Stack {
  /** Row of `tables.stacks()`. Equal stacks have equal numbers. */
  readonly index: number;
  /** Leaf first; empty for a sample without a stack. They are made when they are asked for. */
  readonly frames: readonly Frame[];
}

/** The span and the local root of a sample. */
export interface Link {
  /** Row of `tables.links()`. */
  readonly index: number;
  /** Span id, or 0n. */
  readonly span: bigint;
  /** Local root span id; 0n if it is unknown or if the recording has a trace id instead. */
  readonly localRoot: bigint;
  /** Trace id of 64 or 128 bits; 0n if the recording has a local root instead. */
  readonly trace: bigint;
}

/** A thread; name and id are empty where the recording does not have them. */
export interface Thread {
  /** Row of `tables.threads()`. */
  readonly index: number;
  readonly name: string;
  /** In decimal. */
  readonly id: string;
}

/** One observation: a time and a value, with its stack, link, thread and attributes. Equal stacks are one object. */
export interface Sample {
  /** Type of the profile. */
  readonly profile: string;
  /** Event type, such as `jdk.ExecutionSample`; empty if a message does not name it. */
  readonly event: string;
  /** Nanoseconds since 1970; 0n for an observation without a time. */
  readonly time: bigint;
  /**
   * In the unit of the selection's measure; for a selection of all profiles, in that of the profile's first measure.
   */
  readonly value: bigint;
  /** Value of the second measure of the profile, or 0n. */
  readonly second: bigint;
  /** The stack; a sample without a stack has the empty one. */
  readonly stack: Stack;
  /** Null for a sample without a span. */
  readonly link: Link | null;
  /** Null if the recording does not have the thread. */
  readonly thread: Thread | null;
  /** Attributes of the sample, and those of its local root where the sample has no attribute of the same key. */
  readonly attributes: Attributes;
}

/** Observations that have something in common. */
export interface Share {
  /** Number of observations. */
  readonly samples: number;
  /** Sum of their values in the unit of the measure; 0n for a selection of all profiles. */
  readonly weight: bigint;
}

/** A stack with its share of a selection. */
export interface StackShare extends Stack, Share {}

/** A link with its share of a selection. */
export interface LinkShare extends Link, Share {
  /** Attributes of the local root. */
  readonly attributes: Attributes;
}

/** A key and a value with their share of a selection. */
export interface AttributeShare extends Share {
  /** Row of `tables.attributes()`. */
  readonly index: number;
  readonly key: string;
  readonly value: AttributeValue;
  readonly unit: string;
}
