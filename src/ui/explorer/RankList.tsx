import { useVirtualizer } from "@tanstack/react-virtual";
import type { KeyboardEvent } from "react";
import { useEffect, useId, useRef, useState } from "react";
import { hasChip } from "../../model/chips.ts";
import { figureName, formatCount } from "../../model/format.ts";
import type { Measured } from "../../model/measure.ts";
import type { QueryAction, QueryState } from "../../model/query.ts";
import { isCutAtCrossing } from "../../model/text.ts";
import css from "./RankList.module.css";
import { chipOf, RankRowView } from "./RankRowView.tsx";
import type { Ranking } from "./use-rank.ts";

interface Props {
  ranking: Ranking;
  profile: Measured;
  query: QueryState;
  act: (action: QueryAction) => void;
  label: string;
}

const ROW_PX = 28;
/** Browsers cannot scroll further than about 33 million pixels. */
const MOST_ROWS = 1_000_000;

/** A ranking as a list box: only the rows in view exist, keys move through all of them. */
export function RankList({ ranking, profile, query, act, label }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const [active, setActive] = useState(0);
  const count = Math.min(ranking.count ?? 0, MOST_ROWS);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const { rowAt, need } = ranking;
  const { by } = ranking.question;

  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => need(first, last), [first, last, need]);

  // Another ranking starts at its top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the question is what decides
  useEffect(() => {
    setActive(0);
    scroller.current?.scrollTo(0, 0);
  }, [ranking.question]);

  /** `also`: beside what is chosen already. */
  const toggle = (index: number, also: boolean) => {
    const row = rowAt(index);
    setActive(index);
    if (row === undefined) return;
    if (isCutAtCrossing(row.label)) return; // no filter would match the beginning alone
    const chip = chipOf(row, by);
    if (hasChip(query, chip)) act({ kind: "remove", chip });
    else act({ kind: also ? "also" : "add", chip });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      return toggle(active, event.ctrlKey || event.metaKey);
    }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_PX) - 1);
    const to = targetOf(event.key, active, count, page);
    if (to === null) return;
    event.preventDefault();
    setActive(to);
    virtual.scrollToIndex(to);
  };

  const heaviest = Number(rowAt(0)?.value ?? 0n);
  return (
    <>
      <div className={css.caption} aria-hidden="true">
        <span>{ranking.count === null ? "" : `${formatCount(ranking.count)} in all`}</span>
        <span>samples</span>
        <span>{figureName(profile)}</span>
        <span>share</span>
      </div>
      <div
        ref={scroller}
        className={css.list}
        role="listbox"
        aria-label={`${label}, heaviest first`}
        aria-multiselectable="true"
        tabIndex={0}
        aria-activedescendant={items.some((item) => item.index === active) ? `${id}-${active}` : undefined}
        onKeyDown={onKeyDown}
      >
        <div className={css.rows} role="presentation" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const row = rowAt(index);
            return (
              <RankRowView
                key={index}
                id={`${id}-${index}`}
                row={row}
                by={by}
                profile={profile}
                heaviest={heaviest}
                top={start}
                position={index + 1}
                count={count}
                active={index === active}
                selected={row !== undefined && hasChip(query, chipOf(row, by))}
                onClick={(event) => toggle(index, event.ctrlKey || event.metaKey)}
              />
            );
          })}
        </div>
      </div>
      {(ranking.count ?? 0) > MOST_ROWS && (
        <p className={css.more}>and {formatCount((ranking.count ?? 0) - MOST_ROWS)} lighter ones</p>
      )}
    </>
  );
}

function targetOf(key: string, active: number, count: number, page: number): number | null {
  const to = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    PageDown: active + page,
    PageUp: active - page,
    Home: 0,
    End: count - 1,
  }[key];
  return to === undefined ? null : Math.min(Math.max(0, to), Math.max(0, count - 1));
}
