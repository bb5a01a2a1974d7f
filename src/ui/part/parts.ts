/** The files that the page comes in, beside the one it starts with. */
import { Part } from "./part.ts";

/** Everything that shows a recording: fetched while the page waits for one. */
export const RECORDING = new Part(() => import("../app/RecordingView.tsx"));

/** The views that are not the first one looked at. */
export const VIEW_PARTS = {
  sandwich: new Part(() => import("../sandwich/SandwichView.tsx").then(({ SandwichView }) => SandwichView)),
  top: new Part(() => import("../top/TopView.tsx").then(({ TopView }) => TopView)),
  tree: new Part(() => import("../tree/TreeView.tsx").then(({ TreeView }) => TreeView)),
  diff: new Part(() => import("../diff/DiffView.tsx").then(({ DiffView }) => DiffView)),
  why: new Part(() => import("../why/WhyView.tsx").then(({ WhyView }) => WhyView)),
};

/** Lanes and heat map, below the strip of the timeline. */
export const UNFOLDED = new Part(() => import("../timeline/Unfolded.tsx").then(({ Unfolded }) => Unfolded));
/** Of the explorer, what is shown when asked for or once a span is chosen. */
export const EXTRAS = new Part(() => import("../explorer/extras.tsx"));
export const EXPORT = new Part(() => import("../export/ExportDialog.tsx"));
export const RECORDING_DIALOG = new Part(() => import("../about/RecordingDialog.tsx"));
export const SHORTCUTS = new Part(() => import("../shortcuts/ShortcutsDialog.tsx"));

/** What a graph offers when asked: the menu of a frame, the settings of the drawing, colours other than by package. */
export const FRAME_MENU = new Part(() => import("../flame/FrameMenu.tsx"));
export const VIEW_SETTINGS = new Part(() =>
  import("../flame/ViewSettings.tsx").then(({ ViewSettings }) => ViewSettings),
);
export const FRAME_CLASSES = new Part(() => import("../../model/flame/frame-classes.ts"));

/** Fetches what is likely to be looked at next, once the browser has nothing better to do. */
export function prefetchViews(): void {
  const idle = window.requestIdleCallback ?? ((then: () => void) => setTimeout(then, 500));
  idle(() => {
    const likely = [
      ...Object.values(VIEW_PARTS),
      FRAME_MENU,
      VIEW_SETTINGS,
      EXTRAS,
      UNFOLDED,
      EXPORT,
      RECORDING_DIALOG,
      SHORTCUTS,
    ];
    for (const part of likely) part.prefetch();
  });
}
