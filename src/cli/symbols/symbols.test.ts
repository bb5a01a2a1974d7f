/** `spanflame symbols` and --symbols: names of a real recording's native frames, from the library that it ran. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askCli, buildCli, callCli, ROOT } from "../../../test/kit/run-cli.ts";

const recorded = (name: string) => join(ROOT, "fixtures", "recorded", name);
const RECORDING = recorded("dd152-jdk17-remotesym.jfr");
const DEBUG = recorded("elf/libdemonative.so.debug");
const FOLDER = recorded("elf");

interface Truth {
  buildId: string;
  frames: { offset: string; inlineChainInnermostFirst: { function: string; line: number }[] }[];
}
/** Answers of llvm-symbolizer for the frames of the recording. */
const TRUTH = JSON.parse(readFileSync(recorded("dd152-jdk17-remotesym.symbols.json"), "utf8")) as Truth;

interface Row {
  name: string;
  buildId: string;
  frames: string;
  addresses: number;
  resolved: { frames: string; addresses: number; lines: number };
  status: string;
  why: string;
}
interface Answer {
  libraries: Row[];
  files: { path: string; status: string }[];
}
interface Top {
  frames: { name: string; self: string }[];
}

let folder: string;
beforeAll(async () => {
  await buildCli();
  folder = mkdtempSync(join(tmpdir(), "spanflame-symbols-"));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** Chains of the named native locations of an OTLP/JSON file, by address. */
function chainsIn(path: string): Record<string, object[]> {
  const { dictionary } = JSON.parse(readFileSync(path, "utf8"));
  const text = (index = 0) => dictionary.stringTable[index] as string;
  const chains: [string, object[]][] = [];
  for (const { address, mappingIndex, lines = [] } of dictionary.locationTable) {
    if (address === undefined || lines.length === 0 || mappingIndex === undefined) continue;
    const chain = lines.map(({ functionIndex, line = 0, column = 0 }: Record<string, number>) => {
      const { nameStrindex, systemNameStrindex, filenameStrindex } = dictionary.functionTable[functionIndex!];
      const [name, linkageName, file] = [nameStrindex, systemNameStrindex, filenameStrindex].map(text);
      return { function: name, linkageName, file, line: Number(line), column: Number(column) };
    });
    // The label of a frame without build id.
    if (/\+0x[0-9a-f]+$/.test(chain[0].function)) continue;
    chains.push([`0x${BigInt(address).toString(16)}`, chain]);
  }
  return Object.fromEntries(chains);
}

const symbols = (...args: string[]) => askCli<Answer>("symbols", RECORDING, ...args);
const demo = ({ libraries }: Answer) => libraries.find(({ buildId }) => buildId === TRUTH.buildId);

describe("spanflame symbols", () => {
  it("lists the libraries with frames without names, the most frequent first", async () => {
    const { libraries } = await symbols();
    const frames = libraries.map((row) => Number(row.frames));
    expect(frames).toEqual([...frames].sort((a, b) => b - a));
    expect(libraries.map(({ name }) => name)).toEqual(expect.arrayContaining(["libjvm.so", "libdemonative.so"]));
    expect(
      libraries.filter(({ status }) => status !== "missing").map(({ status, buildId }) => [status, buildId]),
    ).toEqual(libraries.filter(({ buildId }) => buildId === "").map(() => ["no-build-id", ""]));
  });

  it("names all addresses of a library whose debug file it gets", async () => {
    const row = demo(await symbols("--symbols", DEBUG));
    expect(row).toMatchObject({ name: "libdemonative.so", status: "resolved", why: "" });
    expect(row?.resolved).toEqual({ frames: row?.frames, addresses: row?.addresses, lines: row?.addresses });
  });

  it("tells what became of each file", async () => {
    const other = join(folder, "libdemonative.so");
    const bytes = readFileSync(DEBUG);
    bytes.writeUInt8(
      bytes.readUInt8(bytes.indexOf(TRUTH.buildId, 0, "hex")) ^ 1,
      bytes.indexOf(TRUTH.buildId, 0, "hex"),
    );
    writeFileSync(other, bytes);
    const { code, out } = await callCli(["symbols", RECORDING, "--symbols", folder, "--symbols", RECORDING, "--json"]);
    const answer = JSON.parse(out.toString()) as Answer;
    expect(code).toBe(1);
    expect(demo(answer)).toMatchObject({ status: "mismatch" });
    expect(demo(answer)?.why).toContain(TRUTH.buildId);
    expect(answer.files.map(({ status }) => status)).toEqual(["mismatch", "not-elf"]);
  });

  it("answers in JSON where nothing could be read", async () => {
    const empty = join(folder, "empty.jfr");
    writeFileSync(empty, "");
    for (const path of [empty, join(folder, "no such file"), DEBUG]) {
      const { code, out } = await callCli(["symbols", path, "--type", "cpu", "--symbols", DEBUG, "--json"]);
      const answer = JSON.parse(out.toString()) as Answer & { diagnostics: { severity: string; file: string }[] };
      expect([code, answer.libraries, answer.files.map((file) => file.status)]).toEqual([1, [], ["not-needed"]]);
      expect(
        answer.diagnostics.map(({ severity }) => severity),
        path,
      ).toContain("error");
    }
  });

  it("counts frames of the selected profile and samples", async () => {
    const all = Number(demo(await symbols())?.frames);
    const cpu = Number(demo(await symbols("--type", "cpu"))?.frames);
    const none = await symbols("--type", "cpu", "--thread", "no such thread");
    expect(cpu).toBeGreaterThan(0);
    expect(cpu).toBeLessThan(all);
    expect(none.libraries).toEqual([]);
  });
});

describe("--symbols", () => {
  const top = (path: string, ...args: string[]) =>
    askCli<Top>("top", path, "--type", "cpu", "--limit", "100000", ...args);
  const self = ({ frames }: Top, named: (name: string) => boolean) =>
    frames.filter(({ name }) => named(name)).reduce((sum, frame) => sum + Number(frame.self), 0);

  it("gives the self value of addresses to the innermost functions there", async () => {
    const [plain, named] = [await top(RECORDING), await top(RECORDING, "--symbols", FOLDER)];
    const functions = TRUTH.frames.map(({ inlineChainInnermostFirst: [first] }) => first?.function.split("(")[0]);
    // A name without a linkage name has its namespaces here, too.
    const isKnown = (name: string) => functions.some((known) => `::${name}`.endsWith(`::${known}`));
    const before = self(plain, (name) => name.startsWith("libdemonative.so+0x"));
    expect(before).toBeGreaterThan(0);
    expect(self(named, (name) => name.startsWith("libdemonative.so+0x"))).toBe(0);
    expect(self(named, (name) => isKnown(name.split("(")[0] ?? ""))).toBe(before);
  });

  it("lets a filter find functions that only the symbols know", async () => {
    const frame = ["--frame", "Worker::leaf"];
    expect(self(await top(RECORDING, ...frame), () => true)).toBe(0);
    expect(self(await top(RECORDING, ...frame, "--symbols", FOLDER), () => true)).toBeGreaterThan(0);
  });

  it("is counted in a report", async () => {
    const path = join(folder, "named.html");
    expect((await callCli(["convert", RECORDING, "-o", path, "--symbols", FOLDER])).code).toBe(0);
    const report = readFileSync(path, "utf8");
    expect(report).toContain("of 6 libraries (5 with a build id), 505 (17.7 %) have names");
    expect(report).toContain("remote_symbolication_build_id_cache_hits 24");
  });

  it.each(["pb", "json"])(
    "writes names, lines and inlined frames to .%s, which is read back the same",
    async (ending) => {
      const [first, second] = [join(folder, `named.${ending}`), join(folder, `again.${ending}`)];
      expect((await callCli(["convert", RECORDING, "-o", first, "--symbols", FOLDER])).code).toBe(0);
      expect((await callCli(["convert", first, "-o", second])).code).toBe(0);
      expect(readFileSync(second).equals(readFileSync(first))).toBe(true);
      // Functions of equal weight are in the order of reading, and the reader of recordings reads only what top needs.
      const named = (answer: Top) =>
        answer.frames
          .filter(({ name }) => !name.includes("+0x"))
          .sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
      expect(named(await top(first))).toEqual(named(await top(RECORDING, "--symbols", FOLDER)));
    },
  );

  it("gives OTLP's locations the chains of their addresses, also after another reading", async () => {
    const paths = [join(folder, "chains.json"), join(folder, "chains-again.json")] as const;
    expect((await callCli(["convert", RECORDING, "-o", paths[0], "--symbols", FOLDER])).code).toBe(0);
    expect((await callCli(["convert", paths[0], "-o", paths[1]])).code).toBe(0);
    const [chains, again] = paths.map(chainsIn);
    expect(again).toEqual(chains);
    const addresses = Object.keys(chains!);
    expect(addresses.length).toBe(demo(await symbols())?.addresses);
    const { results } = await askCli<{ results: { address: string; frames: object[] }[] }>(
      "symbolize",
      "--symbols",
      DEBUG,
      ...addresses,
    );
    expect(Object.fromEntries(results.map(({ address, frames }) => [address, frames]))).toEqual(chains);
    expect(Object.values(chains!).some((chain) => chain.length > 1)).toBe(true);
  });

  it("is told by info", async () => {
    const { remote } = await askCli<{ remote: { addresses: number; resolved: { addresses: number } } }>(
      "info",
      RECORDING,
      "--symbols",
      FOLDER,
    );
    expect(remote.resolved.addresses).toBe(demo(await symbols())?.addresses);
    expect(remote.addresses).toBeGreaterThan(remote.resolved.addresses);
  });
});
