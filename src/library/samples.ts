/** Iteration over samples, stacks, links and attributes of a selection. */
import type { AttributeValue } from "../core/types.ts";
import { FRAME_TYPES } from "../model/flame/frame-types.ts";
import { type ColumnPage, pagesOf } from "./columns.ts";
import type { RecordingCore, Wanted } from "./held-core.ts";
import type {
  AttributeShare,
  Attributes,
  Frame,
  Link,
  LinkShare,
  Mapping,
  Sample,
  Share,
  Stack,
  StackShare,
  Thread,
} from "./sample-types.ts";
import { type FrameTable, type LinkTable, type Lists, Tables } from "./tables.ts";

/** Frames of stacks that are kept as lists at a time: 8 MiB of references. */
const KEPT_FRAMES = 2 ** 20;

/**
 * A stack whose frames are made when they are asked for: most programs look at few of them, and a recording may have a
 * million stacks. A getter of a class takes a tenth of the memory of one in each object.
 */
class RowStack implements Stack {
  readonly index: number;
  readonly #rows: Rows;

  constructor(index: number, rows: Rows) {
    this.index = index;
    this.#rows = rows;
  }

  get frames(): readonly Frame[] {
    return this.#rows.framesOf(this.index);
  }

  /** All of it, for JSON and for another thread. */
  toJSON(): Stack {
    return { index: this.index, frames: this.frames };
  }
}

/** Copies of items of an iteration that can cross to another thread; equal stacks are one object. */
export function crossingItems(items: readonly unknown[]): unknown[] {
  const stacks = new Map<Stack, Stack>();
  return items.map((item) => {
    const { stack } = item as Partial<Sample>;
    if (!(stack instanceof RowStack)) return item;
    const plain = stacks.get(stack) ?? stack.toJSON();
    stacks.set(stack, plain);
    return { ...(item as Sample), stack: plain };
  });
}

/** Rows of the tables as objects, each made once. */
class Rows {
  private readonly stackTable: Lists;
  private readonly frameTable: FrameTable;
  private readonly linkTable: LinkTable;
  private readonly setTable: Lists;
  readonly attributes: ReturnType<Tables["attributes"]>;
  readonly events: string[];
  private readonly files: string[];
  private readonly mappings: (Mapping | null)[];
  private readonly threads: (Thread | null)[];
  private readonly frames: Frame[] = [];
  private readonly stacks: Stack[] = [];
  private readonly lists = new Map<number, readonly Frame[]>();
  private listed = 0;
  private readonly links: (Link | null)[] = [null];
  private readonly sets = new Map<number, Map<number, Attributes>>();

  constructor(held: RecordingCore) {
    const tables = Tables.of(held);
    this.stackTable = tables.stacks();
    this.frameTable = tables.frames();
    this.linkTable = tables.links();
    this.setTable = tables.attributeSets();
    this.attributes = tables.attributes();
    this.events = tables.events().name;
    this.files = tables.functions().file;
    const { file, buildId } = tables.mappings();
    this.mappings = file.map((name, i) => (i === 0 ? null : { file: name, buildId: buildId[i]! }));
    const threads = tables.threads();
    this.threads = threads.name.map((name, i) => (i === 0 ? null : { index: i, name, id: threads.id[i]! }));
  }

  get stackCount(): number {
    return this.stackTable.offsets.length - 1;
  }

  get linkCount(): number {
    return this.linkTable.span.length;
  }

  get setCount(): number {
    return this.setTable.offsets.length - 1;
  }

  rootSet(link: number): number {
    return this.linkTable.attributeSet[link]!;
  }

  stack(index: number): Stack {
    this.stacks[index] ??= new RowStack(index, this);
    return this.stacks[index];
  }

  framesOf(index: number): readonly Frame[] {
    const known = this.lists.get(index);
    if (known !== undefined) return known;
    const { offsets, items } = this.stackTable;
    const frames = Array.from(items.subarray(offsets[index], offsets[index + 1]), (row) => this.frame(row));
    this.listed += frames.length;
    if (this.listed > KEPT_FRAMES) {
      this.lists.clear();
      this.listed = frames.length;
    }
    this.lists.set(index, frames);
    return frames;
  }

  private frame(row: number): Frame {
    const { name, line, column, type, mapping, address, function: fn } = this.frameTable;
    this.frames[row] ??= {
      function: name[row]!,
      file: this.files[fn[row]!]!,
      line: line[row]!,
      column: column[row]!,
      type: FRAME_TYPES[type[row]!] ?? "",
      mapping: this.mappings[mapping[row]!]!,
      address: address[row]!,
    };
    return this.frames[row];
  }

  link(index: number): Link | null {
    if (index === 0) return null;
    const { span, localRoot, traceHigh, traceLow } = this.linkTable;
    this.links[index] ??= {
      index,
      span: span[index]!,
      localRoot: localRoot[index]!,
      trace: (traceHigh[index]! << 64n) | traceLow[index]!,
    };
    return this.links[index];
  }

  thread(index: number): Thread | null {
    return this.threads[index]!;
  }

  /** Rows of the attributes of a set. */
  inSet(set: number): Uint32Array {
    const { offsets, items } = this.setTable;
    return items.subarray(offsets[set], offsets[set + 1]);
  }

  /** Attributes of a set over those of the local root's. */
  attributesOf(set: number, rootSet: number): Attributes {
    let byRoot = this.sets.get(set);
    if (byRoot === undefined) {
      byRoot = new Map();
      this.sets.set(set, byRoot);
    }
    const known = byRoot.get(rootSet);
    if (known !== undefined) return known;
    const record: Record<string, AttributeValue> = Object.create(null);
    for (const each of [rootSet, set]) {
      for (const row of this.inSet(each)) record[this.attributes.key[row]!] = this.attributes.value[row]!;
    }
    byRoot.set(rootSet, record);
    return record;
  }
}

function rowsOf(held: RecordingCore): Rows {
  return held.made(Rows, () => new Rows(held));
}

/** The observations of a selection, in the order of reading. */
export function* samplesOf(
  held: RecordingCore,
  wanted: Wanted,
  types: ReadonlyMap<number, string>,
  pageRows: number,
): Generator<Sample, void, undefined> {
  const rows = rowsOf(held);
  for (const page of pagesOf(held, wanted, pageRows)) {
    for (let i = 0; i < page.rows; i++) yield sampleAt(rows, page, i, types);
  }
}

function sampleAt(rows: Rows, page: ColumnPage, i: number, types: ReadonlyMap<number, string>): Sample {
  const link = page.link[i]!;
  return {
    profile: types.get(page.profile[i]!) ?? "",
    event: rows.events[page.event[i]!]!,
    time: page.time[i]!,
    value: page.value[i]!,
    second: page.second[i]!,
    stack: rows.stack(page.stack[i]!),
    link: rows.link(link),
    thread: rows.thread(page.thread[i]!),
    attributes: rows.attributesOf(page.attributeSet[i]!, rows.rootSet(link)),
  };
}

/** Number and weight of the observations of each row of a table. */
class Shares {
  readonly samples: Uint32Array;
  private readonly weights: BigInt64Array;
  private readonly isWeighed: boolean;

  constructor(rows: number, wanted: Wanted) {
    this.samples = new Uint32Array(rows);
    this.weights = new BigInt64Array(rows);
    this.isWeighed = wanted.profile !== null;
  }

  add(row: number, samples: number, weight: bigint): void {
    this.samples[row] = this.samples[row]! + samples;
    if (this.isWeighed) this.weights[row] = this.weights[row]! + weight;
  }

  of(row: number): Share {
    return { samples: this.samples[row]!, weight: this.weights[row]! };
  }
}

function sharesOf(
  held: RecordingCore,
  wanted: Wanted,
  column: "stack" | "link",
  rows: number,
  pageRows: number,
): Shares {
  const shares = new Shares(rows, wanted);
  for (const page of pagesOf(held, wanted, pageRows)) {
    for (let i = 0; i < page.rows; i++) shares.add(page[column][i]!, 1, page.value[i]!);
  }
  return shares;
}

/** The different stacks of a selection with their shares, also the empty one where samples have it. */
export function* stacksOf(
  held: RecordingCore,
  wanted: Wanted,
  pageRows: number,
): Generator<StackShare, void, undefined> {
  const rows = rowsOf(held);
  const shares = sharesOf(held, wanted, "stack", rows.stackCount, pageRows);
  for (const [index, samples] of shares.samples.entries()) {
    if (samples > 0) yield { index, frames: rows.framesOf(index), ...shares.of(index) };
  }
}

/** The different links of a selection with their shares. */
export function* linksOf(held: RecordingCore, wanted: Wanted, pageRows: number): Generator<LinkShare, void, undefined> {
  const rows = rowsOf(held);
  const shares = sharesOf(held, wanted, "link", rows.linkCount, pageRows);
  for (const [index, samples] of shares.samples.entries()) {
    const link = rows.link(index);
    if (samples === 0 || link === null) continue;
    yield { ...link, attributes: rows.attributesOf(0, rows.rootSet(index)), ...shares.of(index) };
  }
}

/** The different attributes of a selection with their shares. */
export function* attributesOf(
  held: RecordingCore,
  wanted: Wanted,
  pageRows: number,
): Generator<AttributeShare, void, undefined> {
  const rows = rowsOf(held);
  const { key, value, unit } = rows.attributes;
  const bySet = new Shares(rows.setCount, wanted);
  for (const page of pagesOf(held, wanted, pageRows)) {
    for (let i = 0; i < page.rows; i++) {
      bySet.add(page.attributeSet[i]!, 1, page.value[i]!);
      bySet.add(rows.rootSet(page.link[i]!), 1, page.value[i]!);
    }
  }
  const shares = new Shares(key.length, wanted);
  for (const [set, samples] of bySet.samples.entries()) {
    if (samples > 0) for (const row of rows.inSet(set)) shares.add(row, samples, bySet.of(set).weight);
  }
  for (const [index, samples] of shares.samples.entries()) {
    if (samples === 0) continue;
    yield { index, key: key[index]!, value: value[index]!, unit: unit[index]!, ...shares.of(index) };
  }
}
