/** `spanflame symbolize`: names, files and lines of addresses in a library. */

import { existsSync } from "node:fs";
import { basename } from "node:path";
import { text } from "node:stream/consumers";
import { ExitCode, UsageError } from "../../node/exit.ts";
import { findSymbolFiles, type SymbolFile } from "../../node/symbols/symbol-files.ts";
import { sayFindings } from "../../node/symbols/symbol-findings.ts";
import { symbolTools } from "../../node/symbols/symbol-tools.ts";
import { print, printJson, say } from "../../node/terminal.ts";
import type { CallOf } from "../../node/usage/commands.ts";
import { hasBuildId, isCompanion, isGoBuildId, plainBuildId } from "../../symbols/build-id.ts";
import type { SymbolFrame } from "../../symbols/chain.ts";
import { hasChecksum } from "../../symbols/debug-link.ts";
import { symbolDiagnostic } from "../../symbols/diagnostics.ts";
import { type FileSummary, Library, type Resolved, type SymbolTools } from "../../symbols/library.ts";

const ALL_BITS = 2n ** 64n;
/** Characters of a path, on every system. */
const LONGEST_MODULE = 4096;
const NO_FILE = "no file is named that may have the symbols: --symbols PATH, or --module FILE";

interface Module {
  buildId: string;
  files: SymbolFile[];
}

interface Result {
  address: string;
  lookup: string;
  frames: SymbolFrame[];
  why?: string;
}

export async function symbolize({ inputs, values }: CallOf<"symbolize">): Promise<ExitCode> {
  if (values.symbols === undefined && values.module === undefined) throw new UsageError(NO_FILE);
  const addresses = (await addressTexts(inputs)).map(addressOf);
  const wanted = values.module && plainBuildId(values.module);
  if (wanted !== undefined && wanted.length > LONGEST_MODULE)
    throw new UsageError(`--module: ${wanted.length} characters are no build id and no path`);
  const isPath = wanted !== undefined && existsSync(wanted);
  const isHex = /^([0-9a-f]{2})+$/i.test(wanted ?? "");
  if (wanted !== undefined && !isPath && !isHex && !isGoBuildId(wanted))
    throw new UsageError(`--module: ${JSON.stringify(wanted)} is neither a build id nor a file`);
  const tools = await symbolTools();
  const found = await findSymbolFiles([...(isPath ? [wanted] : []), ...(values.symbols ?? [])], tools.module);
  const module = isPath
    ? moduleOfPath(found.files, wanted)
    : moduleOfId(found.files, isHex ? wanted?.toLowerCase() : wanted);
  const library = await openLibrary(module, found.files, tools);
  try {
    const isThere = library.files.length > 0;
    const asked = addresses.map((address) => ({
      address,
      lookup: lookupOf(address, values.offsets === true ? library.base : 0n, values.return === true),
    }));
    const resolved = isThere ? await library.resolve(asked.map(({ lookup }) => lookup)) : new Map<bigint, Resolved>();
    const results = asked.map(({ address, lookup }): Result => {
      const { frames, why } = resolved.get(lookup) ?? { frames: [], why: "no-file" };
      return { address: hex(address), lookup: hex(lookup), frames, ...(frames.length === 0 && { why }) };
    });
    const diagnostics = [...found.diagnostics, ...library.diagnostics];
    if (values.json) {
      printJson({ module: moduleRecord(module, library.base, library.files), results, diagnostics });
    } else show(results, wanted === undefined || isPath ? "no file of symbols" : "no file of this build id");
    sayFindings(diagnostics);
    if (found.files.length === 0 && values.symbols === undefined && !isPath) say(`spanflame: ${NO_FILE}`);
    return results.some(({ frames }) => frames.length > 0) ? ExitCode.Done : ExitCode.Failed;
  } finally {
    await library.close();
  }
}

/** The operands; `-` reads them from standard input. */
async function addressTexts(inputs: readonly string[]): Promise<string[]> {
  const lists = await Promise.all(
    inputs.map(async (input) => (input === "-" ? (await text(process.stdin)).split(/\s+/).filter(Boolean) : [input])),
  );
  return lists.flat();
}

function addressOf(word: string): bigint {
  const isNumber = /^(?:0x[0-9a-f]{1,64}|\d{1,64})$/i.test(word);
  const value = isNumber ? BigInt(word) : -1n;
  if (value < 0n || value >= ALL_BITS) throw new UsageError(`${JSON.stringify(word)} is no address of 64 bits`);
  return value;
}

function lookupOf(address: bigint, base: bigint, isReturn: boolean): bigint {
  return BigInt.asUintN(64, address + base - (isReturn && address !== 0n ? 1n : 0n));
}

const hex = (value: bigint) => `0x${value.toString(16)}`;

/** The module of an id, or of the only id that the files have; without ids that of the only file. */
function moduleOfId(files: readonly SymbolFile[], wanted: string | undefined): Module {
  const elf = files.filter((file) => file.kind === "readable" && !isCompanion(file));
  const ids = [...new Set(elf.map(({ buildId }) => buildId).filter((id) => id !== ""))];
  if (wanted === undefined && ids.length > 1)
    throw new UsageError(`the files have ${ids.length} build ids; choose one with --module`);
  const buildId = wanted ?? ids[0];
  if (buildId !== undefined) return { buildId, files: elf.filter((file) => hasBuildId(file, buildId)) };
  if (elf.length > 1)
    throw new UsageError(`none of the ${elf.length} files has a build id; choose one with --module FILE`);
  return { buildId: "", files: elf };
}

/** The module of a file: all files with its build id; without one, itself. */
function moduleOfPath(files: readonly SymbolFile[], path: string): Module {
  const named = files.find((file) => file.path === path && file.kind === "readable");
  if (named === undefined) return { buildId: "", files: [] };
  if (named.buildId === "") return { buildId: "", files: [named] };
  const { buildId } = named;
  const others = files.filter((file) => file !== named && file.buildId === buildId && file.kind === "readable");
  return { buildId, files: [named, ...others.filter(({ path: other }) => other !== path)] };
}

async function openLibrary(module: Module, all: readonly SymbolFile[], tools: SymbolTools): Promise<Library> {
  const library = await Library.openAll(module.files, tools, all);
  if (module.buildId === "") await addLinked(library, all);
  return library;
}

/** Adds the debug file that .gnu_debuglink names, if one of the files has its name and its checksum. */
async function addLinked(library: Library, all: readonly SymbolFile[]): Promise<void> {
  const link = await library.debugLink();
  if (link === null) return;
  for (const file of all) {
    if (basename(file.path) !== link.name || file.kind !== "readable") continue;
    const { source, close } = await file.open();
    const isIt = await hasChecksum(source, link.crc).finally(close);
    if (isIt) return library.addClosed(file);
    const message = `its checksum is not the one of .gnu_debuglink (${hex(BigInt(link.crc))}); it was not used`;
    library.diagnostics.push(symbolDiagnostic(["symbols.checksum", message], file.path));
  }
}

function moduleRecord(module: Module, base: bigint, files: FileSummary[]): object {
  const name = basename(files[0]?.path.replace(/^.*!/, "") ?? "");
  return { buildId: module.buildId, name, base: hex(base), files };
}

/** As addr2line does: a line for each frame, an empty one after each address. */
function show(results: readonly Result[], noFile: string): void {
  for (const { address, frames, why } of results) {
    print(`${address}${frames.length === 0 ? `: ${WHY.get(why ?? "") ?? noFile}` : ""}`);
    frames.forEach((frame, i) => {
      const place = frame.file === "" ? "" : `  ${frame.file}${frame.line > 0 ? `:${frame.line}` : ""}`;
      print(`  ${frame.function}${place}${i < frames.length - 1 ? "  (inlined)" : ""}`);
    });
  }
}

const WHY: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "out-of-range": "outside of the library",
    "no-symbol": "no symbol",
  }),
);
