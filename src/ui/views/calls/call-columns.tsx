/** Columns of the list of calls: a row each, with the room they take and what they show. */
import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { CallSort } from "../../../model/query/query.ts";
import { formatBytes, formatCount, formatNanos } from "../../../model/words/format.ts";
import { formatClock, formatMoment } from "../../../model/words/moments.ts";
import { visible } from "../../../model/words/text.ts";
import type { CallRow } from "../../../worker/api.ts";
import { MiddleText } from "../../parts/grid/FrameName.tsx";
import { type Column, figure } from "../../parts/grid/SortedTable.tsx";
import { Icon } from "../../primitives/icon/Icon.tsx";
import css from "./CallsView.module.css";

const NANOS = 1_000_000;
/** Dumps have no time below 1 ms. */
export const timeOf = (ms: number) => (ms === 0 ? "0 ms" : formatNanos(ms * NANOS));
const time = (ms: number | null) => (ms === null ? null : timeOf(ms));
const bytes = (n: number | null) => (n === null ? null : formatBytes(n));

function startOf({ start }: CallRow): ReactNode {
  const moment = BigInt(start) * BigInt(NANOS);
  return <span title={formatMoment(moment, 3)}>{formatClock(moment, 3)}</span>;
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
export const CALL_COLUMNS: readonly Column<CallRow, CallSort>[] = [
  { sort: "start", label: "start (UTC)", about: "When it began", room: 92, rank: 4, isText: true, cell: startOf },
  {
    ...{ sort: "duration", label: "duration", about: "How long it took", room: 76, rank: 2 },
    cell: ({ duration }) => figure(time(duration)),
  },
  {
    ...{ sort: "net", label: "net", about: "Duration without suspension", room: 72, rank: 6 },
    cell: ({ net }) => figure(time(net)),
  },
  {
    ...{ sort: "suspension", label: "suspension", room: 82, rank: 3 },
    about: "Time in pauses of the JVM: garbage collection, safepoints, lack of processors",
    cell: ({ suspension }) => figure(time(suspension)),
  },
  { sort: "cpu", label: "CPU", about: "Processor time", room: 68, rank: 5, cell: ({ cpu }) => figure(time(cpu)) },
  {
    ...{ sort: "wait", label: "wait", about: "Time waiting for locks", room: 68, rank: 10 },
    cell: ({ wait }) => figure(time(wait)),
  },
  {
    ...{ sort: "queue", label: "queue", about: "Time in a queue before it began", room: 68, rank: 11 },
    cell: ({ queue }) => figure(time(queue)),
  },
  {
    ...{ sort: "memory", label: "memory", about: "Bytes allocated", room: 76, rank: 8 },
    cell: ({ memory }) => figure(bytes(memory)),
  },
  {
    ...{ sort: "io", label: "I/O", about: "Bytes of files and of the network, read and written", room: 76, rank: 9 },
    cell: ({ io }) => figure(bytes(io)),
  },
  {
    ...{ sort: "transactions", label: "trans.", about: "Transactions", room: 56, rank: 13 },
    cell: ({ transactions }) => figure(transactions === null ? null : formatCount(transactions)),
  },
  {
    ...{ sort: "frames", label: "frames", about: "Methods entered", room: 64, rank: 12 },
    cell: ({ frames }) => figure(formatCount(frames)),
  },
  {
    ...{ sort: "name", label: "title or method", about: "Title that the agent gave it, or its method", isText: true },
    ...{ room: "minmax(0, 1fr)", least: 220, rank: 1 },
    cell: nameOf,
  },
  {
    ...{ sort: "thread", label: "thread", about: "Name of its thread", room: 140, rank: 7, isText: true },
    cell: ({ thread }) => <MiddleText text={visible(thread, 80)} />,
  },
];
