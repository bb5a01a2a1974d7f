/** The one box that takes what someone has at hand: an id in decimal or hex, `key=value`, `key!=value`, `/regex/`. */
import type { SelectionTotals } from "../../core/types.ts";
import { isTrace, parseId } from "../words/ids.ts";
import type { Chip } from "./chips.ts";

export type Find = { kind: "id"; id: bigint } | { kind: "chip"; chip: Chip } | { kind: "error"; error: string };

/** The caller checks the pattern of a frame: that may need the engine for patterns. */
export function parseFind(text: string): Find {
  const [, not, pattern] = /^\s*(!?)\/(.+)\/\s*$/.exec(text) ?? [];
  if (pattern !== undefined) return { kind: "chip", chip: frameChip(pattern, not === "!") };
  const at = text.indexOf("=");
  const exclude = text[at - 1] === "!";
  const key = text.slice(0, exclude ? at - 1 : at).trim();
  if (at > 0 && key !== "") {
    const chip = { kind: "attribute", key, value: text.slice(at + 1).trim() } as const;
    return { kind: "chip", chip: exclude ? { ...chip, exclude } : chip };
  }
  const parsed = parseId(text);
  return parsed.ok ? { kind: "id", id: parsed.id } : { kind: "error", error: parsed.error };
}

function frameChip(pattern: string, exclude: boolean): Chip {
  return exclude ? { kind: "frame", pattern, exclude } : { kind: "frame", pattern };
}

/**
 * Whether an id is taken as local root or as span: a root's samples include those of its own span, so root wins where
 * it has any, and a trace id is nothing else. Any other id is taken as span; the page then says so if it has no
 * samples.
 */
export function chooseIdKind(id: bigint, asRoot: SelectionTotals[]): "local-root" | "span" {
  if (isTrace(id)) return "local-root";
  return asRoot.some((totals) => totals.samples > 0) ? "local-root" : "span";
}
