/** Columns of the table of operations: a row each, with the room they take and what they show. */
import { ArrowDown, ArrowUp, GitCompareArrows } from "lucide-react";
import type { CSSProperties, ReactNode } from "react";
import type { TimeRange } from "../../core/types.ts";
import type { OperationSort, OperationsPart } from "../../model/query/query.ts";
import { durationWords, operationName } from "../../model/trace/operation-words.ts";
import type { OperationRow } from "../../model/trace/operations.ts";
import { decades, shareOf } from "../../model/trace/span-map.ts";
import { formatBytes, formatCount, formatNanos } from "../../model/words/format.ts";
import type { OperationPage } from "../../worker/api.ts";
import { MiddleText } from "../grid/MiddleText.tsx";
import type { GridRow } from "../grid/VirtualGrid.tsx";
import { Icon } from "../icon/Icon.tsx";
import css from "./OperationsView.module.css";

/** What the cells of a row share. */
interface Around {
  /** The scale of the rails; null until it is known. */
  rail: TimeRange | null;
  source: OperationPage["source"];
  onCompare: (row: OperationRow) => void;
}

type ColumnId = OperationSort | "rail" | "compare";

interface Column {
  id: ColumnId;
  label: string;
  /** The figure in a sentence. */
  about: string;
  /** CSS pixels, or a CSS column that takes the rest. */
  room: number | string;
  /** The least of that rest, in CSS pixels. */
  least?: number;
  cell: (row: OperationRow, around: Around) => ReactNode;
}

const PADDING = 40;
const GAP = 8;
const PERCENT = 100;

const figure = (text: string) => <span className={css.figure}>{text}</span>;
const none = (text: string) => <span className={css.none}>{text}</span>;

/** A mean that is estimated from samples. */
function mean(value: number | null, format: (value: number) => string): ReactNode {
  if (value === null) return none("–");
  return value === 0 ? none("0") : figure(format(Math.round(value)));
}

/** In the order of the table. */
const COLUMNS: readonly Column[] = [
  {
    id: "operation",
    label: "operation",
    about: "Name of the spans",
    room: "minmax(0, 3fr)",
    least: 96,
    cell: ({ operation }) => <MiddleText text={operationName(operation)} />,
  },
  {
    id: "spans",
    label: "spans",
    about: "Number of spans",
    room: 64,
    cell: ({ spans }) => figure(formatCount(spans)),
  },
  {
    id: "rail",
    label: "durations",
    about: "p50 to p95 as a bar, then a line to the longest; one logarithmic scale for all rows",
    room: "minmax(0, 4fr)",
    least: 88,
    cell: (row, { rail }) => rail !== null && <Rail row={row} rail={rail} />,
  },
  {
    id: "p50",
    label: "p50",
    about: "Half of the spans are not longer",
    room: 72,
    cell: ({ p50 }, { source }) => figure(durationWords(p50, source)),
  },
  {
    id: "p95",
    label: "p95",
    about: "95 % of the spans are not longer",
    room: 72,
    cell: ({ p95 }, { source }) => figure(durationWords(p95, source)),
  },
  {
    id: "max",
    label: "max",
    about: "The longest span",
    room: 72,
    cell: ({ max }, { source }) => figure(durationWords(max, source)),
  },
  {
    id: "cpu",
    label: "CPU per span",
    about: "CPU time per span, with the spans below it: the mean, estimated from samples",
    room: 88,
    cell: ({ cpu }) => mean(cpu, formatNanos),
  },
  {
    id: "allocation",
    label: "alloc. per span",
    about: "Bytes allocated per span, with the spans below it: the mean, estimated from samples",
    room: 100,
    cell: ({ allocation }) => mean(allocation, formatBytes),
  },
  {
    id: "compare",
    label: "",
    about: "",
    room: 28,
    cell: (row, { onCompare }) => <Compare row={row} onCompare={onCompare} />,
  },
];

/** Where there is little room, columns of the end of this list go first. */
const KEPT: readonly ColumnId[] = ["operation", "p95", "compare", "rail", "spans", "cpu", "allocation", "max", "p50"];

/** Columns that fit into so many CSS pixels. */
export function columnsFor(width: number): Column[] {
  const kept = new Set<ColumnId>();
  let room = width - PADDING;
  for (const id of KEPT) {
    const column = COLUMNS.find((each) => each.id === id);
    room -= (typeof column?.room === "number" ? column.room : (column?.least ?? 0)) + GAP;
    if (room < 0 && kept.size >= 2) break;
    kept.add(id);
  }
  return COLUMNS.filter(({ id }) => kept.has(id));
}

/** The columns of a CSS grid. */
export function gridColumns(columns: readonly Column[]): string {
  return columns.map(({ room }) => (typeof room === "number" ? `${room}px` : room)).join(" ");
}

/** From a power of ten to a power of ten around all percentiles. */
export function railOf({ least, most }: Pick<OperationPage, "least" | "most">): TimeRange {
  const low = Math.floor(Math.log10(Math.max(1, Math.min(least, most))));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(1, most))));
  return { from: 10n ** BigInt(low), to: 10n ** BigInt(high) };
}

export function rowOf(row: OperationRow | undefined, columns: readonly Column[], around: Around): GridRow {
  if (row === undefined) return { id: "", cells: ["…"] };
  return {
    id: row.operation,
    title: operationName(row.operation),
    cells: columns.map(({ cell }) => cell(row, around)),
  };
}

interface Heads {
  rail: TimeRange | null;
  part: OperationsPart;
  source: OperationPage["source"];
}

export function headOf(
  { id, label, about }: Column,
  { rail, part, source }: Heads,
  onSort: (part: Partial<OperationsPart>) => void,
) {
  if (id === "compare") return { label: <span className="visually-hidden">comparison</span> };
  if (id === "rail") return { label: <RailHead rail={rail} about={about} /> };
  const isSorted = id === part.sort;
  const isText = id === "operation";
  const isAscending = isText !== part.reversed;
  return {
    label: (
      <button
        type="button"
        className={css.sort}
        data-text={isText}
        data-tip={about}
        data-testid={`operation-sort-${id}`}
        onClick={() => onSort({ sort: id, reversed: isSorted && !part.reversed })}
      >
        {id === "spans" && source === "roots" ? "roots" : label}
        {isSorted && <Icon of={isAscending ? ArrowUp : ArrowDown} size={12} />}
      </button>
    ),
    sort: isSorted ? ((isAscending ? "ascending" : "descending") as "ascending" | "descending") : ("none" as const),
  };
}

function Compare({ row, onCompare }: { row: OperationRow; onCompare: Around["onCompare"] }) {
  if (row.spans < 2) return null;
  return (
    <button
      type="button"
      className={css.compare}
      data-look="icon"
      data-testid="operation-compare"
      data-tip="Slowest 5 % against the rest"
      aria-label={`Slowest 5 % of ${operationName(row.operation)} against the rest`}
      // Keys act on the active row of the grid.
      tabIndex={-1}
      onClick={() => onCompare(row)}
    >
      <Icon of={GitCompareArrows} size={14} />
    </button>
  );
}

const at = (share: number): CSSProperties => ({ left: `${PERCENT * share}%` });

/** The scale above the rails. */
function RailHead({ rail, about }: { rail: TimeRange | null; about: string }) {
  const marks = rail === null ? [] : decades(rail);
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

/** A bar from p50 to p95, and a line from there to the longest. */
function Rail({ row: { p50, p95, max }, rail }: { row: OperationRow; rail: TimeRange }) {
  const share = shareOf(rail);
  const [middle, high, end] = [share(p50), share(p95), share(max)];
  const width = (from: number, to: number): CSSProperties => ({ ...at(from), width: `${PERCENT * (to - from)}%` });
  return (
    <span className={css.rail} aria-hidden="true">
      {decades(rail).map((nanos) => (
        <span key={nanos} className={css.railLine} style={at(share(nanos))} />
      ))}
      <span className={css.railTail} style={width(high, end)} />
      <span className={css.railBand} style={width(middle, high)} />
      <span className={css.railMiddle} style={at(middle)} />
      <span className={css.railMax} style={at(end)} />
    </span>
  );
}
