/** Cells of a span's row: name, bar on the time axis, figures, samples. */
import { ChevronDown, ChevronRight, CircleAlert } from "lucide-react";
import type { CSSProperties, ReactNode } from "react";
import { reasonWords, sampleWords } from "../../../model/trace/span-words.ts";
import { serviceHue } from "../../../model/trace/waterfall.ts";
import { formatNanos } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import type { TraceSpans } from "../../../worker/api.ts";
import { figure } from "../../parts/grid/SortedTable.tsx";
import type { GridRow } from "../../parts/grid/VirtualGrid.tsx";
import { Icon } from "../../primitives/icon/Icon.tsx";
import css from "./TraceView.module.css";

/** What the rows of a trace share. */
export interface SpanRow {
  trace: TraceSpans;
  closed: ReadonlySet<number>;
  /** Places that the search found. */
  hits: ReadonlySet<number>;
  /** Ids of the filter. */
  selected: ReadonlySet<bigint>;
  /** Names of the profile types. */
  labels: ReadonlyMap<string, string>;
  isNarrow: boolean;
  onToggle: (place: number) => void;
}

/** Names stay in sight however deep their span is. */
const DEEPEST_INDENT = 24;
const INDENT_PX = 12;
/** Profile types that have a bar, in this order. */
const SHOWN_TYPES = ["cpu", "wall", "lock-contention", "socket-read", "file-read", "alloc-samples"];
const ERROR = 2;
const PERCENT = 100;

export const COLUMNS = "minmax(140px, 2fr) minmax(110px, 3fr) 72px 72px minmax(110px, 140px)";
/** Name, bar and duration. */
export const NARROW = "minmax(0, 3fr) minmax(0, 2fr) 72px";

export function spanHeads(isNarrow: boolean): { label: ReactNode }[] {
  const heads = [
    { label: <span className={css.nameHead}>span</span> },
    { label: "time" },
    { label: figure("duration") },
    { label: figure("self") },
    { label: "samples" },
  ];
  return isNarrow ? heads.slice(0, 3) : heads;
}

export function spanRow(rows: SpanRow, place: number): GridRow {
  const { trace, closed, selected, isNarrow } = rows;
  const name = visible(trace.texts[trace.nameOf[place] ?? 0] ?? "") || "(no name)";
  const size = trace.size[place] ?? 1;
  const figures = [trace.length, trace.self].map((column) => formatNanos(column[place] ?? 0));
  const cells = [
    <Name key="name" rows={rows} place={place} name={name} />,
    <Bar key="bar" trace={trace} place={place} />,
    ...figures.map((text) => figure(text)),
    <Samples key="samples" rows={rows} place={place} />,
  ];
  return {
    id: String(trace.id[place]),
    title: name,
    "aria-level": (trace.depth[place] ?? 0) + 1,
    "aria-selected": selected.has(trace.id[place] ?? 0n),
    ...(size > 1 && { "aria-expanded": !closed.has(place) }),
    cells: isNarrow ? cells.slice(0, 3) : cells,
  };
}

function Name({ rows, place, name }: { rows: SpanRow; place: number; name: string }) {
  const { trace, closed, hits, onToggle } = rows;
  const service = visible(trace.texts[trace.serviceOf[place] ?? 0] ?? "");
  const resource = visible(trace.texts[trace.resourceOf[place] ?? 0] ?? "");
  const up = trace.up[place] ?? -1;
  // The root's service is in the head of the view.
  const isOther = up >= 0 && trace.serviceOf[up] !== trace.serviceOf[place] && service !== "";
  const indent = INDENT_PX * Math.min(DEEPEST_INDENT, trace.depth[place] ?? 0);
  return (
    <span className={css.name} style={{ paddingLeft: `min(40%, ${indent}px)` }}>
      <span className={css.mark} aria-hidden="true" onClick={() => onToggle(place)}>
        {(trace.size[place] ?? 1) > 1 && <Icon of={closed.has(place) ? ChevronRight : ChevronDown} size={14} />}
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

/** The span on the time of the whole trace; one on the critical path has its full colour. */
function Bar({ trace, place }: { trace: TraceSpans; place: number }) {
  const share = (nanos: number) => (trace.duration === 0 ? 0 : (PERCENT * nanos) / trace.duration);
  const isCritical = (trace.critical[place] ?? 0) > 0;
  const style: CSSProperties & Record<"--hue", number> = {
    left: `${share(trace.from[place] ?? 0)}%`,
    width: `${share(trace.length[place] ?? 0)}%`,
    "--hue": serviceHue(trace.serviceOf[place] ?? 0),
  };
  return (
    <span className={css.track}>
      <span className={css.bar} data-critical={isCritical} style={style} />
      {isCritical && <span className="visually-hidden">on the critical path</span>}
    </span>
  );
}

/** A column for each kind of samples, as high as its share of the most that a span of the trace has. */
function Samples({ rows: { trace, labels }, place }: { rows: SpanRow; place: number }) {
  const reason = trace.reason[place] ?? 0;
  if (reason > 0) {
    const why = trace.reasons[reason - 1];
    return <span className={css.reason}>{why === undefined ? "" : reasonWords(why)}</span>;
  }
  const counted = trace.profiles.map(({ type, samples, inferred }) => ({
    type,
    label: labels.get(type) ?? type,
    samples: samples[place] ?? 0,
    inferred: inferred[place] ?? 0,
    most: samples.reduce((most, n) => Math.max(most, n), 0),
  }));
  const shown = counted.filter(({ type }) => SHOWN_TYPES.includes(type));
  const words = sampleWords(counted);
  return (
    <span className={css.samples} title={words}>
      {shown.map(({ type, samples, most }) => (
        <span key={type} className={css.column}>
          <span
            data-type={type}
            style={{ height: `${most === 0 ? 0 : Math.max(8, (PERCENT * samples) / most)}%` }}
            data-none={samples === 0}
          />
        </span>
      ))}
      <span className={css.most}>{words}</span>
    </span>
  );
}
