/** A substitute for the opener records its arguments: they must not contain the access token. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { POSIX } from "../../../test/kit/needs.ts";
import { buildCli, CLI } from "../../../test/kit/run-cli.ts";
import { openBrowser, openCommand, redirectPage } from "./open-browser.ts";

const URL = "http://127.0.0.1:8080/secret/?files&x=1";

let root: string;
let notes: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "spanflame-opener-"));
  notes = join(root, "arguments");
  await mkdir(join(root, "tmp"));
  for (const name of ["xdg-open", "open"]) {
    const script = join(root, name);
    await writeFile(script, `#!/bin/sh\nprintf '%s\\n' "$@" > "${notes}.partial"\nmv "${notes}.partial" "${notes}"\n`);
    await chmod(script, 0o755);
  }
  await buildCli();
  // A copy beside a page of one file: the tests need not build the page.
  await cp(dirname(CLI), join(root, "dist-node"), { recursive: true });
  await writeFile(join(root, "package.json"), '{"type":"module"}');
  await mkdir(join(root, "dist"));
  await writeFile(join(root, "dist", "index.html"), "<!doctype html>");
}, 120_000);
afterAll(() => rm(root, { recursive: true }));

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(notes, { force: true });
});

function useStandIn(): void {
  vi.stubEnv("PATH", `${root}:${process.env.PATH}`);
  vi.stubEnv("TMPDIR", join(root, "tmp"));
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** The page that the opener was given. */
async function openedPage(): Promise<string> {
  await until(() => existsSync(notes));
  const [address = "", ...others] = (await readFile(notes, "utf8")).trim().split("\n");
  expect(others).toEqual([]);
  return fileURLToPath(address);
}

describe("openBrowser", () => {
  it("uses the platform's own command", () => {
    expect(openCommand("linux", URL)).toEqual({ command: "xdg-open", args: [URL], verbatim: false });
    expect(openCommand("darwin", URL)).toEqual({ command: "open", args: [URL], verbatim: false });
    expect(openCommand("win32", URL).args).toEqual(["/c", "start", '""', URL.replace("&", "^&")]);
  });

  it("leaves a machine without a browser alone", async () => {
    useStandIn();
    vi.stubEnv("PATH", "");
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on("uncaughtException", note);
    const onFailed = vi.fn();
    expect(() => openBrowser(URL, onFailed)).not.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 100));
    process.off("uncaughtException", note);
    expect(unhandled).toEqual([]);
    expect(onFailed).toHaveBeenCalledOnce();
    expect(await readdir(process.env.TMPDIR ?? "")).toEqual([]);
  });

  POSIX.it("gives the opener a page that only this user can read, and removes it", async () => {
    useStandIn();
    const remove = openBrowser(URL);
    const page = await openedPage();
    expect(readFileSync(notes, "utf8")).not.toContain("secret");
    expect(readFileSync(page, "utf8")).toBe(redirectPage(URL));
    expect(statSync(page).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(page)).mode & 0o777).toBe(0o700);
    remove();
    remove();
    expect(existsSync(dirname(page))).toBe(false);
  });

  it("leads to the address without a script or a referrer", () => {
    const page = redirectPage(`${URL}&quote="<script>`);
    const escaped = "http://127.0.0.1:8080/secret/?files&amp;x=1&amp;quote=&quot;&lt;script>";
    expect(page).toContain(`<meta http-equiv="refresh" content="0; url=${escaped}">`);
    expect(page).toContain('<meta name="referrer" content="no-referrer">');
    expect(page).not.toContain("<script");
  });
});

POSIX.describe("the command", () => {
  it.each(["SIGTERM", "SIGHUP", "the page is read"] as const)("removes the opener's page at %s", async (end) => {
    useStandIn();
    const child = spawn(process.execPath, [join(root, "dist-node", "cli.js")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let out = "";
    child.stdout.on("data", (part: Buffer) => {
      out += part;
    });
    const closed = new Promise((resolve) => child.on("close", resolve));
    try {
      const page = await openedPage();
      await until(() => out.includes("\n"));
      const address = out.trim().replace("Spanflame: ", "");
      expect(readFileSync(page, "utf8")).toContain(address);
      if (end === "the page is read") await (await fetch(address)).arrayBuffer();
      else child.kill(end);
      await until(() => !existsSync(dirname(page)));
    } finally {
      child.kill("SIGTERM");
      await closed;
    }
  });

  it("ends if the address cannot be printed", async () => {
    const child = spawn(process.execPath, [join(root, "dist-node", "cli.js"), "--no-open"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    child.stdout.destroy();
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
  });
});
