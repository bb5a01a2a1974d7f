/** The samples that the options of an element select. */
import type { Filter } from "../core/types.ts";
import { parseId } from "../model/words/ids.ts";
import { Problem } from "./problem.ts";
import { VIEWER_VIEWS, type ViewerOptions } from "./types.ts";

/** Throws a Problem for an id that is none. */
export function conditionsOf({ filter = {}, localRoot, span }: ViewerOptions): Filter {
  return {
    ...filter,
    ...(isGiven(localRoot) && { localRoot: idOf("local root", localRoot) }),
    ...(isGiven(span) && { span: idOf("span", span) }),
  };
}

export function checkView(view: ViewerOptions["view"]): void {
  if (view !== undefined && !VIEWER_VIEWS.includes(view)) {
    throw new Problem("option.view", `The view ${JSON.stringify(view)} is none of ${VIEWER_VIEWS.join(", ")}.`);
  }
}

function isGiven(id: string | bigint | undefined): id is string | bigint {
  return id !== undefined && id !== "";
}

function idOf(what: string, id: string | bigint): bigint {
  const parsed = parseId(String(id));
  if (!parsed.ok) throw new Problem("option.id", `The id of the ${what} is not valid: ${parsed.error}.`);
  return parsed.id;
}
