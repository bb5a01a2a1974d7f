import { ArrowDown, ArrowUp } from "lucide-react";
import type { OperationsPart, QueryAction, SpanSort } from "../../model/query/query.ts";
import { durationWords, operationName } from "../../model/trace/operation-words.ts";
import { digitsFor, formatOffset } from "../../model/words/moments.ts";
import { visible } from "../../model/words/text.ts";
import type { RegionSpan } from "../../worker/api.ts";
import { MiddleText } from "../grid/MiddleText.tsx";
import { useActiveRow } from "../grid/use-active-row.ts";
import { type GridRow, VirtualGrid } from "../grid/VirtualGrid.tsx";
import { Icon } from "../icon/Icon.tsx";
import css from "./OperationsView.module.css";

interface Props {
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
  act: (action: QueryAction) => void;
  /** CSS pixels. */
  width: number;
}

interface Column {
  sort: SpanSort | null;
  label: string;
  room: string;
}

const NAMED: Column = { sort: null, label: "operation", room: "minmax(0, 3fr)" };
const SERVICE: Column = { sort: null, label: "service", room: "minmax(0, 2fr)" };
const COLUMNS: readonly Column[] = [
  { sort: "duration", label: "duration", room: "80px" },
  { sort: "start", label: "start", room: "96px" },
];
/** CSS pixels. */
const NARROW = 380;
/** Starts differ by less than a millisecond where spans are short. */
const START_DIGITS = digitsFor(100_000);

/** The spans of the region; Enter opens the trace of one. */
export function RegionList({ count, question, rowAt, need, part, zero, isOne, act, width }: Props) {
  const [active, setActive] = useActiveRow(question);
  const columns = [...COLUMNS, NAMED, ...(width >= NARROW && isOne ? [SERVICE] : [])];
  const room = columns.map((column) => column.room).join(" ");
  const open = (index: number) => {
    const span = rowAt(index);
    if (span !== undefined) openSpan(span, act);
  };
  return (
    <VirtualGrid
      role="grid"
      label="Spans of the region. Enter opens the trace of a span."
      testId="region-spans"
      columns={room}
      narrow={room}
      heads={columns.map((column) => headOf(column, part, act))}
      count={count ?? 0}
      active={active}
      onActive={(index, { type }) => {
        setActive(index);
        if (type === "click" && index === active) open(index);
      }}
      onOpen={open}
      onView={need}
      row={(index) => rowOf(rowAt(index), zero, columns)}
    />
  );
}

/** A root without spans has no trace: its samples are shown. */
function openSpan({ trace, id }: RegionSpan, act: Props["act"]): void {
  if (trace === "") {
    act({ kind: "only-id", chip: { kind: "local-root", id } });
    act({ kind: "view", view: "flame" });
    return;
  }
  act({ kind: "only-id", chip: { kind: "span", id } });
  act({ kind: "trace", trace: { id: trace } });
  act({ kind: "view", view: "trace" });
}

function rowOf(span: RegionSpan | undefined, zero: bigint, columns: readonly Column[]): GridRow {
  if (span === undefined) return { id: "", cells: ["…"] };
  const { id, trace, operation, service, start, duration } = span;
  const cells = [
    <span key="duration" className={css.figure}>
      {durationWords(duration, trace === "" ? "roots" : "files")}
    </span>,
    <span key="start" className={css.figure}>
      {formatOffset(start - zero, START_DIGITS)}
    </span>,
    <MiddleText key="operation" text={operationName(operation)} />,
    <MiddleText key="service" text={visible(service, 80)} />,
  ];
  return { id: String(id), title: `${operationName(operation)} ${id}`, cells: cells.slice(0, columns.length) };
}

function headOf({ sort, label }: Column, { spanSort, spanReversed }: OperationsPart, act: Props["act"]) {
  if (sort === null) return { label };
  const isSorted = sort === spanSort;
  const isAscending = (sort === "start") !== spanReversed;
  return {
    label: (
      <button
        type="button"
        className={css.sort}
        data-testid={`span-sort-${sort}`}
        onClick={() =>
          act({ kind: "operations", operations: { spanSort: sort, spanReversed: isSorted && !spanReversed } })
        }
      >
        {label}
        {isSorted && <Icon of={isAscending ? ArrowUp : ArrowDown} size={12} />}
      </button>
    ),
    sort: isSorted ? ((isAscending ? "ascending" : "descending") as "ascending" | "descending") : ("none" as const),
  };
}
