import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useId, useState } from "react";
import { rowOfBox, stepBox } from "../../model/flame/flame-layout.ts";
import { copyText } from "../clipboard/copy-text.ts";
import { useLazyDialog } from "../dialog/use-lazy-dialog.ts";
import { likelySoon } from "../lazy/lazy.ts";
import { useSurroundings } from "../surroundings.ts";
import { boxDetail } from "./box-detail.ts";
import { currentFrame, detailedFrames } from "./current-frame.ts";
import css from "./FlameGraph.module.css";
import { FrameLine } from "./FrameLine.tsx";
import { pressGraphKey } from "./graph-keys.ts";
import type { FlameGraphProps } from "./graph-props.ts";
import { PaperGraph } from "./PaperGraph.tsx";
import { useInferred } from "./use-inferred.ts";
import { useNavigation } from "./use-navigation.ts";
import { usePlace } from "./use-place.ts";
import { useRenderer } from "./use-renderer.ts";
import { useScene } from "./use-scene.ts";
import { useToldZoom } from "./use-told-zoom.ts";

const FRAME_MENU = likelySoon(() => import("./FrameMenu.tsx"));

/** The graph and the line below it. One box is current, and keys move it; the pointer only shows words about others. */
export function FlameGraph(props: FlameGraphProps) {
  const { view, label, drawing, up, wanted, shape, act, onPast, onWalk, onFailure } = props;
  const menu = useFrameMenu(onFailure);
  const scene = useScene(props);
  const { layout } = scene;
  const { current, hold, zoom, out } = useNavigation(props, layout);
  const detailOf = (box: number) => boxDetail(props, layout, box);
  const openMenu = (box: number, x: number, y: number) => {
    hold(box);
    menu.showAt({ x, y });
  };
  const events = { zoom, openMenu, detailOf };
  const { host, minimap, activeId, hovered, reveal, tell } = useRenderer(scene, current, { view, up }, events);

  useWanted(wanted, reveal, hold);
  const told = menu.open ? current : (hovered ?? current);
  const place = usePlace(drawing, rowOfBox(layout, told), onFailure);
  const words = place === null ? "" : [place.words, place.library].filter((part) => part !== "").join(" · ");
  useTold(tell, hovered, words);
  const inferred = useInferred(drawing, told < layout.rows ? told : -1, onFailure);
  useTold(tell, hovered, inferred);
  useToldZoom(drawing);
  const { source, openDetails = null } = useSurroundings();
  const details = openDetails && (() => openDetails(detailedFrames(drawing, layout, current)));
  const frame = currentFrame(drawing, layout, current, onPast !== undefined, act);
  const { row, opens, isRun, name, stack, perform, filter } = frame;
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
      perform,
      act,
    });

  return (
    <>
      <GraphArea host={host} minimap={minimap} label={label} up={up} activeId={activeId} onKeyDown={onKeyDown} />
      <PaperGraph scene={scene} up={up} host={host} />
      <FrameLine
        detail={{ ...detailOf(hovered ?? current), place: words, inferred }}
        onDetails={details}
        onMenu={(event: MouseEvent) => {
          const { left, top } = event.currentTarget.getBoundingClientRect();
          openMenu(current, left, top);
        }}
      />
      {menu.loaded !== null && menu.open && (
        <menu.loaded.FrameMenu
          {...{ name, shape, perform, filter, isRun, act, stack, place }}
          at={menu.at}
          title={detailOf(current).name}
          zoom={opens ? () => zoom(current) : null}
          detail={detailOf(current)}
          source={source}
          details={details}
          onClose={menu.close}
        />
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

interface AreaProps {
  host: RefObject<HTMLDivElement | null>;
  minimap: RefObject<HTMLDivElement | null>;
  label: string;
  up: boolean;
  activeId: string | null;
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

/** The menu, and the place in the window where it was asked for. */
function useFrameMenu(onFailure: FlameGraphProps["onFailure"]) {
  const [at, setAt] = useState({ x: 0, y: 0 });
  const { loaded, open, show, close } = useLazyDialog(FRAME_MENU, onFailure);
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
