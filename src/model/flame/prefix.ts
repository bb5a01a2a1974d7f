/**
 * The frames of servers, frameworks and thread pools that stacks begin with, as one frame: the one rule of all views.
 *
 *   before   all › Thread.run › Worker.run › … 17 frames … › FilterChain.doFilter › shop.Orders.get
 *   after    all › Thread pool › Web server · 19 › shop.Orders.get
 *
 * A prefix is a chain of such frames that begin stacks and lead to other code, each with nearly all samples of the one
 * above. Where stacks part, each part has a separate prefix, so no share of the samples is too small for one. Frames of
 * idle threads lead to no other code and stay.
 */
import * as FrameType from "../../../assembly/abi/frame-type.ts";
import type { FramesAnswer } from "../../core/types.ts";
import type { DiffAnswer, OrderedSamples, TreeRow } from "../../core/view-types.ts";
import { PRESET_NAMES, RUN_PRESETS } from "../query/run-rules.ts";
import { type Chain, type FoldedAnswer, foldChains, rowBefore } from "./fold.ts";
import { ruleOf } from "./run-frame.ts";

/** Least share of the samples of the frame above that each of a chain has: it ends where stacks part. */
const FROM_ABOVE = 0.9;
/** Fewer frames are shown. */
const FEWEST = 3;
/** Presets whose frames are between those of others, and do not end a prefix. */
const BETWEEN = new Set(["jdk", "carrier"]);
/** The preset of a run of frames by its name. What the profiler does is no code that a prefix leads to. */
const OF_RUNS = new Map(
  PRESET_NAMES.map((preset) => [RUN_PRESETS.get(preset)!.name, preset === "profiler" ? "jdk" : preset]),
);
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

/** Frames of a tree, parents before their children. */
interface Frames {
  parent: ArrayLike<number>;
  /** Index in `names`. */
  name: ArrayLike<number>;
  frameType: ArrayLike<number>;
  names: readonly string[];
}

/** Totals by row, of one selection or of the two that are compared. */
type Sides = readonly ArrayLike<number>[];

interface How {
  /** This frame is zoomed to: the chain that it is in is shown. */
  open?: number;
  /** Below each frame are its callers. */
  upward?: boolean;
}

/** The prefixes of a tree. */
export function prefixesOf(frames: Frames, sides: Sides, { open = 0, upward = false }: How = {}): Chain[] {
  const { parent } = frames;
  const presetAt = presetsIn(frames);
  const isFolded = upward ? outermost(frames, presetAt) : firstFrames(frames, presetAt);
  /** By their last rows as far as they go. */
  const going = new Map<number, number[]>();
  const chains: number[][] = [];
  for (let row = 0; row < parent.length; row++) {
    if (isFolded[row] === 0) continue;
    const above = row === 0 ? undefined : going.get(parent[row]);
    if (above !== undefined && sides.every((total) => total[row] >= FROM_ABOVE * total[above.at(-1)!])) {
      above.push(row);
      going.delete(parent[row]);
      going.set(row, above);
    } else {
      const begun = [row];
      chains.push(begun);
      going.set(row, begun);
    }
  }
  return chains.flatMap((chain) => {
    const at = chain.indexOf(open);
    return named(at < 0 ? chain : chain.slice(0, at), presetAt, upward);
  });
}

type PresetAt = (row: number) => string | undefined;

/** Stands above stacks: the root of all, or a value that they have in common. */
const TOP = "";

/** The preset of each row, TOP above the stacks, undefined for other code; asks once for each name. */
function presetsIn({ name, names, frameType }: Frames): PresetAt {
  const known = new Map<number, string | undefined>();
  return (row) => {
    if (frameType[row] === FrameType.Root) return TOP;
    const at = name[row];
    const run = OF_RUNS.get(ruleOf(names[at] ?? ""));
    // The path has no types.
    if (frameType[row] === FrameType.Run || (frameType[row] === FrameType.None && run !== undefined)) return run;
    if (!known.has(at)) known.set(at, presetOfFrame(names[at] ?? ""));
    return known.get(at);
  };
}

function presetOfFrame(name: string): string | undefined {
  if (name === "") return TOP;
  return presetOf(name) ?? (NATIVE_NAME.test(name) ? "jdk" : undefined);
}

/** Frames of presets that stacks begin with and that other code is below. */
function firstFrames({ parent }: Frames, presetAt: PresetAt): Uint8Array {
  const isFirst = new Uint8Array(parent.length);
  const leads = new Uint8Array(parent.length);
  for (let row = 0; row < parent.length; row++) {
    if (row > 0 && isFirst[parent[row]] === 0) continue;
    if (presetAt(row) !== undefined) isFirst[row] = 1;
    else leads[parent[row]] = 1;
  }
  for (let row = parent.length - 1; row > 0; row--) if (leads[row] === 1) leads[parent[row]] = 1;
  return isFirst.map((is, row) => (is === 1 && leads[row] === 1 && presetAt(row) !== TOP ? 1 : 0));
}

/** The same where callers are below: only frames of presets are below these, and other code is above. */
function outermost({ parent }: Frames, presetAt: PresetAt): Uint8Array {
  const isOuter = new Uint8Array(parent.length).fill(1);
  for (let row = parent.length - 1; row >= 0; row--) {
    if (presetAt(row) === undefined) isOuter[row] = 0;
    if (isOuter[row] === 0) isOuter[parent[row]] = 0;
  }
  const leads = new Uint8Array(parent.length);
  for (let row = 1; row < parent.length; row++)
    leads[row] = leads[parent[row]] === 1 || presetAt(parent[row]) === undefined ? 1 : 0;
  return isOuter.map((is, row) => (is === 1 && leads[row] === 1 && presetAt(row) !== TOP ? 1 : 0));
}

/** A chain as far as it goes from the outermost frame to the last one of a server or framework; none if it is short. */
function named(rows: readonly number[], presetAt: PresetAt, upward: boolean): Chain[] {
  const presets = rows.map((row) => presetAt(row) ?? TOP);
  const from = upward ? presets.findIndex((preset) => !BETWEEN.has(preset)) : 0;
  const end = upward ? rows.length : presets.findLastIndex((preset) => !BETWEEN.has(preset)) + 1;
  if (from < 0 || end - from < FEWEST) return [];
  const own = presets.slice(from, end).filter((preset) => !BETWEEN.has(preset));
  const parts = new Set(upward ? own.reverse() : own);
  const words = [...parts].map((preset) => RUN_PRESETS.get(preset)!.name).join(" › ");
  return [{ rows: rows.slice(from, end), words: `${words} · ${end - from}` }];
}

/** Null where no prefix is long enough. */
export function foldPrefix(
  answer: FramesAnswer,
  upward = false,
  sides: readonly Float64Array[] = [answer.frames.total],
): FoldedAnswer | null {
  const { frames, path } = answer;
  const open = path.length;
  // The path is a chain above the rows.
  const whole: Frames = {
    parent: [...path.map((_, step) => Math.max(0, step - 1)), ...shifted(frames.parent, open)],
    name: [...path.map((_, step) => frames.names.length + step), ...frames.name],
    frameType: [...path.map(() => FrameType.None), ...frames.frameType],
    names: [...frames.names, ...path.map(({ name }) => name)],
  };
  const totals = sides.map((side) => [...path.map(({ total }) => total), ...side]);
  const found = prefixesOf(whole, totals, { open, upward });
  const ofRows = found.filter(({ rows }) => rows[0] > open);
  // Of the callers beside a path nothing is known.
  const ofPath = upward ? [] : found.filter(({ rows }) => rows[0] < open);
  if (ofRows.length === 0 && ofPath.length === 0) return null;
  const back = ofRows.map(({ rows, words }) => ({ words, rows: rows.map((row) => row - open) }));
  return foldChains(answer, back, ofPath);
}

/** Parents below a path of some length. */
function shifted(parent: Uint32Array, by: number): number[] {
  return Array.from(parent, (above, row) => (row === 0 ? Math.max(0, by - 1) : above + by));
}

/** The columns of a comparison that its graph draws. */
export interface DiffColumns extends Omit<DiffAnswer, "self" | "baseSelf"> {
  /** Where prefixes are one frame each, what they were before. */
  fold?: FoldedAnswer;
}

/** A comparison with the prefixes that both sides have as one frame each; the same where none is long enough. */
export function foldDiff<T extends DiffColumns>(diff: T): T {
  const { frames, total, baseTotal, baseNames } = diff;
  const fold = foldPrefix(frames, false, [total, baseTotal]);
  if (fold === null) return diff;
  const pick = (column: Float64Array) => Float64Array.from(fold.rows, (_, row) => column[rowBefore(fold, row)]);
  const names = new Map<number, string>();
  fold.rows.forEach((before, row) => {
    const name = baseNames.get(before);
    if (name !== undefined && !fold.chains.has(row)) names.set(row, name);
  });
  return { ...diff, fold, frames: fold.answer, total: pick(total), baseTotal: pick(baseTotal), baseNames: names };
}

/** The first frames of the stacks as a tree, as far as they are of presets, and the row of each frame in it. */
function treeOf({ stack, offsets, items, names, types }: OrderedSamples) {
  const tree = { parent: [0], name: [names.length], frameType: [FrameType.Root as number], names };
  const total = [stack.length];
  const presetAt = presetsIn({ ...tree, name: names.map((_, item) => item), frameType: types });
  const samples = new Uint32Array(Math.max(0, offsets.length - 1));
  for (const each of stack) samples[each]++;
  const rowOf = new Map<number, number>();
  const rows = Array.from(samples, (count, each) => {
    const own: number[] = [];
    for (let at = offsets[each], above = 0; at < offsets[each + 1]; at++) {
      const item = items[at];
      const key = above * names.length + item;
      const row = rowOf.get(key) ?? tree.parent.length;
      if (row === tree.parent.length) {
        rowOf.set(key, row);
        tree.parent.push(above);
        tree.name.push(item);
        tree.frameType.push(types[item]);
        total.push(0);
      }
      total[row] += count;
      own.push(row);
      above = row;
      if (presetAt(item) === undefined) break;
    }
    return own;
  });
  return { tree, total, rows };
}

/** Samples with each prefix as one frame. */
export function foldStacks(samples: OrderedSamples): OrderedSamples {
  const { tree, total, rows } = treeOf(samples);
  const names = [...samples.names];
  const types = [...samples.types];
  const library = [...(samples.library ?? [])];
  /** The item of each row in a chain; -1 for all but the first. */
  const itemAt = new Map<number, number>();
  for (const chain of prefixesOf(tree, [total])) {
    for (const row of chain.rows) itemAt.set(row, -1);
    itemAt.set(chain.rows[0], names.length);
    names.push(chain.words);
    types.push(FrameType.Run);
    library.push(0);
  }
  const items: number[] = [];
  const offsets = [0];
  for (const [stack, own] of rows.entries()) {
    for (let at = samples.offsets[stack], step = 0; at < samples.offsets[stack + 1]; at++, step++) {
      const item = itemAt.get(own[step]) ?? samples.items[at];
      if (item >= 0) items.push(item);
    }
    offsets.push(items.length);
  }
  return {
    ...samples,
    ...{ offsets: Uint32Array.from(offsets), items: Uint32Array.from(items), names },
    types: Uint8Array.from(types),
    ...(samples.library && { library: Uint8Array.from(library) }),
  };
}

/** Nodes of the call tree that are one row, from the root down. */
export interface NodeChain {
  nodes: readonly number[];
  words: string;
}

/** The prefixes of the call tree by their nodes: those of its graph. */
export function nodeChains({ frames }: FramesAnswer): NodeChain[] {
  return prefixesOf(frames, [frames.total]).map(({ rows, words }) => ({
    words,
    nodes: rows.map((row) => frames.node[row]),
  }));
}

export interface FoldedTree {
  /** Fetched children by node. A chain has the node of the first of its frames, and the children of all. */
  below: ReadonlyMap<number, TreeRow[]>;
  /** The frames of each chain by that node, from the root down. */
  chains: ReadonlyMap<number, readonly TreeRow[]>;
}

/** The call tree with the prefixes whose frames are all fetched as one row each. */
export function foldTree(below: ReadonlyMap<number, TreeRow[]>, prefixes: readonly NodeChain[]): FoldedTree {
  const rowOf = new Map([...below.values()].flat().map((row) => [row.node, row]));
  const now = new Map(below);
  const chains = new Map<number, readonly TreeRow[]>();
  const foldedOf = new Map<TreeRow, TreeRow>();
  for (const { nodes, words } of prefixes) {
    const chain = nodes.flatMap((node) => (below.has(node) ? (rowOf.get(node) ?? []) : []));
    if (chain.length < nodes.length) continue;
    const [first] = chain;
    const inside = new Set(chain);
    foldedOf.set(first, {
      ...{ node: first.node, name: words, frameType: FrameType.Run, total: first.total },
      children: chain.reduce((all, { children }) => all + children - 1, 1),
      self: chain.reduce((all, { self }) => all + self, 0n),
    });
    const children = nodes.flatMap((node) => below.get(node)!).filter((row) => !inside.has(row));
    now.set(
      first.node,
      children.sort((a, b) => Number(b.total - a.total)),
    );
    chains.set(first.node, chain);
  }
  for (const [node, rows] of now)
    now.set(
      node,
      rows.map((row) => foldedOf.get(row) ?? row),
    );
  return { below: now, chains };
}
