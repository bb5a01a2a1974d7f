/** The flame graph as it is on the page: what is drawn, where, and what it should be by the expectations. */
import type { Page } from "@playwright/test";
import { expect } from "@playwright/test";
import type { Cell } from "./expected.ts";

export interface DrawnFrame {
  name: string;
  /** Names from the graph's top down to this frame, joined. */
  path: string;
  /** What the drawing was given. */
  value: number;
  marker: boolean;
  depth: number;
  /** Of the box, in pixels from the left of the graph. */
  left: number;
  width: number;
}

const JOINT = " → ";

/** All boxes; parents are told by where the boxes lie, not by the data bound to them. */
export async function drawnFrames(page: Page): Promise<DrawnFrame[]> {
  const boxes = await page.getByTestId("flame").evaluate((host) => {
    const { left: origin, top } = host.getBoundingClientRect();
    return [...host.querySelectorAll("g.frame")].map((element) => {
      const rect = (element.querySelector("rect") ?? element).getBoundingClientRect();
      const { __data__: datum } = element as unknown as { __data__: { data: { value: number } } };
      return {
        name: element.getAttribute("aria-label") ?? "",
        value: datum.data.value,
        marker: element.hasAttribute("data-marker"),
        depth: Math.round((rect.top - top) / 20),
        left: rect.left - origin,
        width: rect.width,
      };
    });
  });
  boxes.sort((a, b) => a.depth - b.depth || a.left - b.left);
  const frames: DrawnFrame[] = [];
  for (const box of boxes) {
    const middle = box.left + box.width / 2;
    const above = frames.find(
      (f) => f.depth === box.depth - 1 && f.left <= middle && middle <= f.left + f.width && !f.marker,
    );
    frames.push({ ...box, path: above === undefined ? box.name : `${above.path}${JOINT}${box.name}` });
  }
  return frames;
}

/** Values by path, markers left out. */
export function byPath(frames: DrawnFrame[]): Record<string, number> {
  const values: Record<string, number> = {};
  for (const { path, value, marker } of frames) if (!marker) values[path] = (values[path] ?? 0) + value;
  return values;
}

/** The tree that stacks (leaf first) make, as `byPath` gives it. */
export function treeOf(stacks: (Cell & { frames: string[]; truncated: boolean })[]): Record<string, number> {
  const values: Record<string, number> = {};
  for (const { frames, truncated, value } of stacks) {
    const names = ["all", ...(truncated ? ["[truncated]"] : []), ...[...frames].reverse()];
    for (let depth = 1; depth <= names.length; depth++) {
      const path = names.slice(0, depth).join(JOINT);
      values[path] = (values[path] ?? 0) + value;
    }
  }
  return values;
}

/** Boxes are as wide as their share of the graph, and lie within the box above. */
export function expectProportions(frames: DrawnFrame[]): void {
  const [root] = frames;
  if (root === undefined) throw new Error("nothing is drawn");
  for (const frame of frames) {
    const wide = (root.width * frame.value) / root.value;
    expect(Math.abs(frame.width - wide), `${frame.path}: ${frame.width} px, not ${wide}`).toBeLessThan(2);
  }
}

/** Waits until what is drawn is this tree; a failure names the first few differences. */
export async function expectTree(page: Page, wanted: Record<string, number>): Promise<void> {
  await expect
    .poll(async () => {
      const drawn = byPath(await drawnFrames(page));
      const paths = new Set([...Object.keys(wanted), ...Object.keys(drawn)]);
      const wrong = [...paths].filter((path) => drawn[path] !== wanted[path]);
      return wrong.slice(0, 5).map((path) => `${path.slice(-200)}: drawn ${drawn[path]}, wanted ${wanted[path]}`);
    })
    .toEqual([]);
}
