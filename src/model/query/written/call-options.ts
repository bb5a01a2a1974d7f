/** Conditions on calls as options of the command line. */
import type { CallPart, CallPartName } from "../../../core/types.ts";
import { partWords } from "../call-chips.ts";

export interface CallOptions {
  args: string[];
  /** Conditions that no option states, in words. */
  missing: string[];
}

/** Options that take one text; the last condition counts. */
const SINGLE: Partial<Record<CallPartName, string>> = { min: "--min-ms", max: "--max-ms", roots: "--roots" };

export function callOptions(parts: readonly CallPart[]): CallOptions {
  const single = new Map<string, string>();
  const args: string[] = [];
  const missing: string[] = [];
  const words: string[] = [];
  for (const part of parts) {
    if (part.part === "ids") {
      args.push(...part.ids.map((id) => `--call=${id}`));
      continue;
    }
    const { text } = part;
    const option = SINGLE[part.part];
    const at = text.indexOf("=");
    if (option !== undefined) single.set(option, text);
    else if (part.part === "text") words.push(text);
    else if (part.part === "param") args.push(`--attr=${text}`);
    else if (part.part === "not-param" && at > 0) args.push(`--attr=${text.slice(0, at)}!${text.slice(at)}`);
    else missing.push(`the filter ${partWords(part).full}`);
  }
  args.push(...[...single].flat());
  if (words.length > 0) args.push(`--query=${words.join(" ")}`);
  return { args, missing };
}
