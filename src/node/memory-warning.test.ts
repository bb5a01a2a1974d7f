/** What a reading says about the core's memory before it is full, by sizes that no test recording has. */
import { expect, it } from "vitest";
import { INSTEAD, RoomAhead } from "./memory-warning.ts";

const GIB = 2 ** 30;

/** Lines that are said for steps of `[bytes held, bytes read]`. */
function said(total: number, ...steps: [held: number, read: number][]): string[] {
  const lines: string[] = [];
  const room = new RoomAhead((line) => void lines.push(line));
  for (const [held, bytes] of steps) room.look(held, { bytes, total, samples: 0 });
  return lines;
}

it("says once that all samples need more memory than there is", () => {
  const lines = said(10 * GIB, [0.5 * GIB, GIB / 4], [1.2 * GIB, 2 * GIB], [1.9 * GIB, 3 * GIB]);
  expect(lines).toEqual([
    `spanflame: what was read (2 GiB of 10 GiB) takes 1.2 GiB of memory, and all of the input about 6 GiB; there are 4 GiB; ${INSTEAD}`,
  ]);
});

it("says nothing where they fit, and nothing at the first bytes", () => {
  expect(said(10 * GIB, [0.9 * GIB, GIB / 2], [1.2 * GIB, 5 * GIB], [2.4 * GIB, 10 * GIB])).toEqual([]);
});

it("counts what earlier inputs take once", () => {
  const lines: string[] = [];
  const room = new RoomAhead((line) => void lines.push(line));
  room.look(1.5 * GIB, { bytes: 5 * GIB, total: 5 * GIB, samples: 0 });
  room.look(1.6 * GIB, { bytes: GIB / 10, total: GIB, samples: 0 });
  expect(lines).toEqual([]);
  room.look(1.8 * GIB, { bytes: GIB / 5, total: 2 * GIB, samples: 0 });
  expect(lines).toHaveLength(1);
});

it("says it of a pipe when half of the memory is used", () => {
  expect(said(0, [1.9 * GIB, 8 * GIB])).toEqual([]);
  expect(said(0, [1.9 * GIB, 8 * GIB], [2 * GIB, 9 * GIB])).toEqual([
    `spanflame: what was read (9 GiB) takes 2 GiB of memory; there are 4 GiB; ${INSTEAD}`,
  ]);
});
