import { appendFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { type IncomingHttpHeaders, request } from "node:http";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { bytesSource } from "../../bytes/byte-source.ts";
import { NO_BUILD_ID } from "../../symbols/build-id.ts";
import { OUTWARD_POLICY, PAGE_POLICY, SECURITY_HEADERS } from "./security-headers.ts";
import { type OfferedFile, type OfferedSymbols, type ServedViewer, serveViewer } from "./server.ts";

const WASM = Buffer.from([0, 0x61, 0x73, 0x6d]);
const RECORDING = Buffer.alloc(300_000, "FLR\0recording");

let root: string;
let siteDir: string;
let files: OfferedFile[];
let viewer: ServedViewer | null = null;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "spanflame-server-"));
  siteDir = join(root, "site");
  await mkdir(join(siteDir, "assets"), { recursive: true });
  await writeFile(join(siteDir, "index.html"), "<!doctype html><script></script>");
  await writeFile(join(siteDir, "assets", "core-abc.wasm"), WASM);
  await writeFile(join(siteDir, "assets", "index-abc.js"), "export {};");
  await writeFile(join(siteDir, "assets", "sender-Ab_1-2.js"), "export {};");
  await writeFile(join(siteDir, "assets", "fetcher-Ab_1-2.js"), "export {};");
  await writeFile(join(siteDir, "assets", "debuginfod-Ab_1-2.js"), "export {};");
  await writeFile(join(siteDir, "assets", "odd name.css"), "a{}");
  await writeFile(join(siteDir, ".hidden"), "hidden");
  await writeFile(join(root, "outside.txt"), "outside");
  await symlink(join(root, "outside.txt"), join(siteDir, "link.txt"));
  await writeFile(join(root, "a.jfr"), RECORDING);
  await writeFile(join(root, "empty.jfr"), "");
  files = [
    { name: "a.jfr", path: join(root, "a.jfr") },
    { name: "empty.jfr", path: join(root, "empty.jfr") },
    { name: "gone.jfr", path: join(root, "gone.jfr") },
  ];
});

afterEach(async () => {
  await viewer?.close();
  viewer = null;
});

afterAll(() => rm(root, { recursive: true }));

async function start(offered: OfferedFile[] = files): Promise<URL> {
  viewer = await serveViewer({ siteDir, files: offered });
  return new URL(viewer.url);
}

interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Asks with the path exactly as given: fetch would resolve `..` and would not let a test set Host. */
function ask(url: URL, path: string, options: { method?: string; host?: string } = {}): Promise<Reply> {
  const { method = "GET", host = url.host } = options;
  return new Promise((resolve, reject) => {
    const req = request({ host: url.hostname, port: url.port, path, method, headers: { host } }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) });
      });
    });
    req.on("error", reject).end();
  });
}

describe("the address", () => {
  it("is loopback with a secret of at least 128 bits, a new one each time", async () => {
    const first = await start();
    expect(first.hostname).toBe("127.0.0.1");
    expect(first.pathname).toMatch(/^\/[\w-]{22}\/$/);
    await viewer?.close();
    expect((await start()).pathname).not.toBe(first.pathname);
  });

  it("ends with ?files only when there are recordings", async () => {
    expect((await start()).search).toBe("?files");
    await viewer?.close();
    expect((await start([])).href.endsWith("/")).toBe(true);
  });

  it("answers 404 to every path without the secret, also to its prefix", async () => {
    const url = await start();
    const secret = url.pathname.slice(1, -1);
    const paths = [
      "/",
      "/index.html",
      "/files.json",
      "/files/0",
      "/symbols.json",
      "/symbols/0",
      `/${secret}`,
      `/${secret.slice(0, -1)}/`,
      `/x/${secret}/`,
    ];
    for (const path of paths) expect([path, (await ask(url, path)).status]).toEqual([path, 404]);
  });

  it("refuses a Host header that is not loopback on this port", async () => {
    const url = await start();
    for (const host of [`localhost:${url.port}`, `[::1]:${url.port}`]) {
      expect((await ask(url, url.pathname, { host })).status).toBe(200);
    }
    const foreign = [`evil.example:${url.port}`, "127.0.0.1", `127.0.0.1.evil.example:${url.port}`, "localhost:1"];
    for (const host of foreign) expect([host, (await ask(url, url.pathname, { host })).status]).toEqual([host, 403]);
  });

  it("is not reachable from another interface", async () => {
    const url = await start();
    const others = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    for (const { address } of others.filter((i) => !i.internal && i.family === "IPv4")) {
      const away = new URL(url);
      away.hostname = address;
      await expect(ask(away, url.pathname)).rejects.toThrow();
    }
  });
});

describe("the page", () => {
  it("has its content types and lengths", async () => {
    const url = await start();
    const expected: [string, string, number][] = [
      ["", "text/html; charset=utf-8", 32],
      ["index.html", "text/html; charset=utf-8", 32],
      ["assets/core-abc.wasm", "application/wasm", 4],
      ["assets/index-abc.js", "text/javascript; charset=utf-8", 10],
      ["assets/odd%20name.css?v=1", "text/css; charset=utf-8", 3],
    ];
    for (const [path, type, bytes] of expected) {
      const reply = await ask(url, url.pathname + path);
      expect([path, reply.status, reply.headers["content-type"]]).toEqual([path, 200, type]);
      expect(reply.body.length).toBe(bytes);
      expect(reply.headers["content-length"]).toBe(String(bytes));
    }
  });

  it("stays in its folder", async () => {
    const url = await start();
    const paths = [
      "../outside.txt",
      "%2e%2e/outside.txt",
      "..%2foutside.txt",
      "..%5coutside.txt",
      "assets/../../outside.txt",
      "assets//index-abc.js",
      "%00",
      "%",
      "link.txt",
      ".hidden",
      "assets",
      "assets/",
      "none.js",
      join(root, "outside.txt"),
    ];
    for (const path of paths) {
      const reply = await ask(url, url.pathname + path);
      expect([path, reply.status]).toEqual([path, 404]);
      expect(reply.body.toString()).not.toContain("outside");
    }
  });

  it("sends the security headers with every answer", async () => {
    const url = await start();
    const replies = [
      await ask(url, url.pathname),
      await ask(url, `${url.pathname}files/0`),
      await ask(url, "/"),
      await ask(url, url.pathname, { host: "evil.example" }),
      await ask(url, url.pathname, { method: "POST" }),
    ];
    for (const { headers } of replies) expect(headers).toMatchObject(SECURITY_HEADERS);
    const policy = SECURITY_HEADERS["content-security-policy"];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe-inline");
  });

  it("lets the workers that send and fetch ask elsewhere, and nothing else", async () => {
    const url = await start();
    const policyOf = async (path: string) =>
      (await ask(url, `${url.pathname}${path}`)).headers["content-security-policy"];
    for (const name of ["sender", "fetcher", "debuginfod"]) {
      const path = `assets/${name}-Ab_1-2.js`;
      expect(await policyOf(path)).toBe(OUTWARD_POLICY);
    }
    expect(OUTWARD_POLICY).toContain("connect-src http: https:");
    for (const path of [
      "assets/index-abc.js",
      "assets/sender-none.js",
      "sender-Ab_1-2.js",
      "assets/../assets/index-abc.js",
    ]) {
      expect(await policyOf(path)).toBe(SECURITY_HEADERS["content-security-policy"]);
    }
  });

  it("states the same policy itself, for servers that send no header", async () => {
    const html = await readFile(new URL("../../../index.html", import.meta.url), "utf8");
    const meta = /http-equiv="Content-Security-Policy"\s+content="([^"]*)"/.exec(html);
    expect(meta?.[1]).toBe(PAGE_POLICY);
  });

  it("takes GET and HEAD only", async () => {
    const url = await start();
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      const reply = await ask(url, url.pathname, { method });
      expect([method, reply.status, reply.headers.allow]).toEqual([method, 405, "GET, HEAD"]);
    }
    const head = await ask(url, `${url.pathname}files/0`, { method: "HEAD" });
    expect(head.status).toBe(200);
    expect(head.headers["content-length"]).toBe(String(RECORDING.length));
    expect(head.body.length).toBe(0);
  });
});

describe("the recordings", () => {
  it("are listed with name and size, in the order given", async () => {
    const url = await start();
    const reply = await ask(url, `${url.pathname}files.json`);
    expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(JSON.parse(reply.body.toString())).toEqual([
      { name: "a.jfr", bytes: RECORDING.length },
      { name: "empty.jfr", bytes: 0 },
      { name: "gone.jfr", bytes: 0 },
    ]);
  });

  it("keep their numbers when a page is loaded again and there are new ones, which follow", async () => {
    const listed = [{ name: "0.jfr", path: join(root, "empty.jfr") }, files[0]!];
    viewer = await serveViewer({ siteDir, files: files.slice(0, 1), list: () => listed });
    const url = new URL(viewer.url);
    const reply = await ask(url, `${url.pathname}files.json`);
    expect(JSON.parse(reply.body.toString())).toEqual([
      { name: "a.jfr", bytes: RECORDING.length },
      { name: "0.jfr", bytes: 0 },
    ]);
    expect((await ask(url, `${url.pathname}files/0`)).body).toEqual(RECORDING);
  });

  it("are an empty list when none was given", async () => {
    const url = await start([]);
    expect((await ask(url, `${url.pathname}files.json`)).body.toString()).toBe("[]");
  });

  it("come byte for byte with their length", async () => {
    const url = await start();
    const reply = await ask(url, `${url.pathname}files/0`);
    expect(reply.headers["content-type"]).toBe("application/octet-stream");
    expect(reply.headers["content-length"]).toBe(String(RECORDING.length));
    expect(reply.body.equals(RECORDING)).toBe(true);
    const empty = await ask(url, `${url.pathname}files/1`);
    expect([empty.status, empty.body.length]).toEqual([200, 0]);
  });

  it("are 404 when they are not there or were not given", async () => {
    const url = await start();
    for (const path of ["files/2", "files/3", "files/-1", "files/00", "files/0/", "files/a.jfr", "files/"]) {
      expect([path, (await ask(url, url.pathname + path)).status]).toEqual([path, 404]);
    }
  });

  it("may grow while they are served", async () => {
    const path = join(root, "growing.jfr");
    await writeFile(path, "FLR");
    const url = await start([{ name: "growing.jfr", path }]);
    await appendFile(path, "\0more");
    const reply = await ask(url, `${url.pathname}files/0`);
    expect(reply.body.toString()).toBe("FLR\0more");
  });
});

describe("files of symbols", () => {
  const BYTES = Buffer.from("\x7fELF".repeat(700_000));
  let closed = 0;
  const one: OfferedSymbols = {
    name: "debug.zip!libkiosk.so.debug",
    ...NO_BUILD_ID,
    buildId: "a0fc6535",
    bytes: BYTES.length,
    open: async () => ({ source: bytesSource(BYTES), close: async () => void closed++ }),
  };
  const gone: OfferedSymbols = { ...one, name: "gone.debug", open: () => Promise.reject(new Error("gone")) };

  async function startWith(symbols: OfferedSymbols[], offered = files): Promise<URL> {
    viewer = await serveViewer({ siteDir, files: offered, symbols });
    return new URL(viewer.url);
  }

  it("are in the address, and listed by build id", async () => {
    const url = await startWith([one]);
    expect(url.search).toBe("?files&symbols");
    const reply = await ask(url, `${url.pathname}symbols.json`);
    expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(JSON.parse(reply.body.toString())).toEqual([
      { name: one.name, ...NO_BUILD_ID, buildId: "a0fc6535", bytes: BYTES.length },
    ]);
    await viewer?.close();
    expect((await startWith([one], [])).search).toBe("?symbols");
  });

  it("are opened for a request, sent byte for byte, and closed again", async () => {
    const url = await startWith([one, gone]);
    closed = 0;
    const reply = await ask(url, `${url.pathname}symbols/0`);
    expect(reply.headers["content-length"]).toBe(String(BYTES.length));
    expect(reply.body.equals(BYTES)).toBe(true);
    const head = await ask(url, `${url.pathname}symbols/0`, { method: "HEAD" });
    expect([head.headers["content-length"], head.body.length]).toEqual([String(BYTES.length), 0]);
    await vi.waitUntil(() => closed === 2);
    for (const path of ["symbols/1", "symbols/2", "symbols/"])
      expect([path, (await ask(url, url.pathname + path)).status]).toEqual([path, 404]);
  });
});

describe("starting and stopping", () => {
  it("reports that the page was sent, for the page only and with the secret only", async () => {
    let sent = 0;
    viewer = await serveViewer({ siteDir, files, onPage: () => void sent++ });
    const url = new URL(viewer.url);
    const secret = url.pathname.slice(1, -1);
    const last = secret.endsWith("A") ? "B" : "A";
    for (const path of ["/", `/${secret.slice(0, -1)}${last}/`, `/${secret}`, `/\u00e9${secret.slice(1)}/`])
      expect([path, (await ask(url, encodeURI(path))).status]).toEqual([path, 404]);
    await ask(url, `${url.pathname}files.json`);
    expect(sent).toBe(0);
    await ask(url, url.pathname);
    await vi.waitUntil(() => sent === 1);
  });

  it("says that the viewer is not built", async () => {
    await expect(serveViewer({ siteDir: root, files: [] })).rejects.toThrow(/the viewer is not built: .*index\.html/);
  });

  it("takes the port it is told and says when it is in use", async () => {
    const url = await start();
    const port = Number(url.port);
    await expect(serveViewer({ siteDir, files: [], port })).rejects.toThrow(`127.0.0.1:${port}: the port is in use`);
    await viewer?.close();
    viewer = await serveViewer({ siteDir, files: [], port });
    expect(new URL(viewer.url).port).toBe(String(port));
  });

  it("closes open connections", async () => {
    const url = await start();
    await fetch(url);
    await viewer?.close();
    await expect(fetch(url)).rejects.toThrow();
  });
});
