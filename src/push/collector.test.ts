/**
 * Test with a real OpenTelemetry Collector: it accepts pushed messages in every encoding, and its file exporter writes
 * the same content. `npm test` builds it if Go is installed (scripts/build-collector.mjs).
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Collector, missing, startCollector } from "../../test/kit/collector/collector.ts";
import { comparable, readFrame, readLine } from "../../test/kit/collector/written.ts";
import { read } from "../../test/kit/core/read-store.ts";
import { need } from "../../test/kit/needs.ts";
import { type ProfilesData, readOtlp, readOtlpJson, schema } from "../../test/kit/otlp/otlp-schema.ts";
import type { Core } from "../core/core.ts";
import { SPLIT_BYTES, splitByProfile } from "../core/split.ts";
import { PRESETS } from "../core/tables/presets.ts";
import type { OtlpFormat } from "../core/types.ts";
import { type Outcome, push } from "./push.ts";

const FIXTURES = [
  "shop.jfr",
  "recorded/dd152-jdk17-all.jfr",
  "recorded/ap46-jdk17-all.jfr",
  "recorded/jdk25-cputime.jfr",
];
/** All committed recordings, and those shared between projects where they are. */
const RECORDINGS = ["", "recorded/", "../../shared/recordings/public/", "../../shared/recordings/made/"].flatMap(
  (folder) => {
    const at = new URL(`../../fixtures/${folder}`, import.meta.url);
    if (!existsSync(at)) return [];
    return readdirSync(at)
      .filter((name) => name.endsWith(".jfr"))
      .map((name) => folder + name);
  },
);
const ENCODINGS: [OtlpFormat, boolean][] = [
  ["otlp", false],
  ["otlp", true],
  ["otlp-json", false],
  ["otlp-json", true],
];
const ACCEPTED = { result: "accepted", message: "" };
const reason = await missing();

need(reason === null, reason ?? "").describe("the Collector", () => {
  let collector: Collector;
  beforeAll(async () => {
    collector = await startCollector();
  });
  afterAll(() => collector.stop());

  const send = (body: Uint8Array, format: OtlpFormat = "otlp", gzip = false) =>
    push(body, format, { url: collector.url, gzip });

  /** Says whether both exporters wrote these messages, in this order and nothing else. */
  async function expectWritten(sent: ProfilesData[]): Promise<void> {
    const { lines, frames } = await collector.written(sent.length);
    for (const found of [lines.map(readLine), frames.map(readFrame)]) {
      expect(found.length).toBe(sent.length);
      for (const [i, data] of found.entries()) {
        const strings = sent[i]?.dictionary?.stringTable.length ?? 0;
        expect(comparable(data, strings)).toEqual(comparable(sent[i]!, strings));
      }
    }
  }

  it.each(RECORDINGS)("writes what it was sent of %s, by every preset and in both encodings", async (path) => {
    const core = await read(recording(path));
    for (const { name: preset } of PRESETS) {
      for (const format of ["otlp", "otlp-json"] as const) {
        const { bytes, observations } = core.write(null, {}, { format, preset });
        // A Collector takes a message without samples and drops it.
        if (observations === 0) continue;
        expect(await send(bytes, format)).toEqual(ACCEPTED);
        await expectWritten([decode(bytes, format)]);
      }
    }
  });

  describe.each(FIXTURES)("of %s", (name) => {
    let core: Core;
    beforeAll(async () => {
      core = await read(recording(name));
    });

    it.each(ENCODINGS)("writes what it was sent as %s, gzip: %s", async (format, gzip) => {
      const { bytes } = core.write(null, {}, { format });
      expect(await send(bytes, format, gzip)).toEqual(ACCEPTED);
      await expectWritten([decode(bytes, format)]);
    });

    it("writes every message of those that a small limit makes", async () => {
      const parts = [...splitByProfile(core, null, {}, { format: "otlp" }, 1)];
      for (const { bytes } of parts) expect(await send(bytes)).toEqual(ACCEPTED);
      await expectWritten(parts.map(({ bytes }) => readOtlp(bytes)));
    });
  });

  it("with the configuration of docs/howto.md writes what it was sent", async () => {
    const page = readFileSync(new URL("../../docs/howto.md", import.meta.url), "utf8");
    const [, yaml = ""] = /```yaml\n(receivers:[\s\S]*?)```/.exec(page) ?? [];
    const [endpoint, path] = ["127.0.0.1:4318", "profiles.jsonl"];
    expect([yaml.includes(endpoint), yaml.includes(path)]).toEqual([true, true]);
    const variable = (name: string) => `\${env:${name}}`;
    const own = yaml.replace(endpoint, variable("ENDPOINT")).replace(path, `"${variable("OUT")}/out.jsonl"`);
    // Its own figures are on a port that other Collectors of this machine have.
    const documented = await startCollector(`${own}  telemetry: { metrics: { level: none } }\n`);
    try {
      const { bytes } = (await read(recording("shop.jfr"))).write(null, {}, { format: "otlp", preset: "otel" });
      expect(await push(bytes, "otlp", { url: documented.url, gzip: true })).toEqual(ACCEPTED);
      const { lines } = await documented.written(1);
      const [sent] = [decode(bytes, "otlp")];
      const strings = sent.dictionary?.stringTable.length ?? 0;
      expect(lines.map((line) => comparable(readLine(line), strings))).toEqual([comparable(sent, strings)]);
    } finally {
      await documented.stop();
    }
  });

  it.each([
    ["application/x-protobuf", "", "\n\u0000"],
    ["application/json", "{}", '{"partialSuccess":{}}'],
  ])("says in %s that nothing was rejected", async (type, body, wanted) => {
    const response = await fetch(collector.url, { method: "POST", headers: { "content-type": type }, body });
    expect([response.status, await response.text()]).toEqual([200, wanted]);
  });

  it.each([false, true])(
    "takes a message as large as we split at, and no larger than 20 MiB (gzip: %s)",
    async (gzip) => {
      const fitting = padded(SPLIT_BYTES);
      expect(await send(fitting, "otlp", gzip)).toEqual(ACCEPTED);
      await expectWritten([readOtlp(fitting)]);
      expectRefused(await send(padded(20 * 2 ** 20 + 1), "otlp", gzip), /request body too large/);
    },
  );

  it.each([
    ["profile", { profileId: new Uint8Array(8) }, {}],
    ["trace", {}, { traceId: new Uint8Array(15), spanId: new Uint8Array(8) }],
    ["span", {}, { traceId: new Uint8Array(16), spanId: new Uint8Array(7) }],
  ])("refuses a %s id of the wrong length, and we say why", async (_, profile, link) => {
    expectRefused(await send(encode("", profile, link)), /invalid \w+ID length \(code 3\)/);
  });
});

const recording = (name: string) => {
  const bytes = readFileSync(new URL(`../../fixtures/${name}`, import.meta.url));
  return new Uint8Array(bytes[0] === 0x1f ? gunzipSync(bytes) : bytes);
};

function decode(bytes: Uint8Array, format: OtlpFormat): ProfilesData {
  return format === "otlp" ? readOtlp(bytes) : readOtlpJson(new TextDecoder().decode(bytes));
}

function expectRefused(outcome: Outcome, why: RegExp): void {
  expect(outcome).toEqual({ result: "refused", status: 400, message: expect.stringMatching(why) });
}

/** A message of one sample. */
function encode(text: string, profile: object = {}, link: object = {}): Uint8Array {
  const sample = { stackIndex: 0, linkIndex: 1, values: [1], timestampsUnixNano: [1] };
  return schema
    .lookupType("ProfilesData")
    .encode({
      resourceProfiles: [{ scopeProfiles: [{ profiles: [{ ...profile, samples: [sample] }] }] }],
      dictionary: { stringTable: ["", text], linkTable: [{}, link] },
    })
    .finish();
}

/** A message of this many bytes, a few million at least. */
function padded(size: number): Uint8Array {
  const probe = 2 ** 22;
  const around = encode("x".repeat(probe)).length - probe;
  return encode("x".repeat(size - around));
}
