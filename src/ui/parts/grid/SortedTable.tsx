/** A table that the user orders by its columns: a column is a row of data, with its head, its room and its cell. */
import { ArrowDown, ArrowUp } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { Button, Icon } from "../../primitives/icon/Icon.tsx";
import css from "./SortedTable.module.css";
import { type GridRow, VirtualGrid } from "./VirtualGrid.tsx";

export interface Column<Row, Sort extends string> {
  /** The order that its head asks for; absent where the table has no order by it. */
  sort?: Sort | undefined;
  /** Empty where the cells speak for themselves: then `about` is its name for assistive technology. */
  label: ReactNode;
  /** The label in a sentence. */
  about?: string;
  /** CSS pixels, or a CSS column that takes a part of the rest. */
  room: number | string;
  /** The least of that rest, in CSS pixels. */
  least?: number;
  /** CSS pixels in a narrow window. */
  narrow?: number;
  /** Not in a narrow window. */
  spare?: boolean;
  /** `fitColumns` leaves it out after those with a greater number. */
  rank?: number;
  /** Pixels that it leaves to the columns that take the rest: with less it is left out. */
  leaves?: number;
  /** Texts begin at the left, figures end at the right. */
  isText?: boolean;
  cell: (row: Row) => ReactNode;
}

interface Order<Sort> {
  sort: Sort;
  reversed: boolean;
}

interface Props<Row, Sort extends string>
  extends Omit<ComponentProps<typeof VirtualGrid>, "role" | "columns" | "narrow" | "heads" | "row"> {
  columns: readonly Column<Row, Sort>[];
  order: Order<Sort>;
  onOrder: (order: Order<Sort>) => void;
  /** Orders that begin with A or with the earliest. The others begin with the largest. */
  ascending: readonly Sort[];
  /** Of the heads: the order's name follows. */
  headId?: string;
  /** Undefined until the row is there. */
  rowAt: (index: number) => Row | undefined;
  describe: (row: Row) => Omit<GridRow, "cells">;
}

/** Padding of a row with the scroll bar, and the gap between columns. */
const PADDING = 40;
const GAP = 8;
/** However little room there is. */
const FEWEST = 2;

export function SortedTable<Row, Sort extends string>(props: Props<Row, Sort>) {
  const { columns, order, onOrder, ascending, headId, rowAt, describe, ...grid } = props;
  const template = (shown: readonly Column<Row, Sort>[], isNarrow: boolean) =>
    shown.map(({ room, narrow = room }) => widthOf(isNarrow ? narrow : room)).join(" ");
  const row = (index: number): GridRow => {
    const at = rowAt(index);
    if (at === undefined) return { id: "", cells: ["…"], ...(grid.multi && { "aria-selected": false }) };
    return { ...describe(at), cells: columns.map(({ cell }) => cell(at)) };
  };
  const head = (column: Column<Row, Sort>) => {
    const { sort, spare } = column;
    if (sort === undefined) return { label: <PlainHead {...column} />, ...(spare && { spare }) };
    const isSorted = sort === order.sort;
    const isAscending = ascending.includes(sort) !== order.reversed;
    const direction = isAscending ? ("ascending" as const) : ("descending" as const);
    return {
      sort: isSorted ? direction : ("none" as const),
      label: (
        <Button
          className={css.sort}
          data-text={column.isText}
          tip={column.about}
          testId={headId && `${headId}${sort}`}
          onClick={() => onOrder({ sort, reversed: isSorted && !order.reversed })}
        >
          {column.label}
          {isSorted && <Icon of={isAscending ? ArrowUp : ArrowDown} size={12} />}
        </Button>
      ),
    };
  };
  return (
    <VirtualGrid
      {...grid}
      role="grid"
      columns={template(columns, false)}
      narrow={template(
        columns.filter(({ spare }) => !spare),
        true,
      )}
      heads={columns.map(head)}
      row={row}
    />
  );
}

function PlainHead({ label, about, isText }: Pick<Column<never, never>, "label" | "about" | "isText">) {
  if (label === "") return <span className="visually-hidden">{about}</span>;
  if (typeof label !== "string") return label;
  return (
    <span className={css.figure} data-text={isText} data-tip={about}>
      {label}
    </span>
  );
}

/** A cell that ends at the right; a quiet one stands where a figure would be. */
export function figure(text: ReactNode, isQuiet = false): ReactNode {
  return (
    <span className={css.figure} data-quiet={isQuiet || undefined}>
      {text}
    </span>
  );
}

/** Columns that fit into so many CSS pixels. */
export function fitColumns<C extends Pick<Column<never, never>, "room" | "least" | "rank" | "leaves">>(
  columns: readonly C[],
  width: number,
): C[] {
  const shown = new Set<C>();
  let rest = width - PADDING;
  for (const column of columns.toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0))) {
    const { room, least = 0, leaves = 0 } = column;
    rest -= (typeof room === "number" ? room : least) + GAP;
    if (rest < leaves && shown.size >= FEWEST) break;
    shown.add(column);
  }
  return columns.filter((column) => shown.has(column));
}

function widthOf(room: number | string): string {
  return typeof room === "number" ? `${room}px` : room;
}
