/** Columns of the table of files: a row each, with the room they take and what they show. */
import { ArrowDown, ArrowUp, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { type FileRow, type FileType, isAscendingFile } from "../../model/collection/rows.ts";
import type { FileSort, FilesPart } from "../../model/query/query.ts";
import { formatCount, formatNanos, formatPercent } from "../../model/words/format.ts";
import { formatClock, formatDay } from "../../model/words/moments.ts";
import { visible } from "../../model/words/text.ts";
import { FrameName } from "../grid/FrameName.tsx";
import { MiddleText } from "../grid/MiddleText.tsx";
import { Share } from "../grid/Share.tsx";
import type { GridRow } from "../grid/VirtualGrid.tsx";
import { Icon } from "../icon/Icon.tsx";
import css from "./CollectionView.module.css";

/** What the cells of a row share. */
export interface Around {
  selected: ReadonlySet<number>;
  /** The largest share of the function in any file. */
  mostShare: number;
  onToggle: (row: FileRow) => void;
}

export interface FileColumn {
  id: string;
  label: string;
  about: string;
  /** Null where the table has no order by it. */
  sort: FileSort | null;
  /** Pixels; with `grow` the least of them. */
  room: number;
  /** Its part of the rest. */
  grow?: number;
  isFigure?: boolean;
  /** A column is left out after those with a greater number. */
  rank: number;
  cell: (row: FileRow, around: Around) => ReactNode;
}

const GAP = 8;
/** Columns from this rank on are shown only where the growing columns keep so many pixels more than their least. */
const LATE = { rank: 8, room: 280 };
const PADDING = 40;
/** Of a column of samples: figures of six digits, or its heading by so many pixels a letter. */
const SAMPLES = { least: 76, letter: 7.5 };

const figure = (text: string) => <span className={css.figure}>{text}</span>;
const quiet = (text: string) => <span className={css.quiet}>{text}</span>;
/** Where a figure would be. */
const noFigure = (text: string) => <span className={`${css.quiet} ${css.figure}`}>{text}</span>;

const MARK: FileColumn = {
  ...{ id: "mark", label: "", about: "Selected", sort: null, room: 20, rank: 0 },
  cell: (row, { selected, onToggle }) => (
    <input
      type="checkbox"
      className={css.mark}
      aria-label={`Select ${visible(row.name, 80)}`}
      // Space on the row does the same.
      tabIndex={-1}
      checked={selected.has(row.index)}
      onChange={() => onToggle(row)}
      onClick={(event) => event.stopPropagation()}
    />
  ),
};

const FILE: FileColumn = {
  ...{ id: "name", label: "file", about: "Name of the file", sort: "name", room: 96, grow: 3, rank: 1 },
  cell: ({ name, facts }) => (
    <span className={css.file}>
      {facts?.damage != null && (
        <span className={css.damage}>
          <Icon of={TriangleAlert} size={14} />
          <span className="visually-hidden">{facts.readable ? "Damaged" : "Unreadable"}</span>
        </span>
      )}
      <MiddleText text={visible(name, 200)} />
    </span>
  ),
};

const PLACES: FileColumn[] = [
  {
    ...{ id: "service", label: "service", about: "Service that the file states", sort: "service" },
    ...{ room: 88, grow: 2, rank: 5 },
    cell: ({ facts }) => textCell(facts?.service),
  },
  {
    ...{ id: "instance", label: "instance", about: "Instance of the service, or host", sort: "instance" },
    ...{ room: 88, grow: 2, rank: 7 },
    cell: ({ facts }) => textCell(facts?.instance),
  },
  {
    ...{ id: "start", label: "start", about: "First sample, UTC", sort: "start", room: 148, rank: 4 },
    cell: ({ facts }) => (facts?.time == null ? noFigure("–") : figure(momentText(facts.time.from))),
    isFigure: true,
  },
  {
    ...{ id: "duration", label: "duration", about: "First to last sample", sort: null, room: 72, rank: 7.5 },
    cell: ({ facts }) => (facts?.time == null ? noFigure("–") : figure(formatNanos(facts.time.to - facts.time.from))),
    isFigure: true,
  },
];

const TOP: FileColumn[] = [
  {
    ...{ id: "top", label: "top function", about: "Function with the most self time", sort: "top" },
    ...{ room: 104, grow: 3, rank: 3 },
    cell: ({ top, facts }) => (top === null ? quiet(reason(facts)) : <FrameName text={visible(top.name)} />),
  },
  {
    ...{ id: "self", label: "self", about: "Self time of the top function", sort: null, room: 56, rank: 6 },
    cell: ({ top }) => (top === null ? quiet("") : figure(formatPercent(top.self, 1))),
    isFigure: true,
  },
];

const SHARE: FileColumn = {
  ...{ id: "share", label: "share", about: "Total time of the chosen function in each file", sort: "share" },
  ...{ room: 72, rank: 2, isFigure: true },
  cell: ({ share }, { mostShare }) => {
    if (share === null) return noFigure("–");
    if (share.atMost > 0) return figure(`≤${formatPercent(share.atMost, 1)}`);
    return <Share value={share.total} whole={mostShare} text={formatPercent(share.total, 1)} />;
  },
};

/** Of each type: the chosen one first, which the table can be sorted by. */
function sampleColumns(types: readonly FileType[], chosen: string): FileColumn[] {
  const ordered = [...types].sort((a, b) => Number(b.type === chosen) - Number(a.type === chosen));
  return ordered.map(({ type, label }, at) => ({
    ...{ id: `samples-${type}`, label, about: `Samples: ${label}`, sort: at === 0 ? ("samples" as const) : null },
    ...{ room: Math.max(SAMPLES.least, Math.ceil(SAMPLES.letter * label.length)) },
    ...{ rank: at === 0 ? 2.5 : 8 + at, isFigure: true },
    cell: ({ facts }) => {
      const samples = facts?.profiles.find((profile) => profile.type === type)?.samples ?? 0;
      return samples === 0 ? noFigure(facts === null ? "…" : "0") : figure(formatCount(samples));
    },
  }));
}

interface Asked {
  rows: readonly FileRow[];
  types: readonly FileType[];
  type: string;
  hasFunction: boolean;
}

/** As many columns as have room. */
export function columnsFor(width: number, { rows, types, type, hasFunction }: Asked): FileColumn[] {
  const isStated = ({ id }: FileColumn) =>
    (id !== "service" && id !== "instance") || rows.some(({ facts }) => (facts?.[id] ?? "") !== "");
  const all = [
    MARK,
    FILE,
    ...PLACES.filter(isStated),
    ...sampleColumns(types, type),
    ...TOP,
    ...(hasFunction ? [SHARE] : []),
  ];
  let room = Math.max(0, width - PADDING);
  const shown = new Set<FileColumn>();
  for (const column of [...all].sort((a, b) => a.rank - b.rank)) {
    room -= column.room + GAP;
    if (room < (column.rank < LATE.rank ? 0 : LATE.room)) break;
    shown.add(column);
  }
  return all.filter((column) => shown.has(column));
}

export function gridColumns(columns: readonly FileColumn[]): string {
  return columns.map(({ room, grow }) => (grow === undefined ? `${room}px` : `minmax(${room}px, ${grow}fr)`)).join(" ");
}

export function headOf(
  { id, label, about, sort, isFigure }: FileColumn,
  part: FilesPart,
  onSort: (part: Partial<FilesPart>) => void,
) {
  if (label === "") return { label: <span className="visually-hidden">{about}</span> };
  const text = isFigure !== true;
  if (sort === null) {
    return {
      label: (
        <span className={css.head} data-text={text} data-tip={about}>
          {label}
        </span>
      ),
    };
  }
  const isSorted = sort === part.sort;
  const isAscending = isAscendingFile(sort, part.reversed);
  return {
    label: (
      <button
        type="button"
        className={css.sort}
        data-text={text}
        data-tip={about}
        data-testid={`file-sort-${sort}`}
        data-column={id}
        onClick={() => onSort({ sort, reversed: isSorted && !part.reversed })}
      >
        {label}
        {isSorted && <Icon of={isAscending ? ArrowUp : ArrowDown} size={12} />}
      </button>
    ),
    sort: isSorted ? ((isAscending ? "ascending" : "descending") as "ascending" | "descending") : ("none" as const),
  };
}

export function rowOf(row: FileRow | undefined, columns: readonly FileColumn[], around: Around): GridRow {
  if (row === undefined) return { id: "", cells: ["…"] };
  const { damage } = row.facts ?? { damage: null };
  return {
    id: row.name,
    title: visible(damage === null ? row.name : `${row.name}: ${damage}`, 400),
    "aria-selected": around.selected.has(row.index),
    cells: columns.map(({ cell }) => cell(row, around)),
  };
}

function textCell(text: string | undefined): ReactNode {
  if (text === undefined) return quiet("…");
  return text === "" ? quiet("–") : <MiddleText text={visible(text, 120)} />;
}

/** Why a row has no function. */
function reason(facts: FileRow["facts"]): string {
  if (facts === null) return "…";
  return facts.readable ? "No samples" : visible(facts.damage ?? "Nothing could be read", 120);
}

/** `2026-11-20 20:59:09`. */
export function momentText(moment: bigint): string {
  return `${formatDay(moment)} ${formatClock(moment, 0)}`;
}
