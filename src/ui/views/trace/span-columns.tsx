/** Cells of a span's row: its name, and its bar on the time axis. */
import { ChevronDown, ChevronRight, CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { operationWords } from "../../../model/trace/span-words.ts";
import { visible } from "../../../model/words/text.ts";
import type { GridRow } from "../../parts/grid/VirtualGrid.tsx";
import { Icon } from "../../primitives/icon/Icon.tsx";
import { TimeHead, Track, type TrackProps } from "./SpanTrack.tsx";
import css from "./TraceView.module.css";

/** What the rows of a trace share. */
export interface SpanRow extends Omit<TrackProps, "place"> {
  closed: ReadonlySet<number>;
  /** Places that the search found. */
  hits: ReadonlySet<number>;
  /** Ids of the filter. */
  selected: ReadonlySet<bigint>;
  onToggle: (place: number) => void;
  /** It has rows below it: spans, or waits. */
  hasBelow: (place: number) => boolean;
}

/** Names stay in sight however deep their span is. */
const DEEPEST_INDENT = 24;
export const INDENT_PX = 12;
const ERROR = 2;

export function spanHeads(duration: number, width: number): { label: ReactNode }[] {
  return [
    { label: <span className={css.nameHead}>span</span> },
    { label: <TimeHead duration={duration} width={width} /> },
  ];
}

export function spanRow(rows: SpanRow, place: number): GridRow {
  const { trace, closed, selected, drawn, width, labels, isColoured } = rows;
  const name = visible(trace.texts[trace.nameOf[place] ?? 0] ?? "") || "(no name)";
  const resource = visible(trace.texts[trace.resourceOf[place] ?? 0] ?? "");
  return {
    id: String(trace.id[place]),
    title: operationWords(name, resource),
    "aria-level": (trace.depth[place] ?? 0) + 1,
    "aria-selected": selected.has(trace.id[place] ?? 0n),
    ...(rows.hasBelow(place) && { "aria-expanded": !closed.has(place) }),
    cells: [
      <Name key="name" rows={rows} place={place} name={name} resource={resource} />,
      <Track key="bar" {...{ trace, drawn, place, width, labels, isColoured }} />,
    ],
  };
}

interface NameProps {
  rows: SpanRow;
  place: number;
  name: string;
  resource: string;
}

function Name({ rows, place, name, resource }: NameProps) {
  const { trace, closed, hits, onToggle } = rows;
  const service = visible(trace.texts[trace.serviceOf[place] ?? 0] ?? "");
  const up = trace.up[place] ?? -1;
  // The root's service is in the head of the view.
  const isOther = up >= 0 && trace.serviceOf[up] !== trace.serviceOf[place] && service !== "";
  const indent = INDENT_PX * Math.min(DEEPEST_INDENT, trace.depth[place] ?? 0);
  return (
    <span className={css.name} style={{ paddingLeft: `min(40%, ${indent}px)` }}>
      <span className={css.mark} aria-hidden="true" onClick={() => onToggle(place)}>
        {rows.hasBelow(place) && <Icon of={closed.has(place) ? ChevronRight : ChevronDown} size={14} />}
      </span>
      {trace.status[place] === ERROR && (
        <span className={css.errors}>
          <Icon of={CircleAlert} size={14} />
          <span className="visually-hidden">error</span>
        </span>
      )}
      <span className={css.text} data-found={hits.has(place)}>
        {name}
      </span>
      {resource !== "" && resource !== name && <span className={css.service}>{resource}</span>}
      {isOther && <span className={css.service}>{service}</span>}
      {trace.orphan[place] === 1 && <span className={css.service}>parent missing</span>}
    </span>
  );
}
