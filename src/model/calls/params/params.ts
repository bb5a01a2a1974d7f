/** Parameters of frames: their values with the frames that have them, by signature. Times in ns. */
import type { StatedParam } from "../../../core/dumps/dump.ts";
import type { TalliedRow } from "../../../core/dumps/dump-tally.ts";
import { signatureOf } from "./signature.ts";

/** Sums over frames. */
export interface FrameFigures {
  /** Frames; each counts once. */
  invocations: number;
  /** Wall time of the outermost of them. */
  total: bigint;
  self: bigint;
  /** Suspended part of self. */
  suspended: bigint;
}

export interface ParamValue extends FrameFigures {
  /** Number of its text among all (`ParamTexts`). */
  id: number;
  /** The first characters. */
  text: string;
  /** Characters of the whole text. */
  length: number;
}

/** Values of one signature. Frames inside each other that have different values of it count for each. */
export interface ParamGroup extends FrameFigures {
  signature: string;
  /** Distinct values; `values` has the heaviest. */
  count: number;
  values: ParamValue[];
}

/** All values of a parameter. */
export interface Param extends FrameFigures {
  name: string;
  /** What the dump states about it, if it does. */
  stated: StatedParam | null;
  /** Distinct values, and signatures; `groups` has the heaviest. */
  count: number;
  signatures: number;
  groups: ParamGroup[];
  /** Values that were not kept apart, because there are too many. */
  other: FrameFigures | null;
}

export interface FrameParams {
  frames: FrameFigures;
  /** In the order that the dump states; of one place SQL first, then by total time. */
  params: Param[];
}

/** Signatures of a parameter, and values of a signature, that an answer has. */
export const MOST_GROUPS = 256;
export const MOST_GROUP_VALUES = 64;
/** Characters of a value and of a signature in an answer. */
export const SHOWN_TEXT = 600;

const NANOS = 1_000_000n;

export function netOfFrames({ self, suspended }: FrameFigures): bigint {
  return self - suspended;
}

/**
 * What frames of several runs add up to, and the whole texts of the values by their ids. `stated`: parameters of the
 * runs; of one name, the first counts.
 */
export function paramsOf(
  runs: readonly (readonly TalliedRow[])[],
  stated: readonly StatedParam[] = [],
): { answer: FrameParams; texts: string[] } {
  const statedBy = new Map([...stated].reverse().map((param) => [param.name, param]));
  const frames = nothing();
  const params = new Map<string, Building>();
  for (const row of runs.flat()) {
    if (row.param === null) addTo(frames, row);
    else addRow(known(params, row.param, newBuilding), row);
  }
  const texts: string[] = [];
  const answer = [...params].map(([name, building]) => paramOf(name, statedBy.get(name) ?? null, building, texts));
  answer.sort((a, b) => orderOf(a) - orderOf(b) || Number(isSql(b)) - Number(isSql(a)) || heavier(a, b));
  return { answer: { frames, params: answer }, texts };
}

/** Places that agents give to parameters by default, and to the figures and names that they add to every call. */
const USUAL_ORDER = 100;
const ADDED_ORDER = 1000;

function orderOf({ name, stated }: Param): number {
  if (stated !== null) return stated.order;
  const isAdded = /^(?:common\.started|node\.name|java\.thread|time\.|io\.|memory\.)/.test(name);
  return isAdded ? ADDED_ORDER : USUAL_ORDER;
}

function isSql({ name, stated }: Param): boolean {
  return name === "sql" || stated?.signature === "sql";
}

interface Building {
  all: FrameFigures;
  other: FrameFigures | null;
  values: Map<string, FrameFigures>;
}

function newBuilding(): Building {
  return { all: nothing(), other: null, values: new Map() };
}

function addRow(building: Building, row: TalliedRow): void {
  if (row.kind === "any") addTo(building.all, row);
  // Several places of the streams of large texts may have the same text.
  else if (row.kind === "value") addTo(known(building.values, row.value, nothing), row);
  else {
    building.other ??= nothing();
    addTo(building.other, row);
  }
}

function paramOf(name: string, stated: StatedParam | null, { all, other, values }: Building, texts: string[]): Param {
  const bySignature = new Map<string, { figures: FrameFigures; values: [string, FrameFigures][] }>();
  for (const [text, figures] of values) {
    const group = known(bySignature, signatureOf(text, stated?.signature), () => ({ figures: nothing(), values: [] }));
    group.values.push([text, figures]);
    addFigures(group.figures, figures);
  }
  const groups = [...bySignature].map(([signature, group]) => ({ signature, ...group }));
  groups.sort((a, b) => heavier(a.figures, b.figures));
  return {
    name,
    stated,
    ...all,
    count: values.size,
    signatures: groups.length,
    groups: groups.slice(0, MOST_GROUPS).map(({ signature, figures, values: members }) => ({
      signature: start(signature),
      ...figures,
      count: members.length,
      values: members
        .sort(([, a], [, b]) => heavier(a, b))
        .slice(0, MOST_GROUP_VALUES)
        .map(([text, of]) => ({ id: texts.push(text) - 1, text: start(text), length: text.length, ...of })),
    })),
    other,
  };
}

/** The first characters of a text, without half of a surrogate pair. */
function start(text: string): string {
  const cut = text.slice(0, SHOWN_TEXT);
  return cut.length < text.length ? cut.replace(/[\ud800-\udbff]$/, "") : cut;
}

function nothing(): FrameFigures {
  return { invocations: 0, total: 0n, self: 0n, suspended: 0n };
}

/** Adds a row, whose times are ms. */
function addTo(sum: FrameFigures, { invocations, total, self, suspended }: FrameFigures): void {
  addFigures(sum, { invocations, total: total * NANOS, self: self * NANOS, suspended: suspended * NANOS });
}

function addFigures(sum: FrameFigures, part: FrameFigures): void {
  sum.invocations += part.invocations;
  sum.total += part.total;
  sum.self += part.self;
  sum.suspended += part.suspended;
}

/** By total time, then by invocations. */
function heavier(a: FrameFigures, b: FrameFigures): number {
  if (a.total !== b.total) return a.total > b.total ? -1 : 1;
  return b.invocations - a.invocations;
}

function known<T>(map: Map<string, T>, key: string, make: () => T): T {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
