/** Diagnostics about a chunk; src/core/diagnostics/jfr.ts has the words, in the same order. */
export enum Diagnostic {
  None,
  /** The file ends before the chunk does; value: the size that the header names. */
  ChunkTruncated,
  /** The state byte says that the writer did not finish; value: the byte. */
  ChunkUnfinished,
  /** No metadata event, so no event can be read; value: the header's offset. */
  NoMetadata,
  /** The metadata event cannot be read to its end. */
  MetadataDamaged,
  /** The header does not point at the metadata event, a scan found it; value: the header's offset. */
  MetadataMoved,
  /** The header does not point at a checkpoint, a scan looked for them; value: the header's offset. */
  PoolsMoved,
  /** The chain of checkpoints breaks off; a scan looked for the others. */
  ChainBroken,
  /** A checkpoint cannot be read to its end; value: the id of the pool's type. */
  CheckpointDamaged,
  /** A checkpoint holds a pool of a type that the metadata does not define; value: the type id. */
  PoolUndefined,
  /** An event's size cannot be; the rest of the chunk is lost. Value: the size. */
  EventSize,
  /** Events of a type that the metadata does not define; value: the first type id. */
  EventUndefined,
  /** An event is shorter than its fields; it is counted, not sampled. Value: the type id. */
  EventShort,
  /** Ticks per second that no clock has; value: the header's figure. 10⁹ is taken instead. */
  TicksPerSecond,
  /** An event type has more context attributes than are kept; value: how many. */
  ContextAttributes,
  /** The header says fixed-width integers. */
  FixedWidth,
  /** Nested types or arrays that cost far more to read than the chunk has bytes; the rest is lost. */
  TooComplex,
  /** A stack trace that cannot be read to its end; its samples stay, without a stack. Value: the key. */
  StackDamaged,
  /** A sample that the recorder itself calls failed; it is counted, not sampled. */
  SampleFailed,
  /** A list of live objects that a later chunk of the file replaces; value: how many observations. */
  SnapshotSuperseded,
}
