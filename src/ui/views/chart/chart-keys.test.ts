import type { KeyboardEvent } from "react";
import { expect, it, vi } from "vitest";
import { type ChartCommands, pressChartKey } from "./chart-keys.ts";

/** The command that a key is, with its argument, and whether the browser is kept from doing something else with it. */
function press(key: string, modifiers: Partial<KeyboardEvent> = {}, changes: Partial<ChartCommands> = {}) {
  const called: unknown[] = [];
  const record =
    (name: string) =>
    (...values: unknown[]) =>
      called.push([name, ...values]);
  const names = ["step", "pan", "zoom", "zoomHere", "zoomIn", "back", "showAll", "open", "walk", "copyStack"];
  const commands = Object.fromEntries(names.map((name) => [name, record(name)])) as unknown as ChartCommands;
  const preventDefault = vi.fn();
  pressChartKey({ key, preventDefault, ...modifiers } as unknown as KeyboardEvent, { ...commands, ...changes });
  return { called, taken: preventDefault.mock.calls.length === 1 };
}

it.each([
  ["ArrowUp", {}, ["step", "parent"]],
  ["ArrowDown", {}, ["step", "child"]],
  ["ArrowLeft", {}, ["step", "previous"]],
  ["ArrowRight", {}, ["step", "next"]],
  ["ArrowLeft", { shiftKey: true }, ["pan", -0.1]],
  ["ArrowRight", { shiftKey: true }, ["pan", 0.1]],
  ["+", { shiftKey: true }, ["zoom", 2]],
  ["=", {}, ["zoom", 2]],
  ["-", {}, ["zoom", 0.5]],
  [" ", {}, ["zoomIn"]],
  ["Backspace", {}, ["back"]],
  ["Home", {}, ["showAll"]],
  ["Escape", {}, ["showAll"]],
  ["Enter", {}, ["open"]],
  ["w", {}, ["zoomHere", 2]],
  ["S", { shiftKey: true }, ["zoomHere", 0.5]],
  ["a", {}, ["pan", -0.1]],
  ["d", {}, ["pan", 0.1]],
  ["n", {}, ["walk", 1]],
  ["N", { shiftKey: true }, ["walk", -1]],
  ["c", {}, ["copyStack"]],
])("%s %o is the command %o", (key, modifiers, expected) => {
  expect(press(key, modifiers)).toEqual({ called: [expected], taken: true });
});

it.each([
  ["x", {}],
  ["+", { ctrlKey: true }],
  ["c", { metaKey: true }],
  ["ArrowLeft", { altKey: true }],
  ["PageDown", {}],
])("%s %o is left to the browser", (key, modifiers) => {
  expect(press(key, modifiers)).toEqual({ called: [], taken: false });
});

it("Escape leads out of the chart where the whole time is shown", () => {
  expect(press("Escape", {}, { showAll: null })).toEqual({ called: [], taken: false });
});
