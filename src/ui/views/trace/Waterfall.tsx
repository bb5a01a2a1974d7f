import { type CSSProperties, useEffect, useMemo, useRef } from "react";
import type { QueryAction, TracePart } from "../../../model/query/query.ts";
import { PART_WORDS } from "../../../model/span-time/words.ts";
import { OTHERS_IDS } from "../../../model/trace/reasons.ts";
import { rootWords } from "../../../model/trace/span-words.ts";
import { nextPlace, serviceHue, unrecorded } from "../../../model/trace/waterfall.ts";
import type { WaterfallRow } from "../../../model/waits/wait-rows.ts";
import { formatCounted, formatNanos } from "../../../model/words/format.ts";
import { formatMoment } from "../../../model/words/moments.ts";
import { visible } from "../../../model/words/text.ts";
import type { TraceSpans } from "../../../worker/api.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { PartKey } from "../../parts/drawing/TimeBar.tsx";
import { VirtualGrid } from "../../parts/grid/VirtualGrid.tsx";
import { useOpenFilter } from "../../parts/selection/open-filter.ts";
import { ViewTools } from "../../parts/view/ViewTools.tsx";
import { useDebouncedText } from "../../primitives/debounce/use-debounced-text.ts";
import { Button } from "../../primitives/icon/Icon.tsx";
import { NameEdge, useNameWidth } from "./NameEdge.tsx";
import { SpanPanel } from "./SpanPanel.tsx";
import { type Drawn, useDrawn } from "./SpanTrack.tsx";
import { chartOf, isSelected, selectSpans } from "./span-actions.ts";
import { type SpanRow, spanHeads, spanRow } from "./span-columns.tsx";
import { openPause } from "./TimeParts.tsx";
import css from "./TraceView.module.css";
import { useRows } from "./use-rows.ts";
import { useFound } from "./use-trace.ts";
import { openedBy, waitRow } from "./WaitTrack.tsx";

interface Props extends ViewProps {
  trace: TraceSpans;
  /** Traces in all. */
  count: number;
}

/** CSS pixels: the panel is beside the rows from this width on, and as wide; what a row has beside its columns. */
const WIDE = 900;
const PANEL = 320;
const BESIDE_COLUMNS = 48;
const MOST_SERVICES = 24;

/** The spans of a trace in the order of time, as a tree. A span that is opened is the filter of every view. */
export function Waterfall(props: Props) {
  const { trace, count, profile, tabs, query, act, width } = props;
  const rows = useRows(trace, () => placeOf(trace, query.filter.span));
  const { closed, active, at, hasBelow, goTo, toggle } = rows;
  const found = useFound(trace.trace, query.trace.search);
  const hits = useMemo(() => new Set(found ?? []), [found]);
  const labels = useMemo(() => new Map(tabs.map(({ type, label }) => [type, label])), [tabs]);
  const selected = new Set([query.filter.span ?? []].flat());
  const openFilter = useOpenFilter(props);
  useNamed(query.trace.search, found, goTo);
  const onWalk = (step: 1 | -1) => goTo(nextPlace(found ?? [], active, step) ?? active);
  const open = ({ place, wait }: WaterfallRow) => {
    if (wait === null) selectSpans(trace, place, "span", props);
    else void openFilter(openedBy(wait));
  };
  const onKey = (key: string, index: number): boolean => {
    if (key !== "n" && key !== "N") return rows.onArrow(key, index);
    onWalk(key === "n" ? 1 : -1);
    return true;
  };
  const { names, bars, columns } = useColumns(width);
  const drawn = useDrawn(trace);
  const services = useMemo(() => [...new Set(trace.serviceOf)], [trace]);
  const shared = { trace, closed, hits, selected, labels, drawn, isColoured: services.length > 1 };
  const of: SpanRow = { ...shared, width: bars, onToggle: toggle, hasBelow };
  return (
    <section className={css.view} aria-label={`Trace ${trace.trace}`}>
      <TraceTools part={query.trace} found={found?.length ?? null} isOne={count === 1} act={act} onWalk={onWalk} />
      <Summary trace={trace} />
      <Colours trace={trace} services={services} drawn={drawn} />
      <div className={css.split}>
        <div className={css.rows}>
          <VirtualGrid
            role="treegrid"
            label="Spans of the trace. Right and Left open and close, Enter filters by a span, N the next match."
            testId="spans"
            columns={columns}
            narrow={columns}
            heads={spanHeads(trace.duration, bars)}
            count={rows.rows.length}
            active={rows.row}
            onActive={(index, by) => {
              rows.setActive(at(index));
              if (at(index).wait !== null && by.type === "click") open(at(index));
            }}
            onOpen={(index) => open(at(index))}
            onKey={onKey}
            row={(index) => {
              const { place, wait } = at(index);
              return wait === null ? spanRow(of, place) : waitRow(of, place, wait);
            }}
          />
          <NameEdge {...names} />
        </div>
        <SpanPanel
          trace={trace}
          place={active}
          labels={labels}
          type={profile.type}
          isSelected={(reach) => isSelected(trace, active, reach, query)}
          onSelect={(reach) => selectSpans(trace, active, reach, props)}
          chartOf={(by) => chartOf(trace, active, by, profile.type, act)}
          onOpen={(type, chips) => act({ kind: "open", chips, type, view: "flame" })}
          onPause={(pause) => act(openPause(pause, profile.type))}
        />
      </div>
    </section>
  );
}

/** The span that a link or another view names by its id, which is searched for from the beginning. */
function useNamed(search: string, found: Uint32Array | null, goTo: (place: number) => void): void {
  const named = useRef(search);
  useEffect(() => {
    const [first] = found ?? [];
    if (first === undefined || named.current === "") return;
    if (named.current === search) goTo(first);
    named.current = "";
  });
}

/** The columns in a view of so many CSS pixels, and the room of the bars. */
function useColumns(width: number) {
  const room = width >= WIDE ? width - PANEL : width;
  const names = useNameWidth(room);
  const bars = Math.max(0, room - names.width - BESIDE_COLUMNS);
  return { names, bars, columns: `${names.width}px minmax(0, 1fr)` };
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
  const { start, duration, spans, errors, offset, isOthers, trace: id } = trace;
  return (
    <p className={css.summary} data-testid="trace-total">
      <strong>{visible(rootWords(trace), 120)}</strong>, {formatNanos(duration)}, {formatCounted(spans, "span")}
      {errors > 0 && (
        <>
          , <span className={css.errors}>{formatCounted(errors, "error")}</span>
        </>
      )}
      , {formatMoment(start, 3)}, <span className={css.mono}>{id}</span>
      {offset !== null && offset !== 0 && (
        <span className={css.clock} title="Measured from the spans that have samples. All views use it.">
          , clock of the trace {offset > 0 ? "+" : "−"}
          {formatNanos(Math.abs(offset))}
        </span>
      )}
      {isOthers && (
        <span className={css.errors} data-testid="trace-others">
          , but {OTHERS_IDS}
        </span>
      )}
    </p>
  );
}

/** The colours of the bars where several services have spans, those of the marks, and services without a recording. */
function Colours({ trace, services, drawn }: { trace: TraceSpans; services: readonly number[]; drawn: Drawn | null }) {
  const elsewhere = useMemo(() => unrecorded(trace), [trace]);
  return (
    <ul className={css.colours} aria-label="Colours" data-testid="trace-colours">
      {(services.length > 1 || elsewhere.size > 0) &&
        services.slice(0, MOST_SERVICES).map((service) => (
          <li key={service} className={css.of} style={{ "--hue": serviceHue(service) } as CSSProperties}>
            {visible(trace.texts[service] ?? "", 60) || "(no service)"}
            {elsewhere.has(service) && <span className={css.without}> no recording</span>}
          </li>
        ))}
      {drawn?.parts.map((part) => (
        <li key={part} title={PART_WORDS[part].about}>
          <PartKey part={part} /> {PART_WORDS[part].name}
        </li>
      ))}
      {drawn?.hasPauses === true && !drawn.parts.includes("gc") && (
        <li title={PART_WORDS.gc.about}>
          <PartKey part="gc" /> {PART_WORDS.gc.name}
        </li>
      )}
      <li className={css.critical} title="What the request waited for, from its end backwards">
        critical path
      </li>
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
        <Button testId="all-traces" onClick={() => act({ kind: "trace", trace: { id: "all", search: "" } })}>
          All traces
        </Button>
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
