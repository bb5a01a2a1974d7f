/**
 * Surroundings of a view: the page, or an element that embeds the view in another page. A view gets answers, keys and
 * links from them, so it imports neither of the two.
 */
import { type ComponentType, createContext, type ReactNode, useContext } from "react";
import type { Filter } from "../../../core/types.ts";
import type { SourcePlace } from "../../../model/flame/source-place.ts";
import type { Viewer } from "../../../worker/client.ts";
import type { Popover } from "../../primitives/popover/Popover.tsx";
import type { ViewProps } from "./view-props.ts";

/** Ways from a frame to its source. */
export interface SourceLinks {
  visit: (place: SourcePlace) => void;
  /** Changes the template of the links; `place` is the example, null without one. */
  edit: (place: SourcePlace | null) => void;
}

/** Frames of the selected calls of dumps: those of a path of functions, or of one function; no names: all frames. */
export interface DetailedFrames {
  names: readonly string[];
  /** The path begins at the root. */
  rooted: boolean;
}

/** Frames of calls of dumps, with the filter of the calls when they were asked for. */
export interface AskedFrames extends DetailedFrames {
  filter: Filter;
}

/** A frame of a graph, for those who embed it. */
export interface ShownFrame {
  /** "" for the root, or for frames that are too narrow to be drawn. */
  name: string;
  /** Names from the topmost frame down to this one; the nameless root is left out. */
  path: string[];
  /** In the unit of the profile. */
  total: number;
  self: number;
  /** Total of all selected samples. */
  whole: number;
  unit: string;
  /** Whether the frames below a frame are its callers. */
  upward: boolean;
}

export interface ViewSettingsProps extends Pick<ViewProps, "profile" | "query" | "act"> {
  /** The choice of the grouping, where there is no room for it beside the menu. */
  grouping?: ReactNode;
  /** The view draws a graph: with its direction and its colours. */
  isGraph?: boolean;
}

export interface Around {
  viewer: Pick<Viewer, "frames" | "regroup" | "sandwich" | "top" | "search" | "totals" | "placeOf">;
  /** Absent in an element. */
  frameStates?: Viewer["frameStates"];
  /** Receives the keys that work outside of the graph, too. */
  keys: EventTarget;
  /** Null where there are no links to the source. */
  source: SourceLinks | null;
  /** The page's other views, lists and timeline are beside the view. */
  isPage: boolean;
  /** The menu of a view's settings; null where they are fixed from outside. */
  settings: ComponentType<ViewSettingsProps> | null;
  /** A button with a panel; null in an element, whose legend scrolls instead. */
  popover: typeof Popover | null;
  /** Opens the details of frames of calls; null or absent where no dump is open. */
  openDetails?: ((frames: DetailedFrames) => void) | null | undefined;
  /** Called with the frame that the user has made the current one of a graph. */
  onFrame?: ((frame: ShownFrame) => void) | undefined;
  /** Called with the names down to the frame that a graph is zoomed to, none without a zoom, when that changes. */
  onZoomed?: ((path: string[], upward: boolean) => void) | undefined;
}

export const Surroundings = createContext<Around | null>(null);

export function useSurroundings(): Around {
  const around = useContext(Surroundings);
  if (around === null) throw new Error("A view is drawn without surroundings.");
  return around;
}
