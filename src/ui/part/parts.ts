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

/** Of the explorer, what is shown when asked for or once a span is chosen. */
export const EXTRAS = new Part(() => import("../explorer/extras.tsx"));
export const EXPORT = new Part(() => import("../export/ExportDialog.tsx"));
export const RECORDING_DIALOG = new Part(() => import("../about/RecordingDialog.tsx"));
export const SHORTCUTS = new Part(() => import("../shortcuts/ShortcutsDialog.tsx"));

/** Fetches what is likely to be looked at next, once the browser has nothing better to do. */
export function prefetchViews(): void {
  const idle = window.requestIdleCallback ?? ((then: () => void) => setTimeout(then, 500));
  idle(() => {
    for (const part of [...Object.values(VIEW_PARTS), EXTRAS, EXPORT, RECORDING_DIALOG, SHORTCUTS]) part.prefetch();
  });
}
