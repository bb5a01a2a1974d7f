/** The script that shows a recording: fetched while the page waits for one. */
import { Lazy } from "../../primitives/lazy/lazy.ts";

export const RECORDING = new Lazy(() => import("./RecordingView.tsx"));
