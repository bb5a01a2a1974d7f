/** Keys of the flame graph, and the command that each of them is. */
import type { KeyboardEvent } from "react";
import { type FlameStep, stepOf } from "../../../model/flame/flame.ts";
import { ACTION_KEYS, type FunctionAction, shapeAction } from "../../../model/flame/frame-actions.ts";
import type { QueryAction } from "../../../model/query/query.ts";
import type { Shape } from "../../../model/query/shape.ts";

export interface GraphCommands {
  openMenu: () => void;
  step: (step: FlameStep) => void;
  zoom: () => void;
  /** Out to the zoom before, or all the way; null where the graph is not zoomed. */
  out: ((allTheWay: boolean) => void) | null;
  /** To the next match (1) or the one before (-1). */
  walk: (step: number) => void;
  copyStack: () => void;
  /** The details of the frame; null where there are none. */
  details: (() => void) | null;
  /** Opens the source of the frame; null where it is unknown. */
  source: (() => void) | null;
  /** The frame beside the graph, or away again; `close` is null where it is not there. */
  drawer: { toggle: () => void; close: (() => void) | null };
  perform: (action: FunctionAction) => void;
  act: (action: QueryAction) => void;
}

/** Runs the command of a key, and keeps the browser from doing something else with it. */
export function pressGraphKey(event: KeyboardEvent, up: boolean, shape: Shape, commands: GraphCommands): void {
  const command = commandOf(event, up, shape, commands);
  if (command === null) return;
  command();
  event.preventDefault();
}

function commandOf(event: KeyboardEvent, up: boolean, shape: Shape, commands: GraphCommands): (() => void) | null {
  const { key } = event;
  const { toggle, close } = commands.drawer;
  if (key === "ContextMenu" || (key === "F10" && event.shiftKey)) return commands.openMenu;
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const step = stepOf(key, up);
  if (step !== undefined) return () => commands.step(step);
  if (key === "Enter" || key === " ") return commands.zoom;
  if (key === "Escape" && close !== null) return close;
  if (key === "Escape" || key === "Backspace") {
    const { out } = commands;
    return out && (() => out(key === "Escape"));
  }
  if (key === "n" || key === "N") return () => commands.walk(key === "n" ? 1 : -1);
  if (key === "c") return commands.copyStack;
  if (key === "d") return commands.details;
  if (key === "o") return commands.source;
  if (key === "p") return toggle;
  const action = ACTION_KEYS.get(key);
  if (action !== undefined) return () => commands.perform(action);
  const change = shapeAction(key, shape);
  return change && (() => commands.act(change));
}
