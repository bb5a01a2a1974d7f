import { ArrowDown, ArrowUp } from "lucide-react";
import { useMemo } from "react";
import type { TopRow } from "../../core/types.ts";
import type { TopOrder } from "../../core/view-types.ts";
import { inferredInFrame } from "../../model/context/coverage.ts";
import type { Pattern } from "../../model/query/pattern.ts";
import type { TopTable } from "../../model/query/query.ts";
import type { RunRule } from "../../model/query/run-rules.ts";
import { isFound } from "../../model/query/shape.ts";
import type { Measured } from "../../model/recording/measure.ts";
import { figureName, formatCounted, formatFigure, formatPercent } from "../../model/words/format.ts";
import { titled, visible } from "../../model/words/text.ts";
import type { RowValue } from "../../worker/api.ts";
import { viewer } from "../../worker/client.ts";
import { NoStacks } from "../analysis/NothingDrawn.tsx";
import { usePages } from "../analysis/use-pages.ts";
import { ViewTools } from "../analysis/ViewTools.tsx";
import { DetailsButton } from "../frame-details/DetailsButton.tsx";
import { FrameName } from "../grid/FrameName.tsx";
import { Inlined } from "../grid/Inlined.tsx";
import { Share } from "../grid/Share.tsx";
import { useActiveRow } from "../grid/use-active-row.ts";
import { type GridRow, VirtualGrid } from "../grid/VirtualGrid.tsx";
import { Icon } from "../icon/Icon.tsx";
import { InferredNote } from "../inferred/InferredNote.tsx";
import { NO_VALUE, useInferredRows, useNames } from "../inferred/use-inferred-rows.ts";
import { SearchBox } from "../search/SearchBox.tsx";
import { useSearch } from "../search/use-search.ts";
import { type DetailedFrames, useSurroundings } from "../surroundings.ts";
import type { ViewProps } from "../view-props.ts";
import css from "./TopView.module.css";

const COLUMNS = "96px 64px 96px 64px minmax(0, 1fr)";
const NARROW = "84px 84px minmax(0, 1fr)";

/** Functions of the selection with their self and total values. */
export function TopView({ profile, samples, totals, query, act, onFailure }: ViewProps) {
  const { sort, reversed, found } = query.top;
  const { runs } = query.shape;
  const search = useSearch(samples, query.search, onFailure);
  const { expression } = search;
  const find = found && expression !== null ? query.search : "";
  const asked = useMemo(() => ({ samples, sort, reversed, find }), [samples, sort, reversed, find]);
  const { count, question, fetched, rowAt, need } = usePages(
    asked,
    ({ samples: of, sort: by, reversed: back, find: pattern }, offset, limit) =>
      viewer.top(of, by, offset, limit, { reversed: back, ...(pattern !== "" && { find: pattern }) }),
    onFailure,
  );
  const [active, setActive] = useActiveRow(question);
  const inferred = useInferredRows(profile, question.samples, useNames(fetched), onFailure);

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
  const row = (index: number): GridRow => {
    const at = rowAt(index);
    if (at === undefined) return { id: "", cells: ["…"] };
    return rowOf(at, profile, Number(totals.value), inferred.get(at.name) ?? NO_VALUE, expression, runs);
  };
  const sorted = (by: TopOrder, label: string) => headOf(by, label, query.top, act);

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
      <VirtualGrid
        role="grid"
        label="Functions of the selection. Enter opens the sandwich of a function, and shows the functions of a collapsed run."
        testId="top"
        columns={COLUMNS}
        narrow={NARROW}
        heads={[
          sorted("self", `self ${figureName(profile)}`),
          { label: <span className={css.share}>share</span>, spare: true },
          sorted("total", `total ${figureName(profile)}`),
          { label: <span className={css.share}>share</span>, spare: true },
          sorted("name", "function"),
        ]}
        count={count ?? 0}
        active={active}
        onActive={setActive}
        onOpen={open}
        onView={need}
        onKey={onKey}
        row={row}
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

/** Figures begin with the largest, names with A. */
function directionOf(by: TopOrder, reversed: boolean): "ascending" | "descending" {
  return (by === "name") === reversed ? "descending" : "ascending";
}

function rowOf(
  at: TopRow,
  profile: Measured,
  whole: number,
  inferred: RowValue,
  expression: Pattern | null,
  runs: readonly RunRule[],
): GridRow {
  const cells = (["self", "total"] as const).flatMap((which) => {
    const value = Number(at[which]);
    // A column of zeros hides the figures that matter.
    if (value === 0) return [null, null];
    return [
      <Share key={which} value={value} whole={whole} text={formatFigure(value, profile)} inferred={inferred[which]} />,
      <span key={`${which}-share`} className={css.share}>
        {formatPercent(value, whole)}
      </span>,
    ];
  });
  const name = at.name === "" ? "(no name)" : visible(at.name);
  const isRun = ruleIn(runs, at.name) !== undefined;
  const found = isFound(expression, at.name);
  const alone = !isRun && at.inlined === undefined && inferred.total === 0;
  const title = isRun ? `${name}: a collapsed run of frames. Enter shows its functions` : name;
  return {
    id: at.name,
    title: titled(title, inferredInFrame(inferred.total, Number(at.total), profile)),
    cells: [
      ...cells,
      alone ? (
        <FrameName key="name" text={name} found={found} alone />
      ) : (
        <span key="name" className={css.function}>
          <FrameName text={name} found={found} />
          <Inlined how={at.inlined} />
          {isRun && <span className={css.run}>collapsed run</span>}
          <InferredNote inferred={inferred.total} of={Number(at.total)} />
        </span>
      ),
    ],
  };
}

/** A run is a row under the name of its rule. */
function ruleIn(runs: readonly RunRule[], name: string): RunRule | undefined {
  return runs.find((rule) => rule.name === name);
}

/** The head of a column: a button that orders by it, and turns the order around the second time. */
function headOf(by: TopOrder, label: string, { sort, reversed }: TopTable, act: ViewProps["act"]) {
  return {
    label: (
      <button
        type="button"
        className={css.sort}
        data-testid={`sort-${by}`}
        onClick={() => act({ kind: "top", top: { sort: by, reversed: sort === by && !reversed } })}
      >
        {label}
        {sort === by && <Icon of={directionOf(by, reversed) === "descending" ? ArrowDown : ArrowUp} size={12} />}
      </button>
    ),
    sort: sort === by ? directionOf(by, reversed) : ("none" as const),
  };
}
