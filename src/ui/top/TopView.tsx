import { useEffect, useMemo, useState } from "react";
import type { TopOrder } from "../../core/view-types.ts";
import { figureName, formatFigure, formatPercent } from "../../model/format.ts";
import { visible } from "../../model/text.ts";
import { viewer } from "../../worker/client.ts";
import type { ViewProps } from "../analysis/AnalysisPanel.tsx";
import { NoStacks } from "../analysis/NothingDrawn.tsx";
import { usePages } from "../analysis/use-pages.ts";
import { Share } from "../grid/Share.tsx";
import { type GridRow, VirtualGrid } from "../grid/VirtualGrid.tsx";
import css from "./TopView.module.css";

const COLUMNS = "96px 64px 96px 64px minmax(0, 1fr)";
const NARROW = "72px 72px minmax(0, 1fr)";

/** Functions of the selection: what they took themselves, and with all they called. */
export function TopView({ profile, samples, totals, act, onFailure }: ViewProps) {
  const [order, setOrder] = useState<TopOrder>("self");
  const [active, setActive] = useState(0);
  const asked = useMemo(() => ({ samples, order }), [samples, order]);
  const { count, question, rowAt, need } = usePages(
    asked,
    (table, offset, limit) => viewer.top(table.samples, table.order, offset, limit),
    onFailure,
  );
  // Another table starts at its top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the question is what decides
  useEffect(() => setActive(0), [question]);

  const open = (index: number) => {
    const name = rowAt(index)?.name ?? "";
    if (name !== "") act({ kind: "function", name });
  };
  const whole = Number(totals.value);
  const row = (index: number): GridRow => {
    const at = rowAt(index);
    if (at === undefined) return { id: "", cells: ["…"] };
    const cells = (["self", "total"] as const).flatMap((which) => {
      const value = Number(at[which]);
      return [
        <Share key={which} value={value} whole={whole} text={formatFigure(value, profile)} />,
        <span key={`${which}-share`} className={css.share}>
          {formatPercent(value, whole)}
        </span>,
      ];
    });
    const name = at.name === "" ? "(no name)" : visible(at.name);
    return { id: at.name, title: name, cells: [...cells, <bdi key="name">{name}</bdi>] };
  };
  const sorted = (by: TopOrder) => ({
    label: (
      <button type="button" className={css.sort} data-testid={`sort-${by}`} onClick={() => setOrder(by)}>
        {by} {figureName(profile)}
        {order === by && <span aria-hidden="true"> ▾</span>}
      </button>
    ),
    sort: order === by ? ("descending" as const) : ("none" as const),
  });

  if (count === 0) return <NoStacks samples={totals.samples} />;
  return (
    <VirtualGrid
      role="grid"
      label="Functions of the selection. Enter opens the sandwich of one."
      testId="top"
      columns={COLUMNS}
      narrow={NARROW}
      heads={[
        sorted("self"),
        { label: <span className={css.share}>share</span>, spare: true },
        sorted("total"),
        { label: <span className={css.share}>share</span>, spare: true },
        { label: "function" },
      ]}
      count={count ?? 0}
      active={active}
      onActive={setActive}
      onOpen={open}
      onView={need}
      row={row}
    />
  );
}
