/**
 * Work of `npm test` that takes minutes or downloads, and that only some changes need. It runs if one of its rooms
 * differs from the last commit that had it, or if that is unknown. SPANFLAME_SKIP decides otherwise: names with commas
 * between them that are skipped, `none` for all work.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT, run } from "./run.mjs";

/**
 * `rooms` are files, and folders with a slash at their end. What the tests in `importers` import are rooms as well. The
 * tests in `alone` do nothing else: they are left out with the work.
 */
export const LONG_WORK = {
  collector: {
    about: "the Collector: Go downloads its modules, 1 GB, once",
    rooms: ["scripts/build-collector.mjs", "test/kit/collector/", "assembly/write/otlp/"],
    importers: ["src/push/", "src/library/builder/"],
  },
  spark: {
    about: "Spark: Maven downloads it, 330 MB, once",
    rooms: [
      "scripts/fetch-spark.mjs",
      "examples/iceberg/",
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
    rooms: ["test/fuzz/", "assembly/"],
    importers: ["test/fuzz/"],
  },
  matrices: {
    about: "outputs of all recordings, read with each filter, and their views in the page; else of two of them",
    rooms: ["assembly/", "test/core/", "test/kit/", "fixtures/recorded/", "e2e/files/recordings.spec.ts"],
    importers: ["test/core/write/"],
  },
  relations: {
    about: "the relations of inputs that their seed does not draw",
    rooms: ["test/relations/"],
  },
  fleet: {
    about: "data sets that are stopped at any step, and engines that read them",
    rooms: ["src/fleet/", "test/fleet/", "test/kit/", "docs/sql/", "assembly/parquet.ts", "assembly/parquet/"],
    alone: ["src/fleet/", "test/fleet/"],
  },
  package: {
    about: "the package: packed, installed and bundled",
    rooms: [
      "src/library/",
      "src/viewer/",
      "src/record/",
      "test/package/",
      "scripts/",
      "package.json",
      "docs/bundlers.md",
    ],
    alone: ["test/package/"],
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
export async function unchangedWork(changed, imports = importsOf) {
  if (changed === null) return [];
  const isIn = (path) => (room) => (room.endsWith("/") ? path.startsWith(room) : path === room);
  const isTouched = async ({ rooms, importers = [] }) => {
    // Of sources with an error, the steps say it.
    const imported = importers.length === 0 ? [] : await imports(importers).catch(() => null);
    if (imported === null) return true;
    const all = [...rooms, ...imported];
    return changed.some((path) => all.some(isIn(path)));
  };
  const names = Object.keys(LONG_WORK);
  const touched = await Promise.all(names.map((name) => isTouched(LONG_WORK[name])));
  return names.filter((_, i) => !touched[i]);
}

/** The tests in folders, and all files of the project that run with them. */
export async function importsOf(folders) {
  const { build } = await import("esbuild");
  // A clean clone has no build/ yet, and its sources are rooms by themselves.
  const built = {
    name: "built",
    setup: (bundler) => void bundler.onResolve({ filter: /\/build\/[^/]+$/ }, () => ({ external: true })),
  };
  const testsIn = (folder) => readdirSync(join(ROOT, folder)).filter((name) => name.includes(".test."));
  const { metafile } = await build({
    ...{ absWorkingDir: ROOT, entryPoints: folders.flatMap((folder) => testsIn(folder).map((name) => folder + name)) },
    ...{ bundle: true, metafile: true, write: false, outdir: ".", logLevel: "silent" },
    ...{ format: "esm", platform: "node", packages: "external", plugins: [built] },
  });
  return Object.keys(metafile.inputs);
}

/** The folders whose tests are left out with the skipped work. */
export function leftOut(skipped) {
  return skipped.flatMap((name) => LONG_WORK[name]?.alone ?? []);
}

/** What this run skips, with the reason. */
export async function skippedWork(env = process.env) {
  const text = env.SPANFLAME_SKIP ?? "";
  if (text !== "") return { names: chosenSkips(text), reason: "by SPANFLAME_SKIP" };
  const base = await baseOf(env);
  return { names: await unchangedWork(base && (await changedFiles(base))), reason: `its rooms are as in ${base}` };
}

const QUIET = { stdio: ["ignore", "pipe", "pipe"] };

/**
 * The commit whose long work was done: what a push began with (SPANFLAME_BASE), of a branch the commit where it left
 * main, else the one before. Null if this clone does not have it.
 */
export async function baseOf({ SPANFLAME_BASE: stated = "" }, git = (args) => run("git", args, QUIET)) {
  const commit = async (name) => {
    const { code, output } = await git(["rev-parse", "--verify", "--quiet", `${name}^{commit}`]);
    return code === 0 ? output.trim() : null;
  };
  if (stated !== "") return commit(stated);
  const branch = await git(["symbolic-ref", "--quiet", "--short", "HEAD"]);
  for (const main of branch.code !== 0 || branch.output.trim() === "main" ? [] : ["origin/main", "main"]) {
    const { code, output } = await git(["merge-base", "HEAD", main]);
    if (code === 0) return output.trim();
  }
  return commit("HEAD^1");
}

/** Files that differ from a commit, or are in no commit; null if git cannot tell. */
async function changedFiles(base) {
  const differing = await run("git", ["diff", "--name-only", base], QUIET);
  const added = await run("git", ["ls-files", "--others", "--exclude-standard"], QUIET);
  if (differing.code !== 0 || added.code !== 0) return null;
  return `${differing.output}\n${added.output}`.split("\n").filter((line) => line !== "");
}
