/**
 * Content and form of `convert`'s messages, as processes: presets, the Resource, compression, framing, splitting, the
 * payload.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type FlatProfile, flatten, readOtlp, readOtlpJson, scalarOf } from "../../test/kit/otlp/otlp-schema.ts";
import { buildCli, callCli, ROOT } from "../../test/kit/run-cli.ts";

const SHOP = join(ROOT, "fixtures", "shop.jfr");
const TYPES = ["cpu/samples", "wall/samples", "alloc-samples/bytes", "lock-contention/nanoseconds"];

let folder: string;
beforeAll(() => buildCli(), 120_000);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "spanflame-cli-"));
  return () => rm(folder, { recursive: true });
});

const path = (name: string) => join(folder, name);
const bytes = (name: string) => new Uint8Array(readFileSync(path(name)));
const text = (name: string) => readFileSync(path(name), "utf8");
const typesOf = (profiles: FlatProfile[]) => profiles.map((p) => `${p.type}/${p.unit}`);
const sum = (profile: FlatProfile | undefined) =>
  (profile?.samples ?? []).flatMap((s) => s.values).reduce((a, b) => a + b, 0n);

const converted = (name: string, ...options: string[]) => convertedFrom(SHOP, name, ...options);

async function convertedFrom(input: string, name: string, ...options: string[]) {
  const { code, err } = await callCli(["convert", input, "-o", path(name), ...options]);
  expect([code, err]).toEqual([0, expect.stringMatching(/observations/)]);
  return err;
}

describe("a preset", () => {
  it.each([
    ["default", TYPES],
    ["aggregated", TYPES],
    [
      "otel",
      [
        "samples/count",
        "samples/count",
        "allocated_space/bytes",
        "allocated_objects/count",
        "delay/nanoseconds",
        "contentions/count",
      ],
    ],
  ])("%s has its names and shapes, in both forms", async (preset, types) => {
    await converted("a.pb", "--preset", preset);
    await converted("a.json", "--preset", preset);
    const data = readOtlp(bytes("a.pb"));
    expect(readOtlpJson(text("a.json"))).toEqual(data);
    const profiles = flatten(data);
    expect(typesOf(profiles)).toEqual(types);
    const timed = profiles.flatMap((p) => p.samples).filter((s) => s.timestamps.length > 0).length;
    expect(timed > 0).toBe(preset !== "aggregated");
    for (const { values } of preset === "aggregated" ? profiles.flatMap((p) => p.samples) : []) {
      expect(values).toHaveLength(1);
    }
  });

  it("aggregated adds up what default lists", async () => {
    await converted("a.pb");
    await converted("b.pb", "--preset", "aggregated");
    const [whole, sums] = ["a.pb", "b.pb"].map((name) => flatten(readOtlp(bytes(name))));
    expect(sums?.map(sum)).toEqual(whole?.map(sum));
    expect(sums?.map((p) => p.samples.length)).toEqual(whole?.map((p) => p.samples.length));
  });

  it("otel gives wall samples the time they stand for, and labels the Profile", async () => {
    const input = join(ROOT, "fixtures", "recorded", "dd152-jdk17-all.jfr");
    await convertedFrom(input, "a.pb");
    await convertedFrom(input, "b.pb", "--preset", "otel");
    const wall = flatten(readOtlp(bytes("a.pb"))).find((p) => p.type === "wall");
    const timed = flatten(readOtlp(bytes("b.pb"))).find((p) => p.type === "wall");
    expect(wall?.period).toBeGreaterThan(1n);
    expect(sum(timed)).toBe(sum(wall) * (wall?.period ?? 0n));
    expect(timed?.attributes).toMatchObject({ "profile.type": "wall" });
    expect(timed?.samples[0]?.attributes).not.toHaveProperty("profile.type");
  });

  it("that nobody knows is wrong usage", async () => {
    const { code, err } = await callCli(["convert", SHOP, "-o", path("a.pb"), "--preset", "datadog"]);
    expect([code, err]).toEqual([2, expect.stringContaining("not one of default, otel, aggregated, pyroscope")]);
  });
});

it("the Resource is what the recording says, and what --resource says over it", async () => {
  const resource = async (...options: string[]) => {
    await converted("a.pb", ...options);
    const attributes = readOtlp(bytes("a.pb")).resourceProfiles[0]?.resource?.attributes ?? [];
    return Object.fromEntries(attributes.map(({ key, value }) => [key, scalarOf(value)]));
  };
  const said = await resource();
  expect(said).toMatchObject({
    "service.name": "unknown_service:java",
    "telemetry.sdk.language": "java",
    "process.runtime.name": expect.stringContaining("OpenJDK"),
  });
  expect(typeof said["process.pid"]).toBe("bigint");
  const changed = await resource(
    "--resource",
    "service.name=shop",
    "--resource",
    "process.pid=",
    "--resource",
    "a=b=c",
  );
  expect(changed).toMatchObject({ "service.name": "shop", a: "b=c" });
  expect(changed).not.toHaveProperty("process.pid");
});

it("the same input and options give the same bytes", async () => {
  await converted("a.pb", "--preset", "otel");
  await converted("b.pb", "--preset", "otel");
  expect(bytes("a.pb")).toEqual(bytes("b.pb"));
});

describe("messages in files", () => {
  it("are compressed with gzip by name or by option", async () => {
    await converted("a.pb");
    await converted("a.pb.gz", "--format", "otlp");
    await converted("b.pb", "--gzip");
    for (const name of ["a.pb.gz", "b.pb"]) expect(new Uint8Array(gunzipSync(bytes(name)))).toEqual(bytes("a.pb"));
  });

  it("are framed as the Collector's file exporter frames them", async () => {
    await converted("a.pb");
    await converted("b.pb", "--framed");
    const framed = Buffer.from(bytes("b.pb"));
    expect(framed.readUInt32BE(0)).toBe(framed.length - 4);
    expect(framed.subarray(4)).toEqual(Buffer.from(bytes("a.pb")));
    await converted("a.jsonl", "--framed");
    expect(text("a.jsonl").trimEnd().split("\n")).toHaveLength(1);
    expect(text("a.jsonl").endsWith("}\n")).toBe(true);
    expect(flatten(readOtlpJson(text("a.jsonl")))).toEqual(flatten(readOtlp(bytes("a.pb"))));
  });

  it("are split by profile: a file each, or framed in one", async () => {
    await converted("a.pb");
    const whole = flatten(readOtlp(bytes("a.pb")));
    const said = await converted("b.pb", "--split-bytes", "1000");
    expect((await readdir(folder)).sort()).toEqual(["a.pb", "b.2.pb", "b.3.pb", "b.4.pb", "b.pb"]);
    const parts = ["b.pb", "b.2.pb", "b.3.pb", "b.4.pb"].flatMap((name) => flatten(readOtlp(bytes(name))));
    expect(typesOf(parts)).toEqual(typesOf(whole));
    expect(parts.map(sum)).toEqual(whole.map(sum));
    expect(said).toMatch(/cpu: .*cannot be split/);
    await converted("c.jsonl", "--framed", "--split-bytes", "1000");
    const lines = text("c.jsonl").trimEnd().split("\n");
    // A profile that is larger in JSON is split by time.
    expect([...new Set(lines.flatMap((line) => typesOf(flatten(readOtlpJson(line)))))]).toEqual(typesOf(whole));
  });
});

describe("--include-payload", () => {
  const original = readFileSync(SHOP);

  it("holds the recording, which is read from the message again", async () => {
    for (const name of ["a.pb", "a.json"]) {
      const said = await converted(name, "--include-payload", "--type", "cpu");
      expect(said).toMatch(/whole recording.*whatever the filter/);
      const { code } = await callCli(["convert", path(name), "-o", path(`again.pb`)]);
      expect(code).toBe(0);
      const again = flatten(readOtlp(bytes("again.pb")));
      expect(typesOf(again)).toEqual(TYPES);
    }
    const { originalPayload } = JSON.parse(text("a.json")).resourceProfiles[0].scopeProfiles[0].profiles[0];
    expect(Buffer.from(originalPayload, "base64").equals(original)).toBe(true);
    expect(Buffer.from(bytes("a.pb")).includes(original)).toBe(true);
  });

  it("decompresses what is compressed, and joins recordings", async () => {
    writeFileSync(path("shop.gz"), gzipSync(original));
    const { code } = await callCli(["convert", path("shop.gz"), SHOP, "-o", path("a.pb"), "--include-payload"]);
    expect(code).toBe(0);
    expect(Buffer.from(bytes("a.pb")).includes(Buffer.concat([original, original]))).toBe(true);
  });

  it("of what is no recording is wrong usage", async () => {
    writeFileSync(path("a.txt"), "text");
    for (const input of [path("a.txt"), "-"]) {
      const { code, err } = await callCli(["convert", input, "-o", path("a.pb"), "--include-payload"]);
      expect([code, err]).toEqual([2, expect.stringContaining("--include-payload")]);
    }
  });
});
