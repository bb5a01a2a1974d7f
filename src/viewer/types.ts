/** Options and events of the embedded flame graph, the same for the React component and the element. */
import type { FrameColumns, FramesAnswer, ProfileSummary } from "../core/types.ts";
import type { SelectOptions } from "../library/options.ts";
import type { Graphs } from "../worker/api.ts";

/** From root frames down, from the tops of the stacks to their callers, or callers and callees of a function. */
export const VIEWER_VIEWS = ["flame", "reversed", "sandwich"] as const;
export type ViewerView = (typeof VIEWER_VIEWS)[number];

/** `auto` takes the `color-scheme` of the page around. */
export const VIEWER_THEMES = ["auto", "light", "dark"] as const;
export type ViewerTheme = (typeof VIEWER_THEMES)[number];

/** A frame of a prepared tree. Frames of one name below one frame are merged. */
export interface TreeNode {
  name: string;
  /**
   * With all frames below it, a whole number. What the frames below leave is the frame's self value. Without a value it
   * is the sum of those below.
   */
  value?: number;
  children?: readonly TreeNode[];
}

/**
 * A recording, an OTLP message or another file that Spanflame reads, as its bytes; an OTLP message in JSON as an
 * object; a prepared tree; or frames of the library (`FramesAnswer`, `FrameColumns`).
 */
export type ViewerData =
  | Blob
  | ArrayBuffer
  | Uint8Array
  | { resourceProfiles: readonly unknown[] }
  | TreeNode
  | FramesAnswer
  | FrameColumns;

/** Conditions on the samples, as `select` of the library has them. */
export type ViewerFilter = Omit<SelectOptions, "measure" | "shape">;

/** An open recording that elements share: of `openInWorker` (`spanflame/worker`), or of another element. */
export interface ViewerRecording {
  readonly profiles: readonly Pick<ProfileSummary, "type" | "unit" | "samples">[];
  /** @internal One more user of the recording. */
  forGraphs?(): Graphs;
}

export interface ViewerOptions {
  /** Address of a file to show, fetched with the rights of the page. `data` is taken where both are given. */
  src?: string | undefined;
  data?: ViewerData | undefined;
  /** An open recording, taken before `data` and `src`: elements that share one have one worker. */
  recording?: ViewerRecording | undefined;
  /** Of the values of a prepared tree, as UCUM or a word: `nanoseconds`, `bytes`, `count`. */
  unit?: string | undefined;
  /** Profile type, `cpu` for example; without it the first one with spans, or the first one. */
  type?: string | undefined;
  /** Name of the measure to weigh by, `bytes` or `objects` for example; without it the first with a value. */
  measure?: string | undefined;
  /** Id of a local root, or a trace id of 128 bits: decimal, or hex as the page shows it. */
  localRoot?: string | bigint | undefined;
  span?: string | bigint | undefined;
  /** Further conditions on the samples. */
  filter?: ViewerFilter | undefined;
  /** Pattern of the frames that are highlighted. */
  search?: string | undefined;
  view?: ViewerView | undefined;
  /** The function of the sandwich; without it the one with most self value. */
  function?: string | undefined;
  theme?: ViewerTheme | undefined;
}

/** A frame that the user selected. */
export interface SelectDetail {
  /** "" for the root, and for frames that are too narrow to be drawn. */
  name: string;
  /** Names from the topmost frame down to this one. */
  path: string[];
  /** With all frames below it, in `unit`. */
  value: number;
  self: number;
  /** Value of all selected samples. */
  total: number;
  unit: string;
  /** `callers` where the frames below a frame are its callers. */
  direction: "callees" | "callers";
}

/** The frame that the user zoomed to. */
export interface ZoomDetail {
  /** Names from the topmost frame down to it; empty when nothing is zoomed. */
  path: string[];
  direction: "callees" | "callers";
}

export interface ErrorDetail {
  /** A stable word, docs/embedding.md has the list. */
  code: string;
  message: string;
}

export interface ReadyDetail {
  /** The profiles of the data. */
  profiles: Pick<ProfileSummary, "type" | "unit" | "samples">[];
  /** What is shown, for other elements; it stays open while an element shows it. */
  recording: ViewerRecording;
  /** The one that is shown. */
  type: string;
  unit: string;
  /** The selected samples of it, and their value. */
  samples: number;
  value: bigint;
}

/** Details of the events, by event. */
export interface ViewerEvents {
  ready: ReadyDetail;
  select: SelectDetail;
  zoom: ZoomDetail;
  error: ErrorDetail;
}

export type Announce = <K extends keyof ViewerEvents>(event: K, detail: ViewerEvents[K]) => void;
