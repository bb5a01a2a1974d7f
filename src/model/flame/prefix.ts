/**
 * The frames of servers, frameworks and thread pools that most samples begin with, as one frame:
 *
 *   before   all › Thread.run › Worker.run › … 17 frames … › FilterChain.doFilter › shop.Orders.get
 *   after    all › Thread pool › Web server · 19 › shop.Orders.get
 *
 * The frame has the node and the value of the first of them, so that a zoom to it shows them all. What hung from any of
 * them hangs from it. Ancestors of a zoom are folded in the same way. No other figure changes.
 */
import * as FrameType from "../../../assembly/abi/frame-type.ts";
import { Numbered } from "../../bytes/numbered.ts";
import type { FrameColumns, FramesAnswer } from "../../core/types.ts";
import type { DiffAnswer, OrderedSamples, TreeRow } from "../../core/view-types.ts";
import { PRESET_NAMES, RUN_PRESETS } from "../query/run-rules.ts";

export interface FoldedAnswer {
  answer: FramesAnswer;
  before: FramesAnswer;
  /** Row before the fold of each row, for the folded frames that of their last one. */
  rows: Uint32Array;
  /** Place before the fold of each element of the path. */
  steps: number[];
  /** Row of the folded frames, and their rows before; 0 and none where they are in the path. */
  row: number;
  chain: readonly number[];
}

/** Least share of the samples: compilers, the collector and stacks without the frames of a thread are beside them. */
const LEAST_SHARE = 0.5;
/** Least share of the first of the folded frames that each of them has, so that little hangs from their middle. */
const FROM_FIRST = 0.9;
/** Fewer frames are shown. */
const FEWEST = 3;
/** Presets whose frames are between those of others, and do not end a prefix. */
const BETWEEN = new Set(["jdk", "carrier"]);
/** Functions of the JVM and of the system that start a thread: `start_thread`, `JavaThread::run`. */
const NATIVE_NAME = /::|\.(so|dylib|dll)\b|^\w+$/;

/** The name prefixes of each preset. With `whole`, only the exact name matches. */
const BEGINNINGS = PRESET_NAMES.flatMap((preset) =>
  RUN_PRESETS.get(preset)!
    .pattern.split("|")
    .map((part) => {
      const whole = /[^\\]\$$/.test(part);
      return {
        preset,
        whole,
        text: part
          .replace(/^\^/, "")
          .replace(/([^\\])\$$/, "$1")
          .replaceAll("\\", ""),
      };
    }),
);

/** The preset that a function belongs to by its name; the first of the table. */
export function presetOf(name: string): string | undefined {
  return BEGINNINGS.find(({ whole, text }) => (whole ? name === text : name.startsWith(text)))?.preset;
}

/** Rows of an answer as rows of the folded one; the folded frames are found where one of them is. */
export function foldedRows({ rows, row, chain }: FoldedAnswer, found: ReadonlySet<number>): Set<number> {
  const now = new Set<number>();
  rows.forEach((before, at) => {
    if (found.has(before) || (at === row && chain.some((each) => found.has(each)))) now.add(at);
  });
  return now;
}

/**
 * Null where no prefix is long enough. The answer is one of the call tree, from the root down. In a comparison most
 * samples of each of the `sides` begin with the prefix.
 */
export function foldPrefix(answer: FramesAnswer, sides: Sides = [answer.frames.total]): FoldedAnswer | null {
  const { frames, path } = answer;
  if (path.length > 0) return foldPath(answer);
  const rows: number[] = [];
  for (let row = heaviestBelow(frames, 0, sides); row > 0; row = heaviestBelow(frames, row, sides)) rows.push(row);
  const prefix = prefixOf(
    rows.map((row) => ({ name: frames.names[frames.name[row]] ?? "", totals: sides.map((total) => total[row]) })),
  );
  return prefix && foldRows(answer, rows.slice(prefix.from, prefix.from + prefix.length), prefix.words);
}

/** Totals by row, of one selection or of the two that are compared. */
type Sides = readonly Float64Array[];

/** The frame below another one that has most samples of each side; 0 for none. */
function heaviestBelow({ parent, frameType }: FrameColumns, of: number, sides: Sides): number {
  const isHeavy = (row: number) => sides.every((total) => total[row] >= LEAST_SHARE * total[0]);
  return Math.max(
    0,
    parent.findIndex((above, row) => row > 0 && above === of && isFunction(frameType[row]) && isHeavy(row)),
  );
}

/** The columns of a comparison that its graph draws. */
export interface DiffColumns extends Omit<DiffAnswer, "self" | "baseSelf"> {
  /** Where the frames that nearly all samples of both sides begin with are one, what they were before. */
  fold?: FoldedAnswer;
}

/** A comparison with the common prefix of both sides as one frame; the same where no prefix is long enough. */
export function foldDiff<T extends DiffColumns>(diff: T): T {
  const { frames, total, baseTotal, baseNames } = diff;
  const fold = foldPrefix(frames, [total, baseTotal]);
  if (fold === null) return diff;
  const { rows, row: at, chain } = fold;
  const pick = (column: Float64Array) =>
    Float64Array.from(rows, (row, now) => column[at > 0 && now === at ? chain[0] : row]);
  const names = new Map<number, string>();
  rows.forEach((row, now) => {
    const name = baseNames.get(row);
    if (name !== undefined && (at === 0 || now !== at)) names.set(now, name);
  });
  return { ...diff, fold, frames: fold.answer, total: pick(total), baseTotal: pick(baseTotal), baseNames: names };
}

/** Samples with the prefix of each stack as one frame; a frame of another name is another one. */
export function foldStacks(samples: OrderedSamples): OrderedSamples {
  const names = new Numbered<string>();
  for (const [i, name] of samples.names.entries()) names.of(`${i} ${name}`, () => name);
  const types = [...samples.types];
  const library = [...(samples.library ?? [])];
  const items: number[] = [];
  const offsets = [0];
  for (let stack = 0; stack + 1 < samples.offsets.length; stack++) {
    const own = [...samples.items.subarray(samples.offsets[stack], samples.offsets[stack + 1])];
    const prefix = prefixOf(own.map((item) => ({ name: samples.names[item] ?? "", totals: [] })));
    if (prefix !== null) {
      const run = names.of(prefix.words, () => prefix.words);
      types[run] = FrameType.Run;
      library[run] ??= 0;
      own.splice(prefix.from, prefix.length, run);
    }
    items.push(...own);
    offsets.push(items.length);
  }
  return {
    ...samples,
    ...{ offsets: Uint32Array.from(offsets), items: Uint32Array.from(items), names: names.list },
    types: Uint8Array.from(types),
    ...(samples.library && { library: Uint8Array.from(library) }),
  };
}

export interface FoldedTree {
  /** Fetched children by node. The folded frame has the node of the first of its frames, and the children of all. */
  below: ReadonlyMap<number, TreeRow[]>;
  /** The folded frames, from the root down. */
  chain: readonly TreeRow[];
}

/** The call tree as far as it is fetched, with its prefix as one frame; null where no prefix is long enough. */
export function foldTree(below: ReadonlyMap<number, TreeRow[]>, whole: number): FoldedTree | null {
  const heaviest = (of: number) =>
    below.get(of)?.find(({ total, frameType }) => isFunction(frameType) && Number(total) >= LEAST_SHARE * whole);
  const rows: TreeRow[] = [];
  for (let row = heaviest(0); row !== undefined; row = heaviest(row.node)) rows.push(row);
  const prefix = prefixOf(rows.map(({ name, total }) => ({ name, totals: [Number(total)] })));
  if (prefix === null) return null;
  const chain = rows.slice(prefix.from, prefix.from + prefix.length);
  const inside = new Set(chain);
  const [{ node, total }] = chain;
  const folded: TreeRow = {
    ...{ node, name: prefix.words, frameType: FrameType.Run, total },
    children: chain.reduce((all, { children }) => all + children - 1, 1),
    self: chain.reduce((all, { self }) => all + self, 0n),
  };
  const children = chain.flatMap((row) => below.get(row.node) ?? []).filter((row) => !inside.has(row));
  const above = rows[prefix.from - 1]?.node ?? 0;
  return {
    below: new Map([
      ...below,
      [above, below.get(above)!.map((row) => (row === chain[0] ? folded : row))],
      [node, children.sort((a, b) => Number(b.total - a.total))],
    ]),
    chain,
  };
}

function isFunction(type: number): boolean {
  return type !== FrameType.Root && type !== FrameType.Run;
}

interface Prefix {
  /** Its first frame, among those from the root down. */
  from: number;
  length: number;
  words: string;
}

/** The longest part, of frames with nearly the same samples, of those before the first frame of own code. */
function prefixOf(frames: readonly { name: string; totals: readonly number[] }[]): Prefix | null {
  const presets = frames.map(({ name }) => presetOf(name) ?? (NATIVE_NAME.test(name) ? "jdk" : undefined));
  const end = presets.indexOf(undefined);
  const known = end < 0 ? presets.length : end;
  let best: Prefix | null = null;
  for (let from = 0, past = 0; from < known; from = past) {
    const { totals: first } = frames[from];
    while (past < known && frames[past].totals.every((total, side) => total >= FROM_FIRST * first[side])) past++;
    const length = presets.slice(from, past).findLastIndex((preset) => !BETWEEN.has(preset!)) + 1;
    if (length < (best?.length ?? FEWEST - 1) + 1) continue;
    const named = new Set(presets.slice(from, from + length).filter((preset) => !BETWEEN.has(preset!)));
    const words = `${[...named].map((preset) => RUN_PRESETS.get(preset!)!.name).join(" › ")} · ${length}`;
    best = { from, length, words };
  }
  return best;
}

function foldRows(answer: FramesAnswer, chain: readonly number[], words: string): FoldedAnswer {
  const { frames } = answer;
  const [first = 0] = chain;
  const inside = new Set(chain);
  const rows = Uint32Array.from(frames.node.keys()).filter((row) => row === first || !inside.has(row));
  const now = new Uint32Array(frames.node.length);
  rows.forEach((row, at) => {
    now[row] = at;
  });
  for (const row of chain) now[row] = now[first];
  const at = now[first];
  const pick = <T extends Uint8Array | Uint32Array | Float64Array>(column: T) => rows.map((row) => column[row]);
  const sum = (column: Uint32Array | Float64Array) => chain.reduce((all, row) => all + column[row], 0);
  const folded: FrameColumns = {
    ...frames,
    node: pick(frames.node),
    parent: rows.map((row) => now[frames.parent[row]]),
    name: pick(frames.name),
    frameType: Uint8Array.from(rows, (row) => frames.frameType[row]),
    total: Float64Array.from(rows, (row) => frames.total[row]),
    self: Float64Array.from(rows, (row) => frames.self[row]),
    hiddenFrames: pick(frames.hiddenFrames),
    hiddenValue: Float64Array.from(rows, (row) => frames.hiddenValue[row]),
    names: [...frames.names, words],
    nameIds: Uint32Array.from([...frames.nameIds, 0]),
  };
  folded.name[at] = frames.names.length;
  folded.frameType[at] = FrameType.Run;
  folded.self[at] = sum(frames.self);
  folded.hiddenValue[at] = sum(frames.hiddenValue);
  folded.hiddenFrames[at] = sum(frames.hiddenFrames);
  rows[at] = chain.at(-1) ?? first;
  return { answer: { ...answer, frames: folded }, before: answer, rows, steps: [], row: at, chain };
}

function foldPath(answer: FramesAnswer): FoldedAnswer | null {
  const { path, frames } = answer;
  const below = path.slice(1).map(({ name, total }) => ({ name, totals: [total] }));
  const narrow = path.slice(1).findIndex(({ total }) => total < LEAST_SHARE * path[0].total);
  const prefix = prefixOf(narrow < 0 ? below : below.slice(0, narrow));
  if (prefix === null) return null;
  const first = 1 + prefix.from;
  const last = prefix.from + prefix.length;
  return {
    answer: {
      ...answer,
      path: [...path.slice(0, first), { ...path[first], name: prefix.words }, ...path.slice(last + 1)],
    },
    before: answer,
    rows: Uint32Array.from(frames.node.keys()),
    steps: [...path.keys()].filter((step) => step < first || step >= last),
    row: 0,
    chain: [],
  };
}
