import type { FrameDetail } from "../../../../model/flame/detail.ts";
import { type FunctionAction, shapeAction, stackMarkdown } from "../../../../model/flame/frame-actions.ts";
import type { SourcePlace } from "../../../../model/flame/source-place.ts";
import type { QueryAction } from "../../../../model/query/query.ts";
import type { Shape } from "../../../../model/query/shape.ts";
import type { SourceLinks } from "../../../parts/answers/surroundings.ts";
import { copyText } from "../../../primitives/clipboard/copy-text.ts";
import { type MenuItem, MenuPanel } from "../../../primitives/menu/MenuPanel.tsx";
import type { CurrentFrame } from "../current-frame.ts";

export interface FrameActions extends Omit<CurrentFrame, "row" | "opens"> {
  title: string;
  shape: Shape;
  /** Null where there is nothing to zoom to. */
  zoom: (() => void) | null;
  act: (action: QueryAction) => void;
  detail: FrameDetail;
  place: SourcePlace | null;
  source: SourceLinks | null;
  /** The details of the frame, of calls of dumps; null elsewhere. */
  details: (() => void) | null;
}

interface Props extends FrameActions {
  /** Where it was asked for, in the window. */
  at: { x: number; y: number };
  /** Shows the frame beside the graph. */
  onDrawer: () => void;
  onClose: () => void;
}

/** Menu of actions for a frame. */
export function FrameMenu(props: Props) {
  const [first = [], ...others] = actionsOf(props);
  const drawer = { label: "Show beside the graph", keys: "P", testId: "open-drawer", run: props.onDrawer };
  return (
    <MenuPanel
      at={props.at}
      title={props.title}
      testId="frame-menu"
      groups={[[...first, drawer], ...others]}
      onClose={props.onClose}
    />
  );
}

/** What can be done with a frame, in groups. */
export function actionsOf(props: FrameActions): MenuItem[][] {
  const { name, shape, zoom, perform, filter, isRun, act, stack, detail, place, source, details } = props;
  const of = (action: FunctionAction) => (name === "" ? null : () => perform(action));
  const change = (key: string) => () => {
    const action = shapeAction(key, shape);
    if (action !== null) act(action);
  };
  const copy = (text: () => string) => () => void copyText(text());
  return [
    [
      { label: isRun ? "Show its frames" : "Zoom in", keys: "Enter", run: zoom },
      ...(details === null ? [] : [{ label: "Details", keys: "D", testId: "open-details", run: details }]),
      ...(filter === null ? [] : [{ label: "Filter by this", keys: "", run: filter }]),
      { label: "Focus on this function", keys: "F", run: of("from") },
      { label: "Merge into callers", keys: "M", run: of("merge") },
      { label: "Exclude stacks", keys: "H", run: of("hide") },
      { label: "Keep only these stacks", keys: "", run: of("only") },
    ],
    [
      { label: "Show callers & callees", keys: "S", run: of("sandwich") },
      { label: "Find all", keys: "", run: of("search") },
      { label: "Copy name", keys: "", run: name === "" ? null : copy(() => name) },
      { label: "Copy stack", keys: "C", run: copy(stack) },
      { label: "Copy stack as Markdown", keys: "", run: copy(() => stackMarkdown(stack(), withPlace(detail, place))) },
    ],
    ...(source === null ? [] : [sourceItems(place, source)]),
    [
      { label: "Collapse direct recursion", keys: "R", run: change("r"), checked: shape.recursion === "direct" },
      { label: "Collapse all recursion", keys: "Shift+R", run: change("R"), checked: shape.recursion === "all" },
      { label: "Split frames by line", keys: "L", run: change("l"), checked: shape.lines },
    ],
  ];
}

function sourceItems(place: SourcePlace | null, { visit, edit }: SourceLinks): MenuItem[] {
  return [
    {
      label: place === null ? "Open source" : `Open ${place.words}`,
      keys: "O",
      testId: "open-source",
      run: place === null ? null : () => visit(place),
    },
    { label: "Source links…", keys: "", run: () => edit(place) },
  ];
}

const withPlace = (detail: FrameDetail, place: SourcePlace | null) => ({ ...detail, place: place?.words ?? "" });
