import type { KeyboardEvent } from "react";
import { expect, it, vi } from "vitest";
import { WHOLE } from "../../../model/query/shape.ts";
import { type GraphCommands, pressGraphKey } from "./graph-keys.ts";

/** The command that a key is, with its argument, and whether the browser is kept from doing something else with it. */
function press(key: string, modifiers: Partial<KeyboardEvent> = {}, changes: Partial<GraphCommands> = {}) {
  const called: unknown[] = [];
  const record =
    (name: string) =>
    (...values: unknown[]) =>
      called.push([name, ...values]);
  const names = ["openMenu", "step", "zoom", "out", "walk", "copyStack", "source", "perform", "act"];
  const drawer = { toggle: record("toggle"), close: null };
  const commands = {
    ...Object.fromEntries(names.map((name) => [name, record(name)])),
    drawer,
  } as unknown as GraphCommands;
  const preventDefault = vi.fn();
  const event = { key, preventDefault, ...modifiers } as unknown as KeyboardEvent;
  pressGraphKey(event, false, WHOLE, { ...commands, ...changes });
  return { called, taken: preventDefault.mock.calls.length === 1 };
}

it.each([
  ["ContextMenu", {}, ["openMenu"]],
  ["F10", { shiftKey: true }, ["openMenu"]],
  ["ArrowDown", {}, ["step", "down"]],
  ["Enter", {}, ["zoom"]],
  [" ", {}, ["zoom"]],
  ["Backspace", {}, ["out", false]],
  ["Escape", {}, ["out", true]],
  ["n", {}, ["walk", 1]],
  ["N", { shiftKey: true }, ["walk", -1]],
  ["c", {}, ["copyStack"]],
  ["o", {}, ["source"]],
  ["s", {}, ["perform", "sandwich"]],
  ["l", {}, ["act", { kind: "lines", lines: true }]],
])("%s %o is the command %o", (key, modifiers, expected) => {
  expect(press(key, modifiers)).toEqual({ called: [expected], taken: true });
});

it.each([
  ["F10", {}],
  ["x", {}],
  ["c", { ctrlKey: true }],
  ["Enter", { altKey: true }],
  ["s", { metaKey: true }],
])("%s %o is left to the browser", (key, modifiers) => {
  expect(press(key, modifiers)).toEqual({ called: [], taken: false });
});

it("leaves Escape and Backspace to the page where the graph is not zoomed", () => {
  for (const key of ["Escape", "Backspace"])
    expect(press(key, {}, { out: null })).toEqual({ called: [], taken: false });
});
