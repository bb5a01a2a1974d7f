/** The React component: the flame graph in a shadow root, drawn by the React of the page around. */
import {
  type ClassAttributes,
  type CSSProperties,
  type HTMLAttributes,
  type ReactPortal,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";
import type { SpanFlameElement } from "./element.ts";
import { shadowOf } from "./shadow.ts";
import type {
  Announce,
  ErrorDetail,
  ReadyDetail,
  SelectDetail,
  ViewerEvents,
  ViewerOptions,
  ZoomDetail,
} from "./types.ts";
import { Viewer } from "./Viewer.tsx";

export interface FlameGraphProps extends ViewerOptions {
  className?: string | undefined;
  style?: CSSProperties | undefined;
  id?: string | undefined;
  "aria-label"?: string | undefined;
  "aria-labelledby"?: string | undefined;
  onReady?: ((detail: ReadyDetail) => void) | undefined;
  onSelect?: ((detail: SelectDetail) => void) | undefined;
  onZoom?: ((detail: ZoomDetail) => void) | undefined;
  onError?: ((detail: ErrorDetail) => void) | undefined;
}

/** The element in TSX: its options beside the attributes that every element has. */
export interface SpanFlameProps
  extends ClassAttributes<SpanFlameElement>,
    Omit<HTMLAttributes<SpanFlameElement>, keyof ViewerOptions>,
    ViewerOptions {
  "local-root"?: string | undefined;
}

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "span-flame": SpanFlameProps;
    }
  }
}

const HANDLERS = { ready: "onReady", select: "onSelect", zoom: "onZoom", error: "onError" } as const;

/** A flame graph with search, zoom and sandwich. Give it a height by `style` or `className`. */
export function FlameGraph(props: FlameGraphProps) {
  const { className, style, id, "aria-label": label, "aria-labelledby": labelledBy } = props;
  const host = useRef<HTMLDivElement>(null);
  const [root, setRoot] = useState<ShadowRoot | null>(null);
  useLayoutEffect(() => {
    if (host.current !== null) setRoot(shadowOf(host.current));
  }, []);
  const newest = useRef(props);
  newest.current = props;
  const announce = useCallback<Announce>((event, detail) => {
    const handler = newest.current[HANDLERS[event]] as ((of: ViewerEvents[typeof event]) => void) | undefined;
    handler?.(detail);
  }, []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset takes no shadow root
    <div ref={host} role="group" {...{ className, style, id }} aria-label={label} aria-labelledby={labelledBy}>
      {root !== null && portal(root, props, announce)}
    </div>
  );
}

function portal(root: ShadowRoot, options: ViewerOptions, announce: Announce): ReactPortal {
  return createPortal(<Viewer options={options} announce={announce} />, root);
}
