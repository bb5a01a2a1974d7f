/** Every message that a test decodes is held to the rules of `validate`, and has to have nothing against it. */
import type { OtlpForm } from "../../src/otlp/messages.ts";
import { validateBytes } from "../../src/validate/validate.ts";

/** A damaged recording may hold negative values, which are passed on as they are; a selection may have no samples. */
const OF_INPUT = ["W08", "W18"];

/** The errors and warnings of a message of ours. */
export function findingsOf(bytes: Uint8Array, form: OtlpForm): string[] {
  return validateBytes(bytes, form)
    .findings.filter(({ rule, severity }) => severity !== "info" && !OF_INPUT.includes(rule))
    .map(({ rule, where, message }) => `${rule} ${where}: ${message}`);
}
