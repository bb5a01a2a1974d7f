/** All rules, by id. */
import type { EncodingCode } from "../../otlp/sink.ts";
import { DICTIONARY_RULES } from "./dictionary.ts";
import { PROFILE_RULES } from "./profiles.ts";
import { REFERENCE_RULES } from "./references.ts";
import type { Rule } from "./rule.ts";
import { SAMPLE_RULES } from "./samples.ts";
import { STRUCTURE_RULES } from "./structure.ts";
import { WIRE_RULES } from "./wire.ts";

const rank = ({ id }: Rule) => `${"EWI".indexOf(id.charAt(0))}${id}`;

export const RULES: Rule[] = [
  ...STRUCTURE_RULES,
  ...REFERENCE_RULES,
  ...SAMPLE_RULES,
  ...PROFILE_RULES,
  ...DICTIONARY_RULES,
  ...WIRE_RULES,
].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));

const BY_CODE = new Map(RULES.flatMap((rule) => (rule.codes ?? []).map((code) => [code, rule])));

/** The rule that a diagnostic of the encoding breaks. */
export function ruleOf(code: EncodingCode): Rule {
  const rule = BY_CODE.get(code);
  if (rule === undefined) throw new Error(`no rule for ${code}`);
  return rule;
}

/** The requirement of the rule with this id. */
export function ruleText(id: string): string {
  return RULES.find((rule) => rule.id === id)?.text ?? "";
}
