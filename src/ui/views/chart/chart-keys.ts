/** Keys of the flame chart, and the command that each of them is. */
import type { KeyboardEvent } from "react";
import type { ChartStep } from "../../../model/chart/steps.ts";
import { PAN_STEP, TIME_LETTERS, ZOOM_STEP } from "../../../model/timeline/scale.ts";

export interface ChartCommands {
  step: (step: ChartStep) => void;
  /** By a share of the shown time. */
  pan: (share: number) => void;
  zoom: (factor: number) => void;
  /** As `zoom`, at the pointer if it is over the chart. */
  zoomHere: (factor: number) => void;
  /** To the current frame. */
  zoomIn: () => void;
  back: () => void;
  /** The whole time; null where it is shown. */
  showAll: (() => void) | null;
  open: () => void;
  walk: (step: number) => void;
  copyStack: () => void;
}

const STEPS: ReadonlyMap<string, ChartStep> = new Map(
  Object.entries({
    ArrowUp: "parent",
    ArrowDown: "child",
    ArrowLeft: "previous",
    ArrowRight: "next",
  }),
);
const PANS: ReadonlyMap<string, number> = new Map(Object.entries({ ArrowLeft: -PAN_STEP, ArrowRight: PAN_STEP }));

/** Runs the command of a key, and keeps the browser from doing something else with it. */
export function pressChartKey(event: KeyboardEvent, commands: ChartCommands): void {
  const command = commandOf(event, commands);
  if (command === null) return;
  command();
  event.preventDefault();
}

function commandOf(event: KeyboardEvent, commands: ChartCommands): (() => void) | null {
  const { key, shiftKey } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const share = shiftKey ? PANS.get(key) : undefined;
  if (share !== undefined) return () => commands.pan(share);
  const step = STEPS.get(key);
  if (step !== undefined) return () => commands.step(step);
  if (key === "+" || key === "=") return () => commands.zoom(ZOOM_STEP);
  if (key === "-") return () => commands.zoom(1 / ZOOM_STEP);
  if (key === "Home" || key === "0") return commands.showAll ?? (() => {});
  if (key === "Escape") return commands.showAll;
  if (key === "Backspace") return commands.back;
  const letter = TIME_LETTERS.get(key.toLowerCase());
  if (letter !== undefined) return () => letter({ pan: commands.pan, zoom: commands.zoomHere });
  if (key === "Enter") return commands.open;
  if (key === " ") return commands.zoomIn;
  if (key === "n" || key === "N") return () => commands.walk(key === "n" ? 1 : -1);
  if (key === "c") return commands.copyStack;
  return null;
}
