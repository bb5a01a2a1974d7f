/** Requests about spans, and filters by them. What only these need is loaded when the first of them is asked. */
import { Missing } from "../../core/instance/missing.ts";
import type { Filter, RankBy, RankHow, RankPage } from "../../core/types.ts";
import type { TraceTree } from "../../model/trace/tree.ts";
import type { ChoiceTime } from "../api/operations-api.ts";
import type { TracesOverview } from "../api/traces-api.ts";
import type { HeldCore } from "../held-core.ts";
import { Refusal } from "../refusal.ts";
import type { Operations } from "./operations.ts";
import type { Steps } from "./steps.ts";
import type { Traces } from "./traces.ts";

export type { ChoiceTime };

/** Requests about traces and operations, each by its name. */
export type TraceRequests = Pick<Traces, "list" | "spans" | "span" | "time" | "peers" | "strips" | "find"> &
  Pick<Operations, (typeof OF_OPERATIONS)[number]>;
export type TraceAnswer<Name extends keyof TraceRequests> = Awaited<ReturnType<TraceRequests[Name]>>;
type Request = keyof TraceRequests;

const OF_OPERATIONS = [
  "operations",
  "spanMap",
  "regionSpans",
  "requestList",
  "choiceTime",
  "endpointTimes",
  "slowRequests",
] as const;

export class SpanRequests {
  private readonly traces: Traces | null;
  private readonly held: HeldCore;
  private operations: Operations | null = null;
  private opening: Promise<Operations> | null = null;

  private constructor(traces: Traces | null, held: HeldCore) {
    this.traces = traces;
    this.held = held;
  }

  /** Of the spans of the trace files that were read, without one of those that the recordings know. */
  static async of(held: HeldCore, files: TracesOverview["files"]): Promise<SpanRequests> {
    const hasSpans = held.core.instance.wasm.spanCount.value > 0;
    const traces = hasSpans ? await (await import("./traces.ts")).Traces.of(held, files) : null;
    return new SpanRequests(traces, held);
  }

  /** While the recordings are read, no spans are known. */
  static ofNone(held: HeldCore): SpanRequests {
    return new SpanRequests(null, held);
  }

  overview(): TracesOverview | null {
    return this.traces?.overview() ?? null;
  }

  tree(): TraceTree | null {
    return this.traces?.tree ?? null;
  }

  /** Rows of a ranking: ids with the durations that trace files state, endpoints in the order of their durations. */
  async ranked(
    by: RankBy,
    how: RankHow,
    range: readonly [number, number],
    rank: (offset: number, limit: number) => RankPage,
  ): Promise<RankPage> {
    if (by.kind !== "attribute") return this.traces?.ranked(how, range, rank) ?? rank(...range);
    return how.sort === "slowest" ? (await this.opened()).slowestFirst(by, how, range, rank) : rank(...range);
  }

  /** A trace by its places in the tree; null if there is none. */
  placesOf(trace: string) {
    return this.traces?.placesOf(trace) ?? null;
  }

  /** What the span at a place asked for, or else its operation. */
  nameAt(place: number): string {
    return this.traces?.nameAt(place) ?? "";
  }

  /** Why the span at a place has no samples. */
  reasonAt(place: number): string {
    return this.traces?.reasonAt(place) ?? "";
  }

  /** The samples were counted before, of other calls or under other names. */
  forget(): void {
    this.traces?.forget();
    this.operations?.forget();
  }

  async ask<Name extends Request>(name: Name, given: Parameters<TraceRequests[Name]>): Promise<TraceAnswer<Name>> {
    const of = (OF_OPERATIONS as readonly Request[]).includes(name) ? await this.opened() : this.traces;
    if (of === null) throw new Refusal("closed", "No trace is open.");
    type Ask = (...args: unknown[]) => TraceAnswer<Name>;
    return await (of as unknown as Record<Request, Ask>)[name](...given);
  }

  /** The filter with the ids of its spans. Throws Missing where they have to be found first. */
  samplesOf(filter: Filter): Filter {
    if (filter.spans === undefined) return filter;
    if (this.operations !== null) return this.operations.filter(filter);
    throw new Missing("the spans of the filter are not found", async () => {
      await this.opened();
    });
  }

  /** The filter with the ids of its spans, once they are found. */
  async samplesFound(filter: Filter): Promise<Filter> {
    return filter.spans === undefined ? filter : (await this.opened()).filter(filter);
  }

  /**
   * Prepares the answers of the views of traces. Questions of other views are answered between the steps. `isOpen`:
   * false once another recording took the place of this one.
   */
  async prepare(isOpen: () => boolean, onFailure: (error: unknown) => void): Promise<void> {
    const { traces } = this;
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    // The page draws its first view.
    await pause(FIRST_MS);
    const operations = () => this.opened(() => pause(0));
    if (!isOpen() || (traces === null && this.held.core.samples() < MANY)) return;
    try {
      const steps = traces === null ? slowestOf(operations) : stepsOf(traces, operations);
      while (isOpen() && !(await steps.next()).done) await pause(0);
    } catch (error) {
      if (isOpen()) onFailure(error);
    }
  }

  private opened(pause?: () => Promise<unknown>): Promise<Operations> {
    this.opening ??= this.open(pause).catch((error) => {
      this.opening = null;
      throw error;
    });
    return this.opening;
  }

  private async open(pause?: () => Promise<unknown>): Promise<Operations> {
    const { byEndpoint, Operations, sampledPoints, withRoots } = await import("./operations.ts");
    await this.held.core.complete();
    const stated = this.traces?.points();
    const points = stated
      ? await withRoots(this.held, byEndpoint(this.held, stated), pause)
      : await sampledPoints(this.held, "root", pause);
    this.operations = new Operations(this.held, points);
    return this.operations;
  }
}

/** Until the preparation begins. */
const FIRST_MS = 300;
/** Samples from which the requests of a recording take so long to find that a user waits. */
const MANY = 300_000;

/** What Overview asks first. */
async function* slowestOf(operations: () => Promise<Operations>): AsyncGenerator<void, void> {
  const found = await operations();
  yield;
  found.count();
  yield;
  await found.slowRequests({}, 1);
}

async function* stepsOf(traces: Traces, operations: () => Promise<Operations>): AsyncGenerator<void, void> {
  yield* untilDone(traces.samples);
  yield* untilDone(await traces.times());
  yield* untilDone((await operations()).rows);
}

function* untilDone(steps: Steps<unknown>): Generator<void, void> {
  while (!steps.next()) yield;
}
