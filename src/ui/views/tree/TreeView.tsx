import { ChevronDown, ChevronRight, ChevronsDown } from "lucide-react";
import { type AriaAttributes, type ReactNode, useEffect, useMemo, useState } from "react";
import type { TreeRow } from "../../../core/view-types.ts";
import { nextMatch } from "../../../model/flame/flame.ts";
import { FRAME_TYPES } from "../../../model/flame/frame-types.ts";
import { runOfRow } from "../../../model/flame/run-frame.ts";
import type { OpenRow } from "../../../model/flame/tree-rows.ts";
import { functionOf, isFound, shapeKey } from "../../../model/query/shape.ts";
import { inferredInFrame } from "../../../model/trace/coverage.ts";
import { figureName, formatFigure, formatPercent } from "../../../model/words/format.ts";
import type { Measured } from "../../../model/words/measure.ts";
import { titled, visible } from "../../../model/words/text.ts";
import type { Query, TableRows } from "../../../worker/api.ts";
import { type DetailedFrames, useSurroundings } from "../../parts/answers/surroundings.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { DetailsButton } from "../../parts/frame-details/DetailsButton.tsx";
import { FrameName, Inlined } from "../../parts/grid/FrameName.tsx";
import { Share } from "../../parts/grid/Share.tsx";
import { figure } from "../../parts/grid/SortedTable.tsx";
import { type GridRow, VirtualGrid } from "../../parts/grid/VirtualGrid.tsx";
import { InferredNote } from "../../parts/inferred/InferredNote.tsx";
import { NO_VALUE, useInferredRows } from "../../parts/inferred/use-inferred-rows.ts";
import { SearchBox } from "../../parts/search/SearchBox.tsx";
import { type Search, useSearch } from "../../parts/search/use-search.ts";
import { NoStacks } from "../../parts/view/NothingDrawn.tsx";
import { ViewTools } from "../../parts/view/ViewTools.tsx";
import { Button, Icon } from "../../primitives/icon/Icon.tsx";
import { ViewMenu } from "../flame/ViewMenu.tsx";
import css from "./TreeView.module.css";
import { type Tree, useTree } from "./use-tree.ts";

const COLUMNS = "96px 64px 96px minmax(0, 1fr)";
const NARROW = "72px minmax(0, 1fr)";
/** A name stays in sight however deep its frame is, and however narrow the column. */
const DEEPEST_INDENT = 40;
const WIDEST_INDENT = "50%";
const INDENT_PX = 12;

/** The call tree as a table that opens frame by frame. */
export function TreeView({ profile, samples, totals, query, act }: ViewProps) {
  const tree = useTree(samples, query.look.folded);
  const { rows, chains, isEmpty, close, toggle, openHeaviest, openTo } = tree;
  const search = useSearch(samples, query.search);
  const lines = samples.shape?.lines === true;
  const [active, setActive, activateNode] = useActiveRow(rows, samples);
  const inferred = useInferredRows(profile, samples, useOpenNodes(rows, chains));

  const onWalk = (step: number) => {
    const next = nextMatch(nodesOfRows(search.answer?.nodes ?? [], chains), rows[active]?.node ?? 0, step);
    if (next === undefined) return;
    activateNode(next);
    openTo(next);
  };
  const openRun = (row: OpenRow) => openedRun(tree, row, lines, act);
  const onDetails = useDetails(tree, rows[active], samples);
  const onKey = (key: string, index: number): boolean => {
    const row = rows[index];
    if (row === undefined) return false;
    if (key === "ArrowRight") {
      if (!row.open) toggle(row);
      else setActive(index + 1);
    } else if (key === "ArrowLeft") {
      if (row.open) close(row.node);
      else if (row.above >= 0) setActive(row.above);
    } else if (key === "*") {
      openHeaviest(row);
    } else if (key === "s" && row.name !== "" && !isRun(row)) {
      act({ kind: "function", name: functionOf(row.name, lines) });
    } else if (key === "d") {
      onDetails?.();
    } else if (key === "n" || key === "N") {
      onWalk(key === "n" ? 1 : -1);
    } else {
      return false;
    }
    return true;
  };
  const rowOf = (index: number): GridRow => {
    const row = rows[index];
    const name = row.name === "" ? "(no name)" : visible(row.name);
    const found = framesIn(row, chains).some((each) => isMatch(search, each, lines));
    const { total } = inferred.get(row.node) ?? NO_VALUE;
    return {
      id: String(row.node),
      title: titled(name, inferredInFrame(total, Number(row.total), profile)),
      ...placeOf(row),
      cells: [
        ...figuresOf(row, profile, Number(totals.value), total),
        <NameCell key="name" {...{ row, name, found }} inferred={total} onToggle={toggle} onOpenRun={openRun} />,
      ],
    };
  };

  if (isEmpty) return <NoStacks samples={totals.samples} />;
  return (
    <>
      <ViewTools>
        <SearchBox pattern={query.search} search={search} act={act} onWalk={onWalk} />
        <HottestPath row={rows[active]} onOpen={openHeaviest} />
        <DetailsButton onDetails={onDetails} />
        <ViewMenu profile={profile} query={query} isGraph={false} act={act} />
      </ViewTools>
      <VirtualGrid
        role="treegrid"
        label="Call tree. Right and Left open and close, Enter shows the frames of a run, Star opens the heaviest path, N the next match, S the sandwich."
        testId="tree"
        columns={COLUMNS}
        narrow={NARROW}
        heads={headsOf(profile)}
        count={rows.length}
        active={active}
        onActive={setActive}
        onOpen={(index) => openRun(rows[index]) || toggle(rows[index])}
        onKey={onKey}
        row={rowOf}
      />
    </>
  );
}

function isMatch({ found, expression }: Search, { node, name }: TreeRow, lines: boolean): boolean {
  return found?.has(node) === true || isFound(expression, name, lines);
}

/** Opens the details of a row; null where no dump is open. */
function useDetails(tree: Tree, row: OpenRow | undefined, samples: Query): (() => void) | null {
  const { openDetails = null } = useSurroundings();
  return openDetails && (() => openDetails(framesOf(tree, row, samples)));
}

/** The frames of calls behind a row: those with its path, or those of its function where the tree is changed. */
function framesOf({ below, chains }: Tree, row: OpenRow | undefined, { shape }: Query): DetailedFrames {
  const above = new Map([...below].flatMap(([node, rows]) => rows.map((each) => [each.node, { node, each }])));
  const last = row && framesIn(row, chains).at(-1);
  const names: string[] = [];
  for (let at = above.get(last?.node ?? 0); at !== undefined; at = above.get(at.node)) names.unshift(at.each.name);
  const path = names[0] === "" ? names.slice(1) : names;
  if (shapeKey(shape) === "") return { names: path, rooted: true };
  return { names: path.slice(-1).map((name) => functionOf(name, shape?.lines === true)), rooted: false };
}

/** The place of a row in the tree, for assistive technology. */
function placeOf({ level, position, siblings, children, open }: OpenRow): AriaAttributes {
  const expanded = children > 0 ? { "aria-expanded": open } : {};
  return { "aria-level": level, "aria-posinset": position, "aria-setsize": siblings, ...expanded };
}

/** The root and the open nodes, whose children are the rows; the same object as long as they are the same. */
function useOpenNodes(rows: readonly OpenRow[], chains: Tree["chains"]): TableRows {
  const open = rows.filter((row) => row.open).flatMap((row) => framesIn(row, chains));
  const nodes = [0, ...open.map(({ node }) => node)];
  const key = nodes.join(" ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal keys have equal nodes
  return useMemo(() => ({ below: nodes }), [key]);
}

/** The frames of a row: several in that of a prefix. */
function framesIn(row: TreeRow, chains: Tree["chains"]): readonly TreeRow[] {
  return chains.get(row.node) ?? [row];
}

/** Nodes of frames as those of their rows. */
function nodesOfRows(nodes: Iterable<number>, chains: Tree["chains"]): number[] {
  const firstOf = new Map([...chains].flatMap(([first, chain]) => chain.map(({ node }) => [node, first])));
  return [...new Set(Array.from(nodes, (node) => firstOf.get(node) ?? node))];
}

/** Shows the frames of a run, or of prefixes; false for another frame. */
function openedRun({ rows, chains }: Tree, row: OpenRow, lines: boolean, act: ViewProps["act"]): boolean {
  if (chains.has(row.node)) {
    act({ kind: "look", look: { folded: false } });
    return true;
  }
  const run = runOfRow(row, rows[row.above], lines);
  if (run !== null) act({ kind: "open-run", run });
  return run !== null;
}

function isRun({ frameType }: OpenRow): boolean {
  return FRAME_TYPES[frameType] === "run";
}

function headsOf(profile: Measured) {
  return [
    { label: figure(`total ${figureName(profile)}`) },
    { label: figure("total %"), spare: true },
    { label: figure(`self ${figureName(profile)}`), spare: true },
    { label: "function" },
  ];
}

function HottestPath({ row, onOpen }: { row: OpenRow | undefined; onOpen: (row: OpenRow) => void }) {
  return (
    <Button
      testId="hottest-path"
      tip="Expand the hottest path below the current row (*)"
      disabled={row === undefined || row.children === 0}
      onClick={() => row !== undefined && onOpen(row)}
    >
      <Icon of={ChevronsDown} size={14} /> <span className={css.word}>Hottest path</span>
    </Button>
  );
}

function markOf(row: OpenRow) {
  return row.children > 0 && <Icon of={row.open ? ChevronDown : ChevronRight} size={14} />;
}

/** The row that keys act on, and the way to make that of a node active once it is among the rows. */
function useActiveRow(rows: readonly OpenRow[], samples: Query) {
  const [active, setActive] = useState(0);
  /** A node that becomes the active row once all above it are open. */
  const [wanted, setWanted] = useState<{ samples: Query; node: number } | null>(null);
  useEffect(() => {
    const index = wanted?.samples === samples ? rows.findIndex(({ node }) => node === wanted.node) : -1;
    if (index < 0) return;
    setActive(index);
    setWanted(null);
  }, [rows, wanted, samples]);
  useEffect(() => setActive((now) => Math.min(now, Math.max(0, rows.length - 1))), [rows.length]);
  return [active, setActive, (node: number) => setWanted({ samples, node })] as const;
}

function figuresOf(row: OpenRow, profile: Measured, whole: number, inferred: number): ReactNode[] {
  const total = Number(row.total);
  return [
    <Share key="total" value={total} whole={whole} text={formatFigure(total, profile)} inferred={inferred} />,
    figure(formatPercent(total, whole)),
    figure(row.self === 0n ? "" : formatFigure(row.self, profile)),
  ];
}

interface NameProps {
  row: OpenRow;
  name: string;
  found: boolean;
  /** The value of samples with inferred context. */
  inferred: number;
  onToggle: (row: OpenRow) => void;
  /** False for a row that is not a run of frames. */
  onOpenRun: (row: OpenRow) => boolean;
}

function NameCell({ row, name, found, inferred, onToggle, onOpenRun }: NameProps) {
  const opens = isRun(row);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys
    // biome-ignore lint/a11y/noStaticElementInteractions: the same
    <span
      className={css.name}
      style={{ paddingLeft: `min(${WIDEST_INDENT}, ${INDENT_PX * Math.min(DEEPEST_INDENT, row.level - 1)}px)` }}
      data-tip={opens ? "Show the frames of this run (Enter)" : undefined}
      onClick={() => onOpenRun(row) || onToggle(row)}
    >
      <span
        className={css.mark}
        aria-hidden="true"
        onClick={(event) => {
          if (!opens) return;
          event.stopPropagation();
          onToggle(row);
        }}
      >
        {markOf(row)}
      </span>
      <FrameName text={name} kind={FRAME_TYPES[row.frameType] ?? ""} found={found} />
      <Inlined how={row.inlined} />
      <InferredNote inferred={inferred} of={Number(row.total)} />
    </span>
  );
}
