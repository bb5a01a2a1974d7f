/** Collapsed stacks: messages of the diagnostics. */
import * as Diagnostic from "../../../assembly/abi/formats/collapsed.ts";
import { deepStack, type Wording } from "../diagnostics/wording.ts";

/** Lines by the number of the first one: editors show it. */
const lines = (first: bigint, times: number) =>
  times === 1 ? `line ${first}` : `${times} lines (first: line ${first})`;

type Code = (typeof Diagnostic)[Exclude<keyof typeof Diagnostic, "Reader">];

export const COLLAPSED_WORDINGS: Record<Code, Wording> = {
  [Diagnostic.NoWeight]: {
    code: "collapsed.weight.missing",
    severity: "error",
    text: (n, times) => `${lines(n, times)} without a number after the last blank; left out`,
  },
  [Diagnostic.LargeWeight]: {
    code: "collapsed.weight.large",
    severity: "error",
    text: (n, times) => `${lines(n, times)} with a weight that does not fit in 64 bits; left out`,
  },
  [Diagnostic.Fraction]: {
    code: "collapsed.weight.fraction",
    severity: "warning",
    text: (n, times) => `${lines(n, times)} with decimals in the weight; rounded to whole numbers`,
  },
  [Diagnostic.Text]: {
    code: "collapsed.text",
    severity: "warning",
    text: (n, times) => `${lines(n, times)} not in UTF-8; invalid bytes became U+FFFD`,
  },
  [Diagnostic.NoProfile]: {
    code: "collapsed.profiles.many",
    severity: "error",
    text: () => "there is no room for another profile; the lines were not read",
  },
  [Diagnostic.NoStack]: {
    code: "collapsed.stack.missing",
    severity: "warning",
    text: (n, times) => `${lines(n, times)} with a setting, or with the sum of the others; left out`,
  },
  [Diagnostic.TwoWeights]: {
    code: "collapsed.weights.two",
    severity: "info",
    text: () => "each line has two numbers: they are two profiles, before and after",
  },
  [Diagnostic.MaybeTwoWeights]: {
    code: "collapsed.weights.guessed",
    severity: "warning",
    text: () =>
      "each line ends in two numbers, which became two profiles, before and after; if the first one is a part of the name, give one line without it",
  },
  [Diagnostic.ManyWeights]: {
    code: "collapsed.weights.many",
    severity: "warning",
    text: () =>
      "each line ends in three numbers or more: the last two became two profiles, before and after, the others are in the names",
  },
  [Diagnostic.OneWeight]: {
    code: "collapsed.weights.one",
    severity: "error",
    text: (n, times) => `${lines(n, times)} with one number where the others have two; left out`,
  },
  [Diagnostic.SecondWeight]: {
    code: "collapsed.weights.second",
    severity: "warning",
    text: (n, times) =>
      `${lines(n, times)} with two numbers, but not all lines have two; the last one is the weight, the other one is in the name`,
  },
  [Diagnostic.StackDeep]: deepStack("collapsed"),
};
