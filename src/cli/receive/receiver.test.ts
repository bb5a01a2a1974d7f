/** The receiver with the bytes of real senders, and with requests that it refuses. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync, gunzipSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Collector, missing, startCollector } from "../../../test/kit/collector/collector.ts";
import { emptyCore, read } from "../../../test/kit/core/read-store.ts";
import { need, POSIX } from "../../../test/kit/needs.ts";
import { logsProtobuf } from "../../../test/kit/otlp/logs-writer.ts";
import { bytesSource } from "../../bytes/byte-source.ts";
import { readInputs } from "../../input/open.ts";
import { readPartialSuccess, readStatus } from "../../push/answer.ts";
import { push } from "../../push/push.ts";
import { SECURITY_HEADERS } from "../serve/security-headers.ts";
import { Arrivals } from "./arrivals.ts";
import { startReceiver, type Told } from "./receiver.ts";

const fixture = (name: string) => readFileSync(new URL(`../../../fixtures/${name}`, import.meta.url));
const AP46 = fixture("received/ap46.otlp.pb");
const PROFILES = "/v1development/profiles";
const PROTOBUF = { "content-type": "application/x-protobuf" };
const JSON_TYPE = { "content-type": "application/json" };
/** A frame of zstd with one block that is not compressed. */
const zstd = (bytes: Uint8Array) => {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeUInt32LE(bytes.length, 5);
  head.writeUIntLE((bytes.length << 3) | 1, 9, 3);
  return Buffer.concat([head, bytes]);
};

let root: string;
let told: Told[];
let origin: string;
let page: URL;
let close: () => Promise<void>;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "spanflame-receiver-"));
  writeFileSync(join(root, "index.html"), "<!doctype html>");
  told = [];
  const receiver = await startReceiver({
    siteDir: root,
    port: 0,
    keep: join(root, "kept"),
    tell: (each) => void told.push(each),
  });
  page = new URL(receiver.url);
  ({ origin } = page);
  ({ close } = receiver);
});

afterEach(async () => {
  await close();
  rmSync(root, { recursive: true });
});

interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** With headers exactly as given: fetch would not let a test set Host or repeat a header. */
function send(
  path: string,
  body: Uint8Array | string,
  headers: Record<string, string | string[]> = PROTOBUF,
  method = "POST",
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = page;
    const sent = request({ hostname, port, path, method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      );
    });
    sent.on("error", reject).end(body);
  });
}

const keptFiles = () => readdirSync(join(root, "kept"));
const kept = () => keptFiles().map((name) => readFileSync(join(root, "kept", name)));
const listed = async (query = "") => (await fetch(new URL(`files.json${query}`, page))).json() as Promise<object[]>;

async function core(bytes: Uint8Array) {
  const into = await emptyCore();
  await readInputs(into, [{ name: "received", source: bytesSource(bytes) }]);
  return into;
}

describe("OTLP", () => {
  it("takes what async-profiler 4.6 pushes, as it is, in each compression", async () => {
    const bodies: [string, Uint8Array][] = [
      ["", AP46],
      ["identity", AP46],
      ["none", AP46],
      ["gzip", gzipSync(AP46)],
      ["GZIP", gzipSync(AP46)],
      ["deflate", deflateSync(AP46)],
      ["zstd", zstd(AP46)],
    ];
    for (const [name, body] of bodies) {
      const encoding: Record<string, string> = name === "" ? {} : { "content-encoding": name };
      const { status, headers, body: answer } = await send(PROFILES, body, { ...PROTOBUF, ...encoding });
      expect([name, status, headers["content-type"], answer.length]).toEqual([name, 200, "application/x-protobuf", 0]);
    }
    expect(told.map(({ content }) => content)).toEqual(
      bodies.map(() => ({ counts: { profiles: 1, samples: 37 }, service: "busy", rejected: 0, warning: "" })),
    );
    expect(kept()).toEqual(bodies.map(() => AP46));
    expect(await listed()).toHaveLength(bodies.length);
  });

  it("takes what push sends, in both encodings and on both paths", async () => {
    const from = await read(fixture("shop.jfr"));
    for (const format of ["otlp", "otlp-json"] as const) {
      for (const path of [PROFILES, "/v1/profiles"]) {
        const { bytes } = from.write(null, {}, { format });
        const message = bytes.slice();
        expect(await push(message, format, { url: `${origin}${path}`, gzip: true })).toEqual({
          result: "accepted",
          message: "",
        });
        expect(kept().at(-1)).toEqual(Buffer.from(message));
      }
    }
    expect(told.map(({ content }) => content?.counts.samples)).toEqual(Array(4).fill(told[0]?.content?.counts.samples));
  });

  it("refuses another version of profiles before it decodes them", async () => {
    const versions = ["2", "01", "0x1", "1.0", "", "one", "1, 1", "-1"];
    const repeated = ["1", "1"];
    for (const version of [...versions, repeated]) {
      const headers = { ...PROTOBUF, "OTLP-Profiles-Development-Version": version };
      const { status, headers: answered, body } = await send(PROFILES, "no message", headers);
      expect([version, status, answered["content-type"]]).toEqual([version, 400, "application/x-protobuf"]);
      expect(readStatus(body, false)).toEqual({ code: 3, message: expect.stringContaining("version 1 is read") });
    }
    const headers = { ...PROTOBUF, "otlp-profiles-development-version": "1" };
    expect((await send(PROFILES, AP46, headers)).status).toBe(200);
  });

  it("takes traces, and names spans that it leaves out", async () => {
    const traces = gunzipSync(fixture("traces/apctx-jdk17.whole.otlp.json.gz"));
    const whole = await send("/v1/traces", traces, JSON_TYPE);
    expect([whole.status, whole.body.toString()]).toEqual([200, "{}"]);
    expect(told[0]?.content?.counts).toEqual({ spans: 186 });
    const [first = ""] = traces.toString().match(/"spanId":"[0-9a-f]{16}"/) ?? [];
    const damaged = traces.toString().replace(first, '"spanId":"0000000000000000"');
    const partly = await send("/v1/traces", damaged, JSON_TYPE);
    expect([partly.status, JSON.parse(partly.body.toString())]).toEqual([
      200,
      { partialSuccess: { rejectedSpans: "1", errorMessage: expect.stringContaining("the id is missing or 0") } },
    ]);
    expect((await send("/v1/traces", "", PROTOBUF)).status).toBe(200);
    expect(kept()).toHaveLength(2);
  });

  it("takes logs whose records are pprof profiles, and rejects other records", async () => {
    const pprof = (await read(fixture("shop.jfr"))).write(null, {}, { format: "pprof" }).bytes;
    const logs = logsProtobuf({
      records: [
        { type: "cpu", pprof },
        { body: "text", format: "text" },
      ],
    });
    const { status, body } = await send("/v1/logs", logs);
    expect([status, readPartialSuccess(body, false)]).toEqual([
      200,
      { rejected: 1n, message: "only log records that are pprof profiles are kept" },
    ]);
    expect((await core(kept()[0]!)).samples()).toBeGreaterThan(0);
  });

  const BOMB = gzipSync(Buffer.alloc((1 << 26) + 1));
  const REFUSED: [string, number, string | Uint8Array, Record<string, string>, string?][] = [
    ["another content type", 415, "", { "content-type": "text/plain" }],
    ["another content encoding", 415, "", { ...PROTOBUF, "content-encoding": "br" }],
    ["two content encodings", 415, "", { ...PROTOBUF, "content-encoding": "gzip, gzip" }],
    ["another method", 405, "", PROTOBUF, "PUT"],
    ["a message that is cut", 400, AP46.subarray(0, 1000), PROTOBUF],
    ["JSON that is cut", 400, '{"resourceProfiles":[{', JSON_TYPE],
    ["JSON as protobuf", 400, '{"resourceProfiles":[]}', PROTOBUF],
    ["bytes that are not gzip", 400, "x", { ...PROTOBUF, "content-encoding": "gzip" }],
    ["a body that unpacks to too much", 413, BOMB, { ...PROTOBUF, "content-encoding": "gzip" }],
    ["a body that states too much", 413, "", { ...PROTOBUF, "content-length": String(2 ** 27) }],
    ["a page of another origin", 403, AP46, { ...PROTOBUF, origin: "https://evil.example" }],
    ["a page of this server", 403, AP46, { ...PROTOBUF, origin: "null", "sec-fetch-site": "same-origin" }],
    ["a form of another page", 403, AP46, { ...PROTOBUF, "sec-fetch-site": "cross-site" }],
  ];
  it.each(REFUSED)("refuses %s with %i", async (_, expected, body, headers, method) => {
    const { status, headers: answered, body: answer } = await send(PROFILES, body, headers, method);
    expect(status).toBe(expected);
    expect(answered).toMatchObject(SECURITY_HEADERS);
    expect(answered["access-control-allow-origin"]).toBeUndefined();
    const type = headers["content-type"] ?? "";
    if (type !== "text/plain") {
      expect(answered["content-type"]).toBe(type);
      expect(readStatus(answer, type === JSON_TYPE["content-type"])?.message).not.toBe("");
    }
    expect(kept()).toEqual([]);
    expect(told).toMatchObject([{ status: expected, content: null }]);
    expect((await send(PROFILES, AP46)).status).toBe(200);
  });

  it("answers no preflight of a browser", async () => {
    const { status, headers } = await send(PROFILES, "", { origin: "https://evil.example" }, "OPTIONS");
    expect([status, headers["access-control-allow-origin"]]).toEqual([403, undefined]);
  });

  it("refuses a Host that is not loopback on this port", async () => {
    for (const host of [`evil.example:${page.port}`, "127.0.0.1", "localhost:1"])
      expect((await send(PROFILES, AP46, { ...PROTOBUF, host })).status).toBe(403);
    expect((await send(PROFILES, AP46, { ...PROTOBUF, host: `localhost:${page.port}` })).status).toBe(200);
  });

  it("tells why metrics are refused, in the encoding of the request", async () => {
    for (const [headers, body] of [[PROTOBUF, Uint8Array.of(10, 0)] as const, [JSON_TYPE, "{}"] as const]) {
      const { status, headers: answered, body: answer } = await send("/v1/metrics", body, headers);
      expect([status, answered["content-type"]]).toEqual([404, headers["content-type"]]);
      const message = "metrics are not received: set OTEL_METRICS_EXPORTER=none";
      expect(readStatus(answer, headers === JSON_TYPE)).toEqual({ code: 5, message });
    }
    expect(kept()).toEqual([]);
  });

  it("has no other paths, and none of the page without its secret", async () => {
    for (const path of ["/", "/files.json", "/files/0", "/v1/metrics", "/v1/profiles/", "/x/v1/traces", "/v1/TRACES"])
      expect([path, (await send(path, "")).status]).toEqual([path, 404]);
    expect((await send(`${page.pathname}files.json`, "")).status).toBe(405);
  });
});

const reason = await missing();
need(reason === null, reason ?? "").describe("a Collector's exporter", () => {
  it("sends profiles as it is configured by the printed line", async () => {
    let collector: Collector | null = null;
    try {
      collector = await startCollector(`
receivers: { otlp: { protocols: { http: { endpoint: "\${env:ENDPOINT}" } } } }
exporters: { otlp_http: { endpoint: "${origin}" } }
service:
  telemetry: { metrics: { level: none } }
  pipelines: { profiles: { receivers: [otlp], exporters: [otlp_http] } }
`);
      expect(await push(AP46, "otlp", { url: collector.url })).toMatchObject({ result: "accepted" });
      await expect
        .poll(() => told, { timeout: 20_000 })
        .toMatchObject([{ status: 200, content: { counts: { profiles: 1, samples: 37 } } }]);
      expect((await core(kept()[0]!)).samples()).toBe((await core(AP46)).samples());
    } finally {
      await collector?.stop();
    }
  });
});

describe("Datadog", () => {
  it("tells libraries what it takes", async () => {
    const { status, body } = await send("/info", "", {}, "GET");
    expect([status, JSON.parse(body.toString()).endpoints]).toEqual([
      200,
      ["/v0.4/traces", "/v0.5/traces", "/profiling/v1/input"],
    ]);
    expect(told).toEqual([]);
  });

  it.each([
    ["/v0.4/traces", "received/dd168.v04.msgpack"],
    ["/v0.5/traces", "received/dd168.v05.msgpack"],
  ])("takes spans of its Java agent at %s", async (path, name) => {
    const { status, body } = await send(path, fixture(name), { "content-type": "application/msgpack" }, "PUT");
    expect([status, JSON.parse(body.toString())]).toEqual([200, { rate_by_service: { "service:,env:": 1 } }]);
    expect(told).toMatchObject([{ content: { counts: { spans: 1 }, service: "web", rejected: 0 } }]);
    expect(kept()).toEqual([fixture(name)]);
  });

  it("refuses spans that are damaged, and takes the question of a tracer", async () => {
    const msgpack = { "content-type": "application/msgpack" };
    const bytes = fixture("received/dd168.v04.msgpack");
    expect((await send("/v0.4/traces", bytes.subarray(0, 300), msgpack)).status).toBe(400);
    expect((await send("/v0.4/traces", Buffer.alloc(1 << 22, 0x91), msgpack)).status).toBe(400);
    expect((await send("/v0.4/traces", Uint8Array.of(0x90), msgpack)).status).toBe(200);
    expect(kept()).toEqual([]);
  });

  it("takes the upload of its Java agent's profiler", async () => {
    const body = fixture("traces/market.upload");
    const headers = { "content-type": `multipart/form-data; boundary=${body.toString("latin1").slice(2, 40).trim()}` };
    expect((await send("/profiling/v1/input", body, headers)).status).toBe(200);
    expect(told).toMatchObject([{ content: { service: "market" } }]);
    expect((await core(kept()[0]!)).samples()).toBeGreaterThan(0);
    const half = await send("/profiling/v1/input", body.subarray(0, 2000), headers);
    expect([half.status, half.headers["content-type"]]).toEqual([400, "text/plain; charset=utf-8"]);
  });
});

describe("Pyroscope", () => {
  const body = fixture("received/pyroscope29.multipart");
  const [boundary = ""] = body.toString("latin1").split("\r\n");
  const headers = { "content-type": `multipart/form-data; boundary=${boundary.slice(2)}` };
  const query = (name: string, format: string) =>
    `/ingest?name=${encodeURIComponent(name)}&from=1796075616&until=1796075618&spyName=javaspy&format=${format}`;

  it("takes a recording of its Java agent, whose name and labels are those of the process", async () => {
    expect((await send(query("web{region=eu,team=a b}", "jfr"), body, headers)).status).toBe(200);
    expect(told).toMatchObject([{ content: { service: "web" } }]);
    const into = await core(kept()[0]!);
    expect(into.samples()).toBeGreaterThan(0);
    expect(into.diagnostics()).toEqual([]);
    expect(into.files()[0]?.resource).toMatchObject({ "service.name": "web", region: "eu", team: "a b" });
  });

  it("takes a raw pprof profile and collapsed stacks", async () => {
    const pprof = (await read(fixture("shop.jfr"))).write(null, {}, { format: "pprof" }).bytes.slice();
    expect((await send(query("till", "pprof"), gzipSync(pprof), {})).status).toBe(200);
    expect((await send(query("till", "folded"), "main;work 3\n", {})).status).toBe(200);
    for (const bytes of kept()) expect((await core(bytes)).samples()).toBeGreaterThan(0);
  });

  it("refuses other formats, and a recording that is of another one", async () => {
    expect((await send(query("web", "tree"), "x", {})).status).toBe(415);
    expect((await send(query("web", "pprof"), body, headers)).status).toBe(400);
    expect((await send(query("web", "jfr"), "FLR", {})).status).toBe(400);
    expect(kept()).toEqual([]);
  });
});

describe("what is kept", () => {
  POSIX.it("only its owner may read", async () => {
    await send(PROFILES, AP46);
    const [name = ""] = keptFiles();
    expect(statSync(join(root, "kept", name)).mode & 0o777).toBe(0o600);
    expect(name).toMatch(/^\d{8}T\d{9}-1-profiles\.pb$/);
  });

  it("is the latest files that are not too old, and other files stay", () => {
    const folder = join(root, "aged");
    let now = Date.UTC(2026, 10, 30);
    const day = 86_400_000;
    const first = new Arrivals(folder, () => now);
    writeFileSync(join(folder, "notes.txt"), "mine");
    for (let n = 0; n < 3; n++, now += 3 * day) first.add({ bytes: AP46, kind: "profiles", ending: "pb" });
    expect(readdirSync(folder).filter((name) => name.endsWith(".pb"))).toHaveLength(3);
    first.add({ bytes: AP46, kind: "profiles", ending: "pb" });
    expect(readdirSync(folder).filter((name) => name.endsWith(".pb"))).toHaveLength(3);
    expect(first.offers.list().map(({ isRemoved = false }) => isRemoved)).toEqual([true, false, false, false]);
    expect(readdirSync(folder)).toContain("notes.txt");
  });

  it("is listed when it arrives, for a page that waits", async () => {
    const waiting = listed("?after=0");
    await send(PROFILES, AP46);
    expect(await waiting).toEqual([{ name: expect.stringMatching(/profiles\.pb$/), bytes: AP46.length }]);
  });
});
