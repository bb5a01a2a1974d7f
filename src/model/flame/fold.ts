/**
 * Chains of frames as one frame each, in a graph and in the path above it. The frame has the node and the value of the
 * first of its chain, so that a zoom to it shows them all. What hung from any of them hangs from it. No other figure
 * changes.
 */
import * as FrameType from "../../../assembly/abi/frame-type.ts";
import type { FrameColumns, FramesAnswer } from "../../core/types.ts";

/** Frames, each the parent of the next one, with the name of the frame that is drawn for them. */
export interface Chain {
  rows: readonly number[];
  words: string;
}

export interface FoldedAnswer {
  answer: FramesAnswer;
  before: FramesAnswer;
  /** Row before the fold of each row, of a chain that of its last frame. */
  rows: Uint32Array;
  /** Place before the fold of each element of the path, of a chain that of its last frame. */
  steps: number[];
  /** Rows before of each row that is a chain. */
  chains: ReadonlyMap<number, readonly number[]>;
}

/** `ofPath`: chains of elements of the path. */
export function foldChains(
  answer: FramesAnswer,
  chains: readonly Chain[],
  ofPath: readonly Chain[] = [],
): FoldedAnswer {
  const { frames, path } = answer;
  const firstOf = firstsOf(chains);
  const rows = Uint32Array.from(frames.node.keys()).filter((row) => (firstOf.get(row) ?? row) === row);
  const now = new Uint32Array(frames.node.length);
  rows.forEach((row, at) => {
    now[row] = at;
  });
  for (const [row, first] of firstOf) now[row] = now[first];
  const pick = <T extends Uint8Array | Uint32Array | Float64Array>(column: T) => rows.map((row) => column[row]);
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
    names: [...frames.names, ...chains.map(({ words }) => words)],
    // Beside others a chain is known by its first frame.
    nameIds: Uint32Array.from([
      ...frames.nameIds,
      ...chains.map((chain) => frames.nameIds[frames.name[chain.rows[0]]]),
    ]),
  };
  const drawn = new Map<number, readonly number[]>();
  for (const [i, chain] of chains.entries()) {
    const at = now[chain.rows[0]];
    const sum = (column: Uint32Array | Float64Array) => chain.rows.reduce((all, row) => all + column[row], 0);
    folded.name[at] = frames.names.length + i;
    folded.frameType[at] = FrameType.Run;
    folded.self[at] = sum(frames.self);
    folded.hiddenValue[at] = sum(frames.hiddenValue);
    folded.hiddenFrames[at] = sum(frames.hiddenFrames);
    rows[at] = chain.rows.at(-1)!;
    drawn.set(at, chain.rows);
  }
  const firstStep = firstsOf(ofPath);
  const chainAt = new Map(ofPath.map((chain) => [chain.rows[0], chain]));
  const firsts = [...path.keys()].filter((step) => (firstStep.get(step) ?? step) === step);
  const shown = firsts.map((step) => ({ ...path[step], name: chainAt.get(step)?.words ?? path[step].name }));
  const steps = firsts.map((step) => chainAt.get(step)?.rows.at(-1) ?? step);
  return { answer: { ...answer, frames: folded, path: shown }, before: answer, rows, steps, chains: drawn };
}

/** The first frame of the chain of each frame in one. */
function firstsOf(chains: readonly Chain[]): Map<number, number> {
  return new Map(chains.flatMap(({ rows }) => rows.map((row) => [row, rows[0]])));
}

/** Rows of an answer as rows of the folded one; a chain is found where one of its frames is. */
export function foldedRows({ rows, chains }: FoldedAnswer, found: ReadonlySet<number>): Set<number> {
  const now = new Set<number>();
  rows.forEach((before, at) => {
    if ((chains.get(at) ?? [before]).some((each) => found.has(each))) now.add(at);
  });
  return now;
}

/** Row before the fold that a zoom to a row begins at: the first of a chain. */
export function rowBefore(fold: FoldedAnswer | undefined, row: number): number {
  return fold?.chains.get(row)?.[0] ?? fold?.rows[row] ?? row;
}
