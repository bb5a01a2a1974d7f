/**
 * The schema of the store: the meaning of each word of a table's rows, in particular which words refer to rows of which
 * table. Code that follows references (write/reach.ts) or moves rows uses it.
 *
 *   description   | words u8 | from u8 | word … u8 |
 *   word          | 1 derived | 1 row + 1 | 6 bits: a Table, or above the last one a Word |
 *
 * Tables are numbered so that rows refer to tables before theirs, or to earlier rows of the same. A row has each word
 * once; in a row that is a list, the words from number `from` on repeat up to its end. A reference is optional: 0 is
 * the zero value of its table; only in profiles and events, row 0 is a row like others. A derived word is computed from
 * other words of its row.
 */
export enum Table {
  None,
  Strings,
  Encoded,
  Attributes,
  Sets,
  Functions,
  Mappings,
  Details,
  Locations,
  Stacks,
  Links,
  Threads,
  /** Attributes of local roots. */
  Roots,
  Scopes,
  Profiles,
  Events,
  Samples,
  Observations,
  Facts,
  Settings,
  Incidents,
  Measurements,
  CodeSources,
  Diagnostics,
  End,
}

export enum Word {
  Number = 32,
  /** The first half of 64 bits, and the second. */
  Long,
  LongEnd,
  /** Always 0. */
  Unused,
  /** 64 bits: a string, an encoded value or a number, by the word before (abi/value-kind.ts). */
  Value,
  /** Bytes, not words. */
  Bytes,
  /** Packed varints, each a location. */
  PackedLocations,
  /** Ordinal of a chunk over all files. */
  Chunk,
}

const NEXT: u8 = 0x40;
const DERIVED: u8 = 0x80;
/** In place of a word to repeat from: a row that is no list. */
const ONCE: u8 = 0xff;

const NUMBER: u8 = <u8>Word.Number;
const LONG: u8 = <u8>Word.Long;
const LONG_END: u8 = <u8>Word.LongEnd;
const UNUSED: u8 = <u8>Word.Unused;
const VALUE: u8 = <u8>Word.Value;
const BYTES: u8 = <u8>Word.Bytes;
const PACKED: u8 = <u8>Word.PackedLocations;
const CHUNK: u8 = <u8>Word.Chunk;
const STRING: u8 = <u8>Table.Strings;
const ATTRIBUTE: u8 = <u8>Table.Attributes;
const SET: u8 = <u8>Table.Sets;
const FUNCTION: u8 = <u8>Table.Functions;
const MAPPING: u8 = <u8>Table.Mappings;
const DETAIL: u8 = <u8>Table.Details;
const STACK: u8 = <u8>Table.Stacks;
const LINK: u8 = <u8>Table.Links;
const THREAD: u8 = <u8>Table.Threads;
const SCOPE: u8 = <u8>Table.Scopes;
const PROFILE: u8 = <u8>Table.Profiles;
const EVENT: u8 = <u8>Table.Events;
const SAMPLE: u8 = <u8>Table.Samples;

/** One description after the other, in the order of `Table`; the layouts are drawn in the tables' files. */
// biome-ignore format: a table begins a line
const descriptions: usize = memory.data<u8>([
  /* strings */ 1, 0, BYTES,
  /* encoded */ 1, 0, BYTES,
  /* attributes */ 6, ONCE, STRING, NUMBER, VALUE, LONG_END, STRING, UNUSED,
  /* sets */ 1, 0, ATTRIBUTE,
  /* functions */ 4, ONCE, STRING, STRING, STRING, NUMBER,
  /* mappings */ 10, ONCE, LONG, LONG_END, LONG, LONG_END, LONG, LONG_END, STRING, ATTRIBUTE, SET, UNUSED,
  /* details */ 5, 2, SET, STRING | DERIVED, FUNCTION, NUMBER, NUMBER,
  /* locations */ 8, ONCE, FUNCTION, NUMBER, NUMBER, MAPPING, LONG, LONG_END, NUMBER, DETAIL,
  /* stacks */ 1, 0, PACKED,
  /* links */ 6, ONCE, LONG, LONG_END, LONG, LONG_END, LONG, LONG_END,
  /* threads */ 4, ONCE, ATTRIBUTE, ATTRIBUTE, NUMBER, UNUSED,
  /* roots */ 1, ONCE, SET,
  /* scopes */ 8, ONCE, STRING, STRING, SET, STRING, STRING, SET, NUMBER, UNUSED,
  /* profiles */ 26, ONCE, STRING, STRING, STRING, STRING, NUMBER, STRING, LONG, LONG_END, STRING, NUMBER,
    SET, PROFILE | NEXT, NUMBER, PROFILE, LONG, LONG_END, LONG, LONG_END, SCOPE, UNUSED, LONG, LONG_END, LONG, LONG_END,
    LONG, LONG_END,
  /* events */ 4, ONCE, STRING, PROFILE, NUMBER, NUMBER,
  /* samples */ 8, ONCE, EVENT, STACK, LINK, THREAD, SET, NUMBER, LONG, LONG_END,
  /* observations */ 5, ONCE, SAMPLE, LONG, LONG_END, LONG, LONG_END,
  /* facts */ 4, ONCE, CHUNK | NEXT, STRING, STRING, ATTRIBUTE,
  /* settings */ 4, ONCE, STRING, STRING, STRING, UNUSED,
  /* incidents */ 8, ONCE, NUMBER, CHUNK, NUMBER, STRING, LONG, LONG_END, LONG, LONG_END,
  /* measurements */ 6, ONCE, NUMBER, CHUNK, LONG, LONG_END, LONG, LONG_END,
  /* code sources */ 4, ONCE, FUNCTION, STRING, STRING, UNUSED,
  /* diagnostics */ 8, ONCE, NUMBER, CHUNK, NUMBER, UNUSED, LONG, LONG_END, LONG, LONG_END,
]);

function descriptionOf(table: Table): usize {
  let p = descriptions;
  for (let i: u32 = Table.Strings; i < <u32>table; i++) p += 2 + <usize>load<u8>(p);
  return p;
}

/** Words of the description of a table. */
export function wordCount(table: Table): u32 {
  return load<u8>(descriptionOf(table));
}

/**
 * Words from a word with description `w` to the next such word; a number above any row's size if there is no next word.
 */
export function repetition(table: Table, w: u32): u32 {
  const from = load<u8>(descriptionOf(table), 1);
  return w < from ? 1 << 28 : wordCount(table) - from;
}

/** The word of the description that is of word `w` of a row. All functions below take words of the description. */
export function describedWord(table: Table, w: u32): u32 {
  const words = wordCount(table);
  const from = load<u8>(descriptionOf(table), 1);
  return w < words || from === ONCE ? w : from + ((w - from) % (words - from));
}

function codeOf(table: Table, w: u32): u8 {
  return load<u8>(descriptionOf(table) + w, 2);
}

/** The table that word `w` refers to, None where it is no reference. */
export function targetOf(table: Table, w: u32): Table {
  const code = codeOf(table, w) & 0x3f;
  return code < <u8>Table.End ? <Table>code : Table.None;
}

/** Meaning of word `w` if it is not a reference. */
export function wordOf(table: Table, w: u32): Word {
  return <Word>(codeOf(table, w) & 0x3f);
}

/** The reference, or the ordinal, is one above the row; 0 means no row. */
export function isNext(table: Table, w: u32): bool {
  return (codeOf(table, w) & NEXT) !== 0;
}

export function isDerived(table: Table, w: u32): bool {
  return (codeOf(table, w) & DERIVED) !== 0;
}
