/** Messages of the diagnostics about collapsed stacks. */
import * as Diagnostic from "../../../assembly/abi/faults/collapsed-diagnostic.ts";
import { counted, deepStack, type Wording } from "./wording.ts";

type Code = (typeof Diagnostic)[keyof typeof Diagnostic];

export const COLLAPSED_DIAGNOSTICS: Record<Code, Wording> = {
  [Diagnostic.NoWeight]: {
    code: "collapsed.weight.missing",
    severity: "error",
    text: (_, times) => `${counted(times, "line")} without a number after the last blank; left out`,
  },
  [Diagnostic.LargeWeight]: {
    code: "collapsed.weight.large",
    severity: "error",
    text: (_, times) => `${counted(times, "line")} with a weight that does not fit in 64 bits; left out`,
  },
  [Diagnostic.Fraction]: {
    code: "collapsed.weight.fraction",
    severity: "warning",
    text: (_, times) => `${counted(times, "weight")} with decimals; rounded to whole numbers`,
  },
  [Diagnostic.Text]: {
    code: "collapsed.text",
    severity: "warning",
    text: (_, times) => `${counted(times, "line")} not in UTF-8; invalid bytes became U+FFFD`,
  },
  [Diagnostic.NoProfile]: {
    code: "collapsed.profiles.many",
    severity: "error",
    text: () => "there is no room for another profile; the lines were not read",
  },
  [Diagnostic.NoStack]: {
    code: "collapsed.stack.missing",
    severity: "warning",
    text: (_, times) => `${counted(times, "line")} with a setting, or with the sum of the others; left out`,
  },
  [Diagnostic.TwoWeights]: {
    code: "collapsed.weights.two",
    severity: "info",
    text: () => "each line has two numbers: they are two profiles, before and after",
  },
  [Diagnostic.StackDeep]: deepStack("collapsed"),
};
