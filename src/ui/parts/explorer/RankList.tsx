import type { KeyboardEvent } from "react";
import { useCallback, useEffect, useId, useMemo, useRef, useState } from "react";
import type { RankBy, RankRow } from "../../../core/types.ts";
import { type ExplorerTab, rowWord } from "../../../model/lists/explorer.ts";
import { ENDPOINT_KEYS } from "../../../model/lists/request-keys.ts";
import { chipKey, chipsOf, hasChip } from "../../../model/query/chips.ts";
import { figureName, formatCounted } from "../../../model/words/format.ts";
import type { Zeros } from "../../../model/words/moments.ts";
import { isCutAtCrossing } from "../../../model/words/text.ts";
import { rowForKey } from "../../primitives/keys/list-keys.ts";
import { useSame } from "../answers/use-answer.ts";
import { useStill } from "../answers/use-pages.ts";
import type { ViewProps } from "../answers/view-props.ts";
import { notesOf } from "./endpoint-notes.tsx";
import css from "./RankList.module.css";
import { chipOf, isFew, RankRowView } from "./RankRowView.tsx";
import { useEndpointTimes } from "./use-endpoint-times.ts";
import type { ListQuery, Ranking } from "./use-rank.ts";
import { type TallList, useTallList } from "./use-tall-list.ts";

interface Props extends Pick<ViewProps, "profile" | "act"> {
  ranking: Ranking;
  /** Where times count from. */
  zeros: Zeros;
  query: ListQuery;
  label: string;
  /** Where rows of few samples are found together with others like them. */
  group: ExplorerTab | null;
  /** That of the selected request or span; "" without one. */
  endpoint: string;
}

const ROW_PX = 40;

/** A ranking as a list box: only the rows in view exist, keys move through all of them. */
export function RankList({ ranking: newest, profile, zeros, query, act, label, group, endpoint }: Props) {
  const { samples, by } = newest.question;
  // The default order may change while the recording is read.
  const { sort, reversed, rows: find } = query;
  const { pages: ranking, over } = useStill(newest, useSame({ samples, by, sort, reversed, find }));
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const count = ranking.count ?? 0;
  const list = useTallList(scroller, count, ROW_PX);
  const { rowAt } = ranking;

  const { first, end, show } = list;
  const [active, setActive] = useActiveRow(ranking, list);
  const rows = rowFilters(ranking, query, act, group, endpoint);
  const toggle = (index: number, also: boolean) => {
    setActive(index);
    rows.toggle(index, also);
  };

  const toggling = useRef(toggle);
  toggling.current = toggle;
  const onPick = useCallback((index: number, also: boolean) => toggling.current(index, also), []);

  const onKeyDown = (event: KeyboardEvent) => {
    const { ctrlKey, metaKey, altKey } = event;
    const to = rowForKey(event.key, active, count, list.page);
    if (event.key === "Enter" || event.key === " ") {
      toggle(active, ctrlKey || metaKey);
    } else if (event.key.toLowerCase() === "g" && !ctrlKey && !metaKey && !altKey) {
      rows.openGroup(active);
    } else if (to !== null) {
      setActive(to);
      show(to);
    } else {
      return;
    }
    event.preventDefault();
  };

  const indices = Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i);
  const isChosen = useChosen(query, by, endpoint);
  const times = useEndpointTimes(by, profile);
  const noteOf = useMemo(() => (times === null ? null : notesOf(times)), [times]);
  const heaviest = Number(ranking.answer?.heaviest ?? 0n);
  return (
    <>
      <Caption ranking={ranking} profile={profile} />
      <div
        ref={scroller}
        className={css.list}
        role="listbox"
        aria-label={label}
        aria-multiselectable="true"
        tabIndex={0}
        aria-activedescendant={active >= first && active < end ? `${id}-${active}` : undefined}
        onKeyDown={onKeyDown}
        {...over}
      >
        <div className={css.rows} role="presentation" style={{ height: list.height }}>
          {indices.map((index) => {
            const row = rowAt(index);
            return (
              <RankRowView
                key={index}
                {...{ row, by, profile, zeros, heaviest, count, onPick }}
                note={noteOf?.(row?.label ?? "", row?.requests?.count ?? 0) ?? null}
                id={`${id}-${index}`}
                top={list.topOf(index)}
                position={index + 1}
                active={index === active}
                selected={row !== undefined && isChosen(row)}
                group={row !== undefined && isFew(row, profile) ? group : null}
              />
            );
          })}
        </div>
      </div>
    </>
  );
}

/** Whether a row is a filter, or the endpoint of the selected request. */
function useChosen(query: ListQuery, by: RankBy, endpoint: string): (row: RankRow) => boolean {
  const chips = useMemo(() => new Set(chipsOf(query).map(chipKey)), [query]);
  return (row) => chips.has(chipKey(chipOf(row, by))) || (isOfEndpoints(by) && row.label === endpoint);
}

const isOfEndpoints = (by: RankBy) => by.kind === "attribute" && ENDPOINT_KEYS.includes(by.key);

/** Rows as filters: each for itself, or the group that it belongs to. */
function rowFilters(
  { rowAt, question }: Ranking,
  query: ListQuery,
  act: Props["act"],
  group: ExplorerTab | null,
  endpoint: string,
) {
  /** `also`: adds to the selection. */
  const toggle = (index: number, also: boolean) => {
    const row = rowAt(index);
    // No filter would match the beginning of a label alone.
    if (row === undefined || isCutAtCrossing(row.label)) return;
    const chip = chipOf(row, question.by);
    if (hasChip(query, chip)) act({ kind: "remove", chip });
    // The selected request is of one endpoint only.
    else if (endpoint !== "" && isOfEndpoints(question.by)) act({ kind: "group", by: query.by, chip });
    else act({ kind: also ? "also" : "add", chip });
  };

  /** Opens the group that contains the row, with all of its samples. */
  const openGroup = (index: number) => {
    const row = rowAt(index);
    if (row === undefined || group?.by.kind !== "attribute") return;
    const known = row.about !== "" && !isCutAtCrossing(row.about);
    const chip = known ? ({ kind: "attribute", key: group.by.key, value: row.about } as const) : null;
    act({ kind: "group", by: group.name, chip });
  };
  return { toggle, openGroup };
}

/** The row that keys act on; fetches the rows in view. */
function useActiveRow({ question, need }: Ranking, { first, end, show }: TallList) {
  const [active, setActive] = useState(0);
  useEffect(() => need(first, Math.max(first, end - 1)), [first, end, need]);

  // Another ranking starts at its top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the question is what decides
  useEffect(() => {
    setActive(0);
    show(0);
  }, [question]);
  return [active, setActive] as const;
}

function Caption({ ranking: { count, question }, profile }: Pick<Props, "ranking" | "profile">) {
  const { by, how } = question;
  return (
    <div className={css.caption} aria-hidden="true">
      <span>
        {count === null ? "" : `${formatCounted(count, rowWord(by))}${how.find === undefined ? "" : " found"}`}
      </span>
      {by.kind !== "attribute" && <span>duration</span>}
      <span>{figureName(profile)}</span>
      {by.kind === "attribute" && <span>share</span>}
    </div>
  );
}
