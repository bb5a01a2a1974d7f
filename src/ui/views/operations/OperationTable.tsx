import { ChartBarStacked, Filter, GitCompareArrows, ScatterChart } from "lucide-react";
import { useEffect, useMemo } from "react";
import type { OperationSort, OperationsPart } from "../../../model/query/query.ts";
import { choiceOf } from "../../../model/query/span-choice.ts";
import { subjectOf } from "../../../model/query/subject.ts";
import { operationName, sourceWords, tableWords } from "../../../model/trace/operation-words.ts";
import type { OperationRow } from "../../../model/trace/operations.ts";
import type { OperationPage } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer, useSame } from "../../parts/answers/use-answer.ts";
import { usePages } from "../../parts/answers/use-pages.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { railOf } from "../../parts/drawing/RangeRail.tsx";
import { type Column, fitColumns, SortedTable } from "../../parts/grid/SortedTable.tsx";
import { useActiveRow } from "../../parts/grid/VirtualGrid.tsx";
import { Button, Icon } from "../../primitives/icon/Icon.tsx";
import { compareSpans } from "./compare.ts";
import css from "./OperationsView.module.css";
import { operationColumns } from "./operation-columns.tsx";
import { ROWS_OF } from "./rows-of.ts";

/** Columns that samples of recordings tell. */
const COSTS: readonly (OperationSort | undefined)[] = ["cpu", "allocation"];
/** Slow spans are so many of 100. */
const SLOWEST = 5;

/** Durations of each operation on one scale, and its costs per request. */
export function OperationTable({ profile, tabs, query, act, width }: ViewProps) {
  const { by, sort, reversed } = query.operations;
  const question = useSame({ by, sort, reversed });
  const { count, answer, fetched, rowAt, need } = usePages(question, (asked, offset, limit) =>
    viewer.ofTraces("operations", asked.sort, asked.reversed, offset, limit, ROWS_OF[asked.by]),
  );
  const [active, setActive] = useActiveRow(question);
  useSelected(query, fetched, setActive);
  const rail = useMemo(() => (answer === null ? null : railOf(answer.least, answer.most)), [answer]);
  const compare = ({ operation }: OperationRow) =>
    act(compareSpans({ profile, tabs }, choiceOf({ by, of: operation, region: null, slowest: SLOWEST })));
  const { source, of } = answer ?? { source: "files", of: ROWS_OF[by] };
  const isExact = profile.exact !== undefined;
  const isShown = ({ sort }: Column<OperationRow, OperationSort>) => !isExact || !COSTS.includes(sort);
  const columns = fitColumns(operationColumns({ rail, source, of, onCompare: compare }).filter(isShown), width);
  const openMap = (index: number) => {
    const row = rowAt(index);
    if (row !== undefined) act({ kind: "operations", operations: { shape: "map", of: row.operation, region: null } });
  };
  const openTime = ({ operation }: OperationRow) =>
    act({ kind: "operations", operations: { shape: "time", of: operation, region: null, slowest: null } });
  const onKey = (key: string, index: number): boolean => {
    const row = rowAt(index);
    if (row === undefined) return false;
    if (key.toLowerCase() === "t" && !isExact) openTime(row);
    else if (key.toLowerCase() === "s" && row.spans > 1) compare(row);
    else return false;
    return true;
  };
  return (
    <>
      <div className={css.summary}>
        {answer === null ? <p>Counting {of}…</p> : <Summary page={answer} query={query} />}
        <Actions
          {...{ by, act, isExact }}
          row={rowAt(active)}
          onCompare={compare}
          onTime={openTime}
          onMap={() => openMap(active)}
        />
      </div>
      <SortedTable
        {...{ columns, active, onKey, rowAt }}
        label={`${by === "endpoint" ? "Endpoints" : "Operations"}. Enter shows the map of their ${of}, T where their time went, S compares the slowest 5 % with the rest.`}
        testId="operations"
        order={query.operations}
        onOrder={(operations) => act({ kind: "operations", operations })}
        ascending={["operation"]}
        headId="operation-sort-"
        count={count ?? 0}
        onActive={setActive}
        onOpen={openMap}
        onView={need}
        describe={({ operation }) => ({ id: operation, title: operationName(operation) })}
      />
    </>
  );
}

/** The active row is that of the selected request, span or endpoint. */
function useSelected(
  { filter }: ViewProps["query"],
  fetched: readonly OperationRow[],
  setActive: (index: number) => void,
): void {
  const isOne = subjectOf({ filter }) !== null;
  const question = useMemo(() => (isOne ? { filter } : null), [isOne, filter]);
  const found = useAnswer(question, (asked) => viewer.ofTraces("slowRequests", asked.filter, 1), true);
  const operation = question !== null && found?.question === question ? found.answer[0]?.operation : undefined;
  useEffect(() => {
    const index = fetched.findIndex((row) => row.operation === operation);
    if (index >= 0) setActive(index);
  }, [operation, fetched, setActive]);
}

/** The table is of all samples: a filter by spans is made here. */
function hasFilter({ spans: _, ...others }: ViewProps["query"]["filter"]): boolean {
  return Object.keys(others).length > 0;
}

function Summary({ page, query }: { page: OperationPage; query: ViewProps["query"] }) {
  return (
    <p>
      <strong data-testid="operations-total">{tableWords(page.of, page.count, page.spans)}</strong>{" "}
      {sourceWords(page.source, page.unstated)}
      {page.source === "roots" && !query.inferred && " Context adds the spans that the recording states."}
      {hasFilter(query.filter) && " Filters do not change this table."}
    </p>
  );
}

interface ActionProps extends Pick<ViewProps, "act">, Pick<OperationsPart, "by"> {
  /** The row that keys act on. */
  row: OperationRow | undefined;
  /** No sample tells where the time went. */
  isExact: boolean;
  onCompare: (row: OperationRow) => void;
  onTime: (row: OperationRow) => void;
  onMap: () => void;
}

/** What can be done with the active operation. */
function Actions({ row, by, isExact, act, onCompare, onTime, onMap }: ActionProps) {
  if (row === undefined) return null;
  const { operation, spans } = row;
  const items = ROWS_OF[by];
  return (
    <div className={css.actions}>
      <span className={css.chosen} data-testid="operations-active" title={operationName(operation)}>
        {operationName(operation)}
      </span>
      <Button
        testId="operations-slowest"
        tip={`Compares the samples of its slowest 5 % with those of its other ${items}`}
        disabled={spans < 2}
        onClick={() => onCompare(row)}
      >
        <Icon of={GitCompareArrows} size={14} /> Slowest 5 % against the rest
      </Button>
      <Button
        testId="operations-filter"
        tip={`Filters every view by the ${items} of this ${by}`}
        onClick={() => {
          const choice = choiceOf({ by, of: operation, region: null, slowest: null });
          act({ kind: "add", chip: { kind: "spans", ...choice } });
        }}
      >
        <Icon of={Filter} size={14} /> Only its samples
      </Button>
      {!isExact && (
        <Button testId="operations-time" tip="Where the time of its requests went" onClick={() => onTime(row)}>
          <Icon of={ChartBarStacked} size={14} /> Time
        </Button>
      )}
      <Button testId="operations-map" tip={`Its ${items} by start and duration`} onClick={onMap}>
        <Icon of={ScatterChart} size={14} /> Map
      </Button>
    </div>
  );
}
