/** The flame graph on the page: its boxes and their places, and those that the expectations give. */
import type { Page } from "@playwright/test";
import { expect } from "@playwright/test";
import type { FlameLayout } from "../../src/model/flame/flame-layout.ts";
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

type DrawnBox = Omit<DrawnFrame, "path">;

/** Boxes of the canvas, and the names of labelled boxes that are elsewhere; none while the graph is being replaced. */
async function drawnBoxes(page: Page): Promise<{ boxes: DrawnBox[]; displaced: (string | null)[] }> {
  // As text: Playwright takes seconds to carry the objects of a large graph one by one.
  const text = await page.getByTestId("flame").evaluate((host) => {
    const canvas = host.querySelector("canvas");
    const layout = (canvas as { __data__?: FlameLayout } | null)?.__data__;
    if (layout === undefined) return JSON.stringify({ boxes: [], displaced: [] });
    const { frames, path } = layout.answer;
    const stage = canvas?.parentElement?.getBoundingClientRect() ?? new DOMRect();
    const up = host.dataset.up !== undefined;
    const inside = layout.rows + layout.markers.length;
    const found = Array.from({ length: inside }, (_, box) => {
      const marker = box >= layout.rows;
      const row = marker ? (layout.markers[box - layout.rows] ?? 0) : box;
      return {
        name: marker
          ? "hidden"
          : frames.names[frames.name[row] ?? 0] || (row === 0 ? layout.look.rootName : "(no name)"),
        value: (marker ? frames.hiddenValue[row] : frames.total[row]) ?? 0,
        marker,
        depth: (layout.level[box] ?? 0) - path.length,
        left: (layout.left[box] ?? 0) * stage.width,
        width: (layout.width[box] ?? 0) * stage.width,
      };
    });
    const wrong = [...host.querySelectorAll("g.frame")].filter((element) => {
      const { box } = (element as unknown as { __data__: { data: { box: number } } }).__data__.data;
      const rect = (element.querySelector("rect") ?? element).getBoundingClientRect();
      const level = Math.round((rect.top - stage.top) / 20);
      const { left = 0, width = stage.width, depth } = found[box] ?? {};
      const isThere = Math.abs(rect.left - stage.left - left) < 1 && Math.abs(rect.width - width) < 2;
      return !isThere || (depth !== undefined && (up ? layout.levels - 1 - level : level) !== depth + path.length);
    });
    return JSON.stringify({ boxes: found, displaced: wrong.map((element) => element.getAttribute("aria-label")) });
  });
  return JSON.parse(text);
}

/**
 * All boxes below the focus: those that the canvas draws, from its bound data. Parents follow from the positions of the
 * boxes. Waits until the labelled ones are where the canvas has them.
 */
export async function drawnFrames(page: Page): Promise<DrawnFrame[]> {
  let boxes: DrawnBox[] = [];
  await expect
    .poll(async () => {
      const drawn = await drawnBoxes(page);
      boxes = drawn.boxes;
      return drawn.displaced;
    })
    .toEqual([]);
  boxes.sort((a, b) => a.depth - b.depth || a.left - b.left);
  const frames: DrawnFrame[] = [];
  /** Frames of the level above, from left to right. */
  let above: DrawnFrame[] = [];
  let level: DrawnFrame[] = [];
  let at = 0;
  for (const box of boxes) {
    if (box.depth !== level[0]?.depth) {
      above = level.filter(({ marker }) => !marker);
      level = [];
      at = 0;
    }
    const middle = box.left + box.width / 2;
    while (at + 1 < above.length && (above[at + 1]?.left ?? 0) <= middle) at++;
    const over = above[at];
    const frame = { ...box, path: over === undefined ? box.name : `${over.path}${JOINT}${box.name}` };
    frames.push(frame);
    level.push(frame);
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

/** Waits until the drawing is this tree; a failure names the first few differences. */
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

/** The middle of the box that `drawnFrames` has at an index, in the window; the graph is scrolled to it. */
async function placeOf(page: Page, box: number): Promise<{ x: number; y: number }> {
  return await page.getByTestId("flame").evaluate((host, at) => {
    const canvas = host.querySelector("canvas");
    const layout = (canvas as unknown as { __data__: FlameLayout }).__data__;
    const level = layout.level[at] ?? 0;
    const down = (host.dataset.up === undefined ? level : layout.levels - 1 - level) * 20 + 10;
    const scroller = host.parentElement ?? host;
    const view = scroller.getBoundingClientRect();
    const stage = () => canvas?.parentElement?.getBoundingClientRect() ?? new DOMRect();
    const isSeen = () => stage().top + down >= view.top && stage().top + down < view.top + scroller.clientHeight;
    if (!isSeen()) scroller.scrollTop += stage().top + down - view.top - scroller.clientHeight / 2;
    const { left, top, width } = stage();
    const from = left + (layout.left[at] ?? 0) * width;
    const middle = from + ((layout.width[at] ?? 0) * width) / 2;
    // At a whole pixel if the box has one, as mice are: the browser takes a part of a pixel for the element beside it.
    return { x: Math.floor(middle) >= from ? Math.floor(middle) : middle, y: top + down };
  }, box);
}

/** The first box with a name, wherever it is drawn; "hidden" is a marker. */
async function placeNamed(page: Page, name: string): Promise<{ x: number; y: number }> {
  let box = -1;
  const find = async () => {
    // In the page: a graph may have 40,000 names, which Playwright would carry one by one.
    box = await page.getByTestId("flame").evaluate((host, wanted) => {
      const canvas = host.querySelector("canvas");
      const { answer, rows, boxes } = (canvas as unknown as { __data__: FlameLayout }).__data__;
      const { names: texts, name: ids } = answer.frames;
      return Array.from({ length: boxes }, (_, at) => (at < rows ? texts[ids[at] ?? 0] : "hidden")).indexOf(wanted);
    }, name);
    return box;
  };
  await expect.poll(find, { message: name }).toBeGreaterThanOrEqual(0);
  return await placeOf(page, box);
}

/** A click on a box, labelled or not. */
export async function clickBox(page: Page, name: string): Promise<void> {
  const { x, y } = await placeNamed(page, name);
  await page.mouse.click(x, y);
}

export async function hoverBox(page: Page, name: string): Promise<void> {
  const { x, y } = await placeNamed(page, name);
  await page.mouse.move(x, y);
}
