// biome-ignore-all lint/a11y: rows that are placed one by one, as they come into view, cannot be those of a <table>
import { elementScroll, type Rect, useVirtualizer } from "@tanstack/react-virtual";
import {
  type AriaAttributes,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { rowForKey } from "../../primitives/keys/list-keys.ts";
import { FittedColumn, NameColumn } from "./fitted.ts";
import css from "./VirtualGrid.module.css";

/** One row: its cells, and its attributes for assistive technology. */
export interface GridRow extends AriaAttributes {
  cells: ReactNode[];
  /** For tests. */
  id: string;
  title?: string;
}

interface Props {
  role: "grid" | "treegrid";
  label: string;
  testId: string;
  /** CSS grid columns; in a narrow window those of the columns that are not `spare`. */
  columns: string;
  narrow: string;
  heads: { label: ReactNode; sort?: AriaAttributes["aria-sort"]; spare?: boolean }[];
  count: number;
  /** The row that keys act on. */
  active: number;
  /** Where it is scrolled to; by default to the nearest edge. */
  align?: "center";
  onActive: (index: number, by: Activation) => void;
  /** Several rows may be selected: each row says whether it is. */
  multi?: boolean;
  /** Handles a key before the grid does; returns true if handled. */
  onKeyDown?: (event: KeyboardEvent, index: number) => boolean;
  /** Enter, or a second click. */
  onOpen: (index: number) => void;
  /** Other keys; true when it did something. */
  onKey?: (key: string, index: number) => boolean;
  /** Rows that came into view, first and last. */
  onView?: (first: number, last: number) => void;
  row: (index: number) => GridRow;
}

/** What made a row active: a click or a key, and the keys held meanwhile. */
export type Activation = Pick<KeyboardEvent, "type" | "ctrlKey" | "metaKey" | "shiftKey">;

const ROW_PX = 24;
const HEAD_PX = 25;
/** Size of the table until the browser has laid it out: to ask for it would have the page laid out once more. */
const FIRST_RECT: Rect = { width: 0, height: 480 };
/** Browsers cannot scroll further than about 33 million pixels. */
const MOST_ROWS = 1_000_000;

/** A table of any length: only the rows in view exist, keys move through all of them. */
export function VirtualGrid(props: Props) {
  const { role, label, testId, columns, narrow, heads, active, onActive, onOpen, onKey, onView, row, multi } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const count = Math.min(props.count, MOST_ROWS);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
    initialRect: FIRST_RECT,
    observeElementRect: ({ scrollElement }, take) => observeSize(scrollElement, take),
    scrollToFn: useScroll(),
    // The heads are above the rows, and over them once they scroll.
    scrollMargin: HEAD_PX,
    scrollPaddingStart: HEAD_PX,
  });
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => onView?.(first, last), [first, last, onView]);
  const before = useRef(0);
  // Whether it was chosen by keys here, or by a search.
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolled by somebody it stays where it is
  useEffect(() => {
    if (active !== before.current) virtual.scrollToIndex(active, { align: props.align ?? "auto" });
    before.current = active;
  }, [active]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return; // a button in a head
    if (props.onKeyDown?.(event, active) === true) return event.preventDefault();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_PX) - 1);
    const to = rowForKey(event.key, active, count, page);
    if (to !== null) {
      onActive(to, event);
      virtual.scrollToIndex(to);
    } else if (event.key === "Enter" || event.key === " ") {
      onOpen(active);
    } else if (onKey?.(event.key, active) !== true) {
      return;
    }
    event.preventDefault();
  };

  return (
    <div
      ref={scroller}
      role={role}
      aria-label={label}
      aria-multiselectable={multi}
      aria-rowcount={count + 1}
      aria-activedescendant={active >= first && active <= last && count > 0 ? `${id}-${active}` : undefined}
      tabIndex={0}
      className={css.grid}
      style={{ "--columns": columns, "--narrow": narrow } as CSSProperties}
      data-testid={testId}
      onKeyDown={onKeyDown}
    >
      <Heads heads={heads} />
      <Rows height={virtual.getTotalSize()}>
        {items.map(({ index, start }) => {
          const place = { id: `${id}-${index}`, index, top: start - HEAD_PX, selected: index === active };
          return <Row key={index} {...place} {...{ heads, testId, onActive, onOpen }} row={row(index)} />;
        })}
      </Rows>
    </div>
  );
}

function Heads({ heads }: Pick<Props, "heads">) {
  return (
    <div role="rowgroup" className={css.heads}>
      <div role="row" aria-rowindex={1} className={css.row}>
        {heads.map((head, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move
          <span key={index} role="columnheader" aria-sort={head.sort} className={css.cell} data-spare={head.spare}>
            {head.label}
          </span>
        ))}
      </div>
    </div>
  );
}

/** As high as all rows; only those in view exist. */
function Rows({ height, children }: { height: number; children: ReactNode }) {
  const [names] = useState(() => new FittedColumn());
  return (
    <NameColumn value={names}>
      <div role="rowgroup" className={css.rows} style={{ height }}>
        {children}
      </div>
    </NameColumn>
  );
}

interface RowProps extends Pick<Props, "heads" | "testId" | "onActive" | "onOpen"> {
  id: string;
  index: number;
  /** Pixels from the top of all rows. */
  top: number;
  selected: boolean;
  row: GridRow;
}

function Row({ id, index, top, selected, row, heads, testId, onActive, onOpen }: RowProps) {
  const { cells, id: rowId, title, ...aria } = row;
  return (
    <div
      id={id}
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 2}
      aria-selected={selected}
      data-active={selected}
      {...aria}
      title={title}
      className={css.row}
      data-testid={`${testId}-row`}
      data-id={rowId}
      style={{ transform: `translateY(${top}px)` }}
      onClick={(event) => onActive(index, event)}
      onDoubleClick={() => onOpen(index)}
    >
      {cells.map((cell, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move
        <span key={column} role="gridcell" className={css.cell} data-spare={heads[column]?.spare}>
          {cell}
        </span>
      ))}
    </div>
  );
}

/** A new table is at its top: to scroll there, the browser would lay out the rows that React has just added. */
function useScroll(): typeof elementScroll {
  const isPlaced = useRef(false);
  return (top, how, table) => {
    if (isPlaced.current || top !== 0) elementScroll(top, how, table);
    isPlaced.current = true;
  };
}

/** The element's size after each layout that changes it, the first one included. */
function observeSize(element: Element | null, take: (size: Rect) => void): () => void {
  if (element === null) return () => {};
  const observer = new ResizeObserver(([{ contentRect }]) => take(contentRect));
  observer.observe(element);
  return () => observer.disconnect();
}

/** `question` is compared by identity. */
export function useActiveRow(question: unknown) {
  const [active, setActive] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the question is what decides
  useEffect(() => setActive(0), [question]);
  return [active, setActive] as const;
}
