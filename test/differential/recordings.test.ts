/**
 * Recordings of other profilers, compared with the output of independent readers. Skipped, with the reason, where
 * the recordings or a JDK are not on this machine.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../src/bytes/byte-source.ts";
import type { Core } from "../../src/core/core.ts";
import { readInputs } from "../../src/input/open.ts";
import { emptyCore, message } from "../kit/core/read-store.ts";
import { eachChunk, jfrTool } from "../kit/jfr/jfr-tool.ts";
import { need } from "../kit/needs.ts";

const RECORDINGS = fileURLToPath(new URL("../../../shared/recordings/", import.meta.url));
const FIXTURES = fileURLToPath(new URL("../../fixtures/", import.meta.url));

interface TruthChunk {
  version: string;
  size: number;
  startNanos: number;
  durationNanos: number;
  counts?: Record<string, number>;
  error?: string;
  hot?: Record<string, [string, number][]>;
}
interface Truth {
  chunks: TruthChunk[];
  notes?: unknown[];
}

async function open(path: string, bytes = readFileSync(path)): Promise<Core> {
  const core = await emptyCore();
  await readInputs(core, [{ name: path, source: bytesSource(new Uint8Array(bytes)) }]);
  return core;
}

/** The recordings of a folder that have a truth file: NAME.jfr, and NAME + suffix in the other folder. */
function pairs(folder: string, truths: string, suffix: string): [string, string, string][] {
  const names = readdirSync(folder).filter((file) => file.endsWith(".jfr"));
  return names
    .map((name): [string, string, string] => [name, join(folder, name), join(truths, name.slice(0, -4) + suffix)])
    .filter(([, , truth]) => existsSync(truth));
}

const own = (events: Record<string, number>) =>
  Object.fromEntries(Object.entries(events).filter(([name]) => !name.startsWith("<")));

async function holdsEvents(_: string, path: string, truthPath: string): Promise<void> {
  const truth = JSON.parse(readFileSync(truthPath, "utf8")) as Truth;
  const core = await open(path);
  message(core);
  const chunks = core.files()[0]?.chunks ?? [];
  const sound =
    truth.chunks.length > 0 && truth.chunks.every((c) => c.counts && c.error === undefined) && !truth.notes?.length;
  const known = truth.chunks.filter((c) => c.counts !== undefined && c.error === undefined);
  if (!sound) {
    expect(core.diagnostics()).not.toEqual([]);
    for (const chunk of known) expect(chunks.map(({ events }) => events)).toContainEqual(own(chunk.counts ?? {}));
    return;
  }
  expect(chunks.map(({ events }) => events)).toEqual(known.map(({ counts }) => own(counts ?? {})));
  expect(chunks.map(({ version, bytes }) => [version, bytes])).toEqual(
    known.map(({ version, size }) => [version, size]),
  );
  const undefinedType = known.some(({ counts }) =>
    Object.keys(counts ?? {}).some((name) => name.startsWith("<unknown")),
  );
  if (!undefinedType) expect(core.diagnostics().filter(({ severity }) => severity === "error")).toEqual([]);
}

const RECORDED = join(FIXTURES, "recorded");
it.each(pairs(RECORDED, RECORDED, ".truth.json"))("recorded/%s has the events that its truth names", holdsEvents);

if (!existsSync(RECORDINGS)) {
  it.skip(`other profilers' recordings: skipped: no ${RECORDINGS}`, () => {});
} else {
  describe("other profilers' recordings", () => {
    const made = join(RECORDINGS, "made");
    it.each([
      ...pairs(join(RECORDINGS, "public"), join(RECORDINGS, "truth"), ".jfr.truth.json"),
      ...pairs(made, made, ".truth.json"),
    ])("%s has the events that its truth names", holdsEvents);

    const tck = join(RECORDINGS, "public", "jafar__tck-test.jfr");
    need(existsSync(tck), "no such recording").it(
      "jafar__tck-test.jfr has the hottest leaf frames of its truth",
      async () => {
        const truth = JSON.parse(
          readFileSync(join(RECORDINGS, "truth", "jafar__tck-test.jfr.truth.json"), "utf8"),
        ) as Truth;
        const core = await open(tck);
        for (const [event, type] of [
          ["datadog.ExecutionSample", "cpu"],
          ["datadog.MethodSample", "wall"],
        ]) {
          const hot = truth.chunks.flatMap((chunk) => chunk.hot?.[event ?? ""] ?? []);
          expect(hot.length).toBeGreaterThanOrEqual(5);
          core.select(core.profiles().find((profile) => profile.type === type)?.id ?? -2, {});
          const self = new Map(
            core.views.top("self", 0, 1_000_000).rows.map((frame) => [frame.name, Number(frame.self)]),
          );
          // The truth writes a frame without a class with a dot before its name.
          for (const [name, count] of hot) expect([name, self.get(name.replace(/^\./, ""))]).toEqual([name, count]);
        }
      },
    );
  });
}

const tool = jfrTool();
if (tool === null) {
  it.skip("`jfr summary` of each chunk of the fixtures: no JDK on this machine", () => {});
} else {
  describe("`jfr summary` counts", () => {
    const recorded = readdirSync(RECORDED).filter((name) => name.endsWith(".jfr"));
    it.each(["shop.jfr", "shop-chunks.jfr", ...recorded.map((name) => `recorded/${name}`)])(
      "what we count in each chunk of %s",
      async (name) => {
        const bytes = readFileSync(join(FIXTURES, name));
        const chunks = (await open(name, bytes)).files()[0]?.chunks ?? [];
        const sizes = chunks.map((chunk) => chunk.bytes);
        const read = eachChunk(bytes, sizes, (path, index) => {
          const text = execFileSync(tool, ["summary", path], { encoding: "utf8" });
          const rows = [...text.matchAll(/^ (\S+) +(\d+) +\d+ *$/gm)].map(
            ([, event, count]) => [event, Number(count)] as const,
          );
          const counts = rows.filter(
            ([event, count]) => count > 0 && event !== "jdk.Metadata" && event !== "jdk.CheckPoint",
          );
          expect(counts.length).toBeGreaterThan(2);
          expect(chunks[index]?.events).toEqual(Object.fromEntries(counts));
        });
        expect(read).toBe(bytes.length);
      },
    );
  });
}
