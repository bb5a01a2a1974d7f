/** Data of a report's script: the frames and the meaning of their values, as JSON. This file writes and reads it. */
import type { FrameColumns, FramesAnswer, Meaning } from "../core/types.ts";
import type { Tone } from "../model/flame/colour.ts";
import type { Chain } from "../model/flame/fold.ts";
import { classAt, classOf } from "../model/flame/frame-classes.ts";
import type { Look } from "../model/query/look.ts";
import type { Weighed } from "../model/words/measure.ts";
import { cut, NAME_CAP } from "../model/words/text.ts";
import type { Drawing } from "./subject.ts";

/** Characters that all names together may have. */
const NAMES_ROOM = 2_000_000;
const LEAST_CAP = 40;

/** 64-bit numbers are decimal texts. */
interface Shape {
  unit: string;
  meaning: Meaning;
  value: string;
  samples: number;
  period: string;
  periodUnit: string;
  measures: { name: string; type: string; unit: string; value: string }[];
  measure: number;
}

export interface ReportData {
  profile: Shape;
  /** Grouped by callers: further down there may be more frames than anybody counted. */
  regrouped: boolean;
  /** The root is at the bottom. */
  up: boolean;
  /** Frames are split by line. */
  lines: boolean;
  /** Colours, and which of them each row has, as a digit of base 36. */
  tones: Tone[];
  tone: string;
  selectionTotal: number;
  framesInFocus: number;
  names: string[];
  /** By row, parents before children. */
  parent: number[];
  name: number[];
  /** A digit of base 36 for each row. */
  frameType: string;
  total: number[];
  self: number[];
  /** Rows with hidden frames: row, number of frames, value. */
  folded: [row: number, frames: number, value: number][];
  /** Prefixes that are drawn as one frame. */
  chains: [rows: readonly number[], words: string][];
}

export function toData(
  answer: FramesAnswer,
  profile: Weighed,
  { grouping, look, shape }: Drawing,
  chains: readonly Chain[] = [],
): ReportData {
  const { frames } = answer;
  const rows = frames.node.length;
  const folded: ReportData["folded"] = [];
  for (let row = 0; row < rows; row++) {
    if (frames.hiddenFrames[row] > 0) folded.push([row, frames.hiddenFrames[row], frames.hiddenValue[row]]);
  }
  return {
    profile: {
      unit: profile.unit,
      meaning: profile.meaning,
      value: String(profile.value),
      samples: profile.samples,
      period: String(profile.period),
      periodUnit: profile.periodUnit,
      measures: profile.measures.map((measure) => ({ ...measure, value: String(measure.value) })),
      measure: profile.measure,
    },
    regrouped: grouping !== "stacks",
    up: look.up,
    lines: shape.lines,
    ...tonesOf(frames, look),
    selectionTotal: answer.selectionTotal,
    framesInFocus: answer.framesInFocus,
    names: shortened(frames.names),
    parent: Array.from(frames.parent),
    name: Array.from(frames.name),
    frameType: Array.from(frames.frameType, (type) => type.toString(36)).join(""),
    total: Array.from(frames.total),
    self: Array.from(frames.self),
    folded,
    chains: chains.map(({ rows, words }) => [rows, words]),
  };
}

/** There are fewer than 36 colours. */
function tonesOf(frames: FrameColumns, look: Look): Pick<ReportData, "tones" | "tone"> {
  const colour = classOf(look);
  const tones: Tone[] = [];
  const digits = Array.from(frames.name, (_, row) => {
    const { tone } = classAt(frames, row, colour);
    if (!tones.includes(tone)) tones.push(tone);
    return tones.indexOf(tone).toString(36);
  });
  return { tones, tone: digits.join("") };
}

/** Names as long as there is room for all of them. */
function shortened(names: readonly string[]): string[] {
  for (let cap = NAME_CAP; ; cap = Math.max(LEAST_CAP, Math.floor(cap / 2))) {
    const length = names.reduce((sum, name) => sum + Math.min(name.length, cap), 0);
    if (length <= NAMES_ROOM || cap === LEAST_CAP) return names.map((name) => cut(name, cap));
  }
}

export interface ReportGraph {
  answer: FramesAnswer;
  profile: Weighed;
  /** Below each frame are its callers. */
  upward: boolean;
  up: boolean;
  lines: boolean;
  chains: readonly Chain[];
  toneOf: (row: number) => Tone;
}

export function fromData(data: ReportData): ReportGraph {
  const rows = data.parent.length;
  const hiddenFrames = new Uint32Array(rows);
  const hiddenValue = new Float64Array(rows);
  for (const [row, frames, value] of data.folded) {
    hiddenFrames[row] = frames;
    hiddenValue[row] = value;
  }
  const frames: FrameColumns = {
    // A report has no core to ask: a row is its own handle.
    node: Uint32Array.from({ length: rows }, (_, row) => row),
    parent: Uint32Array.from(data.parent),
    name: Uint32Array.from(data.name),
    frameType: Uint8Array.from(data.frameType, (digit) => Number.parseInt(digit, 36)),
    total: Float64Array.from(data.total),
    self: Float64Array.from(data.self),
    hiddenFrames,
    hiddenValue,
    names: data.names,
    nameIds: Uint32Array.from(data.names.keys()),
  };
  const answer: FramesAnswer = {
    frames,
    path: [],
    selectionTotal: data.selectionTotal,
    framesInFocus: data.framesInFocus,
    hiddenValue: hiddenValue.reduce((sum, value) => sum + value, 0),
    hiddenFrames: hiddenFrames.reduce((sum, count) => sum + count, 0),
  };
  const { value, period, measures } = data.profile;
  const profile: Weighed = {
    ...data.profile,
    value: BigInt(value),
    period: BigInt(period),
    measures: measures.map((measure) => ({ ...measure, value: BigInt(measure.value) })),
  };
  const { up, lines, tones, tone } = data;
  return {
    ...{ answer, profile, upward: data.regrouped, up, lines },
    chains: data.chains.map(([rows, words]) => ({ rows, words })),
    toneOf: (row) => tones[Number.parseInt(tone[row], 36)],
  };
}
