import type { KeyboardEvent } from "react";
import { useEffect, useId, useRef, useState } from "react";
import { type ExplorerTab, FEW } from "../../model/lists/explorer.ts";
import { hasChip } from "../../model/query/chips.ts";
import type { QueryAction, QueryState } from "../../model/query/query.ts";
import type { Measured } from "../../model/recording/measure.ts";
import { figureName, formatCount } from "../../model/words/format.ts";
import { isCutAtCrossing } from "../../model/words/text.ts";
import css from "./RankList.module.css";
import { chipOf, RankRowView } from "./RankRowView.tsx";
import type { Ranking } from "./use-rank.ts";
import { useTallList } from "./use-tall-list.ts";

interface Props {
  ranking: Ranking;
  profile: Measured;
  /** First moment of the recording. */
  start: bigint;
  query: QueryState;
  act: (action: QueryAction) => void;
  label: string;
  /** Where rows of few samples are found together with others like them. */
  group: ExplorerTab | null;
}

const ROW_PX = 40;

/** A ranking as a list box: only the rows in view exist, keys move through all of them. */
export function RankList({ ranking, profile, start, query, act, label, group }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const [active, setActive] = useState(0);
  const count = ranking.count ?? 0;
  const list = useTallList(scroller, count, ROW_PX);
  const { rowAt, need } = ranking;
  const { by, how } = ranking.question;

  const { first, end, show } = list;
  useEffect(() => need(first, Math.max(first, end - 1)), [first, end, need]);

  // Another ranking starts at its top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the question is what decides
  useEffect(() => {
    setActive(0);
    show(0);
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

  /** To what the row is one of, with all of its samples. */
  const onGroup = (index: number) => {
    const row = rowAt(index);
    if (row === undefined || group?.by.kind !== "attribute") return;
    const known = row.about !== "" && !isCutAtCrossing(row.about);
    const chip = known ? ({ kind: "attribute", key: group.by.key, value: row.about } as const) : null;
    act({ kind: "group", by: group.name, chip });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const { ctrlKey, metaKey, altKey } = event;
    const to = targetOf(event.key, active, count, list.page);
    if (event.key === "Enter" || event.key === " ") {
      toggle(active, ctrlKey || metaKey);
    } else if (event.key.toLowerCase() === "g" && !ctrlKey && !metaKey && !altKey) {
      onGroup(active);
    } else if (to !== null) {
      setActive(to);
      show(to);
    } else {
      return;
    }
    event.preventDefault();
  };

  const indices = Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i);
  const heaviest = Number(ranking.answer?.heaviest ?? 0n);
  return (
    <>
      <div className={css.caption} aria-hidden="true">
        <span>
          {ranking.count === null ? "" : `${formatCount(count)} ${how.find === undefined ? "in all" : "found"}`}
        </span>
        <span>{figureName(profile)}</span>
        <span>share</span>
      </div>
      <div
        ref={scroller}
        className={css.list}
        role="listbox"
        aria-label={label}
        aria-multiselectable="true"
        tabIndex={0}
        aria-activedescendant={active >= first && active < end ? `${id}-${active}` : undefined}
        onKeyDown={onKeyDown}
      >
        <div className={css.rows} role="presentation" style={{ height: list.height }}>
          {indices.map((index) => {
            const row = rowAt(index);
            return (
              <RankRowView
                key={index}
                id={`${id}-${index}`}
                row={row}
                by={by}
                profile={profile}
                start={start}
                heaviest={heaviest}
                top={list.topOf(index)}
                position={index + 1}
                count={count}
                active={index === active}
                selected={row !== undefined && hasChip(query, chipOf(row, by))}
                group={row !== undefined && row.samples < FEW ? group : null}
                onClick={(event) => toggle(index, event.ctrlKey || event.metaKey)}
                onGroup={() => onGroup(index)}
              />
            );
          })}
        </div>
      </div>
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
