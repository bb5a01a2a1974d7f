/** Streams of CDT dumps by their names in files, in the order in which the core reads those of a run. */
import * as Stream from "../../../assembly/abi/cdt-stream.ts";

import * as ListedFrame from "../../../assembly/abi/listed-frame.ts";

export const MOST_DEPTH = ListedFrame.MOST_DEPTH;
export { Stream };

export const STREAMS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    dictionary: Stream.Dictionary,
    posDictionary: Stream.PosDictionary,
    callsDictionary: Stream.CallsDictionary,
    params: Stream.Params,
    suspend: Stream.Suspend,
    calls: Stream.Calls,
    trace: Stream.Trace,
    sql: Stream.Sql,
    xml: Stream.Xml,
  }),
);

const NAMES = [...STREAMS.keys()];

/** Name of a stream by its number. */
export function streamName(stream: number): string {
  return NAMES[stream] ?? "";
}

/** Profile types of dumps, with their units. */
export const DUMP_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    wall: "nanoseconds",
    net: "nanoseconds",
    suspension: "nanoseconds",
    invocations: "count",
  }),
);
