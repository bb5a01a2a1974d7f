import { type ReactNode, useEffect, useMemo, useState } from "react";
import { type EventSort, type EventsPart, filterKey, filterOf } from "../../../model/query/query.ts";
import { formatCount, formatCounted, formatNanos } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import type { EventChoice, EventTypeRow, EventTypes, Failure } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer, useSame } from "../../parts/answers/use-answer.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { MiddleText } from "../../parts/grid/FrameName.tsx";
import { Share } from "../../parts/grid/Share.tsx";
import { type Column, figure, fitColumns, SortedTable } from "../../parts/grid/SortedTable.tsx";
import { useActiveRow } from "../../parts/grid/VirtualGrid.tsx";
import { ViewTools } from "../../parts/view/ViewTools.tsx";
import { useDebouncedText } from "../../primitives/debounce/use-debounced-text.ts";
import { EventList } from "./EventList.tsx";
import css from "./EventsView.module.css";

/** Every event of the selection, by type; one opens a type. */
export function EventsView(props: ViewProps) {
  const { query, act } = props;
  const { events } = query;
  const choice = useChoice(query);
  const [failure, setFailure] = useState<{ of: unknown; failure: Failure } | null>(null);
  const found = useAnswer(choice, viewer.eventTypes, false, (told) => setFailure({ of: choice, failure: told }));
  // The worker keeps the events as long as they are on the page.
  useEffect(() => () => void viewer.forgetEvents(), []);
  const isFailed = failure?.of === choice;
  const isCurrent = found?.question === choice;
  const { types = null, count = 0, first = null } = found?.answer ?? {};
  const open = types?.find(({ type }) => type === events.of);
  return (
    <section className={css.view} aria-label="Events" aria-busy={!isCurrent && !isFailed} data-testid="events">
      <EventTools events={events} act={act} count={isCurrent && types !== null ? count : null} />
      {isFailed && <Note>{failure.failure.message}</Note>}
      {!isFailed && found === null && <Note>Reading the events…</Note>}
      {!isFailed && found !== null && types === null && (
        <Note>
          {formatCount(count)} samples are too many for a list of their events. Select a request, a thread or a time.
        </Note>
      )}
      {!isFailed && types !== null && events.of === "" && (
        <Types {...props} types={types} isNone={isCurrent && count === 0} />
      )}
      {!isFailed && types !== null && events.of !== "" && (
        <EventList {...props} choice={choice} row={open} zero={first} />
      )}
    </section>
  );
}

function Note({ children }: { children: ReactNode }) {
  return (
    <p className={css.note} role="status" data-testid="events-note">
      {children}
    </p>
  );
}

/** The same object as long as it selects the same events. */
function useChoice(query: ViewProps["query"]): EventChoice {
  const now = filterOf(query);
  const key = filterKey(now);
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal keys have equal samples
  const filter = useMemo(() => now, [key]);
  return useSame({ filter, find: query.events.find.trim(), field: null });
}

const PAUSE_MS = 150;

interface ToolProps extends Pick<ViewProps, "act"> {
  events: EventsPart;
  /** Null until it is known. */
  count: number | null;
}

function EventTools({ events, act, count }: ToolProps) {
  const [find, setFind] = useDebouncedText(events.find, PAUSE_MS, (text) =>
    act({ kind: "events", events: { find: text } }),
  );
  return (
    <ViewTools>
      <input
        type="search"
        className={css.search}
        aria-label="Search events by type, field or thread"
        placeholder="Search events"
        data-testid="events-search"
        value={find}
        onChange={(event) => setFind(event.currentTarget.value)}
      />
      {count !== null && (
        <span className={css.count} role="status" data-testid="events-count">
          {formatCounted(count, "event")}
        </span>
      )}
    </ViewTools>
  );
}

type Figure = "durationNano" | "p50Nano" | "p95Nano" | "maxNano";
const FIGURES: Readonly<Record<Exclude<EventSort, "count" | "type">, Figure>> = {
  time: "durationNano",
  p50: "p50Nano",
  p95: "p95Nano",
  max: "maxNano",
};

const nanos = (nano: bigint | null) => figure(nano === null ? "" : formatNanos(Number(nano)));

const columnsOf = (longest: number): Column<EventTypeRow, EventSort>[] => [
  {
    ...{ sort: "time", label: "time", about: "Of all its events; events at one moment have none", room: 88 },
    cell: ({ durationNano }) =>
      durationNano === null ? (
        figure("")
      ) : (
        <Share value={Number(durationNano)} whole={longest} text={formatNanos(Number(durationNano))} />
      ),
  },
  { sort: "count", label: "events", room: 72, cell: ({ count }) => figure(formatCount(count)) },
  { sort: "p50", label: "median", room: 80, rank: 2, leaves: 160, cell: ({ p50Nano }) => nanos(p50Nano) },
  { sort: "p95", label: "95 %", room: 80, rank: 3, leaves: 160, cell: ({ p95Nano }) => nanos(p95Nano) },
  { sort: "max", label: "longest", room: 80, rank: 1, leaves: 160, cell: ({ maxNano }) => nanos(maxNano) },
  {
    ...{ sort: "type", label: "type", room: "minmax(0, 1fr)", least: 80, isText: true },
    cell: ({ type }) => <MiddleText text={visible(type, 160)} />,
  },
];

function sorted(types: readonly EventTypeRow[], { sort, reversed }: EventsPart): EventTypeRow[] {
  const byName = (a: EventTypeRow, b: EventTypeRow) => Number(a.type > b.type) - Number(a.type < b.type);
  const figureOf = (row: EventTypeRow) =>
    sort === "count" || sort === "type" ? row.count : Number(row[FIGURES[sort]] ?? -1);
  const byFigure = (a: EventTypeRow, b: EventTypeRow) => figureOf(b) - figureOf(a) || b.count - a.count;
  const rows = types.toSorted(sort === "type" ? byName : byFigure);
  return reversed ? rows.reverse() : rows;
}

type TypesProps = Pick<ViewProps, "query" | "act" | "width"> & {
  types: NonNullable<EventTypes["types"]>;
  isNone: boolean;
};

function Types({ types, isNone, query: { events }, act, width }: TypesProps) {
  const rows = useMemo(() => sorted(types, events), [types, events]);
  const [active, setActive] = useActiveRow(rows);
  const longest = types.reduce((most, { durationNano }) => Math.max(most, Number(durationNano ?? 0n)), 0);
  const open = (index: number) => {
    const row = rows[index];
    if (row !== undefined) act({ kind: "events", events: { of: row.type, field: "" } });
  };
  if (isNone)
    return <Note>{events.find.trim() === "" ? "The selection has no events." : "No event has these words."}</Note>;
  return (
    <SortedTable
      label="Types of events. Enter shows the events of a type."
      testId="event-types"
      columns={fitColumns(columnsOf(longest), width)}
      order={events}
      onOrder={(order) => act({ kind: "events", events: order })}
      ascending={["type"]}
      headId="event-sort-"
      count={rows.length}
      active={active}
      onActive={(index, { type }) => {
        setActive(index);
        if (type === "click") open(index);
      }}
      onOpen={open}
      rowAt={(index) => rows[index]}
      describe={({ type }) => ({ id: type, title: visible(type, 200) })}
    />
  );
}
