/** Collapsed stacks: messages of the diagnostics. */
import * as Diagnostic from "../../../assembly/abi/formats/collapsed.ts";
import { deepStack, error, info, type Wording, warning } from "../diagnostics/wording.ts";

/** Lines by the number of the first one: editors show it. */
const lines = (first: bigint, times: number) =>
  times === 1 ? `line ${first}` : `${times} lines (first: line ${first})`;

type Code = (typeof Diagnostic)[Exclude<keyof typeof Diagnostic, "Reader">];

export const COLLAPSED_WORDINGS: Record<Code, Wording> = {
  [Diagnostic.NoWeight]: error(
    "collapsed.weight.missing",
    (n, times) => `${lines(n, times)} without a number after the last blank; left out`,
  ),
  [Diagnostic.LargeWeight]: error(
    "collapsed.weight.large",
    (n, times) => `${lines(n, times)} with a weight that does not fit in 64 bits; left out`,
  ),
  [Diagnostic.Fraction]: warning(
    "collapsed.weight.fraction",
    (n, times) => `${lines(n, times)} with decimals in the weight; rounded to whole numbers`,
  ),
  [Diagnostic.Text]: warning(
    "collapsed.text",
    (n, times) => `${lines(n, times)} not in UTF-8; invalid bytes became U+FFFD`,
  ),
  [Diagnostic.NoProfile]: error(
    "collapsed.profiles.many",
    () => "there is no room for another profile; the lines were not read",
  ),
  [Diagnostic.NoStack]: warning(
    "collapsed.stack.missing",
    (n, times) => `${lines(n, times)} with a setting, or with the sum of the others; left out`,
  ),
  [Diagnostic.TwoWeights]: info(
    "collapsed.weights.two",
    () => "each line has two numbers: they are two profiles, before and after",
  ),
  [Diagnostic.MaybeTwoWeights]: warning(
    "collapsed.weights.guessed",
    () =>
      "each line ends in two numbers, which became two profiles, before and after; if the first one is a part of the name, give one line without it",
  ),
  [Diagnostic.ManyWeights]: warning(
    "collapsed.weights.many",
    () =>
      "each line ends in three numbers or more: the last two became two profiles, before and after, the others are in the names",
  ),
  [Diagnostic.OneWeight]: error(
    "collapsed.weights.one",
    (n, times) => `${lines(n, times)} with one number where the others have two; left out`,
  ),
  [Diagnostic.SecondWeight]: warning(
    "collapsed.weights.second",
    (n, times) =>
      `${lines(n, times)} with two numbers, but not all lines have two; the last one is the weight, the other one is in the name`,
  ),
  [Diagnostic.StackDeep]: deepStack("collapsed"),
};
