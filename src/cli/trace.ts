/** `spanflame trace`: the spans of a trace in their tree, with their samples in the recordings. */
import { ExitCode } from "./exit.ts";
import { readSaid } from "./read.ts";
import { printLongJson, say } from "./terminal.ts";
import { answerOf } from "./trace-answer.ts";
import { recordedTraces } from "./trace-files.ts";
import { printTrace } from "./trace-text.ts";
import type { CallOf } from "./usage/commands.ts";

export async function trace({ inputs, values }: CallOf<"trace">): Promise<ExitCode> {
  const { core, traces, exit } = await readSaid(inputs, { ...values, spans: true });
  if (exit === ExitCode.Failed) return exit;
  const answer = answerOf(core, traces ?? (await recordedTraces(core)));
  if (answer.spans.length === 0) say("spanflame: the recordings know no spans; --trace reads a trace file");
  if (values.json) printLongJson(answer, "spans");
  else if (answer.spans.length > 0) printTrace(answer, core.profiles());
  return exit;
}
