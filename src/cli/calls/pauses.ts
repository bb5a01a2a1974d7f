/** `spanflame pauses`: times in which a JVM made no progress, of dumps and of recordings. */
import { formatCounted, formatNanos } from "../../model/words/format.ts";
import { formatIso } from "../../model/words/moments.ts";
import { countOf } from "../../node/arguments.ts";
import { printCsvRecords } from "../../node/csv.ts";
import { ExitCode, UsageError } from "../../node/exit.ts";
import { inputsOf } from "../../node/inputs.ts";
import { readSaid } from "../../node/read.ts";
import { answerWidth, print, printJson } from "../../node/terminal.ts";
import type { CallOf } from "../../node/usage/commands.ts";
import { pausedIn, pausesOf } from "../../requests/pauses.ts";
import { aligned } from "./call-text.ts";

const ROWS = 25;

export async function pauses({ inputs, values }: CallOf<"pauses">): Promise<ExitCode> {
  if (values.json && values.csv) throw new UsageError("--json and --csv exclude each other");
  const limit = countOf("--limit", values.limit, values.json || values.csv ? Number.MAX_SAFE_INTEGER : ROWS);
  const { core, runs, exit } = await readSaid(inputsOf(inputs), { json: values.json });
  if (exit === ExitCode.Failed) return exit;
  const all = await pausesOf(core, runs.length > 0);
  const rows = all.slice(0, limit);
  const total = { pauses: all.length, pausedNano: pausedIn(all).nanos };
  if (values.json) printJson({ total, rows });
  else if (values.csv) printCsvRecords(["startUnixNano", "durationNano", "source", "cause"], rows);
  else {
    print(`${formatCounted(total.pauses, "pause")}, ${formatNanos(total.pausedNano)}`);
    const cells = rows.map((pause) => [
      formatIso(pause.startUnixNano, 3),
      formatNanos(pause.durationNano),
      `${pause.source}${pause.cause === "" ? "" : `  ${pause.cause}`}`,
    ]);
    const lines = aligned(["start", "duration", "source, cause"], cells, new Set([1]), answerWidth());
    for (const line of lines) print(line);
  }
  return exit;
}
