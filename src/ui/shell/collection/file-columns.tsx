/** Columns of the table of files: a row each, with the room they take and what they show. */
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { FileRow, FileType } from "../../../model/collection/rows.ts";
import type { FileSort } from "../../../model/query/query.ts";
import { formatCount, formatNanos, formatPercent } from "../../../model/words/format.ts";
import { formatClock, formatDay } from "../../../model/words/moments.ts";
import { visible } from "../../../model/words/text.ts";
import { FrameName, MiddleText } from "../../parts/grid/FrameName.tsx";
import { Share } from "../../parts/grid/Share.tsx";
import { type Column, figure } from "../../parts/grid/SortedTable.tsx";
import { Icon } from "../../primitives/icon/Icon.tsx";
import css from "./CollectionView.module.css";

/** What the cells of a row share. */
export interface Around {
  selected: ReadonlySet<number>;
  /** The largest share of the function in any file. */
  mostShare: number;
  onToggle: (row: FileRow) => void;
}

type FileColumn = Column<FileRow, FileSort>;

/** Pixels that the columns of further types leave to those that grow. */
const LATE_ROOM = 280;
/** Of a column of samples: figures of six digits, or its heading by so many pixels a letter. */
const SAMPLES = { least: 76, letter: 7.5 };

/** A part of the rest, and its least. */
const grow = (least: number, part: number) => ({ room: `minmax(${least}px, ${part}fr)`, least, isText: true });
const quiet = (text: string) => <span className={css.quiet}>{text}</span>;
const noFigure = (text: string) => figure(text, true);

const markOf = ({ selected, onToggle }: Around): FileColumn => ({
  ...{ label: "", about: "Selected", room: 20, rank: 0 },
  cell: (row) => (
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
});

const FILE: FileColumn = {
  ...{ label: "file", about: "Name of the file", sort: "name", ...grow(96, 3), rank: 1 },
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
    ...{ label: "service", about: "Service that the file states", sort: "service" },
    ...{ ...grow(88, 2), rank: 5 },
    cell: ({ facts }) => textCell(facts?.service),
  },
  {
    ...{ label: "instance", about: "Instance of the service, or host", sort: "instance" },
    ...{ ...grow(88, 2), rank: 7 },
    cell: ({ facts }) => textCell(facts?.instance),
  },
  {
    ...{ label: "start (UTC)", about: "First sample", sort: "start", room: 148, rank: 4 },
    cell: ({ facts }) => (facts?.time == null ? noFigure("–") : figure(momentText(facts.time.from))),
  },
  {
    ...{ label: "duration", about: "First to last sample", room: 72, rank: 7.5 },
    cell: ({ facts }) => (facts?.time == null ? noFigure("–") : figure(formatNanos(facts.time.to - facts.time.from))),
  },
];

const TOP: FileColumn[] = [
  {
    ...{ label: "top function", about: "Function with the most self time", sort: "top" },
    ...{ ...grow(104, 3), rank: 3 },
    cell: ({ top, facts }) => (top === null ? quiet(reason(facts)) : <FrameName text={visible(top.name)} />),
  },
  {
    ...{ label: "self", about: "Self time of the top function", room: 56, rank: 6 },
    cell: ({ top }) => (top === null ? quiet("") : figure(formatPercent(top.self, 1))),
  },
];

const shareOf = ({ mostShare }: Around): FileColumn => ({
  ...{ label: "share", about: "Total time of the chosen function in each file", sort: "share" },
  ...{ room: 72, rank: 2 },
  cell: ({ share }) => {
    if (share === null) return noFigure("–");
    if (share.atMost > 0) return figure(`≤${formatPercent(share.atMost, 1)}`);
    return <Share value={share.total} whole={mostShare} text={formatPercent(share.total, 1)} />;
  },
});

/** Of each type: the chosen one first, which the table can be sorted by. */
function sampleColumns(types: readonly FileType[], chosen: string): FileColumn[] {
  const ordered = [...types].sort((a, b) => Number(b.type === chosen) - Number(a.type === chosen));
  return ordered.map(({ type, label }, at) => ({
    ...{ label, about: `Samples: ${label}`, sort: at === 0 ? ("samples" as const) : undefined },
    ...{ room: Math.max(SAMPLES.least, Math.ceil(SAMPLES.letter * label.length)) },
    ...(at === 0 ? { rank: 2.5 } : { rank: 8 + at, leaves: LATE_ROOM }),
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

/** In the order of the table. */
export function fileColumns({ rows, types, type, hasFunction }: Asked, around: Around): FileColumn[] {
  const isStated = ({ sort }: FileColumn) =>
    (sort !== "service" && sort !== "instance") || rows.some(({ facts }) => (facts?.[sort] ?? "") !== "");
  const samples = sampleColumns(types, type);
  const share = hasFunction ? [shareOf(around)] : [];
  return [markOf(around), FILE, ...PLACES.filter(isStated), ...samples, ...TOP, ...share];
}

export function describeFile({ name, facts }: FileRow): { id: string; title: string } {
  const { damage } = facts ?? { damage: null };
  return { id: name, title: visible(damage === null ? name : `${name}: ${damage}`, 400) };
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
function momentText(moment: bigint): string {
  return `${formatDay(moment)} ${formatClock(moment, 0)}`;
}
