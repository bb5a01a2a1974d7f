import type { KeyboardEvent, MouseEvent } from "react";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Tone } from "../../model/flame/colour.ts";
import { describeFrame, describeHidden, detailParts, type FrameDetail } from "../../model/flame/detail.ts";
import { buildFlame, frameName, partName, stackText, stepFlame, stepOf } from "../../model/flame/flame.ts";
import { ACTION_KEYS, type FunctionAction, functionAction, shapeAction } from "../../model/flame/frame-actions.ts";
import type { QueryAction } from "../../model/query/query.ts";
import { functionOf, type Shape, shapeKey } from "../../model/query/shape.ts";
import type { Failure } from "../../worker/api.ts";
import { copyText } from "../clipboard/copy-text.ts";
import { useLazyDialog } from "../dialog/use-lazy-dialog.ts";
import { likelySoon } from "../lazy/lazy.ts";
import { createD3Renderer } from "./d3-renderer.ts";
import css from "./FlameGraph.module.css";
import { FrameLine } from "./FrameLine.tsx";
import { isMenuKey } from "./graph-keys.ts";
import type { FlameRenderer, FlameScene } from "./renderer.ts";
import { useCurrentBox } from "./use-current-box.ts";
import { type Drawing, frameBudget } from "./use-frames.ts";
import { usePlace } from "./use-place.ts";

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
  toneOf?: ((row: number) => Tone | null) | undefined;
  /** What is said of a row where it is not its value; null for the usual. */
  wordsOf?: ((row: number) => FrameDetail | null) | undefined;
  /** A row that becomes current because somebody else says so; another object, another wish. */
  wanted: { row: number } | null;
  shape: Shape;
  act: (action: QueryAction) => void;
  onZoom: (row: number) => void;
  /** Opens the hidden frames beside the frames below the focus, of which there are so many; absent where they cannot be opened. */
  onPast?: ((shown: number) => void) | undefined;
  /** Out to an ancestor, by its place in the answer's path. */
  onOut: (step: number) => void;
  /** To the next match (1) or the one before (-1), from a row. */
  onWalk: (step: number, from: number) => void;
  onFailure: (failure: Failure) => void;
}

const FRAME_MENU = likelySoon(() => import("./FrameMenu.tsx"));

/** Hidden children get a marker when it is at least so wide. */
const MARKER_PX = 4;

/** The graph and the line below it. One box is current, and keys move it; the pointer only looks. */
export function FlameGraph(props: Props) {
  const { label, drawing, rootName, dark, up, matches, toneOf, wordsOf, wanted } = props;
  const { shape, act, onZoom, onPast, onOut, onWalk, onFailure } = props;
  const { answer, profile, upward } = drawing;
  const { frames, path } = answer;
  const host = useRef<HTMLDivElement>(null);
  const renderer = useRef<FlameRenderer | null>(null);
  const [current, hold] = useCurrentBox(answer, drawing.grouping === "stacks" ? shapeKey(drawing.shape) : null);
  const [hovered, setHovered] = useState<number | null>(null);
  const [activeId, setActiveId] = useState<string | null>(null);
  const [menuAt, setMenuAt] = useState({ x: 0, y: 0 });
  const menu = useLazyDialog(FRAME_MENU, onFailure);
  const moved = useRef(false);
  const scrolled = useRef(false);
  const drawn = useRef<FlameScene | null>(null);

  const past = drawing.past ?? 0;
  const part = past === 0 ? undefined : partName(frameName(frames, 0, rootName), past);
  const scene = useMemo((): FlameScene => {
    const markerFrom = (MARKER_PX * frames.total[0]) / drawing.width;
    const tree = buildFlame(frames, { rootName, markerFrom, whole: answer.selectionTotal, part });
    return { tree, width: drawing.width, dark, level: path.length + 1, matches, toneOf };
  }, [frames, rootName, answer.selectionTotal, part, drawing.width, dark, path.length, matches, toneOf]);
  const { boxes, parent } = scene.tree;

  const detailOf = useCallback(
    (box: number) => {
      const { row, marker } = boxes[box] ?? { row: 0, marker: false };
      if (marker) {
        const hidden = describeHidden(answer, row, profile, rootName);
        return row > 0 || onPast !== undefined ? hidden : { ...hidden, hidden: "too small to be drawn here" };
      }
      const detail = wordsOf?.(row) ?? describeFrame(answer, row, profile, rootName, upward);
      return row === 0 && part !== undefined ? { ...detail, name: part } : detail;
    },
    [boxes, part, wordsOf, answer, profile, rootName, upward, onPast],
  );
  /** Into a frame; a marker opens as the frame whose children it stands for. */
  const zoom = useCallback(
    (box: number) => {
      const { row, marker } = boxes[box] ?? { row: 0, marker: false };
      if (row === 0) {
        // Zoomed to it already: its hidden children have room without those that are drawn.
        if (marker) onPast?.(boxes.filter(({ marker: other }, at) => at > 0 && !other && parent[at] === 0).length);
        return;
      }
      hold(row);
      onZoom(row);
    },
    [boxes, parent, hold, onZoom, onPast],
  );
  const openMenu = (box: number, x: number, y: number) => {
    hold(box);
    setMenuAt({ x, y });
    menu.show();
  };
  // The renderer outlives the answers; its events look up the newest.
  const events = useRef({ zoom, detailOf, openMenu });
  events.current = { zoom, detailOf, openMenu };

  // Drawn in the frame that React's own changes are painted in, not one later.
  useLayoutEffect(() => {
    if (host.current === null) return;
    renderer.current = createD3Renderer(host.current, up, {
      pick: (box) => events.current.zoom(box),
      menu: (box, x, y) => {
        host.current?.focus();
        events.current.openMenu(box, x, y);
      },
      hover: setHovered,
      describe: (box) => {
        const detail = events.current.detailOf(box);
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

  useLayoutEffect(() => {
    if (drawn.current !== scene) {
      drawn.current = scene;
      // Only where it is needed: to scroll, the browser has to lay out what React has just changed.
      if (!up && scrolled.current) host.current?.parentElement?.scrollTo({ top: 0 });
      const start = performance.now();
      renderer.current?.render(scene);
      frameBudget.drew(scene.tree.nodes.length, performance.now() - start);
      if (up) host.current?.parentElement?.scrollTo({ top: Number.MAX_SAFE_INTEGER });
    }
    setActiveId(renderer.current?.mark(current, moved.current) ?? null);
    moved.current = false;
  }, [scene, current, up]);

  const spoken = boxes[hovered ?? current];
  const place = usePlace(drawing, spoken?.marker === false ? spoken.row : 0, onFailure);
  const row = boxes[current]?.row ?? 0;
  const isMarker = boxes[current]?.marker === true;
  const name = isMarker ? "" : functionOf(frames.names[frames.name[row]] ?? "", drawing.shape?.lines === true);
  const stack = () =>
    stackText(
      frames,
      row,
      (past === 0 ? path : path.slice(0, -1)).map((frame) => frame.name),
    );
  const perform = (action: FunctionAction) => {
    const change = functionAction(action, name);
    if (change !== null) act(change);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (isMenuKey(event)) {
      const { left = 0, bottom = 0 } = document.getElementById(activeId ?? "")?.getBoundingClientRect() ?? {};
      openMenu(current, left, bottom);
      return event.preventDefault();
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = stepOf(event.key, up);
    const action = ACTION_KEYS[event.key];
    const change = shapeAction(event.key, shape);
    if (step !== undefined) {
      moved.current = true;
      hold(stepFlame(scene.tree, current, step));
    } else if (event.key === "Enter" || event.key === " ") {
      zoom(current);
    } else if (event.key === "Escape" || event.key === "Backspace") {
      if (path.length === 0) return;
      hold(0);
      onOut(event.key === "Escape" ? 0 : path.length - 1);
    } else if (event.key === "n" || event.key === "N") {
      onWalk(event.key === "n" ? 1 : -1, row);
    } else if (event.key === "c") {
      void copyText(stack());
    } else if (action !== undefined) {
      perform(action);
    } else if (change !== null) {
      act(change);
    } else {
      return;
    }
    event.preventDefault();
  };

  return (
    <>
      <div
        className={css.scroller}
        onScroll={({ currentTarget: { scrollTop } }) => {
          scrolled.current = scrollTop > 0;
        }}
      >
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
      <FrameLine
        detail={{ ...detailOf(hovered ?? current), place }}
        onMenu={(event: MouseEvent) => {
          const { left, top } = event.currentTarget.getBoundingClientRect();
          openMenu(current, left, top);
        }}
      />
      {menu.loaded !== null && menu.open && (
        <menu.loaded.FrameMenu
          at={menuAt}
          title={detailOf(current).name}
          name={name}
          shape={shape}
          zoom={row === 0 && (!isMarker || onPast === undefined) ? null : () => zoom(current)}
          perform={perform}
          act={act}
          stack={stack}
          onClose={menu.close}
        />
      )}
    </>
  );
}
