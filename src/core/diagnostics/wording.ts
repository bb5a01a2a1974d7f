/** Message of one code of the core's diagnostics: a row of the tables in this folder. */

import * as Limits from "../../../assembly/abi/limits.ts";

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

type Shared = "Broken" | "Cut" | "Text" | "LinesMany" | "MappingExtent" | "StackDeep";

/** What formats in protobuf share, by the codes of a format. */
export const protobufWordings = <Codes extends Record<Shared, number>>(format: string, codes: Codes) =>
  ({
    [codes.Broken]: error(
      `${format}.field.broken`,
      (n, times) =>
        `${counted(times, "field")} that cannot be read; the ${n} bytes of its message from there on are lost`,
    ),
    [codes.Cut]: error(
      `${format}.message.cut`,
      (n, times) =>
        `${counted(times, "length")} beyond the end of the surrounding message; the first is ${n} bytes too long, and the available bytes were read`,
    ),
    [codes.Text]: warning(
      `${format}.text`,
      (_, times) => `${counted(times, "text")} not in UTF-8; invalid bytes became U+FFFD`,
    ),
    [codes.LinesMany]: warning(
      `${format}.lines.many`,
      (n, times) =>
        `${counted(times, "location")} with more than ${Limits.MAX_LINES} lines; the first has ${n} more, which were left out`,
    ),
    [codes.MappingExtent]: warning(
      `${format}.mapping.extent`,
      (n, times) =>
        `${counted(times, "mapping")} whose memory_start is not below its memory_limit (first start: 0x${n.toString(16)}); both were read as 0`,
    ),
    [codes.StackDeep]: deepStack(format),
  }) as Record<Codes[Shared], Wording>;

/** `a field`, `3 fields`. */
export const counted = (n: number, one: string, many = `${one}s`) =>
  n === 1 ? `${/^[aeiou]/.test(one) ? "an" : "a"} ${one}` : `${n} ${many}`;
