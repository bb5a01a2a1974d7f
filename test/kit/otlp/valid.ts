/**
 * Every message that a test decodes is checked by the rules of `validate`, with those of the receivers that refuse a
 * whole message, and has to have nothing against it.
 */
import type { OtlpForm } from "../../../src/otlp/messages.ts";
import { validateBytes } from "../../../src/validate/validate.ts";

/**
 * A damaged recording may hold negative values, which are passed on as they are; a selection may have no samples, and a
 * type of a message none either.
 */
const OF_INPUT = ["W08", "W18", "collector.E01", "parca.E02"];
/** Data of the input that a receiver loses is no fault of the writer. */
const isLost = (rule: string) => /^\w+\.W/.test(rule);

/** The errors and warnings of a message of ours. */
export function findingsOf(bytes: Uint8Array, form: OtlpForm): string[] {
  const { findings } = validateBytes(bytes, form, { for: ["parca", "collector"] });
  return findings
    .filter(({ rule, severity }) => severity !== "info" && !OF_INPUT.includes(rule) && !isLost(rule))
    .map(({ rule, where, message }) => `${rule} ${where}: ${message}`);
}
