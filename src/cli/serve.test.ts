/** The viewer's server as a process of npm: it ends when npm does. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { beforeAll, expect } from "vitest";
import { POSIX } from "../../test/kit/needs.ts";
import { buildCli, CLI } from "../../test/kit/run-cli.ts";

beforeAll(buildCli, 120_000);

/** Starts the server and stays, as the shell of npx does. */
const PARENT = `
  const { spawn } = require("node:child_process");
  spawn(process.execPath, [${JSON.stringify(CLI)}, "--no-open"], { stdio: "inherit" });
`;

async function startedBy(env: Record<string, string | undefined>) {
  const parent = spawn(process.execPath, ["-e", PARENT], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [line] = (await once(parent.stdout, "data")) as [Buffer];
  const url = /http:\S+/.exec(line.toString())?.[0] ?? "";
  expect((await fetch(url)).status).toBe(200);
  return { parent, url };
}

POSIX.it("ends with npx", async () => {
  const { parent, url } = await startedBy({ npm_lifecycle_event: "npx" });
  // The server has the same standard output, which is closed when both have ended.
  const closed = once(parent.stdout, "close");
  parent.kill("SIGKILL");
  await closed;
  await expect(fetch(url)).rejects.toThrow("fetch failed");
});
