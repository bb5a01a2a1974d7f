/**
 * Work of `npm test` that takes minutes or downloads, and that only some changes need. It runs if one of its rooms
 * differs from the commit before, or if that is unknown. SPANFLAME_SKIP decides otherwise: names with commas between
 * them that are skipped, `none` for all work.
 */
import { run } from "./run.mjs";

/** `rooms` are files, and folders with a slash at their end. */
export const LONG_WORK = {
  collector: {
    about: "the Collector: Go downloads its modules, 1 GB, once",
    rooms: ["scripts/build-collector.mjs", "test/kit/collector/", "src/push/", "assembly/write/otlp/"],
  },
  spark: {
    about: "Spark: Maven downloads it, 270 MB, once",
    rooms: [
      "scripts/fetch-spark.mjs",
      "examples/spark/",
      "docs/sql/",
      "test/fleet/",
      "src/fleet/",
      "assembly/parquet.ts",
      "assembly/parquet/",
    ],
  },
  fuzz: {
    about: "nine tenths of the fuzzers' cases",
    rooms: [
      "test/fuzz/",
      "assembly/",
      "src/bytes/",
      "src/input/",
      "src/otlp/",
      "src/fleet/",
      "src/symbols/",
      "src/traces/",
    ],
  },
  relations: {
    about: "the relations of inputs that their seed does not draw",
    rooms: ["test/relations/"],
  },
};

/** The names that `text`, the variable, skips. Throws for a name that is none. */
export function chosenSkips(text) {
  if (text === "none") return [];
  const names = text.split(",").map((name) => name.trim());
  const wrong = names.find((name) => !Object.hasOwn(LONG_WORK, name));
  if (wrong === undefined) return names;
  throw new Error(`SPANFLAME_SKIP: ${wrong || "an empty name"} is none of none, ${Object.keys(LONG_WORK).join(", ")}`);
}

/** The names whose rooms have none of the files that changed; `changed` is null if these are unknown. */
export function unchangedWork(changed) {
  if (changed === null) return [];
  const isIn = (path) => (room) => (room.endsWith("/") ? path.startsWith(room) : path === room);
  return Object.keys(LONG_WORK).filter((name) => !changed.some((path) => LONG_WORK[name].rooms.some(isIn(path))));
}

/** What this run skips, with the reason. */
export async function skippedWork(env = process.env) {
  const text = env.SPANFLAME_SKIP ?? "";
  if (text !== "") return { names: chosenSkips(text), reason: "by SPANFLAME_SKIP" };
  return { names: unchangedWork(await changedFiles()), reason: "its rooms are as in the commit before" };
}

/** Files that differ from the commit before, or are in no commit; null without one. */
async function changedFiles() {
  const options = { stdio: ["ignore", "pipe", "pipe"] };
  const differing = await run("git", ["diff", "--name-only", "HEAD^1"], options);
  const added = await run("git", ["ls-files", "--others", "--exclude-standard"], options);
  if (differing.code !== 0 || added.code !== 0) return null;
  return `${differing.output}\n${added.output}`.split("\n").filter((line) => line !== "");
}
