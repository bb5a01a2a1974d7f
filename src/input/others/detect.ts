/** Detection of formats of other viewers and profilers by the first bytes. Loaded for files that no other row knows. */
import { startsWith } from "../../bytes/byte-order-mark.ts";
import type { ByteSource } from "../../bytes/byte-source.ts";
import { JSLB_MAGIC } from "./jslb.ts";
import { isPerfFrame, isPerfHead } from "./perf-script.ts";

/** Names of their rows in the tables of formats. */
export type OtherFormat = "speedscope" | "firefox" | "cpuprofile" | "perf";

const LOOK = 1 << 16;

/** The bytes that detection uses, and their text. */
export async function headOf(source: ByteSource): Promise<{ head: Uint8Array; text: string }> {
  const head = await source.slice(0, LOOK);
  return { head, text: new TextDecoder().decode(head).replace(/^\ufeff?\s*/, "") };
}

/** In this order: a file of a later row may contain the words of an earlier one in its strings. */
const JSON_FORMATS: readonly (readonly [OtherFormat, RegExp])[] = [
  ["speedscope", /speedscope\.app\/file-format-schema|"type"\s*:\s*"(?:sampled|evented)"/],
  ["cpuprofile", /^\{(?=[\s\S]*"callFrame"\s*:\s*\{)[\s\S]*?"(?:nodes|head)"\s*:/],
  ["firefox", /^\{[\s\S]*?"(?:preprocessedProfileVersion|stackwalk|meta"\s*:\s*\{\s*"version)"/],
];

export function otherFormatOf({ head, text }: { head: Uint8Array; text: string }): OtherFormat | null {
  if (startsWith(head, JSLB_MAGIC)) return "firefox";
  if (text.startsWith("{")) {
    if (/^\{\s*"(?:traceEvents|snapshot)"/.test(text)) return null;
    return JSON_FORMATS.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
  }
  const lines = text.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
  // The text begins without its blanks, and the first frames may be missing.
  const heads = lines.slice(0, 40).filter(isPerfHead).length;
  const isPerf =
    isPerfHead(lines[0] ?? "") && (lines.slice(1, 40).some(isPerfFrame) || heads === Math.min(40, lines.length));
  return isPerf ? "perf" : null;
}
