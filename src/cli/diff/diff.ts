/** `spanflame diff` and `spanflame gate`: compare two recordings, and fail if a condition holds. */

import type { Core } from "../../core/core.ts";
import { profileOfKind } from "../../core/tables/kinds.ts";
import type { Filter, ProfileSummary } from "../../core/types.ts";
import { type Comparison, PER, type Per } from "../../model/diff/comparison.ts";
import {
  type Condition,
  ConditionError,
  checkUnit,
  conditionLines,
  parseCondition,
} from "../../model/diff/conditions.ts";
import { diffMarkdown } from "../../model/diff/markdown.ts";
import { plainDiff } from "../../model/diff/plain.ts";
import { changedCount } from "../../model/diff/words.ts";
import { loadedPattern } from "../../model/query/pattern.ts";
import { hexId } from "../../model/words/ids.ts";
import { countOf, parseFilter } from "../../node/arguments.ts";
import { ExitCode, UsageError } from "../../node/exit.ts";
import { inputsOf } from "../../node/inputs.ts";
import { type Chosen, namedOrUsual, readSaid } from "../../node/read.ts";
import { smallText } from "../../node/small-text.ts";
import { print, printJson, printTable, say } from "../../node/terminal.ts";
import type { CallOf } from "../../node/usage/commands.ts";
import { notOneOf } from "../../node/usage/suggest.ts";
import { HeldCore } from "../../requests/held-core.ts";
import { type ChosenSides, type Compared, compare, fileOf, SIDES } from "./compare.ts";

const ROWS = 20;
/** Each is a pattern, which takes memory and time for every function. */
const MOST_CONDITIONS = 1000;
const BY = ["function", "endpoint"] as const;

export function gate(call: CallOf<"gate">): Promise<ExitCode> {
  const { values } = call;
  if (values["fail-if"] === undefined && values.conditions === undefined) {
    throw new UsageError("gate needs a condition: --fail-if 'self(com.acme.*) > +5%', or --conditions FILE");
  }
  return compareSides(call, values["allow-empty"] !== true);
}

export function diff(call: CallOf<"diff">): Promise<ExitCode> {
  return compareSides(call, false);
}

/** `needsFunctions`: a condition whose names select nothing is refused, because it could never fail. */
async function compareSides({ inputs, values }: CallOf<"diff">, needsFunctions: boolean): Promise<ExitCode> {
  const [a = "", b = ""] = inputs;
  const by = oneOf("--by", values.by ?? "function", BY);
  const per = values.per === undefined ? undefined : oneOf<Per>("--per", values.per, PER);
  const limit = countOf("--limit", values.limit, ROWS);
  if (values.json && values.markdown) throw new UsageError("--json and --markdown exclude each other");
  const filter = await parseFilter(values);
  const conditions = await conditionsOf(values["fail-if"] ?? [], values.conditions);
  const { core, exit } = await readSaid([...sideInputs("A", a), ...sideInputs("B", b)], { ...values, file: undefined });
  if (exit === ExitCode.Failed) return exit;
  const named = namedOrUsual(core, values);
  if (named === null) say("spanflame: A and B have no samples of this type");
  const chosen = named && sidesOf(core, named, filter);
  if (chosen === null || !hasSamples(core, chosen, filter)) return ExitCode.Failed;
  const checked = (comparison: Comparison) => {
    for (const condition of conditions) refused(() => checkUnit(condition, comparison));
    return conditions;
  };
  const compared = compare(core, chosen, { filter, by, per }, checked);
  const idle = compared.judged.find(({ functions }, i) => functions === 0 && conditions[i]?.pattern !== null);
  if (needsFunctions && idle !== undefined)
    throw new UsageError(`${idle.condition} selects no function of A or B; --allow-empty accepts it`);
  if (values.json) printJson(record(compared, limit));
  else if (values.markdown) printLines(diffMarkdown(compared.comparison, compared.judged, limit));
  else printPlain(compared, limit);
  return compared.judged.some(({ result }) => result === "failed") ? ExitCode.Condition : exit;
}

/** Inputs of a side, each named below the side: `A/rec.jfr`. */
function sideInputs(side: (typeof SIDES)[number], operand: string) {
  return inputsOf([operand]).map((input) => ({ ...input, side, name: `${side}/${input.name}` }));
}

function oneOf<Word extends string>(option: string, word: string, words: readonly Word[]): Word {
  const known = words.find((each) => each === word);
  if (known === undefined) throw new UsageError(notOneOf(option, word, words));
  return known;
}

async function conditionsOf(texts: readonly string[], path: string | undefined): Promise<Condition[]> {
  const lines = path === undefined ? [] : conditionLines(await smallText("--conditions", path));
  if (path !== undefined && lines.length === 0) throw new UsageError(`--conditions: ${path} has no condition`);
  if (texts.length + lines.length > MOST_CONDITIONS) {
    throw new UsageError(`there are ${texts.length + lines.length} conditions, more than ${MOST_CONDITIONS}`);
  }
  const named = [
    ...texts.map((text) => ({ text, from: "--fail-if" })),
    ...lines.map((text) => ({ text, from: `--conditions: ${path}` })),
  ];
  return Promise.all(
    named.map(async ({ text, from }) => {
      const condition = refused(() => parseCondition(text), from);
      const { error } = await loadedPattern(condition.pattern ?? "");
      if (error !== null) throw new UsageError(`${from}: ${text}: ${error}`);
      return condition;
    }),
  );
}

function refused<T>(ask: () => T, from = "--fail-if"): T {
  try {
    return ask();
  } catch (error) {
    if (error instanceof ConditionError) throw new UsageError(`${from}: ${error.message}`);
    throw error;
  }
}

/** A side without samples of the profile is compared by its profile of that kind: producers name types differently. */
function sidesOf(core: Core, chosen: Chosen, filter: Filter): ChosenSides {
  const held = new HeldCore(core);
  const { meaning, measures } = chosen.profile;
  const unit = measures[chosen.measure]?.unit;
  const isComparable = (other: ProfileSummary) =>
    other.unit === unit || (chosen.measure === 0 && meaning.nanos !== null && other.meaning.nanos !== null);
  const ofSide = (side: (typeof SIDES)[number]): Chosen => {
    const file = fileOf(filter, side);
    const has = ({ id }: ProfileSummary) => held.totals(id, { file }).samples > 0;
    if (meaning.kind === "other" || has(chosen.profile)) return chosen;
    const profile = profileOfKind(
      core.profiles().filter((each) => isComparable(each) && has(each)),
      meaning.kind,
    );
    return profile === undefined ? chosen : { profile, measure: 0 };
  };
  return { A: ofSide("A"), B: ofSide("B") };
}

/** Whether both sides have samples. Reports a side that has not. */
function hasSamples(core: Core, chosen: ChosenSides, filter: Filter): boolean {
  const held = new HeldCore(core);
  const empty = SIDES.filter((side) => {
    const { profile, measure } = chosen[side];
    return held.totals(profile.id, { ...filter, file: fileOf(filter, side) }, measure).samples === 0;
  });
  for (const side of empty) say(`spanflame: ${side} has no samples of ${chosen[side].profile.type} under the filters`);
  return empty.length === 0;
}

function printLines(text: string): void {
  for (const line of text.split("\n")) print(line);
}

function printPlain({ comparison, judged }: Compared, limit: number): void {
  const { head, rows, foot } = plainDiff(comparison, judged, limit);
  for (const line of head) print(line);
  printTable(rows);
  for (const line of foot) print(line);
  for (const line of comparison.caveats) say(`spanflame: note: ${line}`);
}

function record({ comparison, judged }: Compared, limit: number): object {
  const { type, unit, per, by, a, b, whole, rows, caveats } = comparison;
  const side = ({ files, samples, whole: { value }, seconds, requests, root, loss, counted }: Comparison["a"]) => {
    const losses = { ...(loss && { loss }), ...(counted && { counted }) };
    return { files, samples, value, seconds, requests, heaviestRoot: root === null ? null : hexId(root), ...losses };
  };
  const change = (of: NonNullable<Comparison["whole"]>) => {
    const { value, base, error, relative, relativeError, isSure } = of;
    return { a: base, b: value, change: value - base, error, relative, relativeError, significant: isSure };
  };
  return {
    type,
    unit,
    per,
    by,
    errorKnown: comparison.errorKnown,
    a: side(a),
    b: side(b),
    total: whole && change(whole),
    rows: rows.slice(0, limit).map(({ name, nameInA, self, total, root }) => {
      return {
        name,
        ...(nameInA !== undefined && { nameInA }),
        self: self && change(self),
        total: change(total),
        heaviestRoot: root === null ? null : hexId(root),
      };
    }),
    changed: { rows: rows.length, significant: changedCount(comparison) },
    conditions: judged,
    caveats,
  };
}
