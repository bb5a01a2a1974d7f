/** Every message that a test decodes is held to the rules of `validate`, and has to have nothing against it. */
import type { OtlpForm } from "../../otlp/messages.ts";
import { type Finding, validateBytes } from "../../validate/validate.ts";

/** A damaged recording may hold negative values: they are passed on as they are. */
const OF_INPUT = ["W08"];
/** What a selection of nothing, a dictionary alone, cannot but lack. */
const OF_NOTHING = ["E05", "W18"];

const isExcused = ({ rule, severity }: Finding, isEmpty: boolean) =>
  severity === "info" || OF_INPUT.includes(rule) || (isEmpty && OF_NOTHING.includes(rule));

/** The errors and warnings of a message of ours. */
export function findingsOf(bytes: Uint8Array, form: OtlpForm): string[] {
  const { findings } = validateBytes(bytes, form);
  const isEmpty = findings.some(({ rule, where }) => rule === "E05" && where === "resource_profiles");
  return findings
    .filter((finding) => !isExcused(finding, isEmpty))
    .map(({ rule, where, message }) => `${rule} ${where}: ${message}`);
}
