/** Multipart bodies and uploads that event.json describes. */
import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { isMultipart } from "../../../src/bytes/multipart-head.ts";
import { readInputs } from "../../../src/input/open.ts";
import { eventIn } from "../../../src/input/upload-event.ts";
import { emptyCore } from "../../kit/core/read-store.ts";
import { buildChunk } from "../../kit/jfr/jfr-builder.ts";
import { concat } from "../../kit/jfr/jfr-bytes.ts";
import { cpuChunk } from "../../kit/jfr/jfr-types.ts";

const text = (value: string) => new TextEncoder().encode(value);
const CHUNK = buildChunk(cpuChunk([{ weight: 5n }])).bytes;
const EVENT = text(
  JSON.stringify({
    attachments: ["main.jfr"],
    tags_profiler:
      "service:shop,env:prod,host:a:b,runtime-id:r1,x:y,language:jvm,runtime_version:17,git.commit.sha:0a1b,constructor:e,__proto__:p",
  }),
);
const RESOURCE = {
  "service.name": "shop",
  "deployment.environment.name": "prod",
  "host.name": "a:b",
  "service.instance.id": "r1",
  x: "y",
  "telemetry.sdk.language": "java",
  "vcs.ref.head.revision": "0a1b",
  constructor: "e",
};

function body(parts: Record<string, Uint8Array>, boundary = "cut-0815", end = "--\r\n"): Uint8Array {
  const pieces = Object.entries(parts).map(([name, bytes], i) =>
    concat(
      text(
        `${i === 0 ? "" : "\r\n"}--${boundary}\r\ncontent-disposition: form-data; name="x"; filename="${name}"\r\n\r\n`,
      ),
      bytes,
    ),
  );
  return concat(...pieces, text(`\r\n--${boundary}${end}`));
}

async function read(bytes: Uint8Array, name = "upload") {
  const core = await emptyCore();
  const { inputs } = await readInputs(core, [{ name, source: bytesSource(bytes) }]);
  core.endFile();
  const said = core.diagnostics().map(({ code, file }) => `${code} ${file}`);
  return { files: core.files().map((file) => ({ name: file.name, resource: file.resource })), said, inputs };
}

describe("a multipart body", () => {
  it("is read part by part, and event.json names the process", async () => {
    const { files, said, inputs } = await read(body({ "event.json": EVENT, "main.jfr": CHUNK }));
    expect(files).toEqual([{ name: "upload/main.jfr", resource: expect.objectContaining(RESOURCE) }]);
    expect(Object.entries(files[0]!.resource)).toContainEqual(["__proto__", "p"]);
    expect([said, inputs]).toEqual([[], [{ name: "upload", read: "wholly" }]]);
  });

  it("may have bytes like its boundary in a part, and the description after the recording", async () => {
    const like = concat(CHUNK, text("\r\n--cut-081"), text("\r\n--cut-08"));
    const { files, said } = await read(body({ "main.jfr": like, "event.json": EVENT }));
    expect(files[0]?.resource).toMatchObject(RESOURCE);
    expect(said).toEqual(["jfr.foreign-bytes upload/main.jfr"]);
  });

  it("reads what comes before a cut, at every length", async () => {
    const whole = body({ "event.json": EVENT, "main.jfr": CHUNK });
    for (let n = 60; n < whole.length; n += 17) {
      const { files, said } = await read(whole.subarray(0, n));
      expect(files.length).toBeLessThan(2);
      // Only the hyphens and the line break at the end may be missing without a loss.
      if (n < whole.length - 4) expect(said.some((each) => each.startsWith("multipart.damaged"))).toBe(true);
    }
  });

  it("reports an attachment that is not there", async () => {
    const { said, inputs } = await read(body({ "event.json": EVENT, "other.jfr": CHUNK }));
    expect(said).toEqual(["bundle.missing upload"]);
    expect(inputs).toEqual([{ name: "upload", read: "partly" }]);
  });

  it("reads a list of libraries, and reports a part that is no recording", async () => {
    const others = { "code-provenance.json": text('{"v1":[]}'), "metrics.json": text("[]") };
    const { files, said, inputs } = await read(body({ "event.json": EVENT, "main.jfr": CHUNK, ...others }));
    expect(files.map(({ name }) => name)).toContain("upload/main.jfr");
    expect(said).toEqual(["bundle.other upload/metrics.json"]);
    expect(inputs).toEqual([{ name: "upload", read: "wholly" }]);
  });

  it("reports a list of libraries that cannot be read", async () => {
    const { files, said } = await read(body({ "main.jfr": CHUNK, "code-provenance.json": text('{"v1":[') }));
    expect(files.map(({ name }) => name)).toEqual(["upload/main.jfr"]);
    expect(said).toEqual(["bundle.libraries upload"]);
  });

  it("may be a zip", async () => {
    const { files, said } = await read(zipSync({ "a/main.jfr": CHUNK, "a/event.json": EVENT }), "upload.zip");
    expect(files).toEqual([{ name: "upload.zip/a/main.jfr", resource: expect.objectContaining(RESOURCE) }]);
    expect(said).toEqual([]);
  });
});

it("knows a body by its first line", () => {
  expect(isMultipart(text("--abc\r\nContent-Disposition: form-data"))).toBe(true);
  expect(isMultipart(text("--abc\r\nCon"))).toBe(true);
  for (const other of ["--abc\r\n", "--abc\nContent-Disposition", "-- a comment\r\nSELECT 1", "--abc\r\nx 1"]) {
    expect(isMultipart(text(other)), other).toBe(false);
  }
});

it("reads a description only where it is one", () => {
  expect(eventIn('{"attachments":["a",1],"tags":"service:a:b, service:c,nothing,:x"}')).toEqual({
    attachments: ["a"],
    endpoints: {},
    start: "",
    resource: { "service.name": "a:b" },
  });
  for (const other of ["", "[]", "null", "{}", '{"attachments":"main.jfr"}', "{"]) expect(eventIn(other)).toBeNull();
});
