/** `spanflame trace`: the spans of a trace in their tree, with their samples in the recordings. */

import { existsSync } from "node:fs";
import { carriedIds } from "../../core/carried-ids.ts";
import { resolveId } from "../../model/trace/resolve-id.ts";
import { hexId, isTrace } from "../../model/words/ids.ts";
import { pastedIds } from "../../model/words/pasted-ids.ts";
import { sayUnknown } from "../../node/asked-ids.ts";
import { ExitCode, UsageError } from "../../node/exit.ts";
import { inputsOf } from "../../node/inputs.ts";
import { readSaid } from "../../node/read.ts";
import { printLongJson, say } from "../../node/terminal.ts";
import { recordedTraces } from "../../node/trace-files.ts";
import type { CallOf } from "../../node/usage/commands.ts";
import { answerOf } from "./trace-answer.ts";
import { printTrace } from "./trace-text.ts";

export async function trace({ inputs: operands, values }: CallOf<"trace">): Promise<ExitCode> {
  const { inputs, asked } = idAmong(operands);
  const { core, traces, exit } = await readSaid(inputsOf(inputs), { ...values, spans: true });
  if (exit === ExitCode.Failed) return exit;
  const known = traces ?? (await recordedTraces(core));
  const found = asked === null ? null : resolveId(asked, carriedIds(core), known.tree, true);
  if (asked !== null && found?.trace == null) {
    if (found !== null) say("spanflame: samples carry the id, but no span of it is known; --trace reads a trace file");
    else sayUnknown(core, asked, known.tree, traces !== null);
    return ExitCode.Failed;
  }
  const answer = answerOf(core, known, found?.trace ?? null);
  if (found !== null && asked !== null && found.asked !== asked[0])
    say(`spanflame: read as ${isTrace(found.asked) ? hexId(found.asked) : `0x${hexId(found.asked)}`}`);
  if (answer.spans.length === 0) say("spanflame: the recordings know no spans; --trace reads a trace file");
  if (values.json) printLongJson(answer, "spans");
  else if (answer.spans.length > 0) printTrace(answer, core.profiles());
  return exit;
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
