#!/usr/bin/env node
/**
 * Builds the OpenTelemetry Collector that the tests push to, with the Go of this machine and into .cache/. The first
 * time takes two minutes and a gigabyte of Go's caches; later runs do nothing while the manifest stays the same.
 * SPANFLAME_COLLECTOR names another release than the manifest's, such as 0.164.0.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv, env } from "node:process";
import { fileURLToPath } from "node:url";
import { ROOT, run } from "./run.mjs";
import { isStale } from "./stale.mjs";

const MANIFEST = "test/kit/collector/builder.yaml";
const NEWEST = "0.165.0";
const RELEASE = env.SPANFLAME_COLLECTOR || NEWEST;
const BUILDER = `go.opentelemetry.io/collector/cmd/builder@v${RELEASE}`;
/** Modules of version 1 are released with those of version 0: 1.71 with 0.165. */
const STABLE_BEHIND = 94;
/** Minimum version of Go for the modules of that release. */
const OLDEST_GO = [1, 25];

/** Where the manifest puts the binary. */
export const COLLECTOR = join(ROOT, ".cache", "otelcol", "otelcol");

const QUIET = { timeoutMs: 1_200_000, stdio: ["ignore", "pipe", "pipe"] };
/** Another Go than the machine's is not fetched. */
const GO_ENV = { GOTOOLCHAIN: "local", GOBIN: join(ROOT, ".cache", "go-bin") };
/** Messages of Go for an unreachable module server: the machine's fault, not the manifest's. */
const OFFLINE =
  /dial tcp|no such host|i\/o timeout|TLS handshake timeout|connection re(fused|set)|module lookup disabled/;

/** Why this machine cannot build, or null. */
export async function whyNot() {
  const { code, output } = await run("go", ["env", "GOVERSION"], QUIET);
  if (code !== 0) return "no go";
  const [major = 0, minor = 0] = output.match(/\d+/g)?.map(Number) ?? [];
  const [oldest, oldestMinor] = OLDEST_GO;
  const old = major < oldest || (major === oldest && minor < oldestMinor);
  return old ? `${output.trim()} is older than go${OLDEST_GO.join(".")}` : null;
}

/** The manifest of this release; that of another one is written beside the binary. */
function manifest() {
  if (RELEASE === NEWEST) return MANIFEST;
  const [, minor = ""] = RELEASE.split(".");
  const [, newest = ""] = NEWEST.split(".");
  const stable = (text) => `1.${Number(text) - STABLE_BEHIND}.0`;
  const text = readFileSync(join(ROOT, MANIFEST), "utf8")
    .replaceAll(NEWEST, RELEASE)
    .replaceAll(stable(newest), stable(minor));
  const path = join(".cache", `otelcol-${RELEASE}.yaml`);
  mkdirSync(join(ROOT, ".cache"), { recursive: true });
  if (!existsSync(join(ROOT, path)) || readFileSync(join(ROOT, path), "utf8") !== text)
    writeFileSync(join(ROOT, path), text);
  return path;
}

/** `{ skipped }` says why there is no Collector; throws when Go could build, but did not. */
export async function buildCollector({ log = () => {} } = {}) {
  const builderFile = manifest();
  if (!isStale([COLLECTOR], [join(ROOT, builderFile)])) return {};
  const skipped = await whyNot();
  if (skipped !== null) return { skipped };
  log("building the Collector: two minutes, once");
  for (const [command, args] of [
    ["go", ["install", BUILDER]],
    [join(GO_ENV.GOBIN, "builder"), ["--config", builderFile]],
  ]) {
    const { code, output } = await run(command, args, { ...QUIET, env: GO_ENV });
    if (code === 0) continue;
    if (OFFLINE.test(output)) return { skipped: `Go's modules are out of reach: ${OFFLINE.exec(output)[0]}` };
    throw new Error(`${command} ${args.join(" ")} failed:\n${output.slice(-2000)}`);
  }
  return {};
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const { skipped } = await buildCollector({ log: console.log });
    console.log(skipped === undefined ? `collector: ${COLLECTOR}` : `skipped: ${skipped}`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
