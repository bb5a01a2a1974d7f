/** Types of the rows in the event catalogue. */

/**
 * Rule that computes an observation's value from the event's fields:
 * - `count`: 1
 * - `field`: the named field, 1 if the event lacks it: a weight
 * - `amount`: the named field, else `fallback`, 0 if the event has neither: a size
 * - `allocated`: the named field, a size; samples say whether the block at `address` was freed
 * - `freed`: none, the block at `address` was freed
 * - `rounded`: the named field, which may be a float, to the nearest integer; 1 if the event lacks it
 * - `scaled`: round(size × weight), or `fallback` if one of the two is absent
 * - `duration`: the named time span in nanoseconds
 * - `scaled-duration`: round(time span × weight) in nanoseconds
 * - `any`: the named number in the unit of its annotation: time spans in nanoseconds, percentages × 100,
 *   unavailable values as 0
 */
export type ValueRule =
  | { rule: "count" }
  | { rule: "field"; field: string }
  | { rule: "amount"; field: string; fallback?: string }
  | { rule: "allocated"; field: string; address: string }
  | { rule: "freed"; address: string }
  | { rule: "rounded"; field: string }
  | { rule: "scaled"; size: string; weight: string; fallback: string }
  | { rule: "duration"; field: string }
  | { rule: "scaled-duration"; field: string; weight: string }
  | { rule: "any"; field: string };

/**
 * Periods in nanoseconds of recorders that write 0 for their default. async-profiler: DEFAULT_INTERVAL of its engines
 * cpu, itimer and ctimer, five times as long for wall. Counters of a processor
 * have other defaults, so 0 is unknown for them.
 */
export const RECORDER_DEFAULTS = { "async-profiler": { cpu: 10_000_000, wall: 50_000_000 } } as const;

/** A recording's own word on the sampling period: a field of an event, or settings. */
export interface PeriodRule {
  type: string;
  unit: string;
  /** Field of datadog.DatadogProfilerConfig. */
  configField?: string;
  /** Rows of jdk.ActiveSetting, as `event#name`. */
  settings: string[];
  /** Rows of jdk.ActiveSetting where async-profiler ran in wall mode (`jdk.ActiveRecording#event` is `wall`). */
  wallSettings?: string[];
  /** The period that a setting of `0` without a unit means: a default of RECORDER_DEFAULTS. */
  unset?: number;
}

/** A measure of the samples: `type` and `unit` are OTLP's, `name` is used by `--value` and the page. */
export interface MeasureKind {
  name: string;
  type: string;
  unit: string;
}

export interface EventRow {
  event: string;
  value: ValueRule;
  /** The profile's second measure, where it has one. */
  second?: ValueRule;
  /**
   * Fields whose text becomes an attribute: [field, attribute key]. `a.b` is field `b` of the constant that field `a`
   * refers to. Time spans are nanoseconds. A first field in single quotes is no field but the text of all events.
   */
  attributes?: [string, string][];
  /** Fields after the local root that are no context attributes, though every other field there is one. */
  known?: string[];
  /** Boolean field: events where it is true say nothing and are left out. */
  skip?: string;
  /**
   * Events whose `field` reads as one of `texts` go to the next row of this event (which is `routed`); only in chunks
   * where key 0 of the field's pool reads `where`, if that is not empty, or another key where the chunk states a
   * version of async-profiler that has it (2.10). Such a row also depends on async-profiler's setting `event`: `wall`
   * routes all of its events, one that is no time on a CPU makes a profile of its name. With `lacks`, all events of a
   * type without that field go there.
   */
  route?: { field: string; texts: string[]; where: string } | { lacks: string };
  /** Gets its events from the row before it that routes. */
  routed?: boolean;
  /** Every field with a text is an attribute, under the field's name. */
  everyText?: boolean;
  /** A user maps the event. Fields that take the place of the usual ones, and the unit of a number that states none. */
  mapped?: { stack?: string | undefined; thread?: string | undefined; unit?: string | undefined };
  /** Frame 0 has the address of the interrupted instruction; all other native frames have return addresses. */
  exactLeaf?: boolean;
  /**
   * A call with a duration. Its method is the field `method`, which the stack of the caller lacks, or the leaf without
   * this field. Calls of the same thread inside it are not part of its value.
   */
  call?: boolean;
}

/** One sample type over all files. */
export interface ProfileRow {
  type: string;
  unit: string;
  /** Short name for a tab. */
  label: string;
  /** Description of the value in one sentence. */
  about: string;
  /** The profiler setting that enables it, shown if a recording has no samples of it. */
  setting: string;
  /** Shown even if a recording has no samples of this type, with the setting that enables it. */
  offered?: boolean;
  /** A measure beside the value; the default export writes the value. */
  second?: MeasureKind;
  /** The event lists the state at the end of each chunk: in a file, only the last chunk that has it counts. */
  snapshot?: boolean;
  period?: PeriodRule;
  /** None of the catalogue: it came with a message, whose words are the producer's. */
  foreign?: boolean;
  events: EventRow[];
}
