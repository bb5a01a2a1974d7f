/** Pushing to a receiver that misbehaves in every way that the specification describes, without waiting. */
import { gunzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { partialSuccess, status } from "../../test/kit/http/answers.ts";
import {
  type Answer,
  answer,
  garbled,
  reset,
  serve,
  silence,
  stall,
  type TestServer,
} from "../../test/kit/http/server.ts";
import { type Outcome, push, type Receiver, type Retry, type World } from "./push.ts";

const BODY = new TextEncoder().encode("what is pushed. ".repeat(1000));
const NOW = Date.UTC(2026, 0, 1);
const ACCEPTED = { result: "accepted", message: "" };
const accept = answer(200);

let server: TestServer;
afterEach(() => server.close());

interface Pushed {
  outcome: Outcome;
  retries: Retry[];
  /** Milliseconds slept. */
  slept: number[];
}

/** As Node's fetch fails. */
function failed(code: string): Error {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(`cause ${code}`), { code }) });
}

/** Where time passes only by sleeping, which is noted instead. */
function timeless(slept: number[], random: number): World {
  return { fetch, now: () => NOW, random: () => random, sleep: async (ms) => void slept.push(ms) };
}

/** Pushes to a server that gives these answers. */
async function pushTo(answers: Answer[], receiver: Partial<Receiver> = {}, json = false): Promise<Pushed> {
  server = await serve(...answers);
  const retries: Retry[] = [];
  const slept: number[] = [];
  const to = { url: `${server.url}/v1development/profiles`, ...receiver };
  const outcome = await push(BODY, json ? "otlp-json" : "otlp", to, (retry) => retries.push(retry), timeless(slept, 1));
  return { outcome, retries, slept };
}

describe("a message", () => {
  it.each([
    ["protobuf", false, "application/x-protobuf"],
    ["JSON", true, "application/json"],
  ])("of %s is posted as it is, and said to be that", async (_, json, type) => {
    const { outcome } = await pushTo(
      [accept],
      { headers: { "x-key": "k", "content-type": "text/plain", "Otlp-Profiles-Development-Version": "2" } },
      json,
    );
    expect(outcome).toEqual(ACCEPTED);
    const [{ method, path, headers, body } = {}] = server.received;
    expect([method, path, headers?.["content-type"], headers?.["x-key"]]).toEqual([
      "POST",
      "/v1development/profiles",
      type,
      "k",
    ]);
    expect(headers?.["content-encoding"]).toBeUndefined();
    expect(headers?.["otlp-profiles-development-version"]).toBe("1");
    expect(body?.equals(BODY)).toBe(true);
  });

  it("is compressed with gzip where that is asked for, each time it is sent", async () => {
    const { outcome } = await pushTo([answer(503), accept], { gzip: true });
    expect(outcome).toEqual(ACCEPTED);
    for (const { headers, body } of server.received) {
      expect(headers["content-encoding"]).toBe("gzip");
      expect(headers["otlp-profiles-development-version"]).toBe("1");
      expect(body.length).toBeLessThan(BODY.length / 10);
      expect(gunzipSync(body).equals(BODY)).toBe(true);
    }
    expect(server.received).toHaveLength(2);
  });
});

describe("an answer of 200", () => {
  it.each([
    ["rejects some", partialSuccess(2, "too old"), { result: "partial", rejected: 2n, message: "too old" }],
    ["warns", partialSuccess(0, "deprecated"), { result: "accepted", message: "deprecated" }],
    ["is the Collector's", Uint8Array.of(0x0a, 0), ACCEPTED],
    ["is no message", "<html>", ACCEPTED],
  ])("that %s is final", async (_, body, wanted) => {
    const { outcome } = await pushTo([answer(200, body)]);
    expect(outcome).toEqual(wanted);
    expect(server.received).toHaveLength(1);
  });

  it("is read in the encoding that it names", async () => {
    const body = '{"partialSuccess":{"rejectedProfiles":"1","errorMessage":"no"}}';
    const { outcome } = await pushTo([answer(200, body, { "content-type": "application/json; charset=utf-8" })]);
    expect(outcome).toEqual({ result: "partial", rejected: 1n, message: "no" });
  });
});

describe("a refusal", () => {
  it.each([
    ["protobuf", status(3, "bad profile_id"), false],
    ["JSON", '{"code":3,"message":"bad profile_id"}', true],
  ])("is final, and its reason read from %s", async (_, body, json) => {
    const { outcome, slept } = await pushTo([answer(400, body), accept], {}, json);
    const message = "400 Bad Request bad profile_id (code 3)";
    expect([outcome, slept]).toEqual([{ result: "refused", status: 400, message }, []]);
    expect(server.received).toHaveLength(1);
  });

  it.each([401, 403, 404, 408, 413, 500, 501, 505])("with %i is final", async (code) => {
    const { outcome } = await pushTo([answer(code), accept]);
    expect(outcome).toMatchObject({ result: "refused", status: code });
  });

  it("by redirect is not followed: the headers may hold a key", async () => {
    const { outcome } = await pushTo([answer(307, "", { location: "http://127.0.0.1:1/elsewhere" }), accept]);
    const message = "a redirect to http://127.0.0.1:1/elsewhere, which is not followed";
    expect(outcome).toEqual({ result: "refused", status: 307, message });
    expect(server.received).toHaveLength(1);
  });

  it("of a proxy, with a page of any length, is its status line", async () => {
    const page = "<html>".repeat(1 << 20);
    const { outcome } = await pushTo([answer(500, page, { "content-type": "text/html" })]);
    expect(outcome).toEqual({ result: "refused", status: 500, message: "500 Internal Server Error" });
  });
});

describe("sending again", () => {
  it("waits as many seconds as the receiver asks for", async () => {
    const { outcome, slept, retries } = await pushTo([answer(429, "", { "retry-after": "7" }), accept]);
    expect([outcome, slept]).toEqual([ACCEPTED, [7000]]);
    expect(retries).toEqual([{ attempt: 1, attempts: 5, reason: "429 Too Many Requests", waitMs: 7000 }]);
  });

  it("waits until the date that the receiver names", async () => {
    const date = new Date(NOW + 90_000).toUTCString();
    const { outcome, slept } = await pushTo([answer(503, status(14, "busy"), { "retry-after": date }), accept]);
    expect([outcome, slept]).toEqual([ACCEPTED, [90_000]]);
  });

  it("does not wait for a receiver that asks for an hour", async () => {
    const { outcome, slept } = await pushTo([answer(503, "", { "retry-after": "3600" }), accept]);
    expect(slept).toEqual([]);
    expect(outcome).toMatchObject({ status: 503, message: expect.stringContaining("3600 s") });
  });

  it.each([
    ["502", answer(502, "<html>", { "content-type": "text/html" })],
    ["504", answer(504)],
    ["a connection that breaks", reset],
  ])("follows %s", async (_, fault) => {
    const { outcome, slept } = await pushTo([fault, accept]);
    expect([outcome, slept]).toEqual([ACCEPTED, [1000]]);
    expect(server.received.map(({ body }) => body.equals(BODY))).toEqual([true, true]);
  });

  it("follows no answer in time", async () => {
    const { outcome, retries } = await pushTo([silence, accept], { timeoutMs: 200 });
    expect([outcome, retries[0]?.reason]).toEqual([ACCEPTED, "no answer within 0.2 s"]);
  });

  it.each([
    ["half an answer", stall, "no answer within 2 s"],
    ["an answer in a broken encoding", garbled, expect.any(String)],
  ])("does not follow %s with the status 200: the message would come twice", async (_, fault, message) => {
    // Long enough for the status to arrive on a busy machine.
    const { outcome } = await pushTo([fault, accept], { timeoutMs: 2000 });
    expect(outcome).toEqual({ result: "unreadable", status: 200, message });
    expect(server.received).toHaveLength(1);
  });

  it.each([
    ["a port that fetch refuses", () => fetch("http://127.0.0.1:9/")],
    ["a certificate that cannot be checked", () => Promise.reject(failed("DEPTH_ZERO_SELF_SIGNED_CERT"))],
    ["a certificate for another name", () => Promise.reject(failed("ERR_TLS_CERT_ALTNAME_INVALID"))],
    ["a protocol that is not HTTP", () => Promise.reject(failed("HPE_INVALID_CONSTANT"))],
    ["a header that fetch refuses", () => Promise.reject(failed("UND_ERR_INVALID_ARG"))],
    ["a name that does not exist", () => Promise.reject(failed("ENOTFOUND"))],
  ])("does not follow %s", async (_, fetch) => {
    server = await serve(accept);
    const slept: number[] = [];
    const outcome = await push(BODY, "otlp", { url: server.url }, () => {}, { ...timeless(slept, 0), fetch });
    expect([outcome, slept]).toEqual([{ result: "refused", status: 0, message: expect.any(String) }, []]);
  });

  it.each(["ECONNRESET", "ETIMEDOUT", "EAI_AGAIN", "UND_ERR_SOCKET"])("follows %s", async (code) => {
    server = await serve(accept);
    const slept: number[] = [];
    const world = { ...timeless(slept, 0), fetch: () => Promise.reject(failed(code)) };
    await push(BODY, "otlp", { url: server.url }, () => {}, world);
    expect(slept).toHaveLength(4);
  });

  it("ends a fetch that never settles", async () => {
    server = await serve(accept);
    const world = { ...timeless([], 0), fetch: () => new Promise<Response>(() => {}) };
    const outcome = await push(BODY, "otlp", { url: server.url, timeoutMs: 20 }, () => {}, world);
    expect(outcome).toEqual({ result: "refused", status: 0, message: "no answer within 0.02 s" });
  });

  it("ends after five attempts, ever further apart", async () => {
    const { outcome, slept } = await pushTo([answer(503, status(14, "busy"))]);
    expect(slept).toEqual([1000, 2000, 4000, 8000]);
    const message = "503 Service Unavailable busy (code 14)";
    expect(outcome).toEqual({ result: "refused", status: 503, message });
    expect(server.received).toHaveLength(5);
  });

  it("does not follow a rejection of some: what was accepted would come twice", async () => {
    const { outcome } = await pushTo([answer(503), answer(200, partialSuccess(1, "no")), accept]);
    expect(outcome.result).toBe("partial");
    expect(server.received).toHaveLength(2);
  });

  it("says what there was where nobody listens", async () => {
    server = await serve(accept);
    await server.close();
    const slept: number[] = [];
    const outcome = await push(BODY, "otlp", { url: server.url }, () => {}, timeless(slept, 0));
    expect(outcome).toEqual({ result: "refused", status: 0, message: expect.stringContaining("ECONNREFUSED") });
    expect(slept).toEqual([500, 1000, 2000, 4000]);
  });
});
