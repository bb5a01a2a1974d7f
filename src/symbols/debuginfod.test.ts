/** Debug files from debuginfod servers, against servers on the loopback interface. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type DebugFileRequest, DebuginfodError, debuginfodServers, type Fetch, fetchDebugFile } from "./debuginfod.ts";

const ID = "a0fc6535d9dba2be75658774a72efd8ea7443e98";
const PATH = `/buildid/${ID}/debuginfo`;
const CONTENT = Buffer.from("\x7fELF".repeat(5 << 20));

let servers: Server[] = [];
afterEach(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  servers = [];
});

/** A server, and the requests that it got. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`), requests };
}

const request = (more: Partial<DebugFileRequest> = {}): DebugFileRequest => {
  return { buildId: ID, kind: "debuginfo", fetch: (url, init) => fetch(url, init), mostBytes: 2 ** 31, ...more };
};
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "no error",
    (error: unknown) => (error instanceof DebuginfodError ? error.code : error),
  );

describe("addresses of servers", () => {
  it("are separated by white space", () => {
    const urls = debuginfodServers(" https://debuginfod.debian.net  http://localhost:8002/cache/\n");
    expect(urls.map(({ href }) => href)).toEqual(["https://debuginfod.debian.net/", "http://localhost:8002/cache/"]);
  });

  it.each([
    "",
    " ",
    "debuginfod.debian.net",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "https://me:secret@host/",
    "https://host/?q=1",
    "https://host/#x",
    "https://host/ ftp://host/",
    "http://a ".repeat(17),
  ])("are refused if they are none: %j", (text) => {
    expect(() => debuginfodServers(text)).toThrow(DebuginfodError);
  });
});

describe("a debug file", () => {
  it("is read byte for byte, with progress, and the server learns only its build id", async () => {
    const { url, requests } = await serve((_, response) => response.end(CONTENT));
    const progress: [number, number | null][] = [];
    const blob = await fetchDebugFile([url], request({ onProgress: (...each) => void progress.push(each) }));
    expect(Buffer.from(await blob.arrayBuffer()).equals(CONTENT)).toBe(true);
    expect(progress.at(-1)).toEqual([CONTENT.length, CONTENT.length]);
    expect(progress.every(([received], i) => i === 0 || received > progress[i - 1]![0])).toBe(true);
    expect(requests.map(({ method, url: path }) => `${method} ${path}`)).toEqual([`GET ${PATH}`]);
    const { cookie, referer, authorization } = requests[0]!.headers;
    expect([cookie, referer, authorization]).toEqual([undefined, undefined, undefined]);
  });

  it("is asked for below the path of the server, by its kind", async () => {
    const { url, requests } = await serve((_, response) => response.end("ELF"));
    await fetchDebugFile([new URL("cache//", url)], request({ kind: "executable" }));
    expect(requests[0]?.url).toBe(`/cache/buildid/${ID}/executable`);
  });

  it("comes from the first server that has it", async () => {
    const empty = await serve((_, response) => response.writeHead(404).end());
    const broken = await serve((_, response) => response.writeHead(503, "Busy").end());
    const full = await serve((_, response) => response.end("ELF"));
    const blob = await fetchDebugFile([empty.url, broken.url, full.url], request());
    expect(await blob.text()).toBe("ELF");
    expect([empty, broken, full].map(({ requests }) => requests.length)).toEqual([1, 1, 1]);
    // The failure that says more than that a server does not have the file.
    await expect(fetchDebugFile([empty.url, broken.url, empty.url], request())).rejects.toMatchObject({
      code: "refused",
      message: `${broken.url.host} answers 503 Busy`,
    });
    expect(await codeOf(fetchDebugFile([empty.url, empty.url], request()))).toBe("not-found");
  });

  it.each(["", "a", "abc", "A0FC", "../../etc", `${ID}/../x`, "00".repeat(65)])(
    "needs a build id, not %j",
    async (buildId) => {
      const { url, requests } = await serve((_, response) => response.end("ELF"));
      expect(await codeOf(fetchDebugFile([url], request({ buildId })))).toBe("address");
      expect(requests).toEqual([]);
    },
  );
});

describe("a file that is larger than allowed", () => {
  it("is refused by its stated size, before its content", async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { "content-length": 2 ** 40 }).write("ELF");
    });
    expect(await codeOf(fetchDebugFile([url], request()))).toBe("too-large");
  });

  it("is refused by the size that the server states of a compressed one", async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { "x-debuginfod-size": 101 }).end("ELF");
    });
    expect(await codeOf(fetchDebugFile([url], request({ mostBytes: 100 })))).toBe("too-large");
  });

  it("is cut off where it becomes larger, if it states no size", async () => {
    let isOpen = true;
    const { url } = await serve((_, response) => {
      response.on("close", () => {
        isOpen = false;
      });
      const more = () => {
        while (isOpen && response.write(Buffer.alloc(1 << 16)));
      };
      response.on("drain", more);
      more();
    });
    expect(await codeOf(fetchDebugFile([url], request({ mostBytes: 1 << 20 })))).toBe("too-large");
  });
});

describe("an answer that is none", () => {
  it("is cut if it ends before its stated size, or stops", async () => {
    const short = await serve((_, response) => {
      response.writeHead(200, { "content-length": 10 }).write("ELF", () => response.destroy());
    });
    expect(await codeOf(fetchDebugFile([short.url], request()))).toBe("cut");
    const lying = await serve((_, response) => response.writeHead(200, { "x-debuginfod-size": 10 }).end("ELF"));
    expect(await codeOf(fetchDebugFile([lying.url], request()))).toBe("cut");
    const slow = await serve((_, response) => response.writeHead(200, { "content-length": 10 }).write("ELF"));
    expect(await codeOf(fetchDebugFile([slow.url], request({ patience: 50 })))).toBe("cut");
    const silent = await serve(() => {});
    expect(await codeOf(fetchDebugFile([silent.url], request({ patience: 50 })))).toBe("cut");
  });

  it("is hidden if there is no server, or one that the browser hides", async () => {
    const { url } = await serve(() => {});
    servers[0]!.close();
    expect(await codeOf(fetchDebugFile([url], request()))).toBe("hidden");
    const hiding: Fetch = () => Promise.reject(new TypeError("Failed to fetch"));
    await expect(fetchDebugFile([url], request({ fetch: hiding }))).rejects.toMatchObject({
      code: "hidden",
      message: `${url.host}: Failed to fetch`,
    });
  });

  it("is refused if the server leads to a less safe address", async () => {
    const target = await serve((_, response) => response.end("ELF"));
    const { url } = await serve((_, response) => response.writeHead(302, { location: target.url.href }).end());
    expect(await (await fetchDebugFile([url], request())).text()).toBe("ELF");
    // A server of https cannot be started here: its answer is that of the other one.
    const asSafe: Fetch = (_, init) => fetch(url, init);
    const code = codeOf(fetchDebugFile([new URL("https://127.0.0.1/")], request({ fetch: asSafe })));
    expect(await code).toBe("redirected");
  });
});

describe("stopping", () => {
  it("ends a request, and no other server is asked", async () => {
    const { url } = await serve((_, response) => response.writeHead(200, { "content-length": 10 }).write("ELF"));
    const other = await serve((_, response) => response.end("ELF"));
    const stop = new AbortController();
    const onProgress = () => stop.abort();
    expect(await codeOf(fetchDebugFile([url, other.url], request({ signal: stop.signal, onProgress })))).toBe(
      "stopped",
    );
    expect(await codeOf(fetchDebugFile([other.url], request({ signal: stop.signal })))).toBe("stopped");
    expect(other.requests).toEqual([]);
  });
});
