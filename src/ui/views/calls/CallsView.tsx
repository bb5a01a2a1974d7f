import { useMemo } from "react";
import type { Filter } from "../../../core/types.ts";
import { callConditions, listedParts } from "../../../model/query/call-chips.ts";
import { type CallList, filterKey } from "../../../model/query/query.ts";
import { visible } from "../../../model/words/text.ts";
import type { CallQuestion } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { usePages } from "../../parts/answers/use-pages.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { fitColumns, SortedTable } from "../../parts/grid/SortedTable.tsx";
import { useActiveRow } from "../../parts/grid/VirtualGrid.tsx";
import { CallActions } from "./CallActions.tsx";
import css from "./CallsView.module.css";
import { CallTime, totalWords } from "./CallTime.tsx";
import { CallTools } from "./CallTools.tsx";
import { CALL_COLUMNS } from "./call-columns.tsx";
import { useCallSelection } from "./use-call-selection.ts";

/** CSS pixels. */
const NARROW = 600;

/** The calls of the dumps: those that are selected here are the filter of every other view. */
export function CallsView({ calls, query, samples, act, width }: ViewProps) {
  const question = useQuestion(query.filter, query.list);
  const { count, answer, rowAt, need } = usePages(question, (asked, offset, limit) =>
    viewer.ofCalls("list", asked, offset, limit),
  );
  const [active, setActive] = useActiveRow(question);
  const parts = query.filter.calls ?? [];
  const selection = useCallSelection({ calls: parts, question, setActive, rowAt, act });
  const columns = useMemo(() => fitColumns(CALL_COLUMNS, width), [width]);
  const selected = new Set(selection.ids);
  if (calls === null) return null;
  const at = rowAt(active);
  const only = selected.size === 1 && at !== undefined && selected.has(at.id) ? at : undefined;
  return (
    <section className={css.view} aria-label="Calls of the dump">
      <CallTools calls={calls} parts={parts} act={act} />
      <Intro isOpen={width > NARROW} />
      <div className={css.summary}>
        <p data-testid="calls-total">{answer === null ? "…" : totalWords(answer)}</p>
        <CallActions parts={parts} listed={count} active={at} act={act} />
      </div>
      <SortedTable
        multi
        label="Calls. Space selects a call, Shift with the arrow keys a range, Ctrl+A all. Enter opens the flame graph of a call."
        testId="calls"
        columns={columns}
        order={query.list}
        onOrder={(list) => act({ kind: "list", list })}
        ascending={["name", "thread"]}
        headId="sort-"
        count={count ?? 0}
        active={active}
        onActive={selection.onActive}
        onOpen={selection.open}
        onKeyDown={selection.onKeyDown}
        onView={need}
        rowAt={rowAt}
        describe={({ id, title, name }) => ({ id, title: visible(title ?? name), "aria-selected": selected.has(id) })}
      />
      {only !== undefined && <CallTime call={only} samples={samples} own={query.look.own} />}
      {count === 0 && <p className={css.none}>No call matches. Remove a filter to see more.</p>}
    </section>
  );
}

/** What a call is, for someone who has never seen a dump. In a narrow window the list comes first. */
function Intro({ isOpen }: { isOpen: boolean }) {
  return (
    <details className={css.intro} open={isOpen}>
      <summary>What is a call?</summary>A call is one request or job that the profiler recorded, with every method that
      it entered. Net is its duration without suspension: the time in which the JVM stood still for garbage collection
      or for lack of processors. A red mark is a call that failed. Select calls here, then open Flame to see where their
      time went, or Chart to see one call in the order of time. Press ? for the keys.
    </details>
  );
}

/** The question of the list: one object as long as the list does not change. */
function useQuestion(filter: Filter, { sort, reversed }: CallList): CallQuestion {
  const { parts, threads, time } = callConditions(filter);
  const listed = listedParts(parts);
  const key = filterKey({ calls: listed, ...(time !== null && { time }) }) + JSON.stringify(threads);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is what parts, threads and time are
  return useMemo(() => ({ parts: listed, threads, time, sort, reversed }), [key, sort, reversed]);
}
