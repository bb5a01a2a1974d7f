/** OTLP files of other producers as inputs of the command line, as processes. */
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { logsFrames, logsJson } from "../../test/kit/otlp/logs-writer.ts";
import { delimited, lightweight } from "../../test/kit/otlp/otlp-message.ts";
import { pprofOf } from "../../test/kit/otlp/pprof-message.ts";
import { buildCli, callCli, ROOT } from "../../test/kit/run-cli.ts";

const SHOP = join(ROOT, "fixtures", "shop.jfr");

let folder: string;
beforeAll(() => buildCli(), 120_000);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "spanflame-cli-"));
  return () => rm(folder, { recursive: true });
});

const path = (name: string) => join(folder, name);

async function converted(input: string, name: string): Promise<Uint8Array> {
  const { code } = await callCli(["convert", input, "-o", path(name)]);
  expect(code).toBe(0);
  return new Uint8Array(readFileSync(path(name)));
}

describe("Datadog's lightweight message", () => {
  it("becomes the samples of the recording inside", async () => {
    writeFileSync(path("upload.pb"), lightweight(new Uint8Array(readFileSync(SHOP))));
    expect(await converted(path("upload.pb"), "a.pb")).toEqual(await converted(SHOP, "b.pb"));
  });

  it("is no message that receivers take as it is", async () => {
    writeFileSync(path("upload.pb"), lightweight(new Uint8Array(readFileSync(SHOP))));
    const { code, out } = await callCli(["validate", path("upload.pb"), "--json"]);
    const { findings } = JSON.parse(out.toString()) as { findings: { rule: string }[] };
    expect([code, findings.map(({ rule }) => rule)]).toEqual([1, ["E01", "W11", "W12", "W18", "I16"]]);
  });
});

describe("OTLP logs with profiles", () => {
  const labels = { "source.event.time": 1_700_000_000_000, span_id: "00000000000000ab" };
  const pprof = pprofOf({ types: [], samples: [{ stack: ["work", "main"], values: [], labels }] });

  it("come from a file or a pipe, compressed or not", async () => {
    const bytes = logsFrames({ resource: { "service.name": { stringValue: "shop" } }, records: [{ pprof }] });
    writeFileSync(path("logs.pb"), bytes);
    const { code, out } = await callCli(["top", path("logs.pb"), "--type", "cpu", "--span", "0xab", "--json"]);
    expect([code, JSON.parse(out.toString())]).toMatchObject([0, { total: "1" }]);
    const piped = await callCli(["convert", "-", "-o", path("piped.pb")], { input: gzipSync(bytes) });
    expect([piped.code, new Uint8Array(readFileSync(path("piped.pb")))]).toEqual([
      0,
      await converted(path("logs.pb"), "file.pb"),
    ]);
  });

  it("are named by the validator, and without profiles they are an error", async () => {
    writeFileSync(path("logs.json"), logsJson({ records: [{ pprof }] }));
    const { out } = await callCli(["validate", path("logs.json")]);
    expect(out.toString()).toContain("OTLP logs, of whose pprof profiles");
    const { code, err: problems } = await callCli(["info", "-"], {
      input: logsJson({ records: [{ format: "text" }] }),
    });
    expect([code, problems]).toEqual([1, expect.stringContaining("logs: 1 log record is not a pprof profile")]);
  });
});

describe("a file of Jeffrey's", () => {
  it("is read by its content, whatever its name is", async () => {
    const message = await converted(SHOP, "a.pb");
    writeFileSync(path("profile.bin"), delimited([message]));
    expect(await converted(path("profile.bin"), "b.pb")).toEqual(message);
    const { code, out } = await callCli(["validate", path("profile.bin")]);
    expect([code, out.toString()]).toEqual([0, expect.stringMatching(/info I20: 1 message in frames\nvalid\n$/)]);
  });
});
