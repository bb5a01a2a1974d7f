/** Columns of the table of operations: a row each, with the room they take and what they show. */
import { GitCompareArrows } from "lucide-react";
import type { ReactNode } from "react";
import type { TimeRange } from "../../../core/types.ts";
import type { OperationSort } from "../../../model/query/query.ts";
import { durationWords, operationName, sourceWith } from "../../../model/trace/operation-words.ts";
import type { OperationRow } from "../../../model/trace/operations.ts";
import { decades, shareOf } from "../../../model/trace/span-map.ts";
import { formatBytes, formatCount, formatNanos } from "../../../model/words/format.ts";
import type { OperationPage } from "../../../worker/api.ts";
import { at, RangeRail } from "../../parts/drawing/RangeRail.tsx";
import { MiddleText } from "../../parts/grid/FrameName.tsx";
import { type Column, figure } from "../../parts/grid/SortedTable.tsx";
import { Button, Icon } from "../../primitives/icon/Icon.tsx";
import css from "./OperationsView.module.css";

/** What the cells of a row share. */
interface Around {
  /** The scale of the rails; null until it is known. */
  rail: TimeRange | null;
  source: OperationPage["source"];
  of: OperationPage["of"];
  onCompare: (row: OperationRow) => void;
}

/** A mean that is estimated from samples. */
function mean(value: number | null, format: (value: number) => string): ReactNode {
  if (value === null) return figure("–", true);
  return value === 0 ? figure("0", true) : figure(format(Math.round(value)));
}

/** In the order of the table. */
export function operationColumns({ rail, source, of, onCompare }: Around): Column<OperationRow, OperationSort>[] {
  const isRequests = of === "requests";
  const took = (nanos: number, { unstated }: OperationRow) =>
    figure(durationWords(nanos, sourceWith(source, unstated)));
  const item = isRequests ? "request" : "span";
  const below = isRequests ? "" : ", with the spans below it";
  const durations = "p50 to p95 as a bar, then a line to the longest; one logarithmic scale for all rows";
  return [
    {
      ...{ sort: "operation", label: isRequests ? "endpoint" : "operation", isText: true },
      about: isRequests ? "What the requests asked for" : "Name of the spans",
      ...{ room: "minmax(0, 3fr)", least: 96, rank: 1 },
      cell: ({ operation }) => <MiddleText text={operationName(operation)} />,
    },
    {
      ...{ sort: "spans", label: `${item}s`, about: `Number of ${item}s`, room: 64, rank: 5 },
      cell: ({ spans }) => figure(formatCount(spans)),
    },
    {
      ...{ label: <RailHead rail={rail} about={durations} />, room: "minmax(0, 4fr)", least: 88, rank: 4 },
      cell: (row) => rail !== null && <RangeRail of={row} rail={rail} />,
    },
    {
      ...{ sort: "p50", label: "p50", about: `Half of the ${item}s are not longer`, room: 72, rank: 9 },
      cell: (row) => took(row.p50, row),
    },
    {
      ...{ sort: "p95", label: "p95", about: `95 % of the ${item}s are not longer`, room: 72, rank: 2 },
      cell: (row) => took(row.p95, row),
    },
    {
      ...{ sort: "max", label: "max", about: `The longest ${item}`, room: 72, rank: 8 },
      cell: (row) => took(row.max, row),
    },
    {
      ...{ sort: "cpu", label: `CPU per ${item}`, room: isRequests ? 108 : 88, rank: 6 },
      about: `CPU time per ${item}${below}: the mean, estimated from samples`,
      cell: ({ cpu }) => mean(cpu, formatNanos),
    },
    {
      ...{ sort: "allocation", label: `alloc. per ${item}`, room: isRequests ? 116 : 100, rank: 7 },
      about: `Bytes allocated per ${item}${below}: the mean, estimated from samples`,
      cell: ({ allocation }) => mean(allocation, formatBytes),
    },
    {
      ...{ label: "", about: "comparison", room: 28, rank: 3 },
      cell: (row) => <Compare row={row} onCompare={onCompare} />,
    },
  ];
}

function Compare({ row, onCompare }: { row: OperationRow; onCompare: Around["onCompare"] }) {
  if (row.spans < 2) return null;
  return (
    <Button
      className={css.compare}
      look="icon"
      testId="operation-compare"
      tip="Slowest 5 % against the rest"
      aria-label={`Slowest 5 % of ${operationName(row.operation)} against the rest`}
      // Keys act on the active row of the grid.
      tabIndex={-1}
      onClick={() => onCompare(row)}
    >
      <Icon of={GitCompareArrows} size={14} />
    </Button>
  );
}

const MOST_MARKS = 5;

/** The scale above the rails. */
function RailHead({ rail, about }: { rail: TimeRange | null; about: string }) {
  const all = rail === null ? [] : decades(rail);
  // Of many marks each second one has room.
  const marks = all.filter((_, i) => all.length <= MOST_MARKS || (all.length - 1 - i) % 2 === 0);
  const share = rail === null ? () => 0 : shareOf(rail);
  return (
    <span className={css.railHead} data-tip={about}>
      <span className="visually-hidden">durations</span>
      {marks.map((nanos, i) => (
        <span key={nanos} className={css.railMark} data-place={placeOf(i, marks.length)} style={at(share(nanos))}>
          {formatNanos(nanos)}
        </span>
      ))}
    </span>
  );
}

function placeOf(index: number, count: number): "first" | "inner" | "last" {
  if (index === 0) return "first";
  return index === count - 1 ? "last" : "inner";
}
