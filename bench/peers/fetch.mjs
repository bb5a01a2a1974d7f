/**
 * Fetches the peers with Maven and compiles Peers.java beside them, into .cache/bench/peers. Repeats this only when the
 * pom or Peers.java is newer.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { unzipSync } from "fflate";
import { isStale } from "../../scripts/stale.mjs";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = join(HERE, "..", "..");
export const CACHE = join(ROOT, ".cache", "bench", "peers");
const LIB = join(CACHE, "lib");
const CLASSES = join(CACHE, "classes");
const DONE = join(CACHE, "done");

/** A missing tool of this machine; not a fault of the bench. */
export class Missing extends Error {}

/** Home of a JDK, as the recording scripts find one. */
export function findJdk() {
  const script = `. "$1" && find_jdk && cd "$JDK" && pwd -P`;
  const { status, stdout } = spawnSync("bash", ["-c", script, "find", join(ROOT, "fixtures", "jdk.sh")], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Missing("no JDK 17 or newer");
  return stdout.trim();
}

/** The class path of the harness and all peers. */
export function fetchPeers(jdk) {
  const sources = ["pom.xml", "Peers.java", "fetch.mjs"].map((name) => join(HERE, name));
  if (isStale([DONE], sources)) {
    for (const folder of [LIB, CLASSES]) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
    }
    copyFromCentral(jdk);
    for (const jar of jars().filter((name) => name.startsWith("dd-java-agent"))) {
      unpackJafar(join(LIB, jar));
      rmSync(join(LIB, jar));
    }
    const { status, stderr } = spawnSync(
      join(jdk, "bin", "javac"),
      ["-nowarn", "--release", "17", "-cp", classPath(), "-d", CLASSES, join(HERE, "Peers.java")],
      { encoding: "utf8" },
    );
    if (status !== 0) throw new Error(stderr);
    // The names with their versions, for the head of the table.
    writeFileSync(DONE, versions());
  }
  return { classPath: classPath(), versions: readFileSync(DONE, "utf8") };
}

function copyFromCentral(jdk) {
  const args = ["-q", "-B", "-f", join(HERE, "pom.xml"), "dependency:copy-dependencies", `-DoutputDirectory=${LIB}`];
  const mvn = spawnSync("mvn", args, { encoding: "utf8", env: { ...process.env, JAVA_HOME: jdk } });
  if (mvn.error) throw new Missing("no Maven");
  if (mvn.status !== 0) {
    const reason = mvn.stdout.split("\n").find((line) => line.includes("ERROR")) ?? mvn.stderr;
    throw new Missing(`Maven could not fetch the peers: ${reason.slice(0, 200)}`);
  }
}

/** The agent keeps its classes separately, as .classdata in a folder, and renames slf4j; its logger is left out. */
function unpackJafar(jar) {
  const wanted = (name) =>
    /^profiling\/io\/jafar\/.*\.classdata$/.test(name) || /^datadog\/slf4j\/(?!impl\/).*\.class$/.test(name);
  const entries = unzipSync(readFileSync(jar), { filter: ({ name }) => wanted(name) });
  for (const [name, bytes] of Object.entries(entries)) {
    const path = join(CLASSES, name.replace(/^profiling\//, "").replace(/classdata$/, "class"));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
}

function jars() {
  return readdirSync(LIB).filter((name) => name.endsWith(".jar"));
}

function classPath() {
  return [CLASSES, ...jars().map((name) => join(LIB, name))].join(delimiter);
}

function versions() {
  const pom = readFileSync(join(HERE, "pom.xml"), "utf8");
  const pinned = pom.matchAll(/<dependency>[\s\S]*?<artifactId>(.*?)<[\s\S]*?<version>(.*?)<[\s\S]*?<\/dependency>/g);
  return [...pinned].map(([, name, version]) => `${name} ${version}`).join(", ");
}
