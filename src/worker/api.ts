/**
 * Types of the answers that cross between the page and its workers. Every answer is a `Result`, because an error loses
 * its code when comlink throws it, and a record does not. Answers are plain records and transferred typed arrays.
 */
import type { InputFile, Overview } from "../requests/api/api.ts";
import type { GRAPH } from "../requests/questions/graph.ts";
import type { RuleDiagnostic } from "../validate/diagnostics.ts";

export type * from "../requests/api/api.ts";

export interface Failure {
  code: string;
  message: string;
  /** The worker has no recording any more: only opening files helps. */
  lost?: boolean;
}

export type Result<T> = { ok: true; value: T } | { ok: false; error: Failure };

/** The way of a flame graph to an open recording, which it may share with others. */
export interface Graphs {
  overview: Promise<Result<GraphOverview>>;
  ask(name: keyof typeof GRAPH, given: readonly unknown[]): Promise<Result<never>>;
  /** The recording ends when all users have left. */
  leave(): void;
}

/** Facts of a recording that a flame graph needs. */
export type GraphOverview = Pick<Overview, "files" | "profiles" | "settings" | "diagnostics" | "rows">;

/** A recording in another worker, which stays until the other files are read. */
export interface Beside {
  files: InputFile[];
  /** Bytes of memory that it leaves. */
  room: number;
}

/** A diagnostic of the validator, and the requirement of its rule. */
export interface OtlpDiagnostic extends RuleDiagnostic {
  holds: string;
}

export interface OtlpReport {
  /** Whether nothing is an error. */
  valid: boolean;
  /** Errors first. */
  findings: OtlpDiagnostic[];
}
