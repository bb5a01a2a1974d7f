/** What the recordings in fixtures/ hold, as the programs that made them say (fixtures/README.md). */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export interface Cell {
  samples: number;
  value: number;
}

export interface ExpectedProfile extends Cell {
  withSpan: Cell;
  withRoot: Cell;
  withoutIds: Cell;
  attributes: Record<string, Record<string, Cell>>;
  objectClasses?: Record<string, Cell>;
  self: Record<string, Cell>;
  /** Frames from the leaf outwards. */
  stacks: (Cell & { frames: string[]; truncated: boolean })[];
}

export interface Expected {
  profiles: Record<string, ExpectedProfile>;
  localRoots: Record<string, Record<string, Cell>>;
  spans: Record<string, { root: string; operation: string } & Record<string, Cell>>;
}

export function fixture(name: string): string {
  return fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));
}

function expected(name: string): Expected {
  return JSON.parse(readFileSync(fixture(`${name}.expected.json`), "utf8"));
}

export const SHOP = expected("shop");
export const SHOP_CHUNKS = expected("shop-chunks");

/**
 * Samples of recordings by real profilers: the table in fixtures/README.md, and what else the recorders wrote, as
 * `jfr summary` counts it (live heap: of the last chunk).
 */
export const RECORDED: Record<string, Record<string, number>> = {
  "recorded/dd122-jdk17-all.jfr": { cpu: 273, wall: 841, "alloc-samples": 184, "live-heap": 11, "queue-time": 64 },
  "recorded/dd152-jdk17-all.jfr": { cpu: 279, wall: 960, "alloc-samples": 179, "live-heap": 14, "queue-time": 64 },
  "recorded/ddagent-jdk17.jfr": {
    cpu: 175,
    wall: 99,
    "alloc-samples": 186,
    "live-heap": 17,
    "lock-contention": 2,
    exceptions: 69,
  },
};

export function samplesOf({ profiles }: Expected): Record<string, number> {
  return Object.fromEntries(Object.entries(profiles).map(([type, { samples }]) => [type, samples]));
}

export function profileOf({ profiles }: Expected, type: string): ExpectedProfile {
  const profile = profiles[type];
  if (profile === undefined) throw new Error(`no profile ${type}`);
  return profile;
}

/** Ids with a cell for the profile, heaviest first. */
export function heaviest(rows: Record<string, Record<string, Cell>>, type: string): [string, Cell][] {
  return Object.entries(rows)
    .flatMap(([id, cells]): [string, Cell][] => (cells[type] === undefined ? [] : [[id, cells[type]]]))
    .sort((a, b) => b[1].value - a[1].value);
}
