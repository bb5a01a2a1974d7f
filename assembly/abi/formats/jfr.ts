/** Diagnostics about a chunk of a recording; `src/core/inputs/jfr.ts` has the words. Offsets are the chunk's. */

/** The number of the reader, which `open` takes. */
export const Reader = 0;

/** The file ends before the chunk does; value: the size that the header names. */
export const ChunkTruncated = 1;
/** The state byte shows that the writer did not finish; value: the byte. */
export const ChunkUnfinished = 2;
/** No metadata event, so no event can be read; value: the header's offset. */
export const NoMetadata = 3;
/** The metadata event cannot be read to its end. */
export const MetadataDamaged = 4;
/** The header does not point at the metadata event, a scan found it; value: the header's offset. */
export const MetadataMoved = 5;
/** The header does not point at a checkpoint, a scan looked for them; value: the header's offset. */
export const PoolsMoved = 6;
/** The chain of checkpoints breaks off; a scan looked for the others. */
export const ChainBroken = 7;
/** A checkpoint cannot be read to its end; value: the id of the pool's type. */
export const CheckpointDamaged = 8;
/** A checkpoint holds a pool of a type that the metadata does not define; value: the type id. */
export const PoolUndefined = 9;
/** An event's size cannot be; the rest of the chunk is lost. Value: the size. */
export const EventSize = 10;
/** Events of a type that the metadata does not define; value: the first type id. */
export const EventUndefined = 11;
/** An event is shorter than its fields; it is counted, not sampled. Value: the type id. */
export const EventShort = 12;
/** Ticks per second that no clock has; value: the header's figure. 10⁹ is taken instead. */
export const TicksPerSecond = 13;
/** An event type has more context attributes than are kept; value: how many. */
export const ContextAttributes = 14;
/** The header says fixed-width integers. */
export const FixedWidth = 15;
/** Nested types or arrays that cost far more to read than the chunk has bytes; the rest is lost. */
export const TooComplex = 16;
/** A stack trace that cannot be read to its end; its samples stay, without a stack. Value: the key. */
export const StackDamaged = 17;
/** A sample that the recorder itself calls failed; it is counted, not sampled. */
export const SampleFailed = 18;
/** A list of live objects that a chunk which began later replaces; value: how many observations. */
export const SnapshotSuperseded = 19;
/** A profile has samples of more periods than there is room for; value: the period that is not kept. */
export const PeriodsMany = 20;
/** A stack has more frames than are kept; value: how many were left out. */
export const StackDeep = 21;
/** Events of types whose definition is beyond the cut, counted only; value: the first type id. */
export const EventLate = 22;
/** An event lacks a field that its mapping names, or has another kind of field there; value: the type id. */
export const FieldMissing = 23;
/** A field is a level, so it makes no profile; value: the type id. */
export const FieldLevel = 38;
/** Events without a value of the field that makes the profile; value: 0. */
export const ValueMissing = 39;
/** A list of live objects of a chunk that began before another one of the file with such a list; value: 0. */
export const SnapshotEarlier = 40;
