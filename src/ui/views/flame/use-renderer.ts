/** The renderer of a graph: made with the graph's element, drawn with each scene, ended with the graph. */
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import { detailParts, type FrameDetail, tipWords } from "../../../model/flame/detail.ts";
import type { ShownFrame } from "../../parts/answers/surroundings.ts";
import { FRAME_TIP } from "./frame/use-frame-states.ts";
import type { FlameGraphProps } from "./graph-props.ts";
import { createGraphRenderer } from "./graph-renderer.ts";
import type { FlameRenderer, FlameScene } from "./renderer.ts";

/** What the pointer does with a box, and the words about it. */
interface BoxEvents {
  zoom: (box: number) => void;
  openMenu: (box: number, x: number, y: number) => void;
  detailOf: (box: number) => FrameDetail;
  figuresOf: (box: number) => Pick<ShownFrame, "total" | "self" | "whole">;
}

type Kind = Pick<FlameGraphProps, "view" | "up">;

export interface Rendered {
  host: RefObject<HTMLDivElement | null>;
  minimap: RefObject<HTMLDivElement | null>;
  /** Id of the current box's element. */
  activeId: string | null;
  /** The box under the pointer. */
  hovered: number | null;
  /** Scrolls the current box into view when it is next drawn. */
  reveal: () => void;
  /** Adds a line to the tooltip of a box. */
  tell: (box: number, line: string | Node) => void;
}

export function useRenderer(scene: FlameScene, current: number, { view, up }: Kind, newest: BoxEvents): Rendered {
  const host = useRef<HTMLDivElement>(null);
  const minimap = useRef<HTMLDivElement>(null);
  const renderer = useRef<FlameRenderer | null>(null);
  const drawn = useRef<FlameScene | null>(null);
  const moved = useRef(false);
  const [hovered, setHovered] = useState<number | null>(null);
  const [activeId, setActiveId] = useState<string | null>(null);
  // The renderer outlives the answers; its events look up the newest.
  const events = useRef(newest);
  events.current = newest;

  // Drawn in the frame that React's own changes are painted in, not one later.
  useLayoutEffect(() => {
    if (host.current === null || minimap.current === null) return;
    renderer.current = createGraphRenderer({ host: host.current, minimap: minimap.current, view }, up, {
      pick: (box) => events.current.zoom(box),
      menu: (box, x, y) => {
        host.current?.focus();
        events.current.openMenu(box, x, y);
      },
      hover: setHovered,
      tip: (box) => {
        const detail = events.current.detailOf(box);
        const bar = FRAME_TIP.loaded?.selfBar(events.current.figuresOf(box));
        return [detail.name, tipWords(detail), ...(bar === undefined ? [] : [bar])];
      },
      describe: (box) => detailParts(events.current.detailOf(box)).join(" · "),
    });
    return () => {
      renderer.current?.destroy();
      renderer.current = null;
      drawn.current = null;
    };
  }, [view, up]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: in the other direction there is another renderer
  useLayoutEffect(() => {
    if (drawn.current !== scene) {
      drawn.current = scene;
      renderer.current?.render(scene);
    }
    setActiveId(renderer.current?.mark(current, moved.current) ?? null);
    moved.current = false;
  }, [scene, current, view, up]);

  const reveal = useCallback(() => {
    moved.current = true;
  }, []);
  const tell = useCallback((box: number, line: string | Node) => renderer.current?.tell(box, line), []);
  return { host, minimap, activeId, hovered, reveal, tell };
}
