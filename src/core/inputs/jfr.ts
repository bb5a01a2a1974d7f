/** JFR recordings: messages of the diagnostics. */
import * as Diagnostic from "../../../assembly/abi/formats/jfr.ts";
import { deepStack, error, info, type Wording, warning } from "../diagnostics/wording.ts";

const events = (times: number) => (times === 1 ? "one event" : `${times} events`);

type Code = (typeof Diagnostic)[Exclude<keyof typeof Diagnostic, "Reader">];

export const JFR_WORDINGS: Record<Code, Wording> = {
  [Diagnostic.ChunkTruncated]: error(
    "jfr.chunk.truncated",
    (n) =>
      `the recording is cut off: the header gives the chunk ${n} bytes, and the file has fewer; the available part was read`,
  ),
  [Diagnostic.ChunkUnfinished]: warning(
    "jfr.chunk.unfinished",
    (n) => `the recorder did not finish the chunk: its state byte is ${n}, not 0`,
  ),
  [Diagnostic.NoMetadata]: error(
    "jfr.metadata.missing",
    (n) => `no metadata event (the header points at offset ${n}), so none of the chunk's events can be read`,
  ),
  [Diagnostic.MetadataDamaged]: error(
    "jfr.metadata.damaged",
    () => "the metadata event cannot be read to its end, so none of the chunk's events can be read",
  ),
  [Diagnostic.MetadataMoved]: warning(
    "jfr.metadata.moved",
    (n) => `the header points at offset ${n} for the metadata, but the event is here`,
  ),
  [Diagnostic.PoolsMoved]: warning(
    "jfr.pools.moved",
    (n) => `the header points at offset ${n} for the constant pools; a scan found the pools that were read`,
  ),
  [Diagnostic.ChainBroken]: warning(
    "jfr.pools.chain",
    (n) => `the chain of checkpoints from offset ${n} is broken; a scan found the pools that were read`,
  ),
  [Diagnostic.CheckpointDamaged]: warning(
    "jfr.checkpoint.damaged",
    (n, times) =>
      `${times === 1 ? "a checkpoint" : `${times} checkpoints`} cannot be read to the end (pool of type ${n}); the constants before that point were kept`,
  ),
  [Diagnostic.PoolUndefined]: warning(
    "jfr.pool.undefined",
    (n, times) =>
      `${times === 1 ? "a checkpoint holds" : `${times} checkpoints hold`} a pool of type ${n}, which the metadata does not define; the rest of the checkpoint was left out`,
  ),
  [Diagnostic.EventSize]: error(
    "jfr.event.size",
    (n) =>
      `damaged: an event cannot have ${n} bytes; the events after it, up to the next checkpoint or the end, are missing`,
  ),
  [Diagnostic.EventUndefined]: warning(
    "jfr.event.undefined",
    (n, times) => `${events(times)} of a type (first: ${n}) that the metadata does not define; left out`,
  ),
  [Diagnostic.EventLate]: warning(
    "jfr.event.late",
    (n, times) =>
      `events of ${times === 1 ? "a type" : `${times} types`} (first: ${n}) whose definition is cut off, counted only`,
  ),
  [Diagnostic.EventShort]: warning(
    "jfr.event.short",
    (n, times) => `${events(times)} (first of type ${n}) shorter than the fields they should have; left out`,
  ),
  [Diagnostic.TicksPerSecond]: warning(
    "jfr.clock.frequency",
    (n) => `${n} ticks per second; times were computed with 1000000000`,
  ),
  [Diagnostic.ContextAttributes]: warning(
    "jfr.context.many",
    (n) => `an event type has ${n} context attributes, more than are kept`,
  ),
  [Diagnostic.FieldMissing]: warning(
    "jfr.event.field",
    (n, times) =>
      `${times === 1 ? "an event type" : `${times} event types`} (first: ${n}) without a field that its mapping names, or with another kind of field there`,
  ),
  [Diagnostic.FieldLevel]: error(
    "jfr.value.level",
    () =>
      "the field is a level (a state, a share or a time), and levels are not added up, so it has no profile: count the events instead",
  ),
  [Diagnostic.ValueMissing]: info(
    "jfr.value.missing",
    (_, times) => `${times} ${times === 1 ? "event" : "events"} without a value of the field; left out`,
  ),
  [Diagnostic.FixedWidth]: info("jfr.integers.fixed", () => "the header says that integers are not compressed"),
  [Diagnostic.TooComplex]: error(
    "jfr.too-complex",
    () => "reading the whole chunk would take far too long for its size; the parts that cost too much are left out",
  ),
  [Diagnostic.StackDamaged]: warning(
    "jfr.stack.damaged",
    (n, times) =>
      `${times === 1 ? "a stack trace" : `${times} stack traces`} (first: key ${n}) cannot be read to the end; left out of their samples`,
  ),
  [Diagnostic.SampleFailed]: info(
    "jfr.sample.failed",
    (_, times) => `${events(times)} that the recorder itself marks as failed; left out of the profile`,
  ),
  [Diagnostic.SnapshotSuperseded]: info(
    "jfr.snapshot.superseded",
    (n) =>
      `a list of live objects replaces the one of an earlier chunk, whose ${n === 1n ? "entry is" : `${n} entries are`} not counted again`,
  ),
  [Diagnostic.SnapshotEarlier]: info(
    "jfr.snapshot.earlier",
    (_, times) => `${events(times)} of a list of live objects, of which a chunk that began later has another; left out`,
  ),
  [Diagnostic.PeriodsMany]: warning(
    "jfr.period.many",
    (n) => `too many sampling periods (first left out: ${n} ns); the profile is counted, not timed`,
  ),
  [Diagnostic.StackDeep]: deepStack("jfr"),
};
