/** JFR recordings: messages of the diagnostics. */
import * as Diagnostic from "../../../assembly/abi/formats/jfr.ts";
import { deepStack, type Wording } from "../diagnostics/wording.ts";

const events = (times: number) => (times === 1 ? "one event" : `${times} events`);

type Code = (typeof Diagnostic)[Exclude<keyof typeof Diagnostic, "Reader">];

export const JFR_WORDINGS: Record<Code, Wording> = {
  [Diagnostic.ChunkTruncated]: {
    code: "jfr.chunk.truncated",
    severity: "error",
    text: (n) =>
      `the recording is cut off: the header gives the chunk ${n} bytes, and the file has fewer; the available part was read`,
  },
  [Diagnostic.ChunkUnfinished]: {
    code: "jfr.chunk.unfinished",
    severity: "warning",
    text: (n) => `the recorder did not finish the chunk: its state byte is ${n}, not 0`,
  },
  [Diagnostic.NoMetadata]: {
    code: "jfr.metadata.missing",
    severity: "error",
    text: (n) => `no metadata event (the header points at offset ${n}), so none of the chunk's events can be read`,
  },
  [Diagnostic.MetadataDamaged]: {
    code: "jfr.metadata.damaged",
    severity: "error",
    text: () => "the metadata event cannot be read to its end, so none of the chunk's events can be read",
  },
  [Diagnostic.MetadataMoved]: {
    code: "jfr.metadata.moved",
    severity: "warning",
    text: (n) => `the header points at offset ${n} for the metadata, but the event is here`,
  },
  [Diagnostic.PoolsMoved]: {
    code: "jfr.pools.moved",
    severity: "warning",
    text: (n) => `the header points at offset ${n} for the constant pools; a scan found the pools that were read`,
  },
  [Diagnostic.ChainBroken]: {
    code: "jfr.pools.chain",
    severity: "warning",
    text: (n) => `the chain of checkpoints from offset ${n} is broken; a scan found the pools that were read`,
  },
  [Diagnostic.CheckpointDamaged]: {
    code: "jfr.checkpoint.damaged",
    severity: "warning",
    text: (n, times) =>
      `${times === 1 ? "a checkpoint" : `${times} checkpoints`} cannot be read to the end (pool of type ${n}); the constants before that point were kept`,
  },
  [Diagnostic.PoolUndefined]: {
    code: "jfr.pool.undefined",
    severity: "warning",
    text: (n, times) =>
      `${times === 1 ? "a checkpoint holds" : `${times} checkpoints hold`} a pool of type ${n}, which the metadata does not define; the rest of the checkpoint was left out`,
  },
  [Diagnostic.EventSize]: {
    code: "jfr.event.size",
    severity: "error",
    text: (n) =>
      `damaged: an event cannot have ${n} bytes; the events after it, up to the next checkpoint or the end, are missing`,
  },
  [Diagnostic.EventUndefined]: {
    code: "jfr.event.undefined",
    severity: "warning",
    text: (n, times) => `${events(times)} of a type (first: ${n}) that the metadata does not define; left out`,
  },
  [Diagnostic.EventLate]: {
    code: "jfr.event.late",
    severity: "warning",
    text: (n, times) =>
      `events of ${times === 1 ? "a type" : `${times} types`} (first: ${n}) whose definition is cut off, counted only`,
  },
  [Diagnostic.EventShort]: {
    code: "jfr.event.short",
    severity: "warning",
    text: (n, times) => `${events(times)} (first of type ${n}) shorter than the fields they should have; left out`,
  },
  [Diagnostic.TicksPerSecond]: {
    code: "jfr.clock.frequency",
    severity: "warning",
    text: (n) => `${n} ticks per second; times were computed with 1000000000`,
  },
  [Diagnostic.ContextAttributes]: {
    code: "jfr.context.many",
    severity: "warning",
    text: (n) => `an event type has ${n} context attributes, more than are kept`,
  },
  [Diagnostic.FieldMissing]: {
    code: "jfr.event.field",
    severity: "warning",
    text: (n, times) =>
      `${times === 1 ? "an event type" : `${times} event types`} (first: ${n}) without a field that its mapping names, or with another kind of field there`,
  },
  [Diagnostic.FieldLevel]: {
    code: "jfr.value.level",
    severity: "error",
    text: () =>
      "the field is a level (a state, a share or a time), and levels are not added up, so it has no profile: count the events instead",
  },
  [Diagnostic.ValueMissing]: {
    code: "jfr.value.missing",
    severity: "info",
    text: (_, times) => `${times} ${times === 1 ? "event" : "events"} without a value of the field; left out`,
  },
  [Diagnostic.FixedWidth]: {
    code: "jfr.integers.fixed",
    severity: "info",
    text: () => "the header says that integers are not compressed",
  },
  [Diagnostic.TooComplex]: {
    code: "jfr.too-complex",
    severity: "error",
    text: () =>
      "reading the whole chunk would take far too long for its size; the parts that cost too much are left out",
  },
  [Diagnostic.StackDamaged]: {
    code: "jfr.stack.damaged",
    severity: "warning",
    text: (n, times) =>
      `${times === 1 ? "a stack trace" : `${times} stack traces`} (first: key ${n}) cannot be read to the end; left out of their samples`,
  },
  [Diagnostic.SampleFailed]: {
    code: "jfr.sample.failed",
    severity: "info",
    text: (_, times) => `${events(times)} that the recorder itself marks as failed; left out of the profile`,
  },
  [Diagnostic.SnapshotSuperseded]: {
    code: "jfr.snapshot.superseded",
    severity: "info",
    text: (n) =>
      `a list of live objects replaces the one of an earlier chunk, whose ${n === 1n ? "entry is" : `${n} entries are`} not counted again`,
  },
  [Diagnostic.PeriodsMany]: {
    code: "jfr.period.many",
    severity: "warning",
    text: (n) => `too many sampling periods (first left out: ${n} ns); the profile is counted, not timed`,
  },
  [Diagnostic.StackDeep]: deepStack("jfr"),
};
