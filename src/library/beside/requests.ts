/**
 * Requests of a recording about traces, operations, requests and calls: those of src/requests, which the page and the
 * command line ask as well. Their code is loaded with the first of them.
 */
import { SpanflameError } from "../../core/instance/error.ts";
import type { CallPart, ProfileSummary } from "../../core/types.ts";
import type { InputSummary } from "../../input/open.ts";
import type { CallPage } from "../../requests/api/calls-api.ts";
import type { OperationPage, SelectionTime } from "../../requests/api/operations-api.ts";
import type { TracePage, TraceSpans, TracesOverview } from "../../requests/api/traces-api.ts";
import type { BlockedPage, WaitPage, WhyAnswer } from "../../requests/api/why-api.ts";
import type { Calls } from "../../requests/calls/calls.ts";
import type { SpanRequests } from "../../requests/traces/span-requests.ts";
import type { RecordingCore, Wanted } from "../held-core.ts";
import { LIMIT } from "../option-checks.ts";
import type {
  BlockedOptions,
  CallsOptions,
  OperationsOptions,
  PageOptions,
  PictureOptions,
  ReportOptions,
  SpansOptions,
  TimeOfOptions,
  TraceRowsOptions,
  WhyOptions,
} from "../options.ts";

export class Requests {
  /** Null without spans. */
  traces: TracesOverview | null = null;
  private readonly held: RecordingCore;
  private readonly callTable: Calls | null;
  private readonly inputs: readonly InputSummary[];
  private asked: Promise<SpanRequests> | null = null;
  private files: TracesOverview["files"] = [];
  private inferred = false;

  constructor(held: RecordingCore, inputs: readonly InputSummary[], calls: Calls | null) {
    this.held = held;
    this.inputs = inputs;
    this.callTable = calls;
  }

  /** Spans of these trace files were read, or those that the recordings know. */
  async openSpans(files: TracesOverview["files"], inferred: boolean): Promise<void> {
    this.files = files;
    this.inferred = inferred;
    this.traces = (await this.spanRequests()).overview();
  }

  async traceRows({ by = "duration", reversed = false, ...page }: TraceRowsOptions): Promise<TracePage<bigint>> {
    const { offset = 0, limit = LIMIT } = page;
    const spans = await this.spanRequests();
    if (this.traces === null) return { count: 0, offset, rows: [] };
    const { rows, ...rest } = await spans.ask("list", [by, reversed, offset, limit]);
    return { ...rest, rows: rows.map(withId) };
  }

  async spans({ trace, id = [] }: SpansOptions): Promise<TraceSpans<bigint> | null> {
    const spans = await this.spanRequests();
    if (this.traces === null) return null;
    const hex = trace === undefined ? "" : trace.toString(16).padStart(32, "0");
    const found = await spans.ask("spans", [hex, [id].flat()]);
    return found && withId(found);
  }

  async operations({ by = "p95", reversed = false, of = "spans", ...page }: OperationsOptions): Promise<OperationPage> {
    const { offset = 0, limit = LIMIT } = page;
    const spans = await this.spanRequests();
    return await spans.ask("operations", [by, reversed, offset, limit, of]);
  }

  async timeOf({ filter }: Wanted, { operation }: TimeOfOptions): Promise<SelectionTime | null> {
    const spans = await this.spanRequests();
    const choice = operation === undefined ? {} : { operation };
    const time = await spans.ask("choiceTime", [choice, filter]);
    if (time === null) return null;
    const { shown: _, isWhole: __, opens: ___, pause: ____, wait: _____, ...answer } = time;
    return answer;
  }

  async why(wanted: Wanted, options: WhyOptions): Promise<WhyAnswer> {
    const { held } = this;
    const profile = this.profiles.find(({ id }) => id === wanted.profile);
    if (profile === undefined) throw new SpanflameError("profile.missing", "why: the selection has no profile");
    const spans = await this.spanRequests();
    const { whyAnswer } = await import("../../requests/why-answer.ts");
    return (await whyAnswer(held, spans, { ...wanted, profile, ...options }, held.whyContext())).answer;
  }

  async waits({ filter }: Wanted, { offset = 0, limit = LIMIT }: PageOptions): Promise<WaitPage> {
    const { waitPage } = await import("../../requests/waits.ts");
    return await waitPage(this.held, this.profiles, filter, [offset, offset + limit]);
  }

  async blocked({ filter }: Wanted, { by = "endpoint", ...page }: BlockedOptions): Promise<BlockedPage> {
    const { offset = 0, limit = LIMIT } = page;
    const { blockedIn } = await import("../../requests/waits.ts");
    return await blockedIn(this.held, this.profiles, filter, by, [offset, offset + limit]);
  }

  private get profiles(): readonly ProfileSummary[] {
    return this.held.profiles();
  }

  calls({ by = "duration", reversed = false, threads = [], time, ...rest }: CallsOptions): CallPage {
    const { offset = 0, limit = LIMIT, ...conditions } = rest;
    const question = { parts: partsOf(conditions), threads, time: time ?? null, sort: by, reversed };
    const none = { count: 0, duration: 0, suspension: 0, offset, rows: [] };
    return this.callTable?.list(question, offset, limit) ?? none;
  }

  /** A report, or with `dark` a picture. */
  async shown(wanted: Wanted, how: ReportOptions | Required<PictureOptions>): Promise<string> {
    const spans = await this.spanRequests();
    const { shownText } = await import("./shown.ts");
    const names = this.inputs.map(({ name }) => name);
    const { held, callTable: calls, inferred } = this;
    return shownText({ held, names, spans, calls, inferred }, wanted, how);
  }

  /** Throws once the recording is closed. */
  private async spanRequests(): Promise<SpanRequests> {
    this.asked ??= this.load();
    const spans = await this.asked;
    void this.held.core;
    return spans;
  }

  private async load(): Promise<SpanRequests> {
    const { SpanRequests } = await import("../../requests/traces/span-requests.ts");
    return SpanRequests.of(this.held, this.files);
  }
}

type Conditions = Pick<CallsOptions, "ids" | "minMs" | "maxMs" | "query" | "roots" | "params">;

function partsOf({ ids, minMs, maxMs, query, roots = "recorded", params = {} }: Conditions): CallPart[] {
  const texts = { min: minMs, max: maxMs, text: query, roots };
  return [
    ...(ids === undefined ? [] : [{ part: "ids" as const, ids: [ids].flat() }]),
    ...Object.entries(texts).flatMap(([part, text]) =>
      text === undefined ? [] : [{ part: part as keyof typeof texts, text: String(text) }],
    ),
    ...Object.entries(params).flatMap(([name, values]) =>
      [values].flat().map((value) => ({ part: "param" as const, text: `${name}=${value}` })),
    ),
  ];
}

/** Ids of traces are texts between page and worker, and bigints in the library. */
function withId<Of extends { trace: string }>(row: Of): Omit<Of, "trace"> & { trace: bigint } {
  return { ...row, trace: BigInt(`0x${row.trace}`) };
}
