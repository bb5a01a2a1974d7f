/** `spanflame recording.jfr --symbols PATH`: the local server offers files, and the page reads those that it needs. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
// Not the test of e2e/kit/page.ts, whose page may only ask the site of all tests.
import { expect, test } from "@playwright/test";

const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const recorded = (name: string) => path(`fixtures/recorded/${name}`);
/** Its library, the debug file, and a package of split units, which may be of any. */
const LIBRARY_FILES = 3;

let server: ChildProcess | null = null;
test.afterEach(() => {
  server?.kill();
  server = null;
});

async function serve(...args: string[]): Promise<string> {
  server = spawn(process.execPath, [path("dist-node/cli.js"), ...args, "--no-open"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [line] = (await once(server.stdout!, "data")) as [Buffer];
  return /http:\S+/.exec(line.toString())?.[0] ?? "";
}

test("symbols of the command line name the frames of its recording, and files of other libraries are not read", async ({
  page,
}) => {
  const symbols = [recorded("elf"), path("fixtures/elf")].flatMap((folder) => ["--symbols", folder]);
  const url = await serve(recorded("dd152-jdk17-remotesym.jfr"), ...symbols);
  const asked: string[] = [];
  page.on("request", (request) => {
    if (/\/symbols\/\d+$/.test(request.url())) asked.push(request.url());
  });
  await page.goto(`${url}#view=top`);
  await expect(page.getByTestId("top-row").filter({ hasText: "acme::mixInl<" }).first()).toBeVisible();
  expect(asked).toHaveLength(LIBRARY_FILES);
});
