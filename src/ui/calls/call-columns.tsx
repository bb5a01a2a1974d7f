/** Columns of the list of calls: a row each, with the room they take and what they show. */
import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { CallSort } from "../../model/query/query.ts";
import { formatBytes, formatCount, formatNanos } from "../../model/words/format.ts";
import { formatClock, formatDay } from "../../model/words/moments.ts";
import { visible } from "../../model/words/text.ts";
import type { CallRow } from "../../worker/api.ts";
import { MiddleText } from "../grid/MiddleText.tsx";
import { Icon } from "../icon/Icon.tsx";
import css from "./CallsView.module.css";

export interface CallColumn {
  sort: CallSort;
  label: string;
  /** The figure in a sentence. */
  about: string;
  /** CSS pixels; the name takes the rest. */
  room: number;
  cell: (call: CallRow) => ReactNode;
}

const NANOS = 1_000_000;
/** Least room of a name, and the padding and the gaps of a row. */
const NAME_ROOM = 220;
const PADDING = 40;
const GAP = 8;

/** Dumps have no time below 1 ms. */
const timeOf = (ms: number) => (ms === 0 ? "0 ms" : formatNanos(ms * NANOS));
const time = (ms: number | null) => (ms === null ? null : timeOf(ms));
const bytes = (n: number | null) => (n === null ? null : formatBytes(n));
const figure = (text: string | null) => <span className={css.figure}>{text}</span>;

function startOf({ start }: CallRow): ReactNode {
  const moment = BigInt(start) * BigInt(NANOS);
  return <span title={`${formatDay(moment)} ${formatClock(moment, 3)} UTC`}>{formatClock(moment, 3)}</span>;
}

function nameOf({ title, name, red, recorded }: CallRow): ReactNode {
  return (
    <span className={css.name}>
      {red && (
        <span className={css.red}>
          <Icon of={CircleAlert} size={14} />
          <span className="visually-hidden">failed</span>
        </span>
      )}
      {title === null ? <MiddleText text={visible(name)} /> : <span className={css.title}>{visible(title)}</span>}
      {!recorded && <span className={css.mark}>unrecorded</span>}
    </span>
  );
}

/** In the order of the table. */
const COLUMNS: readonly CallColumn[] = [
  { sort: "start", label: "start", about: "When it began, UTC", room: 92, cell: startOf },
  {
    sort: "duration",
    label: "duration",
    about: "How long it took",
    room: 76,
    cell: ({ duration }) => figure(time(duration)),
  },
  { sort: "net", label: "net", about: "Duration without suspension", room: 72, cell: ({ net }) => figure(time(net)) },
  {
    sort: "suspension",
    label: "suspension",
    about: "Time in pauses of the JVM: garbage collection, safepoints, lack of processors",
    room: 82,
    cell: ({ suspension }) => figure(time(suspension)),
  },
  { sort: "cpu", label: "CPU", about: "Processor time", room: 68, cell: ({ cpu }) => figure(time(cpu)) },
  { sort: "wait", label: "wait", about: "Time waiting for locks", room: 68, cell: ({ wait }) => figure(time(wait)) },
  {
    sort: "queue",
    label: "queue",
    about: "Time in a queue before it began",
    room: 68,
    cell: ({ queue }) => figure(time(queue)),
  },
  {
    sort: "memory",
    label: "memory",
    about: "Bytes allocated",
    room: 76,
    cell: ({ memory }) => figure(bytes(memory)),
  },
  {
    sort: "io",
    label: "I/O",
    about: "Bytes of files and of the network, read and written",
    room: 76,
    cell: ({ io }) => figure(bytes(io)),
  },
  {
    sort: "transactions",
    label: "trans.",
    about: "Transactions",
    room: 56,
    cell: ({ transactions }) => figure(transactions === null ? null : formatCount(transactions)),
  },
  {
    sort: "frames",
    label: "frames",
    about: "Methods entered",
    room: 64,
    cell: ({ frames }) => figure(formatCount(frames)),
  },
  {
    sort: "name",
    label: "title or method",
    about: "Title that the agent gave it, or its method",
    room: 0,
    cell: nameOf,
  },
  {
    sort: "thread",
    label: "thread",
    about: "Name of its thread",
    room: 140,
    cell: ({ thread }) => <MiddleText text={visible(thread, 80)} />,
  },
];

/** Where there is little room, columns of the end of this list go first. */
const KEPT: readonly CallSort[] = [
  "name",
  "duration",
  "suspension",
  "start",
  "cpu",
  "net",
  "thread",
  "memory",
  "io",
  "wait",
  "queue",
  "frames",
  "transactions",
];

/** Columns that fit into so many CSS pixels. */
export function columnsFor(width: number): CallColumn[] {
  const kept = new Set<CallSort>();
  let room = width - NAME_ROOM - PADDING;
  for (const sort of KEPT) {
    room -= (COLUMNS.find((column) => column.sort === sort)?.room ?? 0) + GAP;
    if (room < 0 && kept.size >= 2) break;
    kept.add(sort);
  }
  return COLUMNS.filter(({ sort }) => kept.has(sort));
}

/** The columns of a CSS grid. */
export function gridColumns(columns: readonly CallColumn[]): string {
  return columns.map(({ room }) => (room === 0 ? "minmax(0, 1fr)" : `${room}px`)).join(" ");
}
