import { type ReactNode, useId, useMemo, useRef, useState } from "react";
import type { FunctionNames } from "../../../model/collection/facts.ts";
import { ASCENDING_FILES, type FileType, functionsWith } from "../../../model/collection/rows.ts";
import type { QueryState } from "../../../model/query/query.ts";
import { formatBytes, formatCounted } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import { fitColumns, SortedTable } from "../../parts/grid/SortedTable.tsx";
import { Select } from "../../primitives/field/Select.tsx";
import { Button } from "../../primitives/icon/Icon.tsx";
import { usePlotSize } from "../../views/operations/use-plot-size.ts";
import css from "./CollectionView.module.css";
import { FileActions } from "./FileActions.tsx";
import { FileHistogram } from "./FileHistogram.tsx";
import { FileTrend } from "./FileTrend.tsx";
import type { FactsReading, FactsState } from "./facts-reading.ts";
import { describeFile, fileColumns } from "./file-columns.tsx";
import type { Collected } from "./use-collection.ts";
import { useFileSelection } from "./use-file-selection.ts";
import { useRows } from "./use-rows.ts";
import { closeTable, openOf, openSome } from "./ways.ts";

export interface CollectionProps {
  collected: Collected;
  /** Why files were not opened. */
  children: ReactNode;
}

const LABEL =
  "Files. Enter opens a file. Space selects it, Shift with the arrow keys a range, Ctrl+A all. T shows the trend of its " +
  "top function.";

/** Many files as a table: with their figures, which are read one file after another, and ways to open them. */
export function CollectionView({ collected, children }: CollectionProps) {
  const { collection, query, act } = collected;
  const { reading, state, types, type, rows, sorted } = useRows(collection, query);
  const selection = useFileSelection({ sorted, query, act });
  const [active, setActive] = useState(0);
  const view = useRef<HTMLElement>(null);
  const { width } = usePlotSize(view);
  const hasFunction = query.function !== "";
  const mostShare = rows.reduce((most, { share }) => Math.max(most, share?.total ?? 0), 0);
  const onFunction = (name: string) => act({ kind: "function", name, stays: true });
  const onFiles = (files: Partial<QueryState["files"]>) => act({ kind: "files", files });
  const open = (at: number) => {
    const row = sorted[at];
    const file = row === undefined ? undefined : collection.files[row.index];
    // Without facts it may be sound.
    if (file !== undefined && row?.facts?.readable !== false) openSome(collected, [file]);
  };
  const onKey = (key: string, at: number): boolean => {
    const top = sorted[at]?.top ?? null;
    if (key.toLowerCase() !== "t" || top === null) return false;
    onFunction(top.name);
    return true;
  };
  const around = {
    ...{ selected: selection.selected, mostShare },
    onToggle: (row: { index: number }) => selection.toggle(sorted.findIndex(({ index }) => index === row.index)),
  };
  const columns = fitColumns(fileColumns({ rows, types, type, hasFunction }, around), width);
  return (
    <main ref={view} className={css.view} tabIndex={-1} aria-label="Files">
      {children}
      <Head collected={collected} reading={reading} state={state} />
      <div className={css.tools}>
        <TypeChoice types={types} value={type} onChange={(chosen) => act({ kind: "type", type: chosen })} />
        <FunctionChoice names={reading.names} value={query.function} onChange={onFunction} />
        <FileActions {...{ collected, rows, sorted, active }} selected={selection.selected} onFunction={onFunction} />
      </div>
      <FileHistogram rows={rows} time={query.files.time} onTime={(time) => onFiles({ time })} />
      {hasFunction && (
        <FileTrend
          rows={rows}
          name={query.function}
          active={sorted[active]?.index}
          onFile={(file) => setActive(sorted.findIndex(({ index }) => index === file))}
        />
      )}
      <SortedTable
        multi
        label={LABEL}
        testId="collection"
        columns={columns}
        order={query.files}
        onOrder={onFiles}
        ascending={ASCENDING_FILES}
        headId="file-sort-"
        count={sorted.length}
        active={active}
        onActive={(at, by) => {
          setActive(at);
          selection.onActivated(at, by);
        }}
        onOpen={open}
        onKeyDown={selection.onKeyDown}
        onKey={onKey}
        rowAt={(at) => sorted[at]}
        describe={(row) => ({ ...describeFile(row), "aria-selected": selection.selected.has(row.index) })}
      />
    </main>
  );
}

interface TypeProps {
  types: readonly FileType[];
  value: string;
  onChange: (type: string) => void;
}

/** The profile type of the top functions and of the trend. */
function TypeChoice({ types, value, onChange }: TypeProps) {
  if (types.length < 2) return null;
  return (
    <Select
      aria-label="Profile type"
      testId="file-type"
      value={value}
      options={types.map(({ type, label }) => [type, label] as const)}
      onChange={onChange}
    />
  );
}

interface HeadProps {
  collected: Collected;
  reading: FactsReading;
  state: FactsState;
}

/** How many files there are, how far their reading is, and the way back. */
function Head({ collected, reading, state }: HeadProps) {
  const { files, beside } = collected.collection;
  const { done, bytes, total, phase, facts } = state;
  const damaged = facts.filter((each) => each?.damage != null).length;
  const traces = beside.length === 0 ? "" : ` and ${formatCounted(beside.length, "trace file")}`;
  const progress = `${done} of ${files.length} read, ${formatBytes(bytes)} of ${formatBytes(total)}`;
  return (
    <div className={css.summary}>
      <h2 className={css.title} data-testid="collection-title">
        {formatCounted(files.length, "file")}
        {traces}
      </h2>
      <p role="status" className={css.said} data-testid="collection-said">
        {phase === "done" ? formatBytes(total) : progress}
        {damaged > 0 && ` · ${formatCounted(damaged, "damaged file")}`}
      </p>
      {phase === "reading" && (
        <>
          <progress
            className={css.progress}
            aria-label="Reading files"
            max={1}
            value={total === 0 ? 0 : bytes / total}
          />
          <Button testId="collection-cancel" onClick={() => reading.cancel()}>
            Cancel
          </Button>
        </>
      )}
      {phase === "cancelled" && (
        <Button testId="collection-resume" onClick={() => reading.resume()}>
          Read the rest
        </Button>
      )}
      <Button className={css.close} testId="collection-close" onClick={() => closeTable(collected)}>
        {openOf(collected).length > 0 ? "Back to the recording" : "Close"}
      </Button>
    </div>
  );
}

interface Props {
  names: FunctionNames;
  /** "" for none. */
  value: string;
  onChange: (name: string) => void;
}

const MOST_OFFERED = 50;

/** The function whose trend is shown: by its name, or a part of it. Enter takes the first match. */
function FunctionChoice({ names, value, onChange }: Props) {
  const list = useId();
  const [text, setText] = useState(value);
  const [before, setBefore] = useState(value);
  if (value !== before) {
    // Chosen elsewhere: from a row, or in another view.
    setBefore(value);
    setText(value);
  }
  const offered = useMemo(() => functionsWith(names, text.trim(), MOST_OFFERED), [names, text]);
  const hasMatch = text === "" || offered.length > 0;
  return (
    <>
      <input
        type="search"
        className={css.search}
        list={list}
        aria-label="Trend of a function: name, or a part of it"
        aria-invalid={!hasMatch}
        placeholder="Trend of a function"
        data-testid="file-function"
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          if (currentTarget.value === "" || names.find(currentTarget.value) >= 0) onChange(currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || offered[0] === undefined || text === "") return;
          setText(offered[0]);
          onChange(offered[0]);
        }}
      />
      <datalist id={list}>
        {offered.map((name) => (
          <option key={name} value={name} label={visible(name, 120)} />
        ))}
      </datalist>
    </>
  );
}
