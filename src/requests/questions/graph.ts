/** Questions about the graphs of a recording, a row each: those of a page that embeds a graph as well. */
import type { Core } from "../../core/core.ts";
import type { FramesRequest, ReadChoice } from "../../core/types.ts";
import type { LastRows, RegroupRequest, TopHow, TopOrder } from "../../core/view-types.ts";
import { drawn, unfolded } from "../../model/query/shape.ts";
import type { Query, SandwichAnswer } from "../api/api.ts";
import type { OpenRecording } from "../open-recording.ts";

/** What questions are asked of. */
export interface Asked {
  /** The open recording. Throws a Refusal without one. */
  readonly opened: OpenRecording;
  /** A core without a recording. */
  newCore(choice: ReadChoice): Promise<Core>;
}

/** The cost of the profiler itself is behind that of the application. A first graph does not need its names. */
export async function profilerLast(): Promise<LastRows> {
  return { last: (await import("../../model/query/run-rules.ts")).PROFILER };
}

/** With the rest of the core, which regroups, searches and lists functions. */
export async function whole(asked: Asked): Promise<OpenRecording> {
  await asked.opened.core.complete();
  return asked.opened;
}

/** What a first graph needs: answered before the code of other answers is loaded. */
export const FIRST = {
  totals: ({ opened }: Asked, query: Query) => opened.about(query).totals(),

  frames: ({ opened }: Asked, query: Query, request: FramesRequest) => opened.look(drawn(query)).frames(request),
};

export const GRAPH = {
  ...FIRST,

  /** The frames of `query`, regrouped. */
  regroup: async (asked: Asked, query: Query, request: RegroupRequest) =>
    (await whole(asked)).look(drawn(query)).regroup(request),

  /** Callers and callees of a function; "": of the one with most self time. Null if no function was sampled. */
  sandwich: async (asked: Asked, query: Query, name: string, width: number): Promise<SandwichAnswer | null> => {
    const last = await profilerLast();
    const views = (await whole(asked)).look(query);
    const shown = name === "" ? (views.top("self", 0, 1, last).rows[0]?.name ?? "") : name;
    if (shown === "") return null;
    const side = (kind: "callers-of" | "callees-of") =>
      views.regroup({ grouping: { kind, name: shown }, path: [], width });
    return { name: shown, "callers-of": side("callers-of"), "callees-of": side("callees-of") };
  },

  /** Functions [offset, offset + limit). */
  top: async (asked: Asked, query: Query, order: TopOrder, offset: number, limit: number, how: TopHow = {}) => {
    const last = await profilerLast();
    const page = (await whole(asked)).look(query).top(order, offset, limit, { ...how, ...last });
    return { ...page, offset };
  },

  /** File and lines of the functions of a name of the frames answered (`nameIds`). */
  placeOf: ({ opened }: Asked, name: number) => opened.core.views.placeOf(name),

  /** Frames of the graph, or runs with one inside; their weight is that of the stacks through the frames themselves. */
  search: async (asked: Asked, query: Query, pattern: string) => {
    const recording = await whole(asked);
    const shown = drawn(query);
    const open = unfolded(shown);
    const { value } = recording.look(open).search(pattern);
    return { ...recording.look(shown).search(pattern), value };
  },
};
