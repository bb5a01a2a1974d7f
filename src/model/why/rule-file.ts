/**
 * Rules of a user, from a JSON file: `{ "rules": [ { "name": …, "in": […], "any": …, "info": …, "warning": … } ] }`.
 * docs/findings.md describes the fields. Errors name the rule and the field.
 */
import { kindAsked } from "../../core/tables/meanings.ts";
import { patternOf } from "../query/pattern.ts";
import { FIGURES, type FindingRule } from "../span-time/rule-types.ts";

export class RuleFileError extends Error {}

const MOST_FILE_RULES = 1000;
const MOST_NAME = 60;
const MOST_WORDS = 400;
const PATTERNS = ["any", "leaf", "outermost", "unless"] as const;
const FIELDS = new Set(["name", "in", "figure", ...PATTERNS, "attribute", "info", "warning", "why", "advice"]);

type Fields = Record<string, unknown>;

/** Patterns that the file uses; their engine is to be loaded before `rulesOf`. Empty for a file that is refused. */
export function patternsIn(text: string): string[] {
  try {
    const rules = (JSON.parse(text) as Fields | null)?.rules;
    if (!Array.isArray(rules) || rules.length > MOST_FILE_RULES) return [];
    return rules.flatMap((rule: Fields | null) => PATTERNS.map((place) => rule?.[place]).filter(isText));
  } catch {
    return [];
  }
}

/** The rules of a file; throws a RuleFileError. */
export function rulesOf(text: string): FindingRule[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new RuleFileError(`the file is not JSON: ${error instanceof Error ? error.message : error}`);
  }
  const rules = isFields(parsed) ? parsed.rules : undefined;
  if (!Array.isArray(rules)) throw new RuleFileError('the file has no list "rules"');
  if (rules.length === 0) throw new RuleFileError("the list of rules is empty");
  if (rules.length > MOST_FILE_RULES) throw new RuleFileError(`the file has more than ${MOST_FILE_RULES} rules`);
  const names = new Set<string>();
  return rules.map((rule: unknown, i) => {
    const read = ruleOf(rule, i + 1);
    if (names.has(read.name)) throw new RuleFileError(`rule ${i + 1}: another rule is named "${read.name}"`);
    names.add(read.name);
    return read;
  });
}

function ruleOf(rule: unknown, number: number): FindingRule {
  const refuse = (reason: string): never => {
    throw new RuleFileError(`rule ${number}: ${reason}`);
  };
  if (!isFields(rule)) return refuse("it is not an object");
  for (const field of Object.keys(rule)) if (!FIELDS.has(field)) refuse(`unknown field "${field.slice(0, 40)}"`);
  const text = (field: string, most: number, otherwise?: string): string => {
    const value = rule[field] ?? otherwise;
    if (!isText(value) || (value === "" && otherwise === undefined)) return refuse(`"${field}" must be a string`);
    return value.length > most ? refuse(`"${field}" has more than ${most} characters`) : value;
  };
  const number_ = (field: string): number => {
    const value = rule[field];
    return typeof value === "number" && value >= 0 && Number.isFinite(value)
      ? value
      : refuse(`"${field}" must be a number of at least 0`);
  };
  const figure = FIGURES.find((each) => each === (rule.figure ?? "share"));
  if (figure === undefined) return refuse(`"figure" must be one of ${FIGURES.join(", ")}`);
  const types = rule.in ?? ["cpu", "wall"];
  if (!Array.isArray(types) || !types.every(isText)) return refuse('"in" must be a list of profile types');
  const [info, warning] = [number_("info"), number_("warning")];
  if (info > warning) refuse('"info" must not be above "warning"');
  return {
    name: text("name", MOST_NAME),
    in: types.map((type) => kindAsked(type) ?? type),
    figure,
    ...patternsOf(rule, refuse),
    ...attributeOf(rule, refuse),
    info,
    warning,
    why: text("why", MOST_WORDS, ""),
    advice: text("advice", MOST_WORDS, ""),
  };
}

type Refuse = (reason: string) => never;

function patternsOf(rule: Fields, refuse: Refuse): Pick<FindingRule, (typeof PATTERNS)[number]> {
  const patterns: Partial<Record<(typeof PATTERNS)[number], string>> = {};
  for (const place of PATTERNS) {
    const pattern = rule[place];
    if (pattern === undefined) continue;
    if (!isText(pattern) || pattern === "") return refuse(`"${place}" must be a pattern`);
    const { error } = patternOf(pattern);
    if (error !== null) refuse(`"${place}" is not a valid pattern: ${error}`);
    patterns[place] = pattern;
  }
  const isShare = (rule.figure ?? "share") === "share";
  if (isShare && Object.keys(patterns).length === 0 && rule.attribute === undefined)
    refuse('a share needs "any", "leaf", "outermost", "unless" or "attribute"');
  if (rule.attribute !== undefined && Object.keys(patterns).length > 0)
    refuse('"attribute" and patterns exclude each other');
  return patterns;
}

function attributeOf({ attribute }: Fields, refuse: Refuse): Pick<FindingRule, "attribute"> {
  if (attribute === undefined) return {};
  const { key, values } = isFields(attribute) ? attribute : {};
  if (!isText(key) || !Array.isArray(values) || !values.every(isText))
    return refuse('"attribute" must be { "key": string, "values": list of strings }');
  return { attribute: { key, values } };
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
