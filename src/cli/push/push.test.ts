/** `push` as a process, to a receiver on a loopback port: the messages that arrive, the output, the exit code. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { partialSuccess, status } from "../../../test/kit/http/answers.ts";
import { type Answer, answer, garbled, type Received, serve } from "../../../test/kit/http/server.ts";
import { dictionaryFaults, flatten, readOtlp, readOtlpJson } from "../../../test/kit/otlp/otlp-schema.ts";
import { buildCli, callCli, type Ended, ROOT } from "../../../test/kit/run-cli.ts";

const SHOP = join(ROOT, "fixtures", "shop.jfr");
const KINDS = ["cpu", "wall", "alloc-samples"];
const accept = answer(200);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "spanflame-push-"));
  await buildCli();
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

async function pushTo(answers: Answer[], args: string[] = []): Promise<Ended & { received: Received[] }> {
  const server = await serve(...answers);
  try {
    const ended = await callCli(["push", SHOP, "--to", server.url, ...args]);
    return { ...ended, received: server.received };
  } finally {
    await server.close();
  }
}

/** The types of the profiles in a body, which must be sound. */
function typesIn({ body, headers }: Received): string[] {
  const plain = headers["content-encoding"] === "gzip" ? gunzipSync(body) : body;
  const json = headers["content-type"] === "application/json";
  const data = json ? readOtlpJson(plain.toString()) : readOtlp(new Uint8Array(plain));
  expect(dictionaryFaults(data)).toEqual([]);
  return flatten(data).map(({ type }) => type);
}

describe("push", () => {
  it("posts one message, and says on standard error that it was accepted", async () => {
    const { code, out, err, received } = await pushTo([accept], ["--header", "x-key=a=b"]);
    expect([code, out.length, received.length]).toEqual([0, 0, 1]);
    expect(received[0]?.path).toBe("/v1development/profiles");
    expect(received[0]?.headers).toMatchObject({ "x-key": "a=b", "user-agent": expect.stringMatching(/^spanflame\//) });
    expect(typesIn(received[0]!)).toEqual(expect.arrayContaining(KINDS));
    expect(err).toMatch(/profiles, .* observations accepted\n/);
    expect(err).not.toContain("a=b");
  });

  it.each([[["--encoding", "json"]], [["--gzip"]], [["--json", "--gzip"]]])(
    "takes %s, and what selects samples",
    async (how) => {
      const { code, received } = await pushTo([accept], [...how, "--type", "wall"]);
      expect([code, received.map(typesIn)]).toEqual([0, [["wall"]]]);
    },
  );

  it("splits by profile, and goes on after a message that was refused for what it holds", async () => {
    const answers = [answer(400, status(3, "bad profile")), answer(200, partialSuccess(1, "full")), accept];
    const { code, err, received } = await pushTo(answers, ["--split-bytes", "5000"]);
    expect(code).toBe(1);
    const types = received.flatMap(typesIn);
    expect([new Set(types).size, types.length]).toEqual([received.length, received.length]);
    expect(types).toEqual(expect.arrayContaining(KINDS));
    expect(err).toMatch(/refused: 400 Bad Request bad profile \(code 3\)\n/);
    expect(err).toMatch(/accepted except for 1 rejected profiles: full\n/);
    expect(err).toMatch(/warning: cpu, .*above --split-bytes/);
  });

  it("gives up at once where every message would be refused", async () => {
    const { code, err, received } = await pushTo([answer(401)], ["--split-bytes", "1"]);
    expect([code, received.length]).toEqual([1, 1]);
    expect(err).toContain("401 Unauthorized");
    expect(err).toContain("the other messages were not sent");
  });

  it("ends with a message and 1 after an answer in a broken encoding", async () => {
    const { code, err, received } = await pushTo([garbled], ["--timeout", "1"]);
    expect([code, received.length]).toEqual([1, 1]);
    expect(err).toMatch(/answered with 200, but the answer's body cannot be read: .+\. The receiver may have rejected/);
  });

  it("keeps a receiver's message on one line", async () => {
    const { err } = await pushTo([answer(400, status(3, "bad\nspanflame: fake line"))]);
    expect(err.split("\n").filter((line) => line.includes("fake line"))).toEqual([expect.stringContaining("bad")]);
    expect(err).not.toMatch(/^spanflame: fake line/m);
  });

  it("takes headers from a file, and headers of the command line before those", async () => {
    const file = join(folder, "headers");
    await writeFile(file, "# the keys\r\napi-key=one=two\r\n\nx-tenant: shop\nx-both=file\n");
    const args = ["--header-file", file, "--header", "x-both=argument"];
    const { code, err, received } = await pushTo([accept], args);
    expect([code, err]).toEqual([0, expect.not.stringContaining("one=two")]);
    expect(received[0]?.headers).toMatchObject({ "api-key": "one=two", "x-tenant": "shop", "x-both": "argument" });
  });

  it("names the line of a header file, not the value", async () => {
    const file = join(folder, "broken");
    await writeFile(file, "api-key=one\nsecret\n");
    const { code, err } = await callCli(["push", SHOP, "--to", "http://127.0.0.1:9", "--header-file", file]);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^spanflame: --header-file: line 2: a header is not KEY=VALUE\n/),
    ]);
    expect(err).not.toContain("secret");
  });

  it("says what it waits for", async () => {
    const { code, err } = await pushTo([answer(503, "", { "retry-after": "0" }), accept]);
    expect([code, err]).toEqual([0, expect.stringContaining("503 Service Unavailable; again in 0.0 s (1 of 5)")]);
  });

  it("reads the receiver from OpenTelemetry's variables; options win", async () => {
    const server = await serve(accept, accept);
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${server.url}/otlp/`,
      OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20b,x-both=environment",
      OTEL_EXPORTER_OTLP_PROFILES_COMPRESSION: "gzip",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    };
    const first = await callCli(["push", SHOP, "--type", "cpu"], { env });
    const args = ["--to", `${server.url}/mine`, "--header", "x-both=option"];
    const second = await callCli(["push", SHOP, "--type", "cpu", ...args], { env });
    await server.close();
    expect([first.code, second.code, first.err + second.err]).toEqual([0, 0, expect.not.stringContaining("warning")]);
    expect(server.received.map(({ path }) => path)).toEqual(["/otlp/v1development/profiles", "/mine"]);
    expect(server.received.map(typesIn)).toEqual([["cpu"], ["cpu"]]);
    const sent = { "x-key": "a b", "content-encoding": "gzip", "content-type": "application/json" };
    expect(server.received[0]?.headers).toMatchObject({ ...sent, "x-both": "environment" });
    expect(server.received[1]?.headers).toMatchObject({ ...sent, "x-both": "option" });
  });

  it("takes the former names of its options, with a note", async () => {
    const server = await serve(accept);
    const { code, err } = await callCli(["push", SHOP, "--endpoint", server.url, "--to", "2100-01-01", "--json"]);
    await server.close();
    expect([code, server.received.map(({ headers }) => headers["content-type"])]).toEqual([0, ["application/json"]]);
    for (const line of ["--to TIME is now --until", "--endpoint URL is now --to", "--json is now --encoding json"])
      expect(err).toContain(`spanflame: ${line}\n`);
  });

  it("sends nothing where there are no samples", async () => {
    const { code, err, received } = await pushTo([accept], ["--span", "12345"]);
    expect([code, received]).toEqual([0, []]);
    expect(err).toContain("no samples");
  });

  it("fails with 1 where no input can be read", async () => {
    const { code } = await callCli(["push", join(ROOT, "package.json"), "--to", "http://127.0.0.1:9"]);
    expect(code).toBe(1);
  });

  it.each([
    ["no endpoint", []],
    ["an endpoint that is none", ["--to", "localhost:4318"]],
    ["a header without a value", ["--to", "http://127.0.0.1:9", "--header", "secret"]],
    ["a header that is set from the address", ["--to", "http://127.0.0.1:9", "--header", "Host=secret"]],
    ["a header of the message", ["--to", "http://127.0.0.1:9", "--header", "Content-Length=5"]],
    ["a header file that is missing", ["--to", "http://127.0.0.1:9", "--header-file", "missing.txt"]],
    ["no time for an answer", ["--to", "http://127.0.0.1:9", "--timeout", "0"]],
    ["a time limit that no timer takes", ["--to", "http://127.0.0.1:9", "--timeout", "2147484"]],
    ["a header that is none", ["--to", "http://127.0.0.1:9", "--header", "a b=secret"]],
  ])("with %s is wrong usage", async (_, args) => {
    const { code, err } = await callCli(["push", SHOP, ...args]);
    expect([code, err]).toEqual([2, expect.not.stringContaining("secret")]);
  });
});
