/** Services of real frameworks with the built recorder: which endpoint and which span their samples have. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildOnce } from "../../test/kit/build-once.ts";
import { opened, PRELOADED, run, within } from "../../test/kit/record/programs.ts";
import { templateOf } from "./paths.ts";

let folder: string;
beforeAll(async () => {
  await buildOnce("library", "command line");
  folder = await mkdtemp(join(tmpdir(), "spanflame-endpoints-"));
}, 240_000);
afterAll(() => rm(folder, { recursive: true }));

/** Samples at the edge of a callback may belong to either side. */
const MOST_AT_EDGES = 0.05;

it.each(["express", "express4", "fastify", "http", "call", "with"])(
  "every sample of a request has its endpoint: %s",
  async (name) => {
    const file = join(folder, `${name}.pb`);
    const args = ["test/kit/record/services.mjs", name];
    const { code, stdout, stderr } = await run([...PRELOADED, ...args], { SPANFLAME_RECORD_FILE: file });
    expect([code, stderr]).toEqual([0, ""]);
    const recording = await opened(file);
    for (const [work, endpoint] of Object.entries(JSON.parse(stdout) as Record<string, string>)) {
      const samples = within(recording, work);
      const others = samples.filter(
        ({ attributes }) =>
          attributes["trace endpoint"] !== endpoint ||
          attributes["http.request.method"] !== endpoint.split(" ")[0] ||
          !(attributes["http.route"] === undefined || endpoint.endsWith(String(attributes["http.route"]))),
      );
      expect(samples.length, work).toBeGreaterThan(3);
      expect(others.length / samples.length, work).toBeLessThan(MOST_AT_EDGES);
    }
    const listed = await run(["dist-node/cli.js", "spans", file, "--by", "endpoint"]);
    for (const endpoint of Object.values(JSON.parse(stdout))) expect(listed.stdout).toContain(`  ${endpoint}\n`);
  },
);

it("samples of OpenTelemetry's spans have names and routes that were set at the end, and no dropped span", async () => {
  const file = join(folder, "traced.pb");
  const env = { SPANFLAME_RECORD_FILE: file, SPANFLAME_RECORD_ATTRIBUTES: "tenant" };
  const { code, stdout, stderr } = await run([...PRELOADED, "test/kit/record/traced.mjs"], env);
  expect([code, stderr]).toEqual([0, ""]);
  const kept = new Map(Object.entries(JSON.parse(stdout) as Record<string, [trace: string, work: string]>));
  const recording = await opened(file);
  expect(recording.files[0]?.resource).toMatchObject({ "service.name": "shop", "service.version": "1.2.3" });
  const route = ["GET /users/:id", "/users/:id"];
  const wanted = {
    keptWork: [...route, "GET /users/:id", undefined, true],
    queryWork: [...route, "SELECT users", "eu", true],
    droppedWork: [...route, undefined, undefined, false],
    jobWork: ["nightly", undefined, "nightly", undefined, true],
  };
  const roots = new Set<string>();
  for (const [work, expected] of Object.entries(wanted)) {
    const samples = within(recording, work);
    const wrong = samples.filter(({ link, attributes }) => {
      const own = kept.get((link?.span ?? 0n).toString(16).padStart(16, "0"));
      const isOwn = own?.[1] === work && BigInt(`0x${own[0]}`) === link?.trace;
      const { span_name, tenant } = attributes;
      const seen = [attributes["trace endpoint"], attributes["http.route"], span_name, tenant, isOwn];
      if (work === "queryWork") roots.add(String(attributes["datadog.local_root_span_id"]));
      return JSON.stringify(seen) !== JSON.stringify(expected) || (!isOwn && link?.trace !== 0n);
    });
    expect(samples.length, work).toBeGreaterThan(3);
    expect(wrong.length / samples.length, work).toBeLessThan(MOST_AT_EDGES);
  }
  // The local roots are those of the requests, and find their samples.
  const [root = ""] = roots;
  expect(kept.get(root)?.[1]).toBe("keptWork");
  expect([...recording.select("cpu", { localRoot: BigInt(`0x${root}`) }).samples()].length).toBeGreaterThan(0);
  const files = [...recording.select("cpu").samples()].flatMap(({ stack }) => stack.frames.slice(1).map((f) => f.file));
  expect(files.filter((each) => each?.includes("/dist-lib/record/"))).toEqual([]);
});

it.each([
  ["/cart", "/cart"],
  ["/orders/17/lines/0af7651916cd43dd", "/orders/*/lines/*"],
  ["/v2/order-lines/export.csv", "/v2/order-lines/export.csv"],
  ["/files/%2Fetc", "/files/*"],
  ["/a/b/c/d/e/f/g/h/i/j", "/a/b/c/d/e/f/g/h/*"],
  ["*", ""],
])("ids in a path are no endpoints: %s is %s", (path, template) => {
  expect(templateOf(path)).toBe(template);
});
