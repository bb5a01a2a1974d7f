import type { TopRow } from "../../../core/types.ts";
import type { TopOrder } from "../../../core/view-types.ts";
import type { Pattern } from "../../../model/query/pattern.ts";
import type { RunRule } from "../../../model/query/run-rules.ts";
import { isFound } from "../../../model/query/shape.ts";
import { inferredInFrame } from "../../../model/trace/coverage.ts";
import { figureName, formatCounted, formatFigure, formatPercent } from "../../../model/words/format.ts";
import type { Measured } from "../../../model/words/measure.ts";
import { titled, visible } from "../../../model/words/text.ts";
import type { RowValues } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { type DetailedFrames, useSurroundings } from "../../parts/answers/surroundings.ts";
import { useSame } from "../../parts/answers/use-answer.ts";
import { usePages } from "../../parts/answers/use-pages.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { DetailsButton } from "../../parts/frame-details/DetailsButton.tsx";
import { FrameName, Inlined } from "../../parts/grid/FrameName.tsx";
import { Share } from "../../parts/grid/Share.tsx";
import { type Column, figure, SortedTable } from "../../parts/grid/SortedTable.tsx";
import { useActiveRow } from "../../parts/grid/VirtualGrid.tsx";
import { InferredNote } from "../../parts/inferred/InferredNote.tsx";
import { NO_VALUE, useInferredRows, useNames } from "../../parts/inferred/use-inferred-rows.ts";
import { SearchBox } from "../../parts/search/SearchBox.tsx";
import { useSearch } from "../../parts/search/use-search.ts";
import { NoStacks } from "../../parts/view/NothingDrawn.tsx";
import { ViewTools } from "../../parts/view/ViewTools.tsx";
import css from "./TopView.module.css";

/** What the cells of the table share. */
interface Around {
  profile: Measured;
  /** Value of the selection. */
  whole: number;
  inferred: RowValues;
  expression: Pattern | null;
  runs: readonly RunRule[];
}

/** Functions of the selection with their self and total values. */
export function TopView({ profile, samples, totals, query, act }: ViewProps) {
  const { sort, reversed, found } = query.top;
  const { runs } = query.shape;
  const search = useSearch(samples, query.search);
  const { expression } = search;
  const find = found && expression !== null ? query.search : "";
  const asked = useSame({ samples, sort, reversed, find });
  const { count, question, fetched, rowAt, need } = usePages(
    asked,
    ({ samples: of, sort: by, reversed: back, find: pattern }, offset, limit) =>
      viewer.top(of, by, offset, limit, { reversed: back, ...(pattern !== "" && { find: pattern }) }),
  );
  const [active, setActive] = useActiveRow(question);
  const inferred = useInferredRows(profile, question.samples, useNames(fetched));

  const open = (index: number) => {
    const name = rowAt(index)?.name ?? "";
    const run = ruleIn(runs, name);
    // Its frames are functions of this table.
    if (run !== undefined) act({ kind: "remove", chip: { kind: "run", ...run } });
    else if (name !== "") act({ kind: "function", name });
  };
  const { openDetails = null } = useSurroundings();
  const onDetails = openDetails && (() => openDetails(functionAt(rowAt(active))));
  const onKey = (key: string) => {
    if (key !== "d" || onDetails === null) return false;
    onDetails();
    return true;
  };
  const around = { profile, whole: Number(totals.value), inferred, expression, runs };

  // A search without a match has another message.
  if (count === 0 && question.find === "") return <NoStacks samples={totals.samples} />;
  return (
    <>
      <ViewTools>
        <SearchBox pattern={query.search} search={search} act={act} />
        {expression !== null && (
          <OnlyFound checked={found} onChange={(checked) => act({ kind: "top", top: { found: checked } })} />
        )}
        <DetailsButton onDetails={onDetails} />
        {count !== null && <span className={css.count}>{formatCounted(count, "function")}</span>}
      </ViewTools>
      <SortedTable
        label="Functions of the selection. Enter opens the sandwich of a function, and shows the functions of a collapsed run."
        testId="top"
        columns={columnsOf(around)}
        order={query.top}
        onOrder={(top) => act({ kind: "top", top })}
        ascending={["name"]}
        headId="sort-"
        count={count ?? 0}
        active={active}
        onActive={setActive}
        onOpen={open}
        onView={need}
        onKey={onKey}
        rowAt={rowAt}
        describe={(at) => ({ id: at.name, title: titleOf(at, around) })}
      />
    </>
  );
}

function OnlyFound({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) {
  return (
    <label>
      <input
        type="checkbox"
        data-testid="only-found"
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />{" "}
      only matches
    </label>
  );
}

function functionAt(row: TopRow | undefined): DetailedFrames {
  return { names: row === undefined || row.name === "" ? [] : [row.name], rooted: false };
}

function columnsOf(around: Around): Column<TopRow, TopOrder>[] {
  const { profile, whole, inferred } = around;
  const figures = (["self", "total"] as const).flatMap((which): Column<TopRow, TopOrder>[] => [
    {
      ...{ sort: which, label: `${which} ${figureName(profile)}`, room: 96, narrow: 84 },
      // A column of zeros hides the figures that matter.
      cell: ({ name, [which]: of }) => {
        const value = Number(of);
        const text = formatFigure(value, profile);
        return value !== 0 && <Share {...{ value, whole, text }} inferred={(inferred.get(name) ?? NO_VALUE)[which]} />;
      },
    },
    {
      ...{ label: `${which} %`, room: 64, spare: true },
      cell: ({ [which]: of }) => of !== 0n && figure(formatPercent(Number(of), whole)),
    },
  ]);
  const name = (at: TopRow) => <FunctionCell at={at} {...around} />;
  return [...figures, { sort: "name", label: "function", room: "minmax(0, 1fr)", isText: true, cell: name }];
}

const nameOf = ({ name }: TopRow) => (name === "" ? "(no name)" : visible(name));

function titleOf(at: TopRow, { profile, inferred, runs }: Around): string {
  const isRun = ruleIn(runs, at.name) !== undefined;
  const title = isRun ? `${nameOf(at)}: a collapsed run of frames. Enter shows its functions` : nameOf(at);
  const { total } = inferred.get(at.name) ?? NO_VALUE;
  return titled(title, inferredInFrame(total, Number(at.total), profile));
}

function FunctionCell({ at, inferred, expression, runs }: Around & { at: TopRow }) {
  const isRun = ruleIn(runs, at.name) !== undefined;
  const found = isFound(expression, at.name);
  const { total } = inferred.get(at.name) ?? NO_VALUE;
  if (!isRun && at.inlined === undefined && total === 0) return <FrameName text={nameOf(at)} found={found} alone />;
  return (
    <span className={css.function}>
      <FrameName text={nameOf(at)} found={found} />
      <Inlined how={at.inlined} />
      {isRun && <span className={css.run}>collapsed run</span>}
      <InferredNote inferred={total} of={Number(at.total)} />
    </span>
  );
}

/** A run is a row under the name of its rule. */
function ruleIn(runs: readonly RunRule[], name: string): RunRule | undefined {
  return runs.find((rule) => rule.name === name);
}
