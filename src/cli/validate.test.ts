/** `validate` as a process: its output, its exit codes. */
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { jsonOf, protobufOf } from "../../test/kit/otlp/otlp-encode.ts";
import { broken, sound } from "../../test/kit/otlp/sound-message.ts";
import { buildCli, callCli, ROOT } from "../../test/kit/run-cli.ts";

const SHOP = join(ROOT, "fixtures", "shop.jfr");
const BAD = broken("dictionary.linkTable.1.spanId", "01");

let folder: string;
beforeAll(() => buildCli(), 120_000);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "spanflame-cli-"));
  return () => rm(folder, { recursive: true });
});

async function run(bytes: Uint8Array, ...options: string[]) {
  const file = join(folder, "a.pb");
  await writeFile(file, bytes);
  const { code, out, err } = await callCli(["validate", file, ...options]);
  return { code, out: out.toString(), err };
}

describe("validate", () => {
  it("says that a message is valid", async () => {
    expect(await run(protobufOf(sound()))).toEqual({ code: 0, out: "valid\n", err: "" });
  });

  it("tells each fault on a line and ends with 1", async () => {
    const { code, out } = await run(jsonOf(BAD));
    expect([code, out]).toEqual([1, "error E09: link_table[1].span_id: 1 bytes\nnot valid\n"]);
  });

  it("fails over warnings with --strict alone", async () => {
    const packed = new Uint8Array(gzipSync(protobufOf(sound())));
    const [loose, strict] = [await run(packed), await run(packed, "--strict", "--json")];
    expect([loose.code, loose.out]).toEqual([0, "warning W20: the file is compressed with gzip\nvalid\n"]);
    expect([strict.code, JSON.parse(strict.out)]).toEqual([
      1,
      {
        schema: 1,
        valid: false,
        findings: [
          { rule: "W20", severity: "warning", message: "the file is compressed with gzip", where: "", count: 1 },
        ],
      },
    ]);
  });

  it("adds the rules of receivers with --for", async () => {
    const bytes = protobufOf(broken("resourceProfiles.0.scopeProfiles.0.profiles.0.periodType", undefined));
    const { code, out } = await run(bytes, "--for", "parca", "--for", "collector");
    expect(code).toBe(1);
    expect(out).toContain(
      "error parca.E01: resource_profiles[0].scope_profiles[0].profiles[0].period_type: is absent\n",
    );
    expect((await run(bytes)).code).toBe(0);
  });

  it("refuses a receiver that it does not know", async () => {
    const { code, err } = await run(protobufOf(sound()), "--for", "parka");
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('--for: "parka" is not one of collector, pyroscope, parca, elastic; did you mean parca?'),
    ]);
  });

  it("finds nothing in what convert writes, over pipes too", async () => {
    for (const format of ["otlp", "otlp-json"]) {
      const { out: input } = await callCli(["convert", SHOP, "-o", "-", "--format", format]);
      const { code, out } = await callCli(["validate", "-", "--strict", "--json"], { input: new Uint8Array(input) });
      const { findings } = JSON.parse(out.toString()) as { findings: { severity: string }[] };
      expect([code, findings.filter(({ severity }) => severity !== "info")]).toEqual([0, []]);
    }
  });

  it("says what a file is that is none", async () => {
    const { code, out } = await run(readFileSync(SHOP));
    expect([code, out]).toEqual([
      1,
      "error E25: this is a JFR recording, of which `convert` makes OTLP profiles\nnot valid\n",
    ]);
  });

  it.each([
    [[], 2, "validate needs a file: spanflame validate trace.pb"],
    [["a", "b"], 2, "validate takes one file"],
    [["no-such-file"], 1, "no such file"],
    [["a", "--nonsense"], 2, "--nonsense"],
  ])("of %j ends with %i", async (args, code, says) => {
    const ended = await callCli(["validate", ...args], { cwd: folder });
    expect([ended.code, ended.err]).toEqual([code, expect.stringContaining(says)]);
  });
});
