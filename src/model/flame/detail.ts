/** Details of one frame in words: the hover line, the tooltip, the screen reader. */
import type { FramesAnswer } from "../../core/types.ts";
import { tinyWords } from "../words/answer-words.ts";
import { formatCounted, formatEstimate, formatPercent, formatProfileValue } from "../words/format.ts";
import type { Weighed } from "../words/measure.ts";
import { frameName } from "./flame.ts";
import { inlinedWord, kindWords } from "./frame-types.ts";

export interface FrameDetail {
  name: string;
  /** `Java`, `native, inlined`, `kernel`, or "". */
  kind: string;
  /** Its last part, for the box beside the pointer. */
  inlined?: string;
  /** `Shop.java:12–31`, `Shop.java`; absent where it was not asked for, "" where it is unknown. */
  place?: string;
  /** Value with unit, and the time that it represents. */
  value: string;
  /** In a graph of callers, the value without a caller; "" if it is 0. */
  self: string;
  ofTotal: string;
  ofParent: string;
  /** Hidden frames below; "" where there are no such frames. */
  hidden: string;
  /** The value of samples with inferred context; absent where it was not asked for, "" without such samples. */
  inferred?: string;
  /** What the threads did, of wall samples; absent or "" where it is unknown. */
  states?: string;
}

/** `upward`: the frames below a frame in the answer are its callers, and its self value has no caller. */
export function describeFrame(
  answer: FramesAnswer,
  row: number,
  profile: Weighed,
  rootName: string,
  upward: boolean,
): FrameDetail {
  const { frames } = answer;
  const total = frames.total[row] ?? 0;
  const above = row === 0 ? (answer.path.at(-1)?.total ?? total) : frames.total[frames.parent[row]];
  const hidden = frames.hiddenFrames[row] ?? 0;
  return {
    name: frameName(frames, row, rootName),
    kind: kindWords(frames, row),
    inlined: inlinedWord(frames.inlined?.[frames.name[row] ?? 0]),
    value: withEstimate(total, profile),
    self: selfWords(frames.self[row] ?? 0, profile, upward),
    ofTotal: `${formatPercent(total, answer.selectionTotal)} of total`,
    ofParent: `${formatPercent(total, above)} of parent`,
    hidden: hidden === 0 ? "" : tinyWords(hidden, frames.hiddenValue[row], answer.selectionTotal),
  };
}

function selfWords(self: number, profile: Weighed, upward: boolean): string {
  const value = formatProfileValue(self, profile);
  if (!upward) return `self ${value}`;
  return self === 0 ? "" : `${value} without a caller`;
}

/** The marker of the hidden frames below `row`. */
export function describeHidden(answer: FramesAnswer, row: number, profile: Weighed, rootName: string): FrameDetail {
  const { frames } = answer;
  const value = frames.hiddenValue[row] ?? 0;
  return {
    name: `${formatCounted(frames.hiddenFrames[row] ?? 0, "tiny frame")} hidden below ${frameName(frames, row, rootName)}`,
    kind: "",
    value: withEstimate(value, profile),
    self: "",
    ofTotal: `${formatPercent(value, answer.selectionTotal)} of total`,
    ofParent: `${formatPercent(value, frames.total[row] ?? 0)} of parent`,
    hidden: "",
  };
}

/** An ancestor of the focus, by its place in the path. */
export function describeAncestor({ path, selectionTotal }: FramesAnswer, step: number, profile: Weighed, name: string) {
  const { total } = path[step];
  const above = path[step - 1]?.total ?? total;
  return {
    name,
    kind: "",
    value: withEstimate(total, profile),
    self: "",
    ofTotal: `${formatPercent(total, selectionTotal)} of total`,
    ofParent: `${formatPercent(total, above)} of parent`,
    hidden: "",
  };
}

/** `341 samples (≈ 3.41 s)`. */
export function withEstimate(value: number | bigint, profile: Weighed): string {
  const estimate = formatEstimate(value, profile);
  const exact = formatProfileValue(value, profile);
  return estimate === null || Number(value) === 0 ? exact : `${exact} (${estimate})`;
}

/** The figures for the box beside the pointer; the line below the graph has all of them. */
export function tipWords({ inlined = "", value, self, ofTotal }: FrameDetail): string {
  return [inlined, value, ofTotal, self].filter((part) => part !== "").join(" · ");
}

/** All parts in reading order, for one line of text. */
export function detailParts(detail: FrameDetail): string[] {
  return [
    detail.kind,
    detail.place ?? "",
    detail.value,
    detail.self,
    detail.ofTotal,
    detail.ofParent,
    detail.inferred ?? "",
    detail.states ?? "",
    detail.hidden,
  ].filter((part) => part !== "");
}
