/** The flame chart on the page: what its canvas has drawn, and a dump whose calls are charted. */
import { expect, type Page } from "@playwright/test";
import type { ChartScene } from "../../src/ui/views/chart/chart-canvas.ts";
import { asZip, type Writing, type WrittenFrame, writeStreams } from "../../test/kit/cdt/cdt-writer.ts";
import type { Dropped } from "./page.ts";

export const START = Date.UTC(2024, 1, 3, 12);

const method = (name: string) => `void com.acme.${name}(int) (Shop.java:7) [shop.jar]`;
/** Longer than what crosses from the worker at once. */
export const SQL = `select '<img src=x onerror=alert(1)>' from ${"cart, ".repeat(900)}item`;

export const frame = (
  name: string,
  after: number,
  children: WrittenFrame[] = [],
  { before = 0, tags = [] }: Partial<WrittenFrame> = {},
): WrittenFrame => ({ method: method(name), before, after, children, tags });

/**
 * Two calls of a thread. The first takes 400 ms, of which 40 ms are in a pause:
 *
 *   ms          0        100                 300           400
 *   checkout    ├───────────────────────────────────────────┤
 *   prepare     ├─80─┤
 *   query               ├──────200───────────┤
 *   read                   40 × 2 ms, one after the other
 *   pay                                       ├────90──────┤
 */
const read = (i: number) => frame(`Row.read${i % 3}`, 2, [], { before: i === 0 ? 20 : 1 });
export const SHOP: Writing = {
  start: START,
  pauses: [[1190, 40]],
  calls: [
    {
      threadId: 1,
      thread: "http-1",
      at: START + 1000,
      root: frame("Shop.checkout", 10, [
        frame("Cart.prepare", 80),
        frame(
          "Db.query",
          61,
          Array.from({ length: 40 }, (_, i) => read(i)),
          {
            before: 20,
            tags: [
              { name: "sql", value: SQL, in: "sql" },
              { name: "rows", value: "40", in: "trace" },
            ],
          },
        ),
        frame("Bank.pay", 90),
      ]),
      isRecorded: true,
      reactive: 0,
      params: { "profiler.title": ["<b>POST</b> /checkout"] },
    },
    {
      threadId: 1,
      thread: "http-1",
      at: START + 2000,
      root: frame("Shop.search", 5, [frame("Db.query", 15)]),
      isRecorded: true,
      reactive: 0,
      params: {},
    },
  ],
};

export const SHOP_ZIP = zipOf("shop.zip", SHOP);

/** A call whose frames are shorter than the clock's step. */
export const SHORT_ZIP = zipOf("short.zip", {
  start: START,
  calls: [
    {
      threadId: 1,
      thread: "http-1",
      at: START,
      root: frame("Shop.ping", 0, [frame("Shop.pong", 0), frame("Shop.pang", 0)]),
      isRecorded: true,
      reactive: 0,
      params: {},
    },
  ],
});

function zipOf(name: string, writing: Writing): Dropped {
  return { name, bytes: asZip(writeStreams(writing).streams, `web/2024/02/03/${START}`, "/") };
}

export interface ChartedFrame {
  depth: number;
  name: string;
  /** Ns since 1970. */
  startUnixNano: string;
  totalNano: string;
  selfNano: string;
  selfSuspensionNano: string;
}

/** All boxes in the order of entering, as the canvas has them. */
export async function chartedFrames(page: Page): Promise<ChartedFrame[]> {
  await expect(page.getByTestId("chart-current")).toBeVisible();
  return await page
    .getByTestId("chart-rows")
    .locator("canvas")
    .evaluate((canvas) => {
      const { columns } = (canvas as unknown as { __data__: ChartScene }).__data__.chart;
      const at = (nanos: number) => String(BigInt(nanos));
      return Array.from(columns.depth, (depth, box) => ({
        depth,
        name: columns.names[columns.name[box]],
        startUnixNano: String(columns.origin + BigInt(columns.start[box])),
        totalNano: at(columns.duration[box]),
        selfNano: at(columns.self[box]),
        selfSuspensionNano: at(columns.suspended[box]),
      }));
    });
}

/** The shown part of the time in ms since the chart's beginning. */
export async function shownTime(page: Page): Promise<{ from: number; to: number }> {
  return await page
    .getByTestId("chart-rows")
    .locator("canvas")
    .evaluate((canvas) => {
      const { from, to } = (canvas as unknown as { __data__: ChartScene }).__data__.window;
      return { from: from / 1e6, to: to / 1e6 };
    });
}

/** The place of a time and a row in the window. */
export async function placeOf(page: Page, ms: number, row: number): Promise<{ x: number; y: number }> {
  const shown = await shownTime(page);
  const box = await page.getByTestId("chart-rows").boundingBox();
  if (box === null) throw new Error("the chart is not on the page");
  return { x: box.x + ((ms - shown.from) / (shown.to - shown.from)) * box.width, y: box.y + 20 * row + 10 };
}
