/** Requests and durations of an endpoint below its name. */
import type { ReactNode } from "react";
import { durationWords, isLeast, sourceWords } from "../../../model/trace/operation-words.ts";
import { formatCount, formatCounted } from "../../../model/words/format.ts";
import type { EndpointRow } from "../../../worker/api.ts";
import { RangeRail, railOfAll } from "../drawing/RangeRail.tsx";

export interface EndpointNote {
  note: ReactNode;
  /** The same in words. */
  lines: string[];
  /** All requests of the endpoint. */
  requests: number;
}

/** The note of an endpoint with so many requests in the list; null for one that has no times. */
export type NoteOf = (endpoint: string, requests: number) => EndpointNote | null;

/** Equal questions have the same object for an answer. */
export function notesOf(rows: readonly EndpointRow[]): NoteOf {
  const times = new Map(rows.map((row) => [row.endpoint, row]));
  const known = new Map<string, EndpointNote>();
  const rail = railOfAll(rows);
  return (endpoint, count) => {
    const row = times.get(endpoint);
    if (row === undefined) return null;
    const key = `${count} ${endpoint}`;
    const found = known.get(key) ?? noteOf(row, count);
    known.set(key, found);
    return found;
  };

  function noteOf(row: EndpointRow, count: number): EndpointNote {
    const { requests, p50, p95, max, source } = row;
    const all = formatCounted(requests, "request");
    const [middle, high, longest] = [p50, p95, max].map((nanos) => durationWords(nanos, source));
    const isTimed = longest !== "–";
    return {
      note: (
        <>
          <span>
            {requests > count ? `${formatCount(count)} of ${all}` : all}
            {isTimed && <span className="visually-hidden">{` · p50 ${middle} · p95 ${high}`}</span>}
            {isTimed && ` · max ${longest}`}
          </span>
          {isTimed && <RangeRail of={row} rail={rail} isSmall />}
        </>
      ),
      requests,
      lines: [
        `${formatCount(count)} of ${all} with samples of this profile`,
        `p50 ${middle}, p95 ${high}, max ${longest} of all ${all}`,
        ...(isLeast(source) ? [`≥: ${sourceWords(source)}`] : []),
      ],
    };
  }
}
