/** The recordings, the seed and the folder of the relations. */
import { readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Random } from "../kit/random.ts";
import { ROOT } from "../kit/run-cli.ts";

/** Drawn inputs are the same for a seed. `SPANFLAME_RELATIONS` has another one. */
export const SEED = Number(process.env.SPANFLAME_RELATIONS ?? 51);
/** All inputs of all relations: each week, and where the relations changed (scripts/long-work.mjs). */
export const IS_WHOLE = !(process.env.SPANFLAME_SKIP ?? "").split(",").includes("relations");

const FOLDERS = [".", "recorded", "traces"].map((name) => join(ROOT, "fixtures", name));

export const RECORDINGS: readonly string[] = FOLDERS.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".jfr"))
    .sort()
    .map((name) => join(folder, name)),
);

/** Numbers of one relation: its inputs do not change where another relation is added. */
export function randomOf(relation: string): Random {
  return new Random(
    SEED,
    [...relation].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) | 0, 0),
  );
}

export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "spanflame-relations-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
