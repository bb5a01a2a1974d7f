/** `spanflame calls`: lists the calls of CDT dumps, and the frames of single ones. */
import type { Core } from "../../core/core.ts";
import type { ListedFrame } from "../../core/dumps/dump.ts";
import type { Filter } from "../../core/types.ts";
import type { CallFilter } from "../../model/calls/call-filter.ts";
import { CALL_ORDERS, type CallOrder } from "../../model/calls/call-orders.ts";
import { formatCount, formatCounted, formatValue } from "../../model/words/format.ts";
import { countOf, parseFilter } from "../../node/arguments.ts";
import { printCsvRecords } from "../../node/csv.ts";
import { ExitCode, UsageError } from "../../node/exit.ts";
import { inputsOf, type NamedInput } from "../../node/inputs.ts";
import { stateOf, untilEnded } from "../../node/looks.ts";
import { type InputsRead, readPaths, readSaid } from "../../node/read.ts";
import { answerWidth, note, print, printJson, printTable, say } from "../../node/terminal.ts";
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
  if (values.watch && (values.json || values.csv || values.tree || values.params))
    throw new UsageError("--watch lists calls: it excludes --json, --csv, --tree and --params");
  if (values.watch && inputs.includes("-")) throw new UsageError("--watch: standard input can only be read once");
  if (values.csv && (values.json || values.tree || values.params))
    throw new UsageError("--csv lists calls: it excludes --json, --tree and --params");
  const wanted = callFilter(values, filter, "recorded");
  const limit = countOf("--limit", values.limit, values.json || values.csv ? Number.MAX_SAFE_INTEGER : ROWS);
  const select = ({ core, runs }: InputsRead) => selectedOf(core, new FrameLists(core, runs), wanted, filter);
  if (values.watch) return watchCalls(() => inputsOf(inputs), values, { select, order, limit });
  const read = await readSaid(inputsOf(inputs), values);
  const { core, runs, exit } = read;
  if (exit === ExitCode.Failed) return exit;
  const listed = new FrameLists(core, runs);
  const dumps = await core.dumps();
  const all = await select(read);
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

async function selectedOf(core: Core, listed: FrameLists, wanted: CallFilter, { frames }: Filter) {
  const all = new SelectedCalls(await core.dumps(), wanted);
  if (frames === undefined) return all;
  const calls = all.numbers.map((number) => all.call(number));
  all.numbers = (await listed.withFrame(calls, frames)).map(({ number }) => number);
  return all;
}

interface Listing {
  select(read: InputsRead): Promise<SelectedCalls>;
  order: CallOrder;
  limit: number;
}

/** Lists the calls, then those that are new or longer whenever a file has changed. */
async function watchCalls(
  list: () => NamedInput[],
  values: CallOf<"calls">["values"],
  { select, order, limit }: Listing,
): Promise<ExitCode> {
  const printed = new Map<string, bigint>();
  let state = "";
  let exit = ExitCode.Done;
  await untilEnded(async (look) => {
    const inputs = list();
    const now = inputs.map(({ path }) => `${path} ${stateOf(path)}`).join("\n");
    if (now === state) return;
    state = now;
    // The problems of a file that is still written are those of its end: they change with each look.
    const said = look === 0 ? await readSaid(inputs, values) : null;
    const read = said ?? (await readPaths(inputs, {}));
    exit = said?.exit ?? (read.readable > 0 ? ExitCode.Done : exit);
    const all = await select(read);
    const rows = all.first(Number.MAX_SAFE_INTEGER, order).filter(({ id, duration }) => printed.get(id) !== duration);
    for (const { id, duration } of rows) printed.set(id, duration);
    for (const line of callLines(rows.slice(0, limit), answerWidth())) print(line);
    if (rows.length > 0) note(`${formatCounted(all.numbers.length, "call")}; watching for more, Ctrl+C ends it`);
  });
  return exit;
}

function orderOf(text: string): CallOrder {
  const names = Object.keys(CALL_ORDERS) as CallOrder[];
  const known = names.find((name) => name === text);
  if (known === undefined) throw new UsageError(notOneOf("--sort", text, names));
  return known;
}
