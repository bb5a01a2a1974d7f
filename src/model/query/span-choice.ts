/**
 * Spans of a filter by operation, duration and start: as a parameter of the URL hash, as a chip, and as the spans that
 * they are compared with. `requests,slowest-5,of-GET /cart`, `start-17…-17…,took-1000-2000`, `all`.
 */
import type { Filter, SpanChoice, TimeRange } from "../../core/types.ts";
import { formatNanos } from "../words/format.ts";
import { visible } from "../words/text.ts";

const PARTS =
  /^(?:(requests),)?(?:slowest-(\d{1,3}),)?(?:start-(\d{1,19})-(\d{1,19}),)?(?:took-(\d{1,19})-(\d{1,19}),)?(?:of-(.*))?$/s;

/** The choices of all spans, and of all requests. */
const ALL = "all";
const REQUESTS = "requests";

/** The text of a choice; every part but the operation ends with a comma. */
export function printChoice({ requests, operation, slowest, start, duration }: SpanChoice): string {
  const range = (name: string, range: TimeRange | undefined) =>
    range === undefined ? "" : `${name}-${range.from}-${range.to},`;
  const text = [
    slowest === undefined ? "" : `slowest-${slowest},`,
    range("start", start),
    range("took", duration),
    operation === undefined ? "" : `of-${operation}`,
  ].join("");
  if (text === "") return requests ? REQUESTS : ALL;
  return requests ? `${REQUESTS},${text}` : text;
}

/** Null for a text that is no choice. */
export function parseChoice(text: string): SpanChoice | null {
  if (text === ALL) return {};
  if (text === REQUESTS) return { requests: true };
  const [, requests, slowest, from, to, least, most, operation] = PARTS.exec(text) ?? [];
  const start = rangeOf(from, to);
  const duration = rangeOf(least, most);
  const choice: SpanChoice = {
    ...(operation !== undefined && { operation }),
    ...(slowest !== undefined && { slowest: Number(slowest) }),
    ...(start !== null && { start }),
    ...(duration !== null && { duration }),
  };
  if (Object.keys(choice).length === 0) return null;
  return requests === undefined ? choice : { requests: true, ...choice };
}

function rangeOf(from: string | undefined, to: string | undefined): TimeRange | null {
  if (from === undefined || to === undefined || BigInt(from) >= BigInt(to)) return null;
  return { from: BigInt(from), to: BigInt(to) };
}

/** The chip of a choice. */
export function choiceWords({ requests, operation, slowest, start, duration }: SpanChoice) {
  const name = operation === undefined ? "" : visible(operation, 80) || "(no name)";
  const took = duration === undefined ? "" : `${formatNanos(duration.from)} – ${formatNanos(duration.to)}`;
  const each = operation === undefined ? ` of each ${requests ? "endpoint" : "operation"}` : "";
  const parts = [
    slowest === undefined ? "" : `slowest ${slowest} %${each}`,
    name,
    took,
    start !== undefined && took === "" ? "a range of starts" : "",
  ].filter((part) => part !== "");
  const value = parts.join(", ") || "all requests";
  const label = requests ? "requests" : "spans";
  return { label, value, full: `${label}: ${value}` };
}

/** The requests of a filter that a choice narrows: by an operation or a region, which replace a filter by spans. */
export function selectionWords(choice: SpanChoice, { spans, rawNames: _, ...others }: Filter): string {
  const isRegion = choice.operation !== undefined || choice.start !== undefined;
  const words = choiceWords(isRegion ? choice : { ...spans, ...choice }).value;
  if (Object.keys(others).length === 0) return words;
  return words === choiceWords({}).value ? "the selection" : `${words} of the selection`;
}

/** The spans that a part of them is compared with: all of the operation, or all. */
export function wholeOf({ requests, operation }: SpanChoice): SpanChoice {
  return { ...(requests && { requests }), ...(operation !== undefined && { operation }) };
}

/** The spans that the view of operations shows (OperationsPart). */
interface ShownSpans {
  by: "endpoint" | "operation";
  of: string | null;
  slowest: number | null;
  region: Pick<SpanChoice, "start" | "duration"> | null;
}

/** Without the fields that are null. */
export function choiceOf({ by, of, slowest, region }: ShownSpans): SpanChoice {
  return {
    ...(by === "endpoint" && { requests: true as const }),
    ...region,
    ...(of !== null && { operation: of }),
    ...(slowest !== null && { slowest }),
  };
}
