/** The samples that the options of an element select. */
import type { Filter } from "../core/types.ts";
import { checked } from "../library/check.ts";
import { filterOf, SELECT } from "../library/selection-checks.ts";
import { readId } from "../model/words/pasted-ids.ts";
import { Problem } from "./problem.ts";
import { VIEWER_THEMES, VIEWER_VIEWS, type ViewerOptions } from "./types.ts";

/** Measure and shape are other options. */
const { measure: _, shape: __, ...FILTER } = SELECT;

/** Throws a Problem or SpanflameError for conditions that are not valid. */
export function conditionsOf({ filter, localRoot, span }: ViewerOptions): Filter {
  return {
    ...filterOf(checked("filter", filter, FILTER)),
    ...(isGiven(localRoot) && { localRoot: idOf("local root", localRoot) }),
    ...(isGiven(span) && { span: idOf("span", span, true) }),
  };
}

/** Throws a Problem for an unknown name. */
export function checkNames({ view, theme }: ViewerOptions): void {
  checkName("view", view, VIEWER_VIEWS);
  checkName("theme", theme, VIEWER_THEMES);
}

function checkName(option: "view" | "theme", name: string | undefined, known: readonly string[]): void {
  if (name === undefined || known.includes(name)) return;
  throw new Problem(`option.${option}`, `The ${option} ${JSON.stringify(name)} is none of ${known.join(", ")}.`);
}

function isGiven(id: string | bigint | undefined): id is string | bigint {
  return id !== undefined && id !== "";
}

function idOf(what: string, text: string | bigint, isSpan = false): bigint {
  const read = readId(String(text));
  const id = read.ok && isSpan ? read.span : read.ok && read.id;
  if (id) return id;
  const error = read.ok ? "a trace is no span" : read.error;
  throw new Problem("option.id", `The id of the ${what} is not valid: ${error}.`);
}
