/** `spanflame pauses`: times in which a JVM made no progress, of dumps and of recordings. */
import type { Core } from "../../core/core.ts";
import type { OpenRun } from "../../input/dump/read-dumps.ts";
import { formatCounted, formatNanos } from "../../model/words/format.ts";
import { countOf } from "../../node/arguments.ts";
import { printCsvRecords } from "../../node/csv.ts";
import { ExitCode, UsageError } from "../../node/exit.ts";
import { inputsOf } from "../../node/inputs.ts";
import { readSaid } from "../../node/read.ts";
import { answerWidth, print, printJson } from "../../node/terminal.ts";
import type { CallOf } from "../../node/usage/commands.ts";
import { aligned, utc } from "./call-text.ts";

const ROWS = 25;
const NANOS = 1_000_000;

interface Pause {
  startUnixNano: bigint;
  durationNano: bigint;
  /** Label of the run, or name of the recording. */
  source: string;
  /** Of a recording, as its collector names it; "" for dumps, which do not state it. */
  cause: string;
}

export async function pauses({ inputs, values }: CallOf<"pauses">): Promise<ExitCode> {
  if (values.json && values.csv) throw new UsageError("--json and --csv exclude each other");
  const limit = countOf("--limit", values.limit, values.json || values.csv ? Number.MAX_SAFE_INTEGER : ROWS);
  const { core, runs, exit } = await readSaid(inputsOf(inputs), { json: values.json });
  if (exit === ExitCode.Failed) return exit;
  const all = [...(await pausesOfRuns(core, runs)), ...pausesOfRecordings(core)].sort(
    (a, b) => Number(b.durationNano - a.durationNano) || Number(a.startUnixNano - b.startUnixNano),
  );
  const rows = all.slice(0, limit);
  const total = { pauses: all.length, pausedNano: all.reduce((sum, { durationNano }) => sum + durationNano, 0n) };
  if (values.json) printJson({ total, rows });
  else if (values.csv) printCsvRecords(["startUnixNano", "durationNano", "source", "cause"], rows);
  else {
    print(`${formatCounted(total.pauses, "pause")}, ${formatNanos(total.pausedNano)}`);
    const cells = rows.map((pause) => [
      utc(pause.startUnixNano),
      formatNanos(pause.durationNano),
      `${pause.source}${pause.cause === "" ? "" : `  ${pause.cause}`}`,
    ]);
    const lines = aligned(["start (UTC)", "duration", "source, cause"], cells, new Set([1]), answerWidth());
    for (const line of lines) print(line);
  }
  return exit;
}

async function pausesOfRuns(core: Core, runs: readonly OpenRun[]): Promise<Pause[]> {
  if (runs.length === 0) return [];
  const dumps = await core.dumps();
  return runs.flatMap(({ number }) => {
    const { from, to } = dumps.pausesWithin(number, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
    return Array.from(from, (start, i) => ({
      startUnixNano: BigInt(start) * BigInt(NANOS),
      durationNano: BigInt(to[i]! - start) * BigInt(NANOS),
      source: dumps.runs[number]!.label,
      cause: "",
    }));
  });
}

function pausesOfRecordings(core: Core): Pause[] {
  const { start, pauses, files, texts } = core.views.marks();
  return Array.from(pauses.at, (at, i) => ({
    startUnixNano: start + BigInt(at),
    durationNano: BigInt(pauses.nanos[i]!),
    source: files[pauses.file[i]!] ?? "",
    cause: texts[pauses.text[i]!] ?? "",
  }));
}
