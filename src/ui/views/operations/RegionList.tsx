import type { OperationsPart, SpanSort } from "../../../model/query/query.ts";
import { durationWords, operationName } from "../../../model/trace/operation-words.ts";
import { digitsFor, formatOffset } from "../../../model/words/moments.ts";
import { visible } from "../../../model/words/text.ts";
import type { RegionSpan } from "../../../worker/api.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { MiddleText } from "../../parts/grid/FrameName.tsx";
import { type Column, figure, SortedTable } from "../../parts/grid/SortedTable.tsx";
import { useActiveRow } from "../../parts/grid/VirtualGrid.tsx";

interface Props extends Pick<ViewProps, "act"> {
  count: number | null;
  /** Another object, another list. */
  question: unknown;
  rowAt: (index: number) => RegionSpan | undefined;
  need: (first: number, last: number) => void;
  part: OperationsPart;
  /** Where starts count from. */
  zero: bigint;
  /** All spans are of one operation. */
  isOne: boolean;
  /** They are requests, where no spans are known. */
  isRequests: boolean;
  /** CSS pixels. */
  width: number;
}

/** CSS pixels. */
const NARROW = 380;
/** Starts differ by less than a millisecond where spans are short. */
const START_DIGITS = digitsFor(100_000);

/** The spans of the region; Enter opens the trace of one. */
export function RegionList({ count, question, rowAt, need, part, zero, isOne, act, isRequests, width }: Props) {
  const [active, setActive] = useActiveRow(question);
  const columns = columnsOf(zero, width >= NARROW && isOne, isRequests);
  const open = (index: number) => {
    const span = rowAt(index);
    if (span !== undefined) openSpan(span, act);
  };
  return (
    <SortedTable
      label={
        isRequests
          ? "Requests of the region. Enter opens one."
          : "Spans of the region. Enter opens the trace of a span."
      }
      testId="region-spans"
      columns={columns}
      order={{ sort: part.spanSort, reversed: part.spanReversed }}
      onOrder={({ sort, reversed }) =>
        act({ kind: "operations", operations: { spanSort: sort, spanReversed: reversed } })
      }
      ascending={["start", "operation", "cause", "id"]}
      headId="span-sort-"
      count={count ?? 0}
      active={active}
      onActive={(index, { type }) => {
        setActive(index);
        if (type === "click" && index === active) open(index);
      }}
      onOpen={open}
      onView={need}
      rowAt={rowAt}
      describe={({ id, operation }) => ({ id: String(id), title: `${operationName(operation)} ${id}` })}
    />
  );
}

/** A root without spans has no trace: its samples are shown. */
export function openSpan({ trace, id }: RegionSpan, act: Props["act"]): void {
  if (trace === "") {
    act({ kind: "only-id", chip: { kind: "local-root", id } });
    act({ kind: "view", view: "flame" });
    return;
  }
  act({ kind: "only-id", chip: { kind: "span", id } });
  act({ kind: "trace", trace: { id: trace } });
  act({ kind: "view", view: "trace" });
}

function columnsOf(zero: bigint, hasService: boolean, isRequests: boolean): Column<RegionSpan, SpanSort>[] {
  const columns: Column<RegionSpan, SpanSort>[] = [
    {
      sort: "duration",
      label: "duration",
      room: 80,
      cell: ({ duration, source }) => figure(durationWords(duration, source)),
    },
    { sort: "start", label: "start", room: 96, cell: ({ start }) => figure(formatOffset(start - zero, START_DIGITS)) },
    {
      sort: "operation",
      label: isRequests ? "endpoint" : "operation",
      room: "minmax(0, 3fr)",
      isText: true,
      cell: ({ operation }) => <MiddleText text={operationName(operation)} />,
    },
  ];
  const service: Column<RegionSpan, SpanSort> = {
    label: "service",
    room: "minmax(0, 2fr)",
    isText: true,
    cell: (row) => <MiddleText text={visible(row.service, 80)} />,
  };
  return hasService ? [...columns, service] : columns;
}
