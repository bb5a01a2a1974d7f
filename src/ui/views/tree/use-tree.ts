/** The call tree as far as it is open; children are fetched when their caller is opened. */
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";
import type { TreeRow } from "../../../core/view-types.ts";
import { foldTree, nodeChains } from "../../../model/flame/prefix.ts";
import { type OpenRow, openRows } from "../../../model/flame/tree-rows.ts";
import type { Query } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { Grown, useAnswer } from "../../parts/answers/use-answer.ts";
import { useFailure } from "../../primitives/lazy/on-failure.ts";

/** Frames that a heaviest path is followed down at once. */
const DEEPEST = 200;
const ROOT = 0;
/** Of the graph whose prefixes the tree has, in CSS pixels. */
const GRAPH_WIDTH = 1440;
/**
 * A path opens as long as one callee has most of the value, because the place where the value divides is of interest.
 */
const HEAVY = 0.5;

export interface Tree {
  rows: OpenRow[];
  /** Fetched children by node, without the fold. */
  below: Held["below"];
  /** The frames of each row of a prefix. */
  chains: ReadonlyMap<number, readonly TreeRow[]>;
  /** Nothing can be opened, not even at the top. */
  isEmpty: boolean;
  open: (node: number) => void;
  close: (node: number) => void;
  /** Opens a closed frame that has children, closes an open one. */
  toggle: (row: OpenRow | undefined) => void;
  /** Opens a frame, and below it the heaviest one again and again. */
  openHeaviest: (row: TreeRow) => void;
  /** Opens all frames above a node. */
  openTo: (node: number) => void;
}

const NOTHING: Held["below"] = new Map();
const NO_CHAINS: Tree["chains"] = new Map();

interface Held {
  samples: Query;
  below: ReadonlyMap<number, TreeRow[]>;
}

/** With `folded` each prefix is one row. */
export function useTree(samples: Query, folded: boolean): Tree {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const { held, fetchBelow, fetchTo } = useChildren(samples);

  const openHeaviest = useCallback(
    async (row: TreeRow) => {
      const path: number[] = [];
      let at: TreeRow | undefined = row;
      while (at !== undefined && at.children > 0 && path.length < DEEPEST) {
        path.push(at.node);
        const below: TreeRow[] | null = await fetchBelow(at.node);
        const [heaviest] = below ?? [];
        at = heaviest !== undefined && Number(heaviest.total) >= HEAVY * Number(at.total) ? heaviest : undefined;
      }
      setOpened((now) => new Set([...now, ...path]));
    },
    [fetchBelow],
  );

  const openTo = useCallback(
    async (node: number) => {
      const above = await fetchTo(node);
      if (above !== null) setOpened((now) => new Set([...now, ...above]));
    },
    [fetchTo],
  );

  // Other samples, another tree: opened as far as it tells something.
  useEffect(() => {
    setOpened(new Set());
    void fetchBelow(ROOT).then((rows) => {
      const [heaviest] = rows ?? [];
      if (heaviest !== undefined) void openHeaviest(heaviest);
    });
  }, [fetchBelow, openHeaviest]);

  const open = useCallback(
    (node: number) => {
      setOpened((now) => new Set([...now, node]));
      void fetchBelow(node);
    },
    [fetchBelow],
  );
  const close = useCallback((node: number) => setOpened((now) => new Set([...now].filter((n) => n !== node))), []);
  const toggle = (row: OpenRow | undefined) => {
    if (row === undefined || row.children === 0) return;
    if (row.open) close(row.node);
    else open(row.node);
  };
  const below = held?.below ?? NOTHING;
  const prefixes = usePrefixes(samples, folded, below, fetchBelow);
  const fold = useMemo(() => (prefixes === null ? null : foldTree(below, prefixes)), [below, prefixes]);
  const isWaiting = folded && fold === null;
  const rows = useMemo(
    () => (isWaiting ? [] : openRows(fold?.below ?? below, opened)),
    [isWaiting, fold, below, opened],
  );
  return {
    rows,
    below,
    chains: fold?.chains ?? NO_CHAINS,
    isEmpty: held !== null && !isWaiting && rows.length === 0,
    open,
    close,
    toggle,
    openHeaviest: (row) => void openHeaviest(row),
    openTo: (node) => void openTo(node),
  };
}

/** The prefixes of the tree, null until they are known. The rows of those that begin at a fetched row are fetched. */
function usePrefixes(
  samples: Query,
  folded: boolean,
  below: Held["below"],
  fetchBelow: (node: number) => Promise<TreeRow[] | null>,
) {
  const asked = folded ? samples : null;
  const graph = useAnswer(asked, (of) => viewer.frames(of, { focus: ROOT, width: GRAPH_WIDTH }));
  const answer = graph?.question === asked ? graph.answer : null;
  const prefixes = useMemo(() => answer && nodeChains(answer), [answer]);
  const left = useMemo(() => new Set(prefixes), [prefixes]);
  useEffect(() => {
    const shown = new Set([...below.values()].flat().map(({ node }) => node));
    for (const prefix of left) {
      if (!shown.has(prefix.nodes[0])) continue;
      left.delete(prefix);
      for (const node of prefix.nodes) if (!below.has(node)) void fetchBelow(node);
    }
  }, [left, below, fetchBelow]);
  return prefixes;
}

/** Rows of the tree as far as they were fetched. Answers to a question about other samples are dropped. */
function useChildren(samples: Query) {
  const onFailure = useFailure();
  const [held, setHeld] = useState<Held | null>(null);
  const newest = useRef(samples);
  newest.current = samples;

  const fetchBelow = useCallback(
    async (node: number): Promise<TreeRow[] | null> => {
      const answer = await viewer.children(samples, node);
      if (newest.current !== samples) return null;
      if (!answer.ok) {
        onFailure(answer.error);
        return null;
      }
      setHeld((now) => ({
        samples,
        below: new Map([...(now?.samples === samples ? now.below : []), [node, answer.value]]),
      }));
      return answer.value;
    },
    [samples, onFailure],
  );

  const grown = useContext(Grown);
  const shown = useRef(held);
  shown.current = held;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the recording grew, and the rows are others
  useEffect(() => {
    if (shown.current?.samples === samples) for (const node of shown.current.below.keys()) void fetchBelow(node);
  }, [grown]);

  /** Fetches the children of all frames above a node; answers those frames, or null where there is no answer. */
  const fetchTo = useCallback(
    async (node: number): Promise<number[] | null> => {
      const answer = await viewer.frames(samples, { focus: node, width: 1 });
      if (!answer.ok) {
        onFailure(answer.error);
        return null;
      }
      const above = answer.value.path.map((frame) => frame.node);
      const below = await Promise.all(above.map((each) => viewer.children(samples, each)));
      if (newest.current !== samples) return null;
      const fetched: [number, TreeRow[]][] = [];
      for (const [i, rows] of below.entries()) {
        if (!rows.ok) {
          onFailure(rows.error);
          return null;
        }
        fetched.push([above[i], rows.value]);
      }
      setHeld((now) => ({ samples, below: new Map([...(now?.samples === samples ? now.below : []), ...fetched]) }));
      return above;
    },
    [samples, onFailure],
  );
  return { held, fetchBelow, fetchTo };
}
