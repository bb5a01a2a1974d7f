/** Actions on a frame of a graph, by key and by menu. */
import { exactPattern } from "../query/pattern.ts";
import type { QueryAction } from "../query/query.ts";
import type { Recursion, Shape } from "../query/shape.ts";
import { isCutAtCrossing } from "../words/text.ts";
import { detailParts, type FrameDetail } from "./detail.ts";

/** Actions of the page on a frame's function. */
const FUNCTION_ACTIONS = ["from", "hide", "merge", "only", "sandwich", "search"] as const;
export type FunctionAction = (typeof FUNCTION_ACTIONS)[number];

/** Their keys on the current frame. */
export const ACTION_KEYS: ReadonlyMap<string, FunctionAction> = new Map(
  Object.entries({
    f: "from",
    h: "hide",
    m: "merge",
    s: "sandwich",
  }),
);

/** Null where the function has no name, or only the beginning of a name that is too long to be found again. */
export function functionAction(action: FunctionAction, name: string): QueryAction | null {
  if (name === "" || isCutAtCrossing(name)) return null;
  const pattern = exactPattern(name);
  switch (action) {
    case "from":
      return { kind: "add", chip: { kind: "from", name } };
    case "hide":
      return { kind: "add", chip: { kind: "frame", pattern, exclude: true } };
    case "merge":
      return { kind: "add", chip: { kind: "merged", pattern } };
    case "only":
      return { kind: "add", chip: { kind: "frame", pattern } };
    case "sandwich":
      return { kind: "function", name };
    case "search":
      return { kind: "search", pattern };
  }
}

/** R turns direct recursion into one frame and back, Shift+R every recursion; L lines. */
export function shapeAction(key: string, { recursion, lines }: Shape): QueryAction | null {
  const toggled = (to: Recursion): QueryAction => ({ kind: "recursion", recursion: recursion === to ? "kept" : to });
  if (key === "r") return toggled("direct");
  if (key === "R") return toggled("all");
  return key === "l" ? { kind: "lines", lines: !lines } : null;
}

/** A stack as Markdown, for an issue or a chat: its value, then its frames as code. */
export function stackMarkdown(stack: string, detail: FrameDetail): string {
  // A fence is longer than any run of backticks in the names.
  const longest = Math.max(2, ...[...stack.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${detailParts({ ...detail, kind: "" }).join(" · ")}\n\n${fence}text\n${stack}\n${fence}\n`;
}
