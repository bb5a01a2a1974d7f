/**
 * Recordings of other people's profilers against what independent readers say of them. Skipped, with the reason, where
 * the recordings or a JDK are not on this machine.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Core } from "../core/core.ts";
import { emptyCore, message } from "../core/wasm-test/read-store.ts";
import { bytesSource } from "./byte-source.ts";
import { readInputs } from "./open.ts";

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

/** Recordings with a truth file: public/NAME.jfr + truth/NAME.jfr.truth.json, made/NAME.jfr + made/NAME.truth.json. */
function pairs(): [string, string, string][] {
  const found: [string, string, string][] = [];
  for (const [folder, truths, suffix] of [
    ["public", "truth", ".jfr.truth.json"],
    ["made", "made", ".truth.json"],
  ] as const) {
    for (const name of readdirSync(join(RECORDINGS, folder)).filter((file) => file.endsWith(".jfr"))) {
      const truth = join(RECORDINGS, truths, name.slice(0, -4) + suffix);
      if (existsSync(truth)) found.push([name, join(RECORDINGS, folder, name), truth]);
    }
  }
  return found;
}

const own = (events: Record<string, number>) =>
  Object.fromEntries(Object.entries(events).filter(([name]) => !name.startsWith("<")));

if (!existsSync(RECORDINGS)) {
  it.skip(`other profilers' recordings: ${RECORDINGS} is not there`, () => {});
} else {
  describe("other profilers' recordings", () => {
    it.each(pairs())("%s has the events that its truth names", async (_, path, truthPath) => {
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
    });

    const tck = join(RECORDINGS, "public", "jafar__tck-test.jfr");
    it.skipIf(!existsSync(tck))("jafar__tck-test.jfr has the hottest leaf frames of its truth", async () => {
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
        const self = new Map(core.top(1_000_000).frames.map((frame) => [frame.name, Number(frame.self)]));
        // The truth writes a frame without a class with a dot before its name.
        for (const [name, count] of hot) expect([name, self.get(name.replace(/^\./, ""))]).toEqual([name, count]);
      }
    });
  });
}

/** `jfr` of a JDK ≥ 17, or null. */
function jfrTool(): string | null {
  const home = process.env.JAVA_HOME;
  for (const tool of [...(home ? [join(home, "bin", "jfr")] : []), "jfr"]) {
    try {
      const major = Number.parseInt(
        execFileSync(tool, ["version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
        10,
      );
      // Some print their own version; what matters is that the tool runs.
      if (Number.isNaN(major) || major >= 1) return tool;
    } catch {
      // Not there.
    }
  }
  return null;
}

const tool = jfrTool();
if (tool === null) {
  it.skip("`jfr summary` of each chunk of the fixtures: no JDK on this machine", () => {});
} else {
  describe("`jfr summary` counts", () => {
    it.each(["shop.jfr", "shop-chunks.jfr", "recorded/dd152-jdk17-all.jfr"])(
      "what we count in each chunk of %s",
      async (name) => {
        const bytes = readFileSync(join(FIXTURES, name));
        const chunks = (await open(name, bytes)).files()[0]?.chunks ?? [];
        const folder = mkdtempSync(join(tmpdir(), "spanflame-jfr-"));
        try {
          let at = 0;
          // Of several chunks in one file the tool confuses the types.
          for (const chunk of chunks) {
            const path = join(folder, `${at}.jfr`);
            writeFileSync(path, bytes.subarray(at, at + chunk.bytes));
            at += chunk.bytes;
            const text = execFileSync(tool, ["summary", path], { encoding: "utf8" });
            const rows = [...text.matchAll(/^ (\S+) +(\d+) +\d+ *$/gm)].map(
              ([, event, count]) => [event, Number(count)] as const,
            );
            const counts = rows.filter(
              ([event, count]) => count > 0 && event !== "jdk.Metadata" && event !== "jdk.CheckPoint",
            );
            expect(counts.length).toBeGreaterThan(2);
            expect(chunk.events).toEqual(Object.fromEntries(counts));
          }
          expect(at).toBe(bytes.length);
        } finally {
          rmSync(folder, { recursive: true });
        }
      },
    );
  });
}
