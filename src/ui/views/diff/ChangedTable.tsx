import type { ReactNode } from "react";
import { isErrorKnown } from "../../../core/tables/quantities.ts";
import { isBeyondChance } from "../../../model/diff/difference.ts";
import type { Baseline, BaselineChoice } from "../../../model/query/baseline.ts";
import { isFound } from "../../../model/query/shape.ts";
import { inferredInFrame } from "../../../model/trace/coverage.ts";
import { figureName, formatFigure, formatPercent, formatPoints } from "../../../model/words/format.ts";
import type { Measured } from "../../../model/words/measure.ts";
import { titled, visible } from "../../../model/words/text.ts";
import type { ChangedPage, Result } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { useSame } from "../../parts/answers/use-answer.ts";
import { usePages } from "../../parts/answers/use-pages.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { FrameName } from "../../parts/grid/FrameName.tsx";
import { figure } from "../../parts/grid/SortedTable.tsx";
import { type GridRow, useActiveRow, VirtualGrid } from "../../parts/grid/VirtualGrid.tsx";
import { InferredNote } from "../../parts/inferred/InferredNote.tsx";
import { useNames } from "../../parts/inferred/use-inferred-rows.ts";
import type { Search } from "../../parts/search/use-search.ts";
import css from "./ChangedTable.module.css";
import { askBaseline } from "./use-diff.ts";
import { useInferredFunctions } from "./use-inferred-diff.ts";

const COLUMNS = "88px 88px 96px 96px minmax(0, 1fr)";
const NARROW = "96px minmax(0, 1fr)";

interface Question {
  samples: ViewProps["samples"];
  choice: BaselineChoice;
  normalised: boolean;
}

async function ask({ samples, choice, normalised }: Question, offset: number, limit: number): Promise<Result<Page>> {
  const resolved = await askBaseline(samples, choice);
  if (!resolved.ok) return resolved;
  const { baseline } = resolved.value;
  const page = await viewer.changed(samples, baseline, normalised, offset, limit);
  if (!page.ok) return page;
  const { rows, count, ...whole } = page.value;
  return { ok: true, value: { count, rows: rows.map((row) => ({ ...row, whole, baseline })) } };
}

type Row = ChangedPage["rows"][number] & { whole: Omit<ChangedPage, "count" | "rows">; baseline: Baseline };
type Page = { count: number; rows: Row[] };

/** The functions of both selections, those that changed most first. */
export function ChangedTable({
  profile,
  samples,
  query,
  act,
  choice,
  search,
}: ViewProps & { choice: BaselineChoice; search: Search }) {
  const normalised = query.scale === "share";
  const asked = useSame<Question>({ samples, choice, normalised });
  const { count, question, fetched, rowAt, need } = usePages(asked, ask);
  const inferred = useInferredFunctions(profile, samples, fetched[0]?.baseline ?? null, useNames(fetched));
  const [active, setActive] = useActiveRow(question);

  const row = (index: number): GridRow => {
    const at = rowAt(index);
    if (at === undefined) return { id: "", cells: ["…"] };
    const name = at.name === "" ? "(no name)" : visible(at.name);
    // A side without weight may have other code of that name.
    const own = { inferred: at.total === 0n ? 0 : (inferred.own.get(at.name)?.total ?? 0), of: Number(at.total) };
    const baseName = at.baseName ?? at.name;
    const base = { inferred: at.baseTotal === 0n ? 0 : inferred.base(baseName), of: Number(at.baseTotal) };
    const marked = [inferredWords("selection", own, profile), inferredWords("baseline", base, profile)];
    return {
      // Other code of the baseline has a row beside that of the selection.
      id: at.baseName === undefined ? at.name : `${at.name} ${at.baseName}`,
      title: titled(name, [renamedWords(at), ...marked].filter((words) => words !== "").join("\n")),
      cells: [
        ...figuresOf(at, profile, normalised),
        <span key="name" className={css.function}>
          <FrameName text={name} found={[at.name, baseName].some((each) => isFound(search.expression, each))} />
          {at.baseName !== undefined && <small className={css.renamed}>{renamedWords(at)}</small>}
          <InferredNote {...own} />
          <InferredNote {...base} side="baseline " />
        </span>,
      ],
    };
  };
  const of = figureName(profile);

  return (
    <VirtualGrid
      role="grid"
      label="Functions of the selection and the baseline, largest change first. Enter opens the sandwich of a function."
      testId="changed"
      columns={COLUMNS}
      narrow={NARROW}
      heads={[
        { label: figure("selection self"), spare: true },
        { label: figure("baseline self"), spare: true },
        { label: figure("self change"), sort: "descending" },
        { label: figure("total change"), spare: true },
        { label: `function, by self ${of}` },
      ]}
      count={count ?? 0}
      active={active}
      onActive={setActive}
      onOpen={(index) => {
        const name = rowAt(index)?.name ?? "";
        if (name !== "") act({ kind: "function", name });
      }}
      onView={need}
      row={row}
    />
  );
}

function renamedWords({ baseName }: Row): string {
  return baseName === undefined ? "" : `baseline: ${visible(baseName)}`;
}

function inferredWords(side: string, { inferred, of }: { inferred: number; of: number }, profile: Measured): string {
  return inferred <= 0 ? "" : `${side}: ${inferredInFrame(inferred, of, profile)}`;
}

function figuresOf(row: Row, profile: Measured, normalised: boolean): ReactNode[] {
  const { self, total, baseSelf, baseTotal } = row;
  const [whole, baseWhole] = [row.whole.totals.value, row.whole.baseTotals.value];
  const weight = (value: bigint, of: bigint) =>
    normalised ? formatPercent(Number(value), Number(of)) : formatFigure(Number(value), profile);
  const change = (value: bigint, base: bigint) => {
    if (normalised) return formatPoints(share(value, whole) - share(base, baseWhole));
    const less = value < base ? "−" : "";
    return (value > base ? "+" : less) + formatFigure(Math.abs(Number(value - base)), profile);
  };
  const cells = [
    weight(self, whole),
    weight(baseSelf, baseWhole),
    <span
      key="change"
      className={changeClass(row, profile)}
      title={isSure(row, profile) ? undefined : "Not significant (p ≥ 0.05)"}
    >
      {change(self, baseSelf)}
    </span>,
    change(total, baseTotal),
  ];
  return cells.map((cell) => figure(cell));
}

/** Whether the shares of self time differ beyond chance. */
function isSure({ self, baseSelf, squares, whole }: Row, profile: Measured): boolean {
  if (profile.exact) return true;
  if (!isErrorKnown(profile)) return false;
  const side = (value: bigint, squaresOf: number, of: bigint, perSquares: number) => {
    return { value: Number(value), squares: squaresOf, per: Number(of), perSquares };
  };
  return isBeyondChance(
    side(self, squares.self, whole.totals.value, whole.squares),
    side(baseSelf, squares.baseSelf, whole.baseTotals.value, whole.baseSquares),
  );
}

function changeClass(row: Row, profile: Measured): string | undefined {
  if (!isSure(row, profile)) return css.unsure;
  const { totals, baseTotals } = row.whole;
  return share(row.self, totals.value) > share(row.baseSelf, baseTotals.value) ? css.more : css.less;
}

function share(value: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number(value) / Number(whole);
}
