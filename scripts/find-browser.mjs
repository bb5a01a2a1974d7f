#!/usr/bin/env node
/**
 * Finds a Chromium that the browser tests can drive, or installs one. Every candidate is launched before it is chosen
 * (an existing file may lack libraries, or be a wrapper of a program that is not installed).
 */
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { chromium } from "@playwright/test";
import { ROOT, run, runTool } from "./run.mjs";

const LAUNCH_MS = 60_000;
const INSTALL = { timeoutMs: 300_000, stdio: ["ignore", "pipe", "pipe"] };
/** A pinned build without windows: a test takes a third less processor time than in other browsers. */
const HEADLESS = "@sparticuz/chromium";
const NAMES = ["google-chrome", "google-chrome-stable", "chromium", "chromium-browser", "chrome"];

/** No traffic of the browser's own; as root Chromium refuses its sandbox. */
export function browserArgs(uid = process.getuid?.()) {
  const quiet = ["gpu", "quic", "background-networking", "component-update", "sync"].map((what) => `--disable-${what}`);
  return [...(uid === 0 ? ["--no-sandbox"] : []), ...quiet, "--no-first-run"];
}

/**
 * Tests that run at a time. A test waits for its page a fifth of the time, so on two processors a third one fills the
 * gaps; a browser with windows has more processes, which do.
 */
export function workersFor({ from }) {
  return from === HEADLESS ? 3 : 2;
}

/**
 * The first place with a browser that launches: `{ executablePath, args, from }`. If no browser launches, fails with
 * the reason of each place. Tests replace `places` and `launch`.
 */
export async function findBrowser({ places = defaultPlaces(), launch = tryLaunch, log = () => {} } = {}) {
  const args = browserArgs();
  const refused = [];
  const refuse = (from, reason) => {
    refused.push(`  ${from}: ${reason}`);
    log(`browser: ${from}: ${reason}`);
  };
  for (const { from, paths } of places) {
    const found = await paths().catch((error) => [error]);
    if (found.length === 0) refuse(from, "not there");
    for (const path of found) {
      const problem = path instanceof Error ? path.message : await launch(path, args);
      if (problem === null) return { executablePath: path, args, from };
      refuse(from, path instanceof Error ? problem : `${path}: ${problem}`);
    }
  }
  throw new Error(
    `no browser for the tests; set SPANFLAME_BROWSER to a Chrome or Chromium. Tried:\n${refused.join("\n")}`,
  );
}

/** Places of browsers, in order. `paths` returns candidates, or throws with the reason why it has no candidates. */
export function defaultPlaces(env = process.env, platform = process.platform) {
  const named = ["SPANFLAME_BROWSER", "CHROME_PATH"].filter((name) => env[name]);
  return [
    ...named.map((name) => ({ from: name, paths: async () => [env[name]] })),
    { from: HEADLESS, paths: () => unpackChromium(platform) },
    { from: "installed", paths: async () => installed(env, platform) },
    { from: "Playwright's own", paths: async () => [chromium.executablePath()].filter(existsSync) },
    { from: "playwright install chromium", paths: installWithPlaywright },
    { from: "apt-get install chromium", paths: () => installWithApt(env, platform) },
  ];
}

function installed(env, platform) {
  const onPath = (env.PATH ?? "").split(delimiter).flatMap((dir) => (dir ? NAMES.map((name) => join(dir, name)) : []));
  const places =
    platform === "win32" ? windowsPlaces(env) : [...onPath, ...(platform === "darwin" ? macPlaces() : linuxPlaces())];
  return [...new Set(places.filter(existsSync))];
}

function linuxPlaces() {
  return ["/usr/bin", "/usr/local/bin", "/opt/google/chrome", "/snap/bin"].flatMap((dir) =>
    NAMES.map((n) => join(dir, n)),
  );
}

function macPlaces() {
  const apps = ["Google Chrome", "Chromium", "Microsoft Edge"];
  return ["/", homedir()].flatMap((top) =>
    apps.map((a) => join(top, "Applications", `${a}.app`, "Contents", "MacOS", a)),
  );
}

function windowsPlaces(env) {
  const tops = [env.PROGRAMFILES, env["PROGRAMFILES(X86)"], env.LOCALAPPDATA].filter(Boolean);
  const programs = ["Google\\Chrome\\Application\\chrome.exe", "Chromium\\Application\\chrome.exe"];
  return [...programs, "Microsoft\\Edge\\Application\\msedge.exe"].flatMap((p) => tops.map((top) => join(top, p)));
}

/**
 * The package unpacks into the folder for temporary files and uses any file there that has its name. A separate folder
 * keeps half-unpacked and foreign files out, and keeps the browser for the next run.
 */
async function unpackChromium(platform) {
  if (platform !== "linux" || process.arch !== "x64") throw new Error(`has no build for ${platform} ${process.arch}`);
  const home = join(ROOT, "node_modules", ".cache", "spanflame-chromium");
  const binary = join(home, "chromium");
  if (existsSync(binary)) return [binary];
  const partial = `${home}.${process.pid}`;
  await mkdir(partial, { recursive: true });
  const { TMPDIR } = process.env;
  process.env.TMPDIR = partial;
  try {
    const { default: packed } = await import("@sparticuz/chromium");
    await packed.executablePath();
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
  await rm(home, { recursive: true, force: true });
  await rename(partial, home);
  return [binary];
}

async function installWithPlaywright() {
  await finish(runTool("playwright", ["install", "chromium"], INSTALL));
  return [chromium.executablePath()].filter(existsSync);
}

async function installWithApt(env, platform) {
  if (platform !== "linux" || !existsSync("/etc/debian_version")) throw new Error("not a Debian-like system");
  if (process.getuid?.() !== 0) throw new Error("needs root");
  const options = { ...INSTALL, env: { DEBIAN_FRONTEND: "noninteractive" } };
  await finish(run("apt-get", ["update", "-qq"], options));
  await finish(run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"], options));
  return installed(env, platform);
}

/** Waits for an installer; throws with its output if it failed. */
async function finish(running) {
  const { code, timedOut, output } = await running;
  if (timedOut) throw new Error(`no end in ${INSTALL.timeoutMs / 1000} s`);
  if (code !== 0) throw new Error(installerWords(output) || `exit ${code}`);
}

/** Starts the browser as the tests will, and ends it. Null when that worked, else the reason. */
async function tryLaunch(executablePath, args) {
  if (!existsSync(executablePath)) return "no such file";
  try {
    const browser = await chromium.launch({ executablePath, args, timeout: LAUNCH_MS });
    await browser.close();
    return null;
  } catch (error) {
    return `does not start: ${browserWords(error.message)}`;
  }
}

/** The browser's output from Playwright's long error of a failed launch, or the way it ended. */
function browserWords(message) {
  const lines = stripVTControlCharacters(message).split("\n");
  const said = lines.filter((line) => line.includes("[err]")).map((line) => line.replace(/^.*\[err\]\s*/, ""));
  const ended = lines.filter((line) => line.includes("process did exit")).map((line) => line.replace(/^.*<|>.*$/g, ""));
  return shorten(said.length > 0 ? said : [ended[0] ?? lines[0] ?? ""]);
}

/**
 * The lines of an installer's output that name an error, without stack traces; the end of the output if there are no
 * such lines.
 */
function installerWords(output) {
  const lines = stripVTControlCharacters(output)
    .split("\n")
    .filter((line) => !/^\s+at /.test(line));
  const faults = lines.filter((line) => /error|fail|^E:/i.test(line));
  return shorten(faults.length > 0 ? faults : lines);
}

function shorten(lines) {
  return [...new Set(lines)].join(" ").trim().replace(/\s+/g, " ").slice(0, 300);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const { executablePath, from } = await findBrowser({ log: console.error });
    console.log(`${executablePath} (${from})`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
