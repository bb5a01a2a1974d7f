/** `spanflame dictionary`: ids and texts of the dictionaries of dumps. */
import type { Dumps } from "../../core/dumps/dump.ts";
import { countOf } from "../../node/arguments.ts";
import { printCsvRecords } from "../../node/csv.ts";
import { ExitCode, UsageError } from "../../node/exit.ts";
import { inputsOf } from "../../node/inputs.ts";
import { readSaid } from "../../node/read.ts";
import { answerWidth, print, printLongJson } from "../../node/terminal.ts";
import type { CallOf } from "../../node/usage/commands.ts";
import { statedRecord } from "./call-params.ts";
import { aligned } from "./call-text.ts";

interface Word {
  run: string;
  id: number;
  /** null: the dictionary has no text for the id. */
  text: string | null;
  /** What the dump states about a parameter of this name. */
  param: object | null;
}

export async function dictionary({ inputs, values }: CallOf<"dictionary">): Promise<ExitCode> {
  if (values.json && values.csv) throw new UsageError("--json and --csv exclude each other");
  const limit = countOf("--limit", values.limit, Number.MAX_SAFE_INTEGER);
  const { core, runs, exit } = await readSaid(inputsOf(inputs), { json: values.json });
  if (exit === ExitCode.Failed) return exit;
  const dumps = await core.dumps();
  const rows = runs.flatMap(({ number }) => wordsOf(dumps, number)).slice(0, limit);
  if (values.json) printLongJson({ rows }, "rows");
  else if (values.csv) printCsvRecords(["run", "id", "text", "param"], rows);
  else {
    const cells = rows.map(({ run, id, text }) => [...(runs.length > 1 ? [run] : []), String(id), text ?? ""]);
    const heads = [...(runs.length > 1 ? ["run"] : []), "id", "text"];
    for (const line of aligned(heads, cells, new Set([heads.length - 2]), answerWidth())) print(line);
  }
  return exit;
}

function wordsOf(dumps: Dumps, run: number): Word[] {
  const stated = new Map(dumps.statedParams(run).map((param) => [param.name, statedRecord(param)]));
  const { label } = dumps.runs[run]!;
  return Array.from({ length: dumps.counts(run).words }, (_, id) => {
    const text = dumps.wordOrNull(run, id);
    return { run: label, id, text, param: stated.get(text ?? "") ?? null };
  });
}
