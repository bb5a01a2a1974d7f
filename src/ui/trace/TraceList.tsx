import { ArrowDown, ArrowUp } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import type { QueryAction, TracePart, TraceSort } from "../../model/query/query.ts";
import { rootWords } from "../../model/trace/span-words.ts";
import { formatCount, formatCounted, formatNanos } from "../../model/words/format.ts";
import { formatClock, formatDay } from "../../model/words/moments.ts";
import { visible } from "../../model/words/text.ts";
import type { Failure, TraceRow, TracesOverview } from "../../worker/api.ts";
import { viewer } from "../../worker/client.ts";
import { usePages } from "../analysis/use-pages.ts";
import { MiddleText } from "../grid/MiddleText.tsx";
import { useActiveRow } from "../grid/use-active-row.ts";
import { type GridRow, VirtualGrid } from "../grid/VirtualGrid.tsx";
import { Icon } from "../icon/Icon.tsx";
import css from "./TraceView.module.css";

interface Props {
  traces: TracesOverview;
  part: TracePart;
  width: number;
  act: (action: QueryAction) => void;
  onFailure: (failure: Failure) => void;
}

interface Column {
  sort: TraceSort;
  label: string;
  about: string;
  /** CSS columns. */
  room: string;
  cell: (row: TraceRow) => ReactNode;
}

const figure = (text: string) => <span className={css.figure}>{text}</span>;

const COLUMNS: readonly Column[] = [
  {
    sort: "start",
    label: "start",
    about: "When its first span began, UTC",
    room: "96px",
    cell: ({ start }) => (
      <span title={`${formatDay(start)} ${formatClock(start, 6)} UTC`}>{formatClock(start, 3)}</span>
    ),
  },
  {
    sort: "duration",
    label: "duration",
    about: "From its first start to its last end",
    room: "80px",
    cell: ({ duration }) => figure(formatNanos(duration)),
  },
  {
    sort: "spans",
    label: "spans",
    about: "Number of spans",
    room: "64px",
    cell: ({ spans }) => figure(formatCount(spans)),
  },
  {
    sort: "errors",
    label: "errors",
    about: "Spans whose status is error",
    room: "64px",
    cell: ({ errors }) => <span className={errors > 0 ? css.errors : css.figure}>{formatCount(errors)}</span>,
  },
  {
    sort: "samples",
    label: "samples",
    about: "Samples that carry the id of one of its spans, over all profiles",
    room: "72px",
    cell: ({ samples }) => figure(formatCount(samples)),
  },
  {
    sort: "name",
    label: "service and operation",
    about: "Of its first root",
    room: "minmax(0, 1fr)",
    cell: (row) => <MiddleText text={visible(rootWords(row))} />,
  },
];
/** CSS pixels; below it only the columns that `NARROW` has. */
const WIDE = 560;
const NARROW: readonly TraceSort[] = ["duration", "samples", "name"];

/** The traces: Enter shows the spans of one. */
export function TraceList({ traces, part, width, act, onFailure }: Props) {
  const { sort, reversed } = part;
  const question = useMemo(() => ({ sort, reversed }), [sort, reversed]);
  const { count, rowAt, need } = usePages(
    question,
    (asked, offset, limit) => viewer.ofTraces("list", asked.sort, asked.reversed, offset, limit),
    onFailure,
  );
  const [active, setActive] = useActiveRow(question);
  const columns = COLUMNS.filter((column) => width >= WIDE || NARROW.includes(column.sort));
  const room = columns.map((column) => column.room).join(" ");
  const open = (index: number) => {
    const row = rowAt(index);
    if (row !== undefined) act({ kind: "trace", trace: { id: row.trace } });
  };
  return (
    <section className={css.view} aria-label="Traces">
      <p className={css.summary} data-testid="traces-total">
        {formatCounted(traces.traces, "trace")} with {formatCounted(traces.spans, "span")}.{" "}
        {traces.files.length === 0 ? "The recording knows these spans; a trace file beside it has more." : ""} Open a
        trace to see where its time went.
      </p>
      <VirtualGrid
        role="grid"
        label="Traces. Enter shows the spans of a trace."
        testId="traces"
        columns={room}
        narrow={room}
        heads={columns.map((column) => headOf(column, part, act))}
        count={count ?? 0}
        active={active}
        onActive={(index, { type }) => {
          setActive(index);
          if (type === "click") open(index);
        }}
        onOpen={open}
        onView={need}
        row={(index) => rowOf(rowAt(index), columns)}
      />
    </section>
  );
}

function rowOf(row: TraceRow | undefined, columns: readonly Column[]): GridRow {
  if (row === undefined) return { id: "", cells: ["…"] };
  return {
    id: row.trace,
    title: `${visible(rootWords(row))} ${row.trace}`,
    cells: columns.map(({ cell }) => cell(row)),
  };
}

function headOf({ sort, label, about }: Column, part: TracePart, act: Props["act"]) {
  const isSorted = sort === part.sort;
  const isText = sort === "name" || sort === "start";
  const isAscending = isText !== part.reversed;
  return {
    label: (
      <button
        type="button"
        className={css.sort}
        data-text={isText}
        data-tip={about}
        onClick={() => act({ kind: "trace", trace: { sort, reversed: isSorted && !part.reversed } })}
      >
        {label}
        {isSorted && <Icon of={isAscending ? ArrowUp : ArrowDown} size={12} />}
      </button>
    ),
    sort: isSorted ? ((isAscending ? "ascending" : "descending") as "ascending" | "descending") : ("none" as const),
  };
}
