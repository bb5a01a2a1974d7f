import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { beginUrgent, whenPainted } from "./after-paint.ts";

let frames: (() => void)[];

beforeEach(() => {
  frames = [];
  vi.useFakeTimers();
  vi.stubGlobal("requestAnimationFrame", (callback: () => void) => frames.push(callback));
});
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function paint(): void {
  for (const callback of frames.splice(0)) callback();
  vi.advanceTimersByTime(1);
}

it("waits for a task where nothing was asked first", () => {
  const go = vi.fn();
  whenPainted(go);
  expect(go).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(go).toHaveBeenCalledTimes(1);
});

it("waits until all that was asked first is painted, also what is asked later in the same task", () => {
  const go = vi.fn();
  const one = beginUrgent();
  whenPainted(go);
  const other = beginUrgent();
  one();
  paint();
  expect(go).not.toHaveBeenCalled();
  other();
  vi.advanceTimersByTime(100);
  expect(go).not.toHaveBeenCalled();
  paint();
  expect(go).toHaveBeenCalledTimes(1);
});

it("goes on where nothing is painted, and counts an end once", () => {
  const go = vi.fn();
  const end = beginUrgent();
  whenPainted(go);
  end();
  vi.advanceTimersByTime(1000);
  expect(go).toHaveBeenCalledTimes(1);
  // The frame comes after all, when something else is under way.
  beginUrgent();
  const again = vi.fn();
  whenPainted(again);
  paint();
  expect(again).not.toHaveBeenCalled();
});
