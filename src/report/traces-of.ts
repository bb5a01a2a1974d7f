/** What a report has about spans. */
import type { Filter, SpanChoice } from "../core/types.ts";
import { selectionWords } from "../model/query/span-choice.ts";
import type { Coverage } from "../model/trace/coverage.ts";
import { operationWords } from "../model/trace/span-words.ts";
import type { ChoiceTime } from "../requests/api/operations-api.ts";
import {
  REPORT_OPERATIONS,
  type ReportRequestTime,
  type ReportSpanTime,
  type ReportTrace,
  type ReportTraces,
} from "./traces.ts";

/** A trace with the ids of its spans, by place. */
type FoundTrace = ReportTrace & { id: BigUint64Array };

type FoundTime = Omit<ReportSpanTime, "name"> & { isRoot: boolean };

/** Requests about the open files, which have spans. */
export interface TraceQuestions {
  /** The trace of an id, else the one of a span, else the one with the most samples. */
  spans(trace: string, ids: bigint[]): Promise<FoundTrace | null>;
  time(trace: string, place: number, by: "span" | "root"): Promise<FoundTime | null>;
  operations(most: number): Promise<ReportTraces["operations"]>;
  /** Where the time of the requests of a filter went; a choice narrows them. */
  requests(choice: SpanChoice, filter: Filter): Promise<ChoiceTime | null>;
}

interface Asked {
  /** Traces of the files. */
  traces: number;
  /** The id of the trace on screen; "" for none. */
  trace: string;
  filter: Filter;
  /** Narrows the requests of the filter; without it the report lists those of a filter by spans or attributes. */
  choice?: SpanChoice | undefined;
  coverage: readonly Coverage[];
  inferredBy: ReportTraces["inferredBy"];
}

/** The only trace, or the one of an id. `operations` has all files. */
export async function reportTraces(questions: TraceQuestions, asked: Asked): Promise<ReportTraces> {
  const { traces, trace: id, filter, coverage, inferredBy } = asked;
  const ids = [filter.span, filter.localRoot].flatMap((each) => each ?? []);
  const found = traces === 0 ? null : await questions.spans(id, ids);
  // Without an id the answer is the trace with the most samples.
  const isChosen = found !== null && (id === found.trace || ids.some((each) => found.id.includes(each)));
  const trace = isChosen || traces === 1 ? found : null;
  const time = trace === null ? null : await timeOf(questions, trace, ids);
  const requests = listsRequests(asked) ? await requestsOf(questions, asked) : null;
  return { trace, time, requests, operations: await questions.operations(REPORT_OPERATIONS), coverage, inferredBy };
}

/** The report has the requests of the selection. */
export function listsRequests({ filter, choice }: Pick<Asked, "filter" | "choice">): boolean {
  return choice !== undefined || filter.spans !== undefined || filter.attributes !== undefined;
}

async function requestsOf(
  questions: TraceQuestions,
  { choice = {}, filter }: Pick<Asked, "filter" | "choice">,
): Promise<ReportRequestTime | null> {
  const found = await questions.requests(choice, filter);
  return found === null ? null : { ...found, name: selectionWords(choice, filter) };
}

/** Of the selected span, else of the first root with its request. */
async function timeOf(questions: TraceQuestions, trace: FoundTrace, ids: bigint[]): Promise<ReportSpanTime | null> {
  const place = Math.max(
    0,
    trace.id.findIndex((each) => ids.includes(each)),
  );
  const alone = await questions.time(trace.trace, place, "span");
  const time = alone?.isRoot === true ? await questions.time(trace.trace, place, "root") : alone;
  if (time === null) return null;
  const text = (column: Uint32Array) => trace.texts[column[place] ?? 0] ?? "";
  const { isRoot: _, ...facts } = time;
  return { ...facts, name: operationWords(text(trace.nameOf), text(trace.resourceOf)) };
}
