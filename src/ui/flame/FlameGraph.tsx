import type { KeyboardEvent } from "react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { describeFrame, detailParts } from "../../model/detail.ts";
import type { FlameStep } from "../../model/flame.ts";
import { buildFlame, rowOfNode, stepFlame } from "../../model/flame.ts";
import { createD3Renderer } from "./d3-renderer.ts";
import css from "./FlameGraph.module.css";
import { FrameLine } from "./FrameLine.tsx";
import type { FlameRenderer, FlameScene } from "./renderer.ts";
import { frameBudget, type Selection } from "./use-selection.ts";

interface Props {
  selection: Selection;
  rootName: string;
  dark: boolean;
  onFocus: (node: number) => void;
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

/** The graph and the line below it. One frame is current, and keys move it; the pointer only looks. */
export function FlameGraph({ selection, rootName, dark, onFocus }: Props) {
  const { answer, profile } = selection;
  const { frames, path } = answer;
  const host = useRef<HTMLDivElement>(null);
  const renderer = useRef<FlameRenderer | null>(null);
  const [currentNode, setCurrentNode] = useState(0);
  const [hovered, setHovered] = useState<number | null>(null);
  const [activeId, setActiveId] = useState<string | null>(null);
  const moved = useRef(false);
  const drawn = useRef<FlameScene | null>(null);

  const detailOf = useCallback(
    (row: number) => describeFrame(answer, row, profile, rootName),
    [answer, profile, rootName],
  );
  const zoom = useCallback(
    (row: number) => {
      if (row === 0) return; // zoomed to it already
      setCurrentNode(frames.node[row]);
      onFocus(frames.node[row]);
    },
    [frames, onFocus],
  );
  // The renderer outlives the answers; its events look up the newest.
  const events = useRef({ zoom, detailOf });
  events.current = { zoom, detailOf };

  useEffect(() => {
    if (host.current === null) return;
    renderer.current = createD3Renderer(host.current, {
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
  }, []);

  const scene = useMemo((): FlameScene => {
    const markerFrom = (MARKER_PX * frames.total[0]) / selection.width;
    const tree = buildFlame(frames, { rootName, markerFrom });
    return { tree, width: selection.width, dark, level: path.length + 1 };
  }, [frames, rootName, selection.width, dark, path.length]);
  const current = rowOfNode(frames, currentNode);

  useEffect(() => {
    if (drawn.current !== scene) {
      drawn.current = scene;
      // Before the drawing: after it, the browser would have to lay everything out to answer.
      host.current?.parentElement?.scrollTo({ top: 0 });
      const start = performance.now();
      renderer.current?.render(scene);
      frameBudget.drew(scene.tree.nodes.length, performance.now() - start);
    }
    setActiveId(renderer.current?.mark(current, moved.current) ?? null);
    moved.current = false;
  }, [scene, current]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    if (step !== undefined) {
      moved.current = true;
      setCurrentNode(frames.node[stepFlame(scene.tree, current, step)]);
    } else if (event.key === "Enter" || event.key === " ") {
      zoom(current);
    } else if (event.key === "Escape" || event.key === "Backspace") {
      const out = event.key === "Escape" ? path[0] : path.at(-1);
      if (out === undefined) return;
      setCurrentNode(frames.node[0]);
      onFocus(out.node);
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
          role="tree"
          tabIndex={0}
          aria-label="Flame graph. Arrow keys move, Enter zooms in, Backspace one frame out, Escape all the way."
          aria-activedescendant={activeId ?? undefined}
          onKeyDown={onKeyDown}
        />
      </div>
      <FrameLine detail={detailOf(hovered ?? current)} live={hovered === null} />
    </>
  );
}
