/** Changes of the call tree's shape that are shown as chips beside the filters, one row each. */

import { visible } from "../words/text.ts";
import { type ChipWords, frameWords } from "./filters.ts";
import { exactPattern, patternWords } from "./pattern.ts";
import { parseRoots, rootsText, rootWord } from "./root-by.ts";
import { presetRule, type RunRule, ruleText, withRule } from "./run-rules.ts";
import type { Recursion, Shape } from "./shape.ts";

interface Changes {
  /** Stacks begin at this function. */
  from: { name: string };
  /** Frames that the pattern finds become a part of their callers. */
  merged: { pattern: string };
  recursion: { recursion: Exclude<Recursion, "kept"> };
  /** Runs of frames that the rule finds are one frame each. */
  run: RunRule;
  /** Names of the levels of root frames, joined as in links: one chip, because their order matters. */
  roots: { by: string };
}

export type ShapeKind = keyof Changes;
export type ShapeChip = { [Kind in ShapeKind]: { kind: Kind } & Changes[Kind] }[ShapeKind];

interface ShapeRow<Change> {
  of(shape: Shape): Change[];
  with(shape: Shape, change: Change): Shape;
  without(shape: Shape, change: Change): Shape;
  words(change: Change): ChipWords;
}

/** In the order of chips. */
const SHAPE_CHIPS: { readonly [Kind in ShapeKind]: ShapeRow<Changes[Kind]> } = {
  from: {
    of: ({ from }) => (from === "" ? [] : [{ name: from }]),
    with: (shape, { name }) => ({ ...shape, from: name }),
    without: (shape) => ({ ...shape, from: "" }),
    words: ({ name }) => frameWords(exactPattern(name), ["from", "from"]),
  },

  merged: {
    of: ({ merged }) => merged.map((pattern) => ({ pattern })),
    with: (shape, { pattern }) => ({ ...shape, merged: [...shape.merged, pattern] }),
    without: (shape, { pattern }) => ({ ...shape, merged: shape.merged.filter((other) => other !== pattern) }),
    words: ({ pattern }) => frameWords(pattern, ["merged", "merged"]),
  },

  recursion: {
    of: ({ recursion }) => (recursion === "kept" ? [] : [{ recursion }]),
    with: (shape, { recursion }) => ({ ...shape, recursion }),
    without: (shape) => ({ ...shape, recursion: "kept" }),
    words: ({ recursion }) => {
      const value = `${recursion} recursion`;
      return { label: "collapsed", value, full: `collapsed ${value}` };
    },
  },

  run: {
    of: ({ runs }) => [...runs],
    with: (shape, rule) => withoutRun(shape, rule, withRule(shape.runs, rule)),
    without: (shape, rule) =>
      withoutRun(
        shape,
        rule,
        shape.runs.filter(({ name }) => name !== rule.name),
      ),
    words: ({ name, pattern, border }) => {
      if (border) return { label: "without", value: visible(name), full: `without the frames of ${visible(name)}` };
      const value = visible(name);
      const about = presetRule(ruleText({ name, pattern })) === null ? ` (${visible(patternWords(pattern), 80)})` : "";
      return { label: "collapsed", value, full: `collapsed runs of ${value}${about}` };
    },
  },

  roots: {
    of: ({ roots }) => (roots.length === 0 ? [] : [{ by: rootsText(roots) }]),
    with: (shape, { by }) => ({ ...shape, roots: parseRoots(by) }),
    without: (shape) => ({ ...shape, roots: [] }),
    words: ({ by }) => {
      const value = parseRoots(by)
        .map((level) => rootWord(level.by))
        .join(", ");
      return { label: "root by", value, full: `root by ${value}` };
    },
  },
};

/** With other rules; opened runs of this rule are closed. */
function withoutRun(shape: Shape, { name }: RunRule, runs: Shape["runs"]): Shape {
  return { ...shape, runs, opened: shape.opened.filter(({ rule }) => rule !== name) };
}

export const SHAPE_KINDS = Object.keys(SHAPE_CHIPS) as ShapeKind[];

export function isShapeChip(chip: { kind: string }): chip is ShapeChip {
  return Object.hasOwn(SHAPE_CHIPS, chip.kind);
}

/** The row of a kind, for changes of that kind only. */
export function shapeRow(kind: ShapeKind): ShapeRow<object> {
  return SHAPE_CHIPS[kind] as ShapeRow<object>;
}
