import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { bytesSource } from "../bytes/byte-source.ts";
import { fileKind, opened } from "./classify.ts";

const RECORDING = Uint8Array.of(0x46, 0x4c, 0x52, 0, 0, 2);
const OTLP = new TextEncoder().encode('{"resourceProfiles":[]}');
const LOGS = new TextEncoder().encode('{ "resourceLogs" : [{"scopeLogs":[{"logRecords":[{"traceId":"ab"}]}]}]}');
const kindOf = async (bytes: Uint8Array) => fileKind(await opened(bytesSource(bytes)));

describe("the kind of a file", () => {
  it("is told by the first bytes", async () => {
    expect(await kindOf(RECORDING)).toEqual({ kind: "jfr", packed: false });
    expect(await kindOf(OTLP)).toEqual({ kind: "otlp", packed: false });
    expect(await kindOf(LOGS)).toEqual({ kind: "logs", packed: false });
    expect(await kindOf(new Uint8Array(0))).toEqual({ kind: "foreign", packed: false });
  });

  it("looks beneath what a file is compressed in, as deep as it is read", async () => {
    expect(await kindOf(gzipSync(RECORDING))).toEqual({ kind: "jfr", packed: true });
    expect(await kindOf(gzipSync(gzipSync(OTLP)))).toEqual({ kind: "otlp", packed: true });
    const deep = [1, 2, 3, 4].reduce<Uint8Array>((bytes) => gzipSync(bytes), RECORDING);
    expect(await kindOf(deep)).toEqual({ kind: "gzip", packed: true });
  });

  it("says what is left of a file that breaks off", async () => {
    expect(await kindOf(gzipSync(RECORDING).subarray(0, 12))).toMatchObject({ packed: true });
  });
});
