/** `spanflame trace`: the spans of a trace in their tree, with their samples in the recordings. */

import { existsSync } from "node:fs";
import { carriedIds } from "../../core/carried-ids.ts";
import { linkValues } from "../../core/samples/link-values.ts";
import { traceHex } from "../../model/trace/beside.ts";
import { idsOf } from "../../model/trace/evidence.ts";
import { type FoundId, resolveId } from "../../model/trace/resolve-id.ts";
import type { TraceTree } from "../../model/trace/tree.ts";
import { hexId, isTrace } from "../../model/words/ids.ts";
import { pastedIds } from "../../model/words/pasted-ids.ts";
import { countOf } from "../../node/arguments.ts";
import { sayUnknown } from "../../node/asked-ids.ts";
import { ExitCode, UsageError } from "../../node/exit.ts";
import { inputsOf } from "../../node/inputs.ts";
import { sayTimeLosses } from "../../node/losses.ts";
import { readSaid } from "../../node/read.ts";
import { printLongJson, say } from "../../node/terminal.ts";
import { recordedTraces } from "../../node/trace-files.ts";
import type { CallOf } from "../../node/usage/commands.ts";
import { HeldCore } from "../../requests/held-core.ts";
import { noteInferable } from "../convert/need.ts";
import { answerOf, pathOf, type SpanRecord } from "./trace-answer.ts";
import { printPath, printTrace } from "./trace-text.ts";

export async function trace({ inputs: operands, values }: CallOf<"trace">): Promise<ExitCode> {
  const { inputs, asked } = askedBy(operands, values);
  const limit = countOf("--limit", values.limit, Number.MAX_SAFE_INTEGER);
  const { core, traces, exit } = await readSaid(inputsOf(inputs), { ...values, spans: true, takesTraces: true });

  if (exit === ExitCode.Failed) return exit;
  noteInferable(core, values);
  const known = traces ?? (await recordedTraces(core, true));
  const held = new HeldCore(core);
  const found = asked === null ? null : resolveId(asked, carriedIds(held), known.tree, true);
  const trace = found === null ? null : (found.trace ?? traceOfSamples(held, known.tree, found));
  if (asked !== null && trace === null) {
    if (found !== null) say("spanflame: samples carry the id, but no span of it is known; --trace reads a trace file");
    else sayUnknown(core, asked, known.tree, traces !== null);
    return ExitCode.Failed;
  }
  const whole = answerOf(held, known, trace);
  const chosen = values.span === undefined ? whole.spans : below(whole.spans, asked ?? []);
  const answer = { ...whole, spans: chosen.slice(0, limit) };
  if (found !== null && asked !== null && found.asked !== asked[0])
    say(`spanflame: read as ${isTrace(found.asked) ? hexId(found.asked) : `0x${hexId(found.asked)}`}`);
  if (answer.spans.length === 0) say("spanflame: the recordings know no spans; --trace reads a trace file");
  const losses = sayTimeLosses(core);
  const path = await pathOf(held, known, trace);
  if (values.json) printLongJson({ ...answer, ...(path !== null && { path }), ...losses }, "spans");
  else if (answer.spans.length > 0) {
    printTrace(answer, core, chosen.length);
    if (path !== null) printPath(path);
  }
  return exit;
}

/** The trace of the spans whose samples have the ids. */
function traceOfSamples(held: HeldCore, tree: TraceTree, { kind, ids }: FoundId): string | null {
  held.about(null, kind === "span" ? { span: ids } : { localRoot: ids });
  const { span, link } = linkValues(held.core.instance);
  const { index } = idsOf(tree);
  const places = [...link.keys()].slice(1).map((row) => index.firstOf(span, row));
  const place = places.find((each) => each >= 0);
  return place === undefined ? null : traceHex(tree, place);
}

/** A span of these ids, and those below it, which follow it. */
function below(spans: readonly SpanRecord[], ids: readonly bigint[]): readonly SpanRecord[] {
  const first = spans.findIndex(({ id }) => ids.includes(id));
  const depth = spans[first]?.depth ?? 0;
  const end = spans.findIndex((span, i) => i > first && span.depth <= depth);
  return first < 0 ? spans : spans.slice(first, end < 0 ? spans.length : end);
}

const CHOICES = ["trace-id", "local-root", "span"] as const;

/** The trace that an option or the last operand chooses; null: all. */
function askedBy(
  operands: readonly string[],
  values: CallOf<"trace">["values"],
): { inputs: string[]; asked: bigint[] | null } {
  const [choice, other] = CHOICES.filter((name) => values[name] !== undefined);
  if (choice === undefined) return idAmong(operands);
  if (other !== undefined) throw new UsageError(`--${choice} and --${other} exclude each other`);
  const text = values[choice] ?? "";
  const asked = pastedIds(text, true);
  if (asked === null) throw new UsageError(`--${choice}: ${JSON.stringify(text)} is not an id`);
  return { inputs: [...operands], asked: choice === "span" && asked.span !== null ? [asked.span] : asked.ids };
}

/** The last operand is an id if it names no file and has the form of one. */
function idAmong(operands: readonly string[]): { inputs: string[]; asked: bigint[] | null } {
  const last = operands.at(-1) ?? "";
  const pasted = operands.length < 2 || existsSync(last) ? null : pastedIds(last, true);
  if (pasted === null && operands.length > 1 && /^[^./\\]{2,}$/.test(last) && !existsSync(last))
    throw new UsageError(`${JSON.stringify(last)} is neither a file nor an id`);
  if (pasted === null) return { inputs: [...operands], asked: null };
  return { inputs: operands.slice(0, -1), asked: pasted.ids };
}
