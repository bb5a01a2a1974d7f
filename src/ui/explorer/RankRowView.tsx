import type { MouseEvent } from "react";
import type { RankBy, RankRow } from "../../core/types.ts";
import type { Chip } from "../../model/chips.ts";
import { formatCount, formatFigure, formatPercent, formatProfileValue } from "../../model/format.ts";
import { decimalId, hexId, idWord, shortId } from "../../model/ids.ts";
import type { Measured } from "../../model/measure.ts";
import { isCutAtCrossing, visible } from "../../model/text.ts";
import css from "./RankList.module.css";

interface Props {
  id: string;
  /** Undefined until its page is there. */
  row: RankRow | undefined;
  by: RankBy;
  profile: Measured;
  /** Value of the heaviest row: a full bar. */
  heaviest: number;
  top: number;
  position: number;
  count: number;
  active: boolean;
  selected: boolean;
  onClick: (event: MouseEvent) => void;
}

export function RankRowView({
  id,
  row,
  by,
  profile,
  heaviest,
  top,
  position,
  count,
  active,
  selected,
  onClick,
}: Props) {
  const width = row === undefined || heaviest <= 0 ? 0 : (100 * Number(row.value)) / heaviest;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list box handles the keys for its active option
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={selected}
      aria-disabled={(row !== undefined && isCutAtCrossing(row.label)) || undefined}
      aria-setsize={count}
      aria-posinset={position}
      className={css.row}
      data-testid="rank-row"
      data-active={active || undefined}
      data-id={row?.id.toString()}
      title={row === undefined ? undefined : titleOf(row, by, profile)}
      style={{ transform: `translateY(${top}px)` }}
      onClick={onClick}
    >
      {row === undefined ? (
        <span className={css.pending}>…</span>
      ) : (
        <>
          <span className={css.bar} style={{ width: `${width}%` }} />
          <bdi className={css.name}>{labelOf(row, by)}</bdi>
          <span className={css.figure}>{formatCount(row.samples)}</span>
          <span className={css.figure}>{formatFigure(row.value, profile)}</span>
          <span className={css.figure}>{formatPercent(row.value, profile.value)}</span>
        </>
      )}
    </div>
  );
}

export function chipOf(row: RankRow, by: RankBy): Chip {
  if (by.kind === "attribute") return { kind: "attribute", key: by.key, value: row.label };
  return { kind: by.kind, id: row.id };
}

function labelOf(row: RankRow, by: RankBy): string {
  return by.kind === "attribute" ? visible(row.label, 120) : shortId(row.id);
}

function titleOf(row: RankRow, by: RankBy, profile: Measured): string {
  const value = `${formatProfileValue(row.value, profile)}, ${formatPercent(row.value, profile.value)} of the profile`;
  if (by.kind === "attribute") {
    const words = `${visible(by.key)} = ${visible(row.label)}\n${value}`;
    return isCutAtCrossing(row.label) ? `${words}\ntoo long to filter by` : words;
  }
  const root =
    by.kind === "span" && row.root !== 0n
      ? `\n${idWord("local-root", row.root)} ${decimalId(row.root)} (0x${hexId(row.root)})`
      : "";
  return `${idWord(by.kind, row.id)} ${decimalId(row.id)} (0x${hexId(row.id)})${root}\n${value}`;
}
