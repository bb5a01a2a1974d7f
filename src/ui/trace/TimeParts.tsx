import type { CSSProperties, ReactNode } from "react";
import type { Chip } from "../../model/query/chips.ts";
import type { BreakdownPart } from "../../model/span-time/breakdown.ts";
import type { PartSamples } from "../../model/span-time/opens.ts";
import { intervalWords, PART_WORDS } from "../../model/span-time/words.ts";
import { formatCount, formatCounted, formatNanos, formatPercent } from "../../model/words/format.ts";
import { visible } from "../../model/words/text.ts";
import css from "./SpanTimeSection.module.css";

/** Opens the samples that pass these filters in a profile. */
export type OpenSamples = (type: string, chips: readonly Chip[]) => void;

interface Props {
  time: { breakdown: readonly BreakdownPart[]; opens: readonly PartSamples[]; duration: number };
  /** Names of the profile types. */
  labels: ReadonlyMap<string, string>;
  /** Null where no filter selects the samples. */
  onOpen: OpenSamples | null;
  /** The same part of others. */
  others: (row: BreakdownPart) => ReactNode;
}

/** A bar of parts that add up to a time, and a row for each: its samples, its share, its interval. */
export function TimeParts({ time: { breakdown, opens, duration }, labels, onOpen, others }: Props) {
  return (
    <>
      <div className={css.bar} aria-hidden="true">
        {breakdown.map(({ part, nano }) => (
          <span key={part} className={css.part} data-part={part} style={widthOf(Number(nano), duration)} />
        ))}
      </div>
      <ul className={css.parts}>
        {breakdown.map((row) => (
          <Part
            key={row.part}
            row={row}
            of={duration}
            opens={onOpen === null ? [] : opens.filter(({ part }) => part === row.part)}
            labels={labels}
            onOpen={(opened) => onOpen?.(opened.type, chipsOf(opened))}
          >
            {others(row)}
          </Part>
        ))}
      </ul>
    </>
  );
}

function chipsOf({ attributes, frames }: PartSamples): Chip[] {
  return [
    ...attributes.map((attribute): Chip => ({ kind: "attribute", ...attribute })),
    ...frames.map((frame): Chip => ({ kind: "frame", ...frame })),
  ];
}

function widthOf(part: number, whole: number): CSSProperties {
  return { flexGrow: whole === 0 ? 0 : part / whole };
}

interface PartProps {
  row: BreakdownPart;
  of: number;
  /** The samples behind the part. */
  opens: readonly PartSamples[];
  labels: ReadonlyMap<string, string>;
  onOpen: (opened: PartSamples) => void;
  children: ReactNode;
}

function Part({ row, of, opens, labels, onOpen, children }: PartProps) {
  const { part, nano } = row;
  const { name, about } = PART_WORDS[part];
  return (
    <li title={about}>
      <span className={css.key} data-part={part} />
      <span className={css.name}>{name}</span>
      {opens.map((opened, i) => {
        const profile = visible(labels.get(opened.type) ?? opened.type, 40);
        return (
          <button
            key={`${opened.type} ${opened.samples}`}
            type="button"
            className={css.opens}
            data-testid={i === 0 ? `span-part-${part}` : `span-part-${part}-${i}`}
            data-samples={opened.samples}
            aria-label={`${name}: ${profile}, ${formatCounted(opened.samples, "sample")}`}
            onClick={() => onOpen(opened)}
          >
            {profile} {formatCount(opened.samples)}
          </button>
        );
      })}
      <span className={css.figures}>
        {formatNanos(Number(nano))}, {formatPercent(Number(nano), of)}
      </span>
      <span className={css.interval} data-testid={`span-interval-${part}`}>
        {intervalWords(row)}
      </span>
      {children}
    </li>
  );
}
