/** The page writes the trace ids that `convert --trace` and `--inferred` write. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyCore } from "../../test/kit/core/read-store.ts";
import { buildCli, callCli } from "../../test/kit/run-cli.ts";
import { readFiles } from "./reading.ts";

const pathOf = (name: string) => new URL(`../../fixtures/traces/${name}`, import.meta.url).pathname;
const RECORDING = "ddctx-jdk17.jfr";
const TRACE = "ddctx-jdk17.captured.datadog.json.gz";
/** Its scopes of OpenTelemetry state 128-bit trace ids. */
const SCOPED = "relay-jdk25.jfr";
const folder = mkdtempSync(join(tmpdir(), "spanflame-page-traces-"));

beforeAll(buildCli);
afterAll(() => rmSync(folder, { recursive: true }));

async function byPage(names: string[], inferred: boolean): Promise<Uint8Array> {
  const core = await emptyCore();
  const files = names.map((name) => ({ name, blob: new Blob([readFileSync(pathOf(name))]) }));
  await readFiles(core, files, {
    hooks: {},
    inferred,
    needed: [],
    isWanted: () => true,
    onSamples: () => {},
  });
  await core.complete();
  return core.write(null, {}, { format: "otlp" }).bytes;
}

describe("messages of the page are those of convert", () => {
  it.each([
    [[RECORDING, TRACE], false],
    [[RECORDING, TRACE], true],
    [[SCOPED], true],
  ])("%j, inferred %j", async ([recording = "", trace], inferred) => {
    const out = join(folder, "out.pb");
    const traced = trace === undefined ? [] : ["--trace", pathOf(trace)];
    await callCli(["convert", pathOf(recording), ...traced, ...(inferred ? ["--inferred"] : []), "-o", out]);
    const page = await byPage(trace === undefined ? [recording] : [recording, trace], inferred);
    expect(Buffer.compare(page, readFileSync(out))).toBe(0);
  });
});
