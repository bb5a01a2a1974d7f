/** Reads the text of the search box: ids in any form, `key=value`, `key!=value`, `/regex/`, or words to search for. */
import { isOfKind } from "../../core/tables/kinds.ts";
import type { ProfileSummary } from "../../core/types.ts";
import type { CarriedId } from "../../core/view-types.ts";
import { type PastedIds, pastedIds } from "../words/pasted-ids.ts";
import type { Chip } from "./chips.ts";

export type Find = { kind: "ids"; pasted: PastedIds } | { kind: "chip"; chip: Chip };

/** Null where the text is words. The caller checks the pattern of a frame: that may need the engine for patterns. */
export function parseFind(text: string): Find | null {
  const [, not, pattern] = /^\s*(!?)\/(.+)\/\s*$/.exec(text) ?? [];
  if (pattern !== undefined) return { kind: "chip", chip: frameChip(pattern, not === "!") };
  const pasted = pastedIds(text);
  const attribute = attributeChip(text);
  // The value of an attribute may look like an id.
  if (pasted !== null && (pasted.labelled || attribute === null)) return { kind: "ids", pasted };
  return attribute && { kind: "chip", chip: attribute };
}

function frameChip(pattern: string, exclude: boolean): Chip {
  return exclude ? { kind: "frame", pattern, exclude } : { kind: "frame", pattern };
}

function attributeChip(text: string): Chip | null {
  const at = text.indexOf("=");
  const exclude = text[at - 1] === "!";
  const key = text.slice(0, exclude ? at - 1 : at).trim();
  if (at <= 0 || key === "") return null;
  const chip = { kind: "attribute", key, value: text.slice(at + 1).trim() } as const;
  return exclude ? { ...chip, exclude } : chip;
}

/** The filter for ids that were found, or that no sample carries: then the trace is meant, or the likeliest span. */
export function idChip({ ids, trace }: PastedIds, found: CarriedId | null): Chip & { kind: "span" | "local-root" } {
  if (found !== null) return { kind: found.kind, id: found.id };
  return trace !== null ? { kind: "local-root", id: trace } : { kind: "span", id: ids[0]! };
}

/** The profile to show of a trace: Wall, which has the time that it waited; else the current one; else any with it. */
export function typeOfTrace(profiles: readonly ProfileSummary[], carrying: readonly number[], current: string): string {
  const some = profiles.filter(({ id }) => carrying.includes(id));
  const wall = some.find(isOfKind("wall"));
  return (wall ?? some.find(({ type }) => type === current) ?? some[0])?.type ?? current;
}

/** How a trace was found by another id than the one pasted; "" where it was found by that. */
export function foundWords({ trace }: Pick<PastedIds, "trace">, { kind, id, asked, trace: shown }: CarriedId): string {
  if (trace !== null && asked === trace && shown !== null) return "";
  if (asked !== id) return "Found by a span of this trace.";
  if (trace === null || id === trace) return "";
  const half = id === (trace & ((1n << 64n) - 1n));
  const what = kind === "span" ? "span" : "request";
  return half
    ? `Found by the lower 64 bits of the trace id, as ${what}.`
    : `Found by the ${what} id beside the trace id.`;
}
