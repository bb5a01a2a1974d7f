/** `symbols --fetch` and `--pack`, with a debuginfod server on the loopback interface. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Answer, serve, type TestServer } from "../../../test/kit/http/server.ts";
import { buildCli, callCli, ROOT } from "../../../test/kit/run-cli.ts";
import { fetchSymbols } from "../../node/symbols/fetched-files.ts";

const recorded = (name: string) => join(ROOT, "fixtures", "recorded", name);
const RECORDING = recorded("dd152-jdk17-remotesym.jfr");
const DEBUG = readFileSync(recorded("elf/libdemonative.so.debug"));
const ID = "2de3e4d4dae7292d136b6084ae66bc9683bf98cb";
const PATH = `/buildid/${ID}/debuginfo`;

interface Said {
  libraries: { buildId: string; status: string }[];
  files: { path: string; status: string }[];
  fetched?: number;
  cached?: number;
  packed?: string[];
  diagnostics: { code: string; message: string; file: string }[];
}

let folder: string;
let cache: string;
let server: TestServer | null = null;
beforeAll(() => buildCli(), 120_000);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "spanflame-fetch-"));
  cache = join(folder, "cache", "spanflame", "debuginfod");
});
afterEach(async () => {
  await server?.close();
  server = null;
  rmSync(folder, { recursive: true });
});

const here: Answer = (response, { path }) => {
  response.writeHead(path === PATH ? 200 : 404);
  response.end(path === PATH ? DEBUG : "");
};

async function ask(...args: string[]): Promise<Said & { code: number | null }> {
  const env = { XDG_CACHE_HOME: join(folder, "cache") };
  const { code, out, err } = await callCli(["symbols", RECORDING, "--json", ...args], { env });
  if (code === 2) throw new Error(err);
  return { code, ...(JSON.parse(out.toString()) as Said) };
}

const statusOf = ({ libraries }: Said) => libraries.find(({ buildId }) => buildId === ID)?.status;

describe("--fetch", () => {
  it("gets the files of libraries without any, once", async () => {
    server = await serve(here);
    const first = await ask("--fetch", server.url);
    expect([first.code, statusOf(first), first.fetched, first.cached]).toEqual([0, "resolved", 1, 0]);
    expect(readFileSync(join(cache, ID, "debuginfo")).equals(DEBUG)).toBe(true);
    expect(readdirSync(join(cache, ID))).toEqual(["debuginfo"]);
    const asked = server.received.filter(({ path }) => path === PATH).length;
    // Nothing but build ids of the recording is asked for, as files that do not name the user.
    for (const { method, path, headers } of server.received) {
      expect([method, path]).toEqual([
        "GET",
        expect.stringMatching(/^\/buildid\/[0-9a-f]{40}\/(debuginfo|executable)$/),
      ]);
      expect([headers.cookie, headers.referer]).toEqual([undefined, undefined]);
    }
    const again = await ask("--fetch", server.url);
    expect([statusOf(again), again.fetched, again.cached]).toEqual(["resolved", 0, 1]);
    expect(server.received.filter(({ path }) => path === PATH)).toHaveLength(asked);
    expect(again.diagnostics.every(({ code }) => code === "symbols.fetch")).toBe(true);
  });

  it("asks no server for an invalid build id, and warns about one with too many digits", async () => {
    server = await serve(here);
    const module = new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
    const found = await fetchSymbols([new URL(server.url)], ["ab".repeat(5000), "a/b"], module, cache);
    expect(found.diagnostics.map(({ message }) => message)).toEqual([
      "no server has files of a build id of 10000 digits",
    ]);
    expect(server.received).toEqual([]);
  });

  it("asks no server if the file of a library is given, or without the option", async () => {
    server = await serve(here);
    await ask("--fetch", server.url, "--symbols", recorded("elf"));
    expect(server.received.filter(({ path }) => path === PATH)).toEqual([]);
    server.received.length = 0;
    expect(statusOf(await ask())).toBe("missing");
    expect(server.received).toEqual([]);
  });

  it("keeps nothing that has another build id, also of the cache", async () => {
    const other = readFileSync(join(ROOT, "fixtures", "elf", "stripped.so.debug"));
    server = await serve((response) => response.end(other));
    const refused = await ask("--fetch", server.url);
    expect([refused.code, refused.fetched, existsSync(cache)]).toEqual([1, 0, false]);
    expect(refused.diagnostics.map(({ message }) => message)).toContain(
      "the file that the server gave does not have this build id",
    );
    await server.close();
    server = await serve(here);
    await ask("--fetch", server.url);
    writeFileSync(join(cache, ID, "debuginfo"), other);
    const mended = await ask("--fetch", server.url);
    expect([statusOf(mended), mended.fetched, mended.cached]).toEqual(["resolved", 1, 0]);
  });

  it("follows no redirection to a file, and says what a server does not have", async () => {
    server = await serve((response) => {
      response.writeHead(302, { location: `file://${recorded("elf/libdemonative.so.debug")}` });
      response.end();
    });
    const { code, diagnostics } = await ask("--fetch", server.url);
    expect([code, diagnostics[0]?.code]).toEqual([1, "symbols.fetch"]);
  });

  it.each(["ftp://host/", "debuginfod.debian.net", "https://me:secret@host/"])("refuses %s", async (url) => {
    const { code, err } = await callCli(["symbols", RECORDING, "--fetch", url]);
    expect([code, err]).toEqual([2, expect.stringContaining("--fetch: ")]);
  });
});

describe("--pack", () => {
  it("copies the files that the recording needs, and no others", async () => {
    const to = join(folder, "packed");
    const { packed } = await ask(
      "--symbols",
      recorded("elf"),
      "--symbols",
      join(ROOT, "fixtures", "elf"),
      "--pack",
      to,
    );
    const file = `.build-id/${ID.slice(0, 2)}/${ID.slice(2)}.debug`;
    expect(packed).toEqual([file]);
    expect(readFileSync(join(to, file)).equals(DEBUG)).toBe(true);
    expect(readdirSync(join(to, ".build-id"))).toEqual([ID.slice(0, 2)]);
    expect(statusOf(await ask("--symbols", to))).toBe("resolved");
  });
});
