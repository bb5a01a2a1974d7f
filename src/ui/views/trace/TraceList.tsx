import type { TraceSort } from "../../../model/query/query.ts";
import { rootWords } from "../../../model/trace/span-words.ts";
import { formatCount, formatCounted, formatNanos } from "../../../model/words/format.ts";
import { formatClock, formatMoment } from "../../../model/words/moments.ts";
import { visible } from "../../../model/words/text.ts";
import type { TraceRow, TracesOverview } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer, useSame } from "../../parts/answers/use-answer.ts";
import { usePages } from "../../parts/answers/use-pages.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { MiddleText } from "../../parts/grid/FrameName.tsx";
import { Share } from "../../parts/grid/Share.tsx";
import { type Column, figure, SortedTable } from "../../parts/grid/SortedTable.tsx";
import { useActiveRow } from "../../parts/grid/VirtualGrid.tsx";
import { openTrace } from "./span-actions.ts";
import css from "./TraceView.module.css";

type Props = ViewProps & { traces: TracesOverview };

const columnsOf = (longest: number): Column<TraceRow, TraceSort>[] => [
  {
    ...{ sort: "start", label: "start (UTC)", about: "When its first span began", room: 96, isText: true },
    cell: ({ start }) => <span title={formatMoment(start, 6)}>{formatClock(start, 3)}</span>,
  },
  {
    ...{ sort: "duration", label: "duration", about: "From its first start to its last end", room: 80 },
    cell: ({ duration }) => <Share value={duration} whole={longest} text={formatNanos(duration)} />,
  },
  {
    ...{ sort: "spans", label: "spans", about: "Number of spans", room: 64 },
    cell: ({ spans }) => figure(formatCount(spans)),
  },
  {
    ...{ sort: "errors", label: "errors", about: "Spans whose status is error", room: 64 },
    cell: ({ errors }) =>
      errors > 0 ? <span className={css.errors}>{formatCount(errors)}</span> : figure(formatCount(errors)),
  },
  {
    ...{ sort: "samples", label: "samples", room: 72 },
    about: "Samples that carry the id of one of its spans, over all profiles",
    cell: ({ samples }) => figure(formatCount(samples)),
  },
  {
    ...{ sort: "name", label: "service and operation", about: "Of its first root", isText: true },
    room: "minmax(0, 1fr)",
    cell: (row) => <MiddleText text={visible(rootWords(row))} />,
  },
];
/** CSS pixels; below it only the columns that `NARROW` has. */
const WIDE = 560;
const NARROW: readonly (TraceSort | undefined)[] = ["duration", "samples", "name"];

/** The traces: Enter shows the spans of one, and selects its samples. */
export function TraceList({ traces, query: { trace: part }, tabs, profile, width, act }: Props) {
  const { sort, reversed } = part;
  const question = useSame({ sort, reversed });
  const { count, rowAt, need } = usePages(question, (asked, offset, limit) =>
    viewer.ofTraces("list", asked.sort, asked.reversed, offset, limit),
  );
  const [active, setActive] = useActiveRow(question);
  const longest = useAnswer(traces, () => viewer.ofTraces("list", "duration", false, 0, 1), true)?.answer.rows[0];
  const columns = columnsOf(longest?.duration ?? 0)
    .filter(({ sort: of }) => of !== "samples" || profile.exact === undefined)
    .filter((column) => width >= WIDE || NARROW.includes(column.sort));
  const open = (index: number) => {
    const row = rowAt(index);
    if (row !== undefined) void openTrace(row.trace, tabs, profile.type, act);
  };
  return (
    <section className={css.view} aria-label="Traces">
      <p className={css.summary} data-testid="traces-total">
        {formatCounted(traces.traces, "trace")} with {formatCounted(traces.spans, "span")}.{" "}
        {traces.files.length === 0 ? "The recording knows these spans; a trace file beside it has more." : ""} Open a
        trace to see where its time went.
      </p>
      <SortedTable
        label="Traces. Enter shows the spans of a trace."
        testId="traces"
        columns={columns}
        order={part}
        onOrder={(trace) => act({ kind: "trace", trace })}
        ascending={["name", "start"]}
        count={count ?? 0}
        active={active}
        onActive={(index, { type }) => {
          setActive(index);
          if (type === "click") open(index);
        }}
        onOpen={open}
        onView={need}
        rowAt={rowAt}
        describe={(row) => ({ id: row.trace, title: `${visible(rootWords(row))} ${row.trace}` })}
      />
    </section>
  );
}
