import type { KeyboardEvent } from "react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Tone } from "../../model/colour.ts";
import { describeFrame, detailParts, type FrameDetail } from "../../model/detail.ts";
import type { FlameStep } from "../../model/flame.ts";
import { buildFlame, stackText, stepFlame } from "../../model/flame.ts";
import { createD3Renderer } from "./d3-renderer.ts";
import css from "./FlameGraph.module.css";
import { FrameLine } from "./FrameLine.tsx";
import type { FlameRenderer, FlameScene } from "./renderer.ts";
import { useCurrentRow } from "./use-current-row.ts";
import { type Drawing, frameBudget } from "./use-frames.ts";

interface Props {
  label: string;
  drawing: Drawing;
  rootName: string;
  dark: boolean;
  /** The focus is at the bottom, what hangs from it above. */
  up: boolean;
  /** Rows to highlight; null while nothing is looked for. */
  matches: ReadonlySet<number> | null;
  /** Colour of a row where it is not that of its package. */
  toneOf?: (row: number) => Tone | null;
  /** What is said of a row where it is not its value; null for the usual. */
  wordsOf?: (row: number) => FrameDetail | null;
  /** A row that becomes current because somebody else says so; another object, another wish. */
  wanted: { row: number } | null;
  onZoom: (row: number) => void;
  /** Out to an ancestor, by its place in the answer's path. */
  onOut: (step: number) => void;
  onFunction: (name: string) => void;
  /** To the next match (1) or the one before (-1), from a row. */
  onWalk: (step: number, from: number) => void;
}

/** Hidden children get a marker when it is at least so wide. */
const MARKER_PX = 4;
const STEPS: Record<string, FlameStep> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
  Home: "home",
};

const UPSIDE_DOWN: Partial<Record<FlameStep, FlameStep>> = { up: "down", down: "up" };

/** The graph and the line below it. One frame is current, and keys move it; the pointer only looks. */
export function FlameGraph(props: Props) {
  const { label, drawing, rootName, dark, up, matches, toneOf, wordsOf, wanted, onZoom, onOut, onFunction, onWalk } =
    props;
  const { answer, profile } = drawing;
  const { frames, path } = answer;
  const host = useRef<HTMLDivElement>(null);
  const renderer = useRef<FlameRenderer | null>(null);
  const [current, hold] = useCurrentRow(answer, drawing.grouping === "stacks");
  const [hovered, setHovered] = useState<number | null>(null);
  const [activeId, setActiveId] = useState<string | null>(null);
  const moved = useRef(false);
  const drawn = useRef<FlameScene | null>(null);

  const detailOf = useCallback(
    (row: number) => wordsOf?.(row) ?? describeFrame(answer, row, profile, rootName),
    [wordsOf, answer, profile, rootName],
  );
  const zoom = useCallback(
    (row: number) => {
      if (row === 0) return; // zoomed to it already
      hold(row);
      onZoom(row);
    },
    [hold, onZoom],
  );
  // The renderer outlives the answers; its events look up the newest.
  const events = useRef({ zoom, detailOf });
  events.current = { zoom, detailOf };

  useEffect(() => {
    if (host.current === null) return;
    renderer.current = createD3Renderer(host.current, up, {
      pick: (row) => events.current.zoom(row),
      hover: setHovered,
      describe: (row) => {
        const detail = events.current.detailOf(row);
        return [detail.name, detailParts(detail).join(" · ")];
      },
    });
    return () => {
      renderer.current?.destroy();
      renderer.current = null;
      drawn.current = null;
    };
  }, [up]);

  // A wish is for the answer on screen; a newer answer does not repeat it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (wanted === null) return;
    moved.current = true;
    hold(wanted.row);
  }, [wanted]);

  const scene = useMemo((): FlameScene => {
    const markerFrom = (MARKER_PX * frames.total[0]) / drawing.width;
    const tree = buildFlame(frames, { rootName, markerFrom });
    return { tree, width: drawing.width, dark, level: path.length + 1, matches, toneOf };
  }, [frames, rootName, drawing.width, dark, path.length, matches, toneOf]);

  useEffect(() => {
    if (drawn.current !== scene) {
      drawn.current = scene;
      // Before the drawing: after it, the browser would have to lay everything out to answer.
      if (!up) host.current?.parentElement?.scrollTo({ top: 0 });
      const start = performance.now();
      renderer.current?.render(scene);
      frameBudget.drew(scene.tree.nodes.length, performance.now() - start);
      if (up) host.current?.parentElement?.scrollTo({ top: Number.MAX_SAFE_INTEGER });
    }
    setActiveId(renderer.current?.mark(current, moved.current) ?? null);
    moved.current = false;
  }, [scene, current, up]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    if (step !== undefined) {
      moved.current = true;
      hold(stepFlame(scene.tree, current, up ? (UPSIDE_DOWN[step] ?? step) : step));
    } else if (event.key === "Enter" || event.key === " ") {
      zoom(current);
    } else if (event.key === "Escape" || event.key === "Backspace") {
      if (path.length === 0) return;
      hold(0);
      onOut(event.key === "Escape" ? 0 : path.length - 1);
    } else if (event.key === "n" || event.key === "N") {
      onWalk(event.key === "n" ? 1 : -1, current);
    } else if (event.key === "c") {
      const above = path.map(({ name }) => name);
      void navigator.clipboard.writeText(stackText(frames, current, above));
    } else if (event.key === "s") {
      const name = frames.names[frames.name[current]];
      if (name !== undefined && name !== "") onFunction(name);
    } else {
      return;
    }
    event.preventDefault();
  };

  return (
    <>
      <div className={css.scroller}>
        <div
          ref={host}
          className={css.host}
          data-testid="flame"
          data-up={up || undefined}
          role="tree"
          tabIndex={0}
          aria-label={label}
          aria-activedescendant={activeId ?? undefined}
          onKeyDown={onKeyDown}
        />
      </div>
      <FrameLine detail={detailOf(hovered ?? current)} live={hovered === null} />
    </>
  );
}
