/** Calls and their frames in the answer of `spanflame calls --json`, and calls as rows of CSV. */
import type { Dumps, ListedFrame } from "../../core/dumps/dump.ts";
import { type Call, isRed, netOf, reactiveOf, titleOf, traceIdsOf } from "../../model/calls/call.ts";
import { REACTIVE } from "../../model/calls/method.ts";

/** Columns of CSV: the members of a record. */
export const CALL_MEMBERS =
  "id run recorded tree startUnixNano durationNano suspensionNano netNano treeNano reactiveNano method name title red thread threadId calls cpuNano waitNano queueNano memoryBytes fileReadBytes fileWrittenBytes netReadBytes netWrittenBytes logsGeneratedBytes logsWrittenBytes transactions params traceId spanId".split(
    " ",
  );

const NANOS = 1_000_000n;

const nanos = (ms: bigint | null) => (ms === null ? null : ms * NANOS);

export function callRecord(call: Call, dumps: Dumps, frames?: readonly ListedFrame[]) {
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
