/** Keys of the graph that need no frame to be understood. */
import type { KeyboardEvent } from "react";
import type { FlameStep } from "../../model/flame.ts";

const STEPS: Record<string, FlameStep> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
  Home: "home",
};
const UPSIDE_DOWN: Partial<Record<FlameStep, FlameStep>> = { up: "down", down: "up" };

/** Where an arrow leads; in a graph that grows upwards, up is away from the root. */
export function stepOf(key: string, up: boolean): FlameStep | undefined {
  const step = STEPS[key];
  return up && step !== undefined ? (UPSIDE_DOWN[step] ?? step) : step;
}

export function isMenuKey({ key, shiftKey }: KeyboardEvent): boolean {
  return key === "ContextMenu" || (key === "F10" && shiftKey);
}
