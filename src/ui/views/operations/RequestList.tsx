import { useMemo } from "react";
import type { SpanSort } from "../../../model/query/query.ts";
import { choiceOf } from "../../../model/query/span-choice.ts";
import { durationWords, operationName } from "../../../model/trace/operation-words.ts";
import { mainCause } from "../../../model/why/sentence.ts";
import { formatCount, formatCounted } from "../../../model/words/format.ts";
import { hexId } from "../../../model/words/ids.ts";
import { formatClock, formatMoment } from "../../../model/words/moments.ts";
import type { ListedRequest } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { useSame } from "../../parts/answers/use-answer.ts";
import { usePages } from "../../parts/answers/use-pages.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { MiddleText } from "../../parts/grid/FrameName.tsx";
import { type Column, figure, fitColumns, SortedTable } from "../../parts/grid/SortedTable.tsx";
import { useActiveRow } from "../../parts/grid/VirtualGrid.tsx";
import { OperationChoice } from "./OperationChoice.tsx";
import css from "./OperationsView.module.css";
import { openSpan } from "./RegionList.tsx";
import { ROWS_OF } from "./rows-of.ts";

const COLUMNS: readonly Column<ListedRequest, SpanSort>[] = [
  {
    ...{ sort: "start", label: "time", about: "When it began (UTC)", room: 104, rank: 4 },
    cell: ({ start }) => <span data-tip={formatMoment(start, 6)}>{figure(formatClock(start, 3))}</span>,
  },
  {
    ...{ sort: "operation", label: "endpoint", isText: true, room: "minmax(0, 2fr)", least: 96, rank: 1 },
    cell: ({ operation }) => <MiddleText text={operationName(operation)} />,
  },
  {
    ...{ sort: "duration", label: "duration", room: 88, rank: 2 },
    cell: ({ duration, source }) => figure(durationWords(duration, source)),
  },
  {
    ...{ sort: "cause", label: "cause", about: "The largest part of its time, and the function that most of it is in" },
    ...{ isText: true, room: "minmax(0, 4fr)", least: 120, rank: 3 },
    cell: (row) => <MiddleText text={mainCause(row.breakdown, row.duration, row.function) || "no sample"} />,
  },
  { ...{ sort: "id", label: "id", isText: true, room: 148, rank: 5 }, cell: ({ id }) => hexId(id) },
];

/** Every request with its time of day, its duration, its own cause and its id, in any order. */
export function RequestList({ query, act, width }: ViewProps) {
  const { by, of, spanSort: sort, spanReversed: reversed } = query.operations;
  const { own } = query.look;
  const choice = useMemo(() => choiceOf({ by, of, region: null, slowest: null }), [by, of]);
  const question = useSame({ choice, sort, reversed, own });
  const pages = usePages(question, (asked, offset, limit) =>
    viewer.ofTraces("requestList", asked, asked.own, offset, limit),
  );
  const [active, setActive] = useActiveRow(question);
  const { answer, count, rowAt, need } = pages;
  const columns =
    by === "endpoint" ? COLUMNS : COLUMNS.map((each) => (each.sort === "operation" ? { ...each, label: by } : each));
  const open = (index: number) => {
    const row = rowAt(index);
    if (row !== undefined) openSpan(row, act);
  };
  return (
    <>
      <div className={css.summary}>
        <OperationChoice {...{ by, of, act }} />
        <p data-testid="request-list-total">
          {answer === null ? `Counting ${ROWS_OF[by]}…` : `${formatCounted(answer.count, ROWS_OF[by].slice(0, -1))}.`}
          {answer !== null &&
            answer.ordered < answer.count &&
            ` The ${formatCount(answer.ordered)} longest are ordered by cause, others by duration.`}
        </p>
      </div>
      <SortedTable
        {...{ active, rowAt }}
        label={`${by === "endpoint" ? "Requests" : "Spans"} with their causes. Enter opens one.`}
        testId="request-list"
        columns={fitColumns(columns, width)}
        order={{ sort, reversed }}
        onOrder={(order) =>
          act({ kind: "operations", operations: { spanSort: order.sort, spanReversed: order.reversed } })
        }
        ascending={["start", "operation", "cause", "id"]}
        headId="request-sort-"
        count={count ?? 0}
        onActive={(index, { type }) => {
          setActive(index);
          if (type === "click" && index === active) open(index);
        }}
        onOpen={open}
        onView={need}
        describe={({ id, operation }) => ({ id: String(id), title: `${operationName(operation)} ${id}` })}
      />
    </>
  );
}
