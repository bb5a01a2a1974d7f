/** The one box that takes what someone has at hand: an id in decimal or hex, or `key=value`. */
import type { SelectionTotals } from "../core/types.ts";
import { isTrace, parseId } from "./ids.ts";

export type Find =
  | { kind: "id"; id: bigint }
  | { kind: "attribute"; key: string; value: string }
  | { kind: "error"; error: string };

export function parseFind(text: string): Find {
  const at = text.indexOf("=");
  if (at > 0) return { kind: "attribute", key: text.slice(0, at).trim(), value: text.slice(at + 1).trim() };
  const parsed = parseId(text);
  return parsed.ok ? { kind: "id", id: parsed.id } : { kind: "error", error: parsed.error };
}

/**
 * Whether an id is taken as local root or as span: a root's samples include those of its own span, so root wins
 * where it has any, and a trace id is nothing else. Any other id is taken as span; the page then says so if it has no samples.
 */
export function chooseIdKind(id: bigint, asRoot: SelectionTotals[]): "local-root" | "span" {
  if (isTrace(id)) return "local-root";
  return asRoot.some((totals) => totals.samples > 0) ? "local-root" : "span";
}
