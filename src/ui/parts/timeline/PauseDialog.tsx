import { useMemo } from "react";
import type { TimeRange } from "../../../core/types.ts";
import { formatCount, formatCounted, formatNanos } from "../../../model/words/format.ts";
import { formatClock, formatDay } from "../../../model/words/moments.ts";
import { visible } from "../../../model/words/text.ts";
import type { Pause } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { Dialog, type DialogProps } from "../../primitives/dialog/Dialog.tsx";
import { useAnswer } from "../answers/use-answer.ts";
import { MiddleText } from "../grid/FrameName.tsx";
import { type Column, figure, SortedTable } from "../grid/SortedTable.tsx";
import { useActiveRow } from "../grid/VirtualGrid.tsx";
import css from "./Pauses.module.css";

const MOST = 1000;
const ORDER = { sort: "duration", reversed: false } as const;
type Sort = (typeof ORDER)["sort"];

export interface PausesProps {
  onRange: (time: TimeRange) => void;
  /** The file that the filter leaves; null for all. */
  file: string | null;
}

/** The longest pauses of the JVM; one selects its time. */
export function PauseDialog({ open, onClose, onRange, file }: DialogProps & PausesProps) {
  const question = useMemo(() => (open ? { most: MOST, file } : null), [open, file]);
  const answer = useAnswer(question, (asked) => viewer.pauses(asked.most, asked.file))?.answer ?? null;
  const rows = answer?.rows ?? [];
  const [active, setActive] = useActiveRow(answer);
  const select = (index: number) => {
    const pause = rows[index];
    if (pause === undefined) return;
    // A pause of no length is a moment, and a range has one.
    const length = pause.durationNano > 0n ? pause.durationNano : 1n;
    onRange({ from: pause.startUnixNano, to: pause.startUnixNano + length });
    onClose();
  };
  return (
    <Dialog open={open} onClose={onClose} title="Longest pauses of the JVM" testId="pause-list">
      <div className={css.list}>
        <p data-testid="pauses-total">{answer === null ? "…" : words(answer.count, answer.nanos, rows.length)}</p>
        <SortedTable
          label="Pauses, the longest first. A click or Enter selects the time of a pause."
          testId="pause"
          columns={columnsOf(rows)}
          order={ORDER}
          onOrder={() => {}}
          ascending={[]}
          count={rows.length}
          active={active}
          onActive={(index, { type }) => {
            setActive(index);
            if (type === "click") select(index);
          }}
          onOpen={select}
          rowAt={(index) => rows[index]}
          describe={({ startUnixNano, cause, source }) => ({
            id: String(startUnixNano),
            title: visible([cause, source].filter((text) => text !== "").join(", "), 200),
          })}
        />
      </div>
    </Dialog>
  );
}

function words(count: number, nanos: bigint, shown: number): string {
  const cut = shown < count ? `, the longest ${formatCount(shown)}` : "";
  return `${formatCounted(count, "pause")}, ${formatNanos(nanos)} in all${cut}`;
}

/** Causes where a collector states them, sources where there are several. */
function columnsOf(rows: readonly Pause[]): Column<Pause, Sort>[] {
  const columns: Column<Pause, Sort>[] = [
    { label: "duration", room: 80, cell: ({ durationNano }) => figure(formatNanos(durationNano)) },
    {
      ...{ label: "start (UTC)", room: 190, isText: true },
      cell: ({ startUnixNano }) => `${formatDay(startUnixNano)} ${formatClock(startUnixNano, 3)}`,
    },
  ];
  const text = (label: string, of: (pause: Pause) => string): Column<Pause, Sort> => ({
    ...{ label, room: "minmax(0, 1fr)", isText: true },
    cell: (pause) => <MiddleText text={visible(of(pause), 200)} />,
  });
  if (rows.some(({ cause }) => cause !== "")) columns.push(text("cause", ({ cause }) => cause));
  if (new Set(rows.map(({ source }) => source)).size > 1) columns.push(text("source", ({ source }) => source));
  return columns;
}
