/** Numbers of the Parquet format and of Thrift's compact protocol, for the writer and the reader. */

export const Physical = { int32: 1, int64: 2, bytes: 6, fixed: 7 } as const;
export const Encoding = {
  plain: 0,
  plainDictionary: 2,
  rle: 3,
  delta: 5,
  deltaLengths: 6,
  deltaTexts: 7,
  dictionary: 8,
  split: 9,
} as const;
export const PageType = { data: 0, dictionary: 2, dataV2: 3 } as const;
export const Compression = { none: 0, snappy: 1, gzip: 2, zstd: 6 } as const;
export const Repetition = { required: 0, optional: 1, repeated: 2 } as const;
export const Converted = { text: 0, map: 1, keyValue: 2, list: 3, timestamp: 10 } as const;
export const Logical = { text: 1, map: 2, list: 3, timestamp: 8 } as const;
/** The unit of a logical timestamp. */
export const MICROSECONDS = 2;
/** Of values in structs and lists; a true value in a list is 1. */
export const Type = {
  true: 1,
  false: 2,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  set: 10,
  struct: 12,
} as const;
