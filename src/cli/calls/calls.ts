/** `spanflame calls`: lists the calls of CDT dumps, and the frames of single ones. */
import type { ListedFrame } from "../../core/dumps/dump.ts";
import { CALL_ORDERS, type CallOrder } from "../../model/calls/call-order.ts";
import { formatCount, formatCounted, formatValue } from "../../model/words/format.ts";
import { countOf, parseFilter } from "../../node/arguments.ts";
import { printCsvRecords } from "../../node/csv.ts";
import { ExitCode, UsageError } from "../../node/exit.ts";
import { inputsOf } from "../../node/inputs.ts";
import { readSaid } from "../../node/read.ts";
import { answerWidth, print, printJson, printTable, say } from "../../node/terminal.ts";
import type { CallOf } from "../../node/usage/commands.ts";
import { notOneOf } from "../../node/usage/suggest.ts";
import { paramRows, paramsOfCalls, paramsRecord } from "./call-params.ts";
import { CALL_MEMBERS, callRecord } from "./call-records.ts";
import { callLines, frameLines } from "./call-text.ts";
import { callFilter } from "./dump-calls.ts";
import { FrameLists } from "./frame-lists.ts";
import { SelectedCalls } from "./selected-calls.ts";

const ROWS = 25;
const NANOS = 1_000_000n;

export async function calls({ inputs, values }: CallOf<"calls">): Promise<ExitCode> {
  const filter = await parseFilter(values);
  const order = orderOf(values.sort ?? "duration");
  if (values.tree && values.call === undefined) throw new UsageError("--tree needs --call");
  if (values.csv && (values.json || values.tree || values.params))
    throw new UsageError("--csv lists calls: it excludes --json, --tree and --params");
  const wanted = callFilter(values, filter, "recorded");
  const limit = countOf("--limit", values.limit, values.json || values.csv ? Number.MAX_SAFE_INTEGER : ROWS);
  const { core, runs, exit } = await readSaid(inputsOf(inputs), values);
  if (exit === ExitCode.Failed) return exit;
  const listed = new FrameLists(core, runs);
  const dumps = await core.dumps();
  const all = new SelectedCalls(dumps, wanted);
  if (filter.frames !== undefined) {
    const calls = all.numbers.map((number) => all.call(number));
    all.numbers = (await listed.withFrame(calls, filter.frames)).map(({ number }) => number);
  }
  const rows = all.first(limit, order);
  const frames = values.tree ? await listed.of(rows) : new Map<number, ListedFrame[]>();
  const params = values.params ? await paramsOfCalls(core, runs, all.numbers) : null;
  const [duration, suspension] = [all.sumOf("duration") * NANOS, all.sumOf("suspension") * NANOS];
  const total = {
    calls: all.numbers.length,
    durationNano: duration,
    suspensionNano: suspension,
    netNano: duration - suspension,
  };
  if (values.json) {
    const records = rows.map((call) => callRecord(call, dumps, frames.get(call.number)));
    printJson({ total, rows: records, ...(params !== null && { frameParams: paramsRecord(params) }) });
    return exit;
  }
  if (values.csv) {
    printCsvRecords(
      CALL_MEMBERS,
      rows.map((call) => callRecord(call, dumps)),
    );
    return exit;
  }
  print(`${formatCounted(total.calls, "call")}, ${formatValue(total.durationNano, "nanoseconds")}`);
  if (runs.length === 0) say("spanflame: no input is a Cloud Profiler dump; spans lists the requests of a recording");
  const width = answerWidth();
  for (const line of callLines(rows, width)) print(line);
  if (values.tree) {
    for (const call of rows) {
      print("");
      print(`${call.id}  ${call.name}`);
      for (const line of frameLines(call, frames.get(call.number) ?? [], dumps, width)) print(line);
    }
  }
  if (params !== null) {
    print("");
    print(`${formatCount(params.answer.frames.invocations)} frames; total time of those with a value:`);
    printTable(paramRows(params.answer));
  }
  return exit;
}

function orderOf(text: string): CallOrder {
  const names = Object.keys(CALL_ORDERS) as CallOrder[];
  const known = names.find((name) => name === text);
  if (known === undefined) throw new UsageError(notOneOf("--sort", text, names));
  return known;
}
