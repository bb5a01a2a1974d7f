/** Message of one code of the core's diagnostics: a row of the tables in this folder. */

/** Severity of a diagnostic. An intact recording has no `error`. */
export type Severity = "error" | "warning" | "info";

export interface Wording {
  code: string;
  severity: Severity;
  /**
   * `n` is the value that the code's comment in assembly/abi names, `times` how often it came in the chunk or message.
   */
  text(n: bigint, times: number): string;
}

const row = (severity: Severity) => (code: string, text: Wording["text"]) => ({ code, severity, text });
export const error = row("error");
export const warning = row("warning");
export const info = row("info");

/** Of assembly/read/kept-stack.ts. */
export const deepStack = (format: string): Wording =>
  warning(
    `${format}.stack.deep`,
    (n, times) =>
      `${counted(times, "stack")} with more frames than are kept, inlined ones included; ${n} frames in the middle of the first were left out`,
  );

/** `a field`, `3 fields`. */
export const counted = (n: number, one: string, many = `${one}s`) =>
  n === 1 ? `${/^[aeiou]/.test(one) ? "an" : "a"} ${one}` : `${n} ${many}`;
