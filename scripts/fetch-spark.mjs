#!/usr/bin/env node
/**
 * Fetches Spark for the tests in test/fleet: the jars of examples/spark/pom.xml, with the Maven of this machine and
 * into .cache/. The first time it transfers 330 MB; later runs do nothing while the manifest stays the same.
 */
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { ROOT, run } from "./run.mjs";
import { isStale } from "./stale.mjs";

const MANIFEST = join(ROOT, "examples", "spark", "pom.xml");
/** The folder of the jars. */
export const SPARK = join(ROOT, ".cache", "spark");
/** Versions of Java on which this Spark runs. */
const JAVA = [17, 21];

const QUIET = { timeoutMs: 900_000, stdio: ["ignore", "pipe", "pipe"] };
/** Messages of Maven for an unreachable repository: the machine's fault, not the manifest's. */
const OFFLINE =
  /UnknownHostException|Unknown host|Connection (?:refused|reset|timed out)|No route to host|Could not transfer artifact|Network is unreachable/;

/** Why Spark cannot run on this machine, or null. */
export async function whyNoJava() {
  const { code, output } = await run("java", ["-version"], QUIET);
  if (code !== 0) return "no Java";
  const version = Number(/version "(\d+)/.exec(output)?.[1] ?? 0);
  return JAVA.includes(version) ? null : `Java ${version}; Spark needs ${JAVA.join(" or ")}`;
}

/** `{ skipped }` says why there is no Spark; throws when Maven could fetch it, but did not. */
export async function fetchSpark({ log = () => {} } = {}) {
  const noJava = await whyNoJava();
  if (noJava !== null) return { skipped: noJava };
  if (!isStale([SPARK], [MANIFEST])) return {};
  const { code: noMaven } = await run("mvn", ["--version"], QUIET);
  if (noMaven !== 0) return { skipped: "no Maven" };
  log("fetching Spark: 330 MB, once");
  // The folder has its name when all of it is there.
  const unfinished = `${SPARK}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  const args = ["-q", "-B", "-f", MANIFEST, "dependency:copy-dependencies", `-DoutputDirectory=${unfinished}`];
  const { code, output } = await run("mvn", args, QUIET);
  if (code === 0) {
    rmSync(SPARK, { recursive: true, force: true });
    renameSync(unfinished, SPARK);
    return {};
  }
  rmSync(unfinished, { recursive: true, force: true });
  if (OFFLINE.test(output)) return { skipped: `Maven's repository is out of reach: ${OFFLINE.exec(output)[0]}` };
  throw new Error(`mvn ${args.join(" ")} failed:\n${output.slice(-2000)}`);
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const { skipped } = await fetchSpark({ log: console.log });
    console.log(skipped === undefined ? `spark: ${SPARK}` : `skipped: ${skipped}`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
