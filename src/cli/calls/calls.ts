/** `spanflame calls`: lists the calls of CDT dumps, and the frames of single ones. */
import type { Dumps, ListedFrame } from "../../core/dumps/dump.ts";
import { type Call, isRed, netOf, reactiveOf, titleOf, traceIdsOf } from "../../model/calls/call.ts";
import { CALL_ORDERS, type CallOrder } from "../../model/calls/call-order.ts";
import { REACTIVE } from "../../model/calls/method.ts";
import { formatCount, formatValue } from "../../model/words/format.ts";
import { cut } from "../../model/words/text.ts";
import { countOf, parseFilter } from "../../node/arguments.ts";
import { ExitCode, UsageError } from "../../node/exit.ts";
import { inputsOf } from "../../node/inputs.ts";
import { readSaid } from "../../node/read.ts";
import { isForPeople, print, printJson, printTable, say } from "../../node/terminal.ts";
import type { CallOf } from "../../node/usage/commands.ts";
import { notOneOf } from "../../node/usage/suggest.ts";
import { paramRows, paramsOfCalls, paramsRecord } from "./call-params.ts";
import { callFilter } from "./dump-calls.ts";
import { FrameLists } from "./frame-lists.ts";
import { SelectedCalls } from "./selected-calls.ts";

const ROWS = 25;
const NANOS = 1_000_000n;
/** Characters of the title of a call on a terminal. */
const TITLE_CAP = 80;

export async function calls({ inputs, values }: CallOf<"calls">): Promise<ExitCode> {
  const filter = await parseFilter(values);
  const order = orderOf(values.sort ?? "duration");
  if (values.tree && values.call === undefined) throw new UsageError("--tree needs --call");
  const wanted = callFilter(values, filter, "recorded");
  const limit = countOf("--limit", values.limit, values.json ? Number.MAX_SAFE_INTEGER : ROWS);
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
    const records = rows.map((call) => record(call, dumps, frames.get(call.number)));
    printJson({ total, rows: records, ...(params !== null && { frameParams: paramsRecord(params) }) });
    return exit;
  }
  print(`${formatCount(total.calls)} calls, ${formatValue(total.durationNano, "nanoseconds")}`);
  if (runs.length === 0) say("spanflame: no input is a Cloud Profiler dump; spans lists the requests of a recording");
  const cap = isForPeople() ? TITLE_CAP : Number.POSITIVE_INFINITY;
  printTable(
    rows.map((call) => [
      formatValue(call.duration * NANOS, "nanoseconds"),
      formatValue(call.suspension * NANOS, "nanoseconds"),
      cut(`${titleOf(call) ?? call.name}${isRed(call) ? " (failed)" : ""}`, cap),
      call.id,
    ]),
    ["duration", "suspended", "call", "id"],
  );
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

const nanos = (ms: bigint | null) => (ms === null ? null : ms * NANOS);

function record(call: Call, dumps: Dumps, frames: readonly ListedFrame[] | undefined): object {
  const ids = traceIdsOf(call);
  return {
    id: call.id,
    run: call.run,
    recorded: call.recorded,
    tree: call.tree,
    startUnixNano: nanos(call.start),
    durationNano: nanos(call.duration),
    suspensionNano: nanos(call.suspension),
    netNano: nanos(netOf(call)),
    treeNano: nanos(call.treeWall),
    reactiveNano: nanos(reactiveOf(call)),
    method: call.method,
    name: call.name,
    title: titleOf(call),
    red: isRed(call),
    thread: call.thread,
    threadId: call.threadId,
    calls: call.enters,
    cpuNano: nanos(call.cpu),
    waitNano: nanos(call.wait),
    queueNano: nanos(call.queue),
    memoryBytes: call.memory,
    fileReadBytes: call.fileRead,
    fileWrittenBytes: call.fileWritten,
    netReadBytes: call.netRead,
    netWrittenBytes: call.netWritten,
    logsGeneratedBytes: call.logsGenerated,
    logsWrittenBytes: call.logsWritten,
    transactions: call.transactions,
    params: call.params,
    traceId: ids?.traceId ?? null,
    spanId: ids?.spanId ?? null,
    ...(frames !== undefined && { frames: frames.map((frame) => frameRecord(frame, call, dumps)) }),
  };
}

function frameRecord(frame: ListedFrame, call: Call, dumps: Dumps): object {
  return {
    depth: frame.depth,
    method: frame.method === null ? REACTIVE : dumps.word(call.runNumber, frame.method),
    startUnixNano: nanos(frame.start),
    totalNano: nanos(frame.total),
    selfNano: nanos(frame.self),
    selfSuspensionNano: nanos(frame.suspended),
    params: frame.params,
  };
}
