/** The validator's report on an OTLP file, in a few words. */
import type { Severity } from "../../core/types.ts";
import { formatCounted } from "./format.ts";

export interface Found {
  severity: Severity;
}

/** `valid`, `valid, 1 warning`, `not valid: 2 errors, 1 warning`. */
export function reportWords({ valid, findings }: { valid: boolean; findings: readonly Found[] }): string {
  const count = (of: Severity) => findings.filter(({ severity }) => severity === of).length;
  const kinds = [
    [count("error"), "error"],
    [count("warning"), "warning"],
    [count("info"), "note"],
  ] as const;
  const counts = kinds.flatMap(([n, word]) => (n === 0 ? [] : formatCounted(n, word)));
  return [`${valid ? "valid" : "not valid"}`, counts.join(", ")].filter(Boolean).join(valid ? ", " : ": ");
}

/** Notes are shown on request; errors and warnings of receivers always. */
export function isClean({ findings }: { findings: readonly Found[] }): boolean {
  return findings.every(({ severity }) => severity === "info");
}
