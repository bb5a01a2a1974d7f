import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { describeAncestor, describeFrame, describeHidden, type FrameDetail } from "../../../model/flame/detail.ts";
import { frameName, partName } from "../../../model/flame/flame.ts";
import {
  ancestorOf,
  boxName,
  type FlameLayout,
  layOutFlame,
  markedRow,
  rowOfBox,
  stepBox,
} from "../../../model/flame/flame-layout.ts";
import { FRAME_TYPES } from "../../../model/flame/frame-types.ts";
import { type SourcePlace, sourcePlace } from "../../../model/flame/source-place.ts";
import { useSurroundings } from "../../parts/answers/surroundings.ts";
import { useAnswer, useSame } from "../../parts/answers/use-answer.ts";
import type { Drawing } from "../../parts/answers/use-frames.ts";
import { ViewFoot, ViewSide } from "../../parts/view/ViewTools.tsx";
import { copyText } from "../../primitives/clipboard/copy-text.ts";
import { useLazyDialog } from "../../primitives/dialog/use-lazy-dialog.ts";
import { likelySoon } from "../../primitives/lazy/lazy.ts";
import { useDark } from "../../primitives/theme/dark.ts";
import { currentFrame, detailedFrames } from "./current-frame.ts";
import css from "./FlameGraph.module.css";
import { FrameLine } from "./FrameLine.tsx";
import { useFrameStates } from "./frame/use-frame-states.ts";
import { pressGraphKey } from "./graph-keys.ts";
import type { FlameGraphProps } from "./graph-props.ts";
import { PaperGraph } from "./PaperGraph.tsx";
import type { FlameScene } from "./renderer.ts";
import { shownFrame, zoomPath } from "./shown-frame.ts";
import { useInferred } from "./use-inferred.ts";
import { useNavigation } from "./use-navigation.ts";
import { type Rendered, useRenderer } from "./use-renderer.ts";

const FRAME_DRAWER = likelySoon(() => import("./frame/FrameDrawer.tsx"));
const FRAME_MENU = likelySoon(() => import("./frame/FrameMenu.tsx"));

/** The graph and the line below it. One box is current, and keys move it; the pointer only shows words about others. */
export function FlameGraph(props: FlameGraphProps) {
  const { view, label, drawing, up, wanted, shape, act, onPast, onWalk, children } = props;
  const menu = useFrameMenu();
  const drawer = useDrawer();
  const scene = useScene(props);
  const { layout } = scene;
  const { current, hold, zoom, out } = useNavigation(props, layout);
  const detailOf = (box: number) => boxDetail(props, layout, box);
  const openMenu = (box: number, x: number, y: number) => {
    hold(box);
    menu.showAt({ x, y });
  };
  const events = { zoom, openMenu, detailOf, figuresOf: (box: number) => shownFrame(drawing, layout, box) };
  const { host, minimap, activeId, hovered, reveal, tell } = useRenderer(scene, current, { view, up }, events);
  useWanted(wanted, reveal, hold);
  const told = menu.open ? current : (hovered ?? current);
  const place = usePlace(drawing, rowOfBox(layout, told));
  const words = place === null ? "" : [place.words, place.library].filter((part) => part !== "").join(" · ");
  useTold(tell, hovered, words);
  const inferred = useInferred(drawing, told < layout.rows ? told : -1);
  useTold(tell, hovered, inferred);
  const states = useFrameStates(drawing, hovered !== null && hovered < layout.rows ? hovered : -1, tell);
  useToldZoom(drawing);
  const { source, openDetails = null } = useSurroundings();
  const details = openDetails && (() => openDetails(detailedFrames(drawing, layout, current)));
  const frame = currentFrame(drawing, layout, current, onPast !== undefined, act);
  const { row, opens, isRun, name, stack, perform, filter } = frame;
  const actions = {
    ...{ name, shape, perform, filter, isRun, act, stack, place, source, details },
    title: detailOf(current).name,
    zoom: opens ? () => zoom(current) : null,
    detail: detailOf(current),
  };
  const onKeyDown = (event: KeyboardEvent) =>
    pressGraphKey(event, up, shape, {
      openMenu: () => openMenu(current, ...lowerLeftOf(host.current, activeId)),
      step: (step) => {
        reveal();
        hold(stepBox(layout, current, step));
      },
      zoom: () => zoom(current),
      out,
      walk: (step) => onWalk(step, row),
      copyStack: () => void copyText(stack()),
      details,
      source: source && place && (() => source.visit(place)),
      drawer: { toggle: drawer.toggle, close: drawer.open ? drawer.close : null },
      perform,
      act,
    });

  return (
    <>
      <GraphArea {...{ host, minimap, label, up, activeId, onKeyDown }} />
      {drawer.loaded !== null && drawer.open && (
        <ViewSide>
          <drawer.loaded.FrameDrawer
            {...actions}
            figures={shownFrame(drawing, layout, current)}
            samples={drawing.origins?.[0]?.samples ?? null}
            onClose={drawer.close}
          />
        </ViewSide>
      )}
      <PaperGraph scene={scene} up={up} host={host} />
      <ViewFoot>
        <FrameLine
          detail={{ ...detailOf(hovered ?? current), place: words, inferred, states }}
          onDetails={details}
          onDrawer={drawer.toggle}
          isDrawn={drawer.open}
        />
        {children}
      </ViewFoot>
      {menu.loaded !== null && menu.open && (
        <menu.loaded.FrameMenu {...actions} at={menu.at} onDrawer={drawer.show} onClose={menu.close} />
      )}
    </>
  );
}

/** Makes the row current that was asked for from outside. */
function useWanted(wanted: FlameGraphProps["wanted"], reveal: () => void, hold: (box: number) => void): void {
  // A request is for the answer on screen; a newer answer does not repeat it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (wanted === null) return;
    reveal();
    hold(wanted.row);
  }, [wanted]);
}

/** The tooltip shows what the line below the graph shows as soon as it is known. */
function useTold(tell: (box: number, line: string) => void, hovered: number | null, words: string): void {
  useEffect(() => {
    if (hovered !== null && words !== "") tell(hovered, words);
  }, [tell, hovered, words]);
}

interface AreaProps extends Pick<Rendered, "host" | "minimap" | "activeId"> {
  label: string;
  up: boolean;
  onKeyDown: (event: KeyboardEvent) => void;
}

/** The elements that the renderer draws into. */
function GraphArea({ host, minimap, label, up, activeId, onKeyDown }: AreaProps) {
  const id = useId();
  return (
    <div className={css.graph} part="graph">
      <div className={css.scroller}>
        <div
          ref={host}
          id={id}
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
      <div
        ref={minimap}
        className={css.minimap}
        data-testid="levels"
        role="scrollbar"
        tabIndex={0}
        aria-label="Levels in view"
        aria-controls={id}
        aria-orientation="vertical"
        aria-valuenow={0}
        hidden
      />
    </div>
  );
}

/** Whether the current frame is shown beside the graph. */
function useDrawer() {
  const drawer = useLazyDialog(FRAME_DRAWER);
  return { ...drawer, toggle: drawer.open ? drawer.close : drawer.show };
}

/** The menu, and the place in the window where it was asked for. */
function useFrameMenu() {
  const [at, setAt] = useState({ x: 0, y: 0 });
  const { loaded, open, show, close } = useLazyDialog(FRAME_MENU);
  const showAt = (place: typeof at) => {
    setAt(place);
    show();
  };
  return { loaded, open, at, showAt, close };
}

function lowerLeftOf(host: Element | null, id: string | null): [x: number, y: number] {
  const { left = 0, bottom = 0 } = host?.querySelector(`#${id}`)?.getBoundingClientRect() ?? {};
  return [left, bottom];
}

/** The words about a box of the graph: a frame, or the marker of hidden frames. */
type Props = Pick<FlameGraphProps, "drawing" | "rootName" | "wordsOf" | "onPast">;

function boxDetail({ drawing, rootName, wordsOf, onPast }: Props, layout: FlameLayout, box: number): FrameDetail {
  const { answer, profile, upward } = drawing;
  const step = ancestorOf(layout, box);
  if (step >= 0) return describeAncestor(answer, step, profile, boxName(layout, box));
  const marked = markedRow(layout, box);
  if (marked >= 0) {
    const hidden = describeHidden(answer, marked, profile, rootName);
    return marked > 0 || onPast !== undefined ? hidden : { ...hidden, hidden: "too small to draw at this zoom" };
  }
  const row = box < layout.rows ? box : 0;
  const detail = wordsOf?.(row) ?? describeFrame(answer, row, profile, rootName, upward);
  const part = partOf(drawing, rootName);
  return row === 0 && part !== undefined ? { ...detail, name: part } : detail;
}

/** The source of a frame's function; null while it is asked for, and where it is not known. */
function usePlace(drawing: Drawing, row: number): SourcePlace | null {
  const { viewer } = useSurroundings();
  const { names, name, nameIds, frameType } = drawing.answer.frames;
  const id = nameIds[name[row]] ?? 0;
  // Each recording numbers the names in another way.
  const question = useSame(id === 0 ? null : { id, names });
  const answered = useAnswer(question, (asked) => viewer.placeOf(asked.id), true);
  if (answered === null || answered.question !== question) return null;
  const isJava = FRAME_TYPES[frameType[row]] === "jvm";
  return sourcePlace(answered.answer, names[name[row]] ?? "", isJava, drawing.shape?.lines === true);
}

/** Reports the zoom of a graph to its surroundings. */
function useToldZoom(drawing: Drawing): void {
  const { onZoomed } = useSurroundings();
  const last = useRef("[]");
  useEffect(() => {
    if (onZoomed === undefined) return;
    const path = zoomPath(drawing);
    const key = JSON.stringify(path);
    if (key === last.current) return;
    last.current = key;
    onZoomed(path, drawing.upward);
  }, [onZoomed, drawing]);
}

/** Hidden frames get a marker that is at least so wide. */
const MARKER_PX = 4;

type UseSceneProps = Pick<FlameGraphProps, "drawing" | "rootName" | "matches" | "tones">;

/** The frames of a drawing as boxes for the renderer. */
function useScene({ drawing, rootName, matches, tones }: UseSceneProps): FlameScene {
  const dark = useDark();
  const { answer, width } = drawing;
  const part = partOf(drawing, rootName);
  const layout = useMemo(
    () => layOutFlame(answer, { rootName, markerFrom: MARKER_PX / width, part }),
    [answer, rootName, part, width],
  );
  return useSame({ layout, width, dark, matches, tones });
}

/** Name of the focus where its widest children are left out; undefined where it is shown whole. */
function partOf({ answer, past = 0 }: Drawing, rootName: string): string | undefined {
  return past === 0 ? undefined : partName(frameName(answer.frames, 0, rootName), past);
}
