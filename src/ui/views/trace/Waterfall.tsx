import { type CSSProperties, useMemo, useState } from "react";
import type { Chip } from "../../../model/query/chips.ts";
import type { QueryAction, TracePart } from "../../../model/query/query.ts";
import { rootWords } from "../../../model/trace/span-words.ts";
import { nextPlace, openedTo, serviceHue, shownPlaces } from "../../../model/trace/waterfall.ts";
import { formatCounted, formatNanos } from "../../../model/words/format.ts";
import { formatClock, formatDay } from "../../../model/words/moments.ts";
import { visible } from "../../../model/words/text.ts";
import type { TraceSpans } from "../../../worker/api.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { VirtualGrid } from "../../parts/grid/VirtualGrid.tsx";
import { ViewTools } from "../../parts/view/ViewTools.tsx";
import { useDebouncedText } from "../../primitives/debounce/use-debounced-text.ts";
import { SpanPanel } from "./SpanPanel.tsx";
import { COLUMNS, NARROW, type SpanRow, spanHeads, spanRow } from "./span-columns.tsx";
import { openPause } from "./TimeParts.tsx";
import css from "./TraceView.module.css";
import { useFound } from "./use-trace.ts";

interface Props extends ViewProps {
  trace: TraceSpans;
  /** Traces in all. */
  count: number;
}

/** CSS pixels. */
const NARROW_PX = 600;
const MOST_SERVICES = 24;

/** The spans of a trace in the order of time, as a tree. A span that is opened is the filter of every view. */
export function Waterfall({ trace, count, profile, tabs, query, act, width }: Props) {
  const [closed, setClosed] = useState<ReadonlySet<number>>(() => new Set());
  const [active, setActive] = useState(() => placeOf(trace, query.filter.span));
  const places = useMemo(() => shownPlaces(trace, closed), [trace, closed]);
  const found = useFound(trace.trace, query.trace.search);
  const hits = useMemo(() => new Set(found ?? []), [found]);
  const labels = useMemo(() => new Map(tabs.map(({ type, label }) => [type, label])), [tabs]);
  const selected = new Set([query.filter.span ?? []].flat());
  const row = places.indexOf(active);

  const goTo = (place: number) => {
    setClosed((now) => openedTo(trace, now, place));
    setActive(place);
  };
  const onWalk = (step: 1 | -1) => {
    const next = nextPlace(found ?? [], active, step);
    if (next !== undefined) goTo(next);
  };
  const select = (place: number) => {
    const chip: Chip = { kind: "span", id: trace.id[place] ?? 0n };
    act(selected.has(chip.id) ? { kind: "remove", chip } : { kind: "only-id", chip });
  };
  const toggle = (place: number) => {
    const next = new Set(closed);
    if (!next.delete(place)) next.add(place);
    setClosed(next);
  };
  const onKey = (key: string, index: number): boolean => {
    const place = places[index] ?? 0;
    const hasChildren = (trace.size[place] ?? 1) > 1;
    const up = trace.up[place] ?? -1;
    if (key === "ArrowRight") {
      if (hasChildren && closed.has(place)) toggle(place);
      else if (hasChildren) setActive(place + 1);
    } else if (key === "ArrowLeft") {
      if (hasChildren && !closed.has(place)) toggle(place);
      else if (up >= 0) setActive(up);
    } else if (key === "n" || key === "N") onWalk(key === "n" ? 1 : -1);
    else return false;
    return true;
  };
  const isNarrow = width < NARROW_PX;
  const columns = isNarrow ? NARROW : COLUMNS;
  const of: SpanRow = { trace, closed, hits, selected, labels, isNarrow, onToggle: toggle };
  return (
    <section className={css.view} aria-label={`Trace ${trace.trace}`}>
      <TraceTools part={query.trace} found={found?.length ?? null} isOne={count === 1} act={act} onWalk={onWalk} />
      <Summary trace={trace} />
      <Services trace={trace} />
      <div className={css.split}>
        <VirtualGrid
          role="treegrid"
          label="Spans of the trace. Right and Left open and close, Enter filters by a span, N the next match."
          testId="spans"
          columns={columns}
          narrow={columns}
          heads={spanHeads(isNarrow)}
          count={places.length}
          active={Math.max(0, row)}
          onActive={(index) => setActive(places[index] ?? 0)}
          onOpen={(index) => select(places[index] ?? 0)}
          onKey={onKey}
          row={(index) => spanRow(of, places[index] ?? 0)}
        />
        <SpanPanel
          trace={trace}
          place={active}
          labels={labels}
          isSelected={selected.has(trace.id[active] ?? 0n)}
          onSelect={() => select(active)}
          chartOf={(by) => chartOf(trace, active, by, profile.type, act)}
          onOpen={(type, chips) => act({ kind: "open", chips, type, view: "flame" })}
          onPause={(pause) => act(openPause(pause, profile.type))}
        />
      </div>
    </section>
  );
}

/**
 * Opens the flame chart of a span, or of a local root with all spans below it, in the profile on screen or that with
 * most of the samples; null without samples.
 */
function chartOf(trace: TraceSpans, place: number, by: "span" | "root", shown: string, act: ViewProps["act"]) {
  const end = place + (by === "root" ? (trace.size[place] ?? 1) : 1);
  const counts = trace.profiles.map(({ type, samples }) => {
    return { type, count: samples.subarray(place, end).reduce((sum, n) => sum + n, 0) };
  });
  const own = counts.filter(({ count }) => count > 0);
  const [most] = own.toSorted((a, b) => b.count - a.count);
  if (most === undefined) return null;
  const type = own.some((each) => each.type === shown) ? shown : most.type;
  const chips: Chip[] = [{ kind: by === "root" ? "local-root" : "span", id: trace.id[place] ?? 0n }];
  return () => act({ kind: "open", chips, type, view: "chart" });
}

/** The span of the filter, else the first. */
function placeOf({ id }: TraceSpans, span: bigint | readonly bigint[] | undefined): number {
  const wanted = [span ?? []].flat();
  return Math.max(
    0,
    id.findIndex((each) => wanted.includes(each)),
  );
}

function Summary({ trace }: { trace: TraceSpans }) {
  const { start, duration, spans, errors, offset, trace: id } = trace;
  return (
    <p className={css.summary} data-testid="trace-total">
      <strong>{visible(rootWords(trace), 120)}</strong>, {formatNanos(duration)}, {formatCounted(spans, "span")}
      {errors > 0 && (
        <>
          , <span className={css.errors}>{formatCounted(errors, "error")}</span>
        </>
      )}
      , {formatDay(start)} {formatClock(start, 3)} UTC, <span className={css.mono}>{id}</span>
      {offset !== null && offset !== 0 && (
        <span className={css.clock} title="Measured from the spans that have samples. All views use it.">
          , clock of the trace {offset > 0 ? "+" : "−"}
          {formatNanos(Math.abs(offset))}
        </span>
      )}
    </p>
  );
}

/** The colours of the bars; nothing where one service has all spans. */
function Services({ trace: { serviceOf, texts } }: { trace: TraceSpans }) {
  const services = useMemo(() => [...new Set(serviceOf)].slice(0, MOST_SERVICES), [serviceOf]);
  if (services.length < 2) return null;
  return (
    <ul className={css.services} aria-label="Services">
      {services.map((service) => (
        <li key={service} style={{ "--hue": serviceHue(service) } as CSSProperties}>
          {visible(texts[service] ?? "", 60) || "(no service)"}
        </li>
      ))}
    </ul>
  );
}

interface TraceToolsProps {
  part: TracePart;
  /** Spans that the search found; null without an answer. */
  found: number | null;
  /** There is no other trace. */
  isOne: boolean;
  act: (action: QueryAction) => void;
  onWalk: (step: 1 | -1) => void;
}

const PAUSE_MS = 150;

/** The way back to the list, and the search of spans. */
function TraceTools({ part, found, isOne, act, onWalk }: TraceToolsProps) {
  const [search, setSearch] = useDebouncedText(part.search, PAUSE_MS, (text) =>
    act({ kind: "trace", trace: { search: text } }),
  );
  return (
    <ViewTools>
      {!isOne && (
        <button
          type="button"
          data-testid="all-traces"
          onClick={() => act({ kind: "trace", trace: { id: "all", search: "" } })}
        >
          All traces
        </button>
      )}
      <input
        type="search"
        className={css.search}
        aria-label="Search spans by name, service, attribute or id"
        placeholder="Search spans"
        data-testid="spans-search"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") onWalk(event.shiftKey ? -1 : 1);
        }}
      />
      {part.search.trim() !== "" && found !== null && (
        <span className={css.count} role="status" data-testid="spans-found">
          {formatCounted(found, "span")}
        </span>
      )}
    </ViewTools>
  );
}
