/** Names of native frames from files of symbols: ELF files, also in archives. Loaded when `open` has such files. */
import { isZip, MAGIC_SIZE } from "../../bytes/magic.ts";
import type { Core } from "../../core/core.ts";
import { SpanflameError } from "../../core/instance/error.ts";
import type { Input } from "../../input/open.ts";
import { HeldCore } from "../../requests/held-core.ts";
import { rememberNames } from "../../requests/symbols.ts";
import { elfEntries, piecesSource } from "../../symbols/archive.ts";
import { idsOf } from "../../symbols/build-id.ts";
import { Demangler } from "../../symbols/demangle.ts";
import { kindDiagnostic, type SymbolDiagnostic, symbolDiagnostic } from "../../symbols/diagnostics.ts";
import { identify } from "../../symbols/identify.ts";
import type { SymbolTools } from "../../symbols/library.ts";
import { type IdentifiedFile, nameCore } from "../../symbols/name-core.ts";
import { partOf } from "../../symbols/streams.ts";
import { universalParts } from "../../symbols/universal.ts";
import { bytesAt } from "../load-core.ts";

/** Names all frames of the core that are known by build id and address. */
export async function nameFrames(core: Core, given: readonly Input[]): Promise<void> {
  const tools = await symbolTools().catch((cause) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SpanflameError("core.load", `the reader of symbols cannot be loaded: ${reason}`, { cause });
  });
  const findings: SymbolDiagnostic[] = [];
  const files: IdentifiedFile[] = [];
  const unreadable = (path: string, reason: string) =>
    findings.push(symbolDiagnostic(["symbols.unreadable", reason], path, {}, "error"));
  const add = async ({ name: path, source }: Pick<Input, "name" | "source">, isPart = false) => {
    const parts = isPart ? [] : await universalParts(source);
    for (const { name, start, end } of parts)
      await add({ name: `${path}!${name}`, source: partOf(source, start, end - start) }, true);
    if (parts.length > 0) return;
    const image = await identify(tools.module, source);
    if (image.kind !== "readable") findings.push(kindDiagnostic(path, image.kind));
    else {
      const open = async () => ({ source, close: async () => {} });
      files.push({ path, ...idsOf(image), open });
    }
  };
  for (const input of given) {
    try {
      if (!isZip(await input.source.slice(0, MAGIC_SIZE))) await add(input);
      else {
        for await (const { name, pieces, fault } of elfEntries(input.source)) {
          const path = `${input.name}!${name}`;
          if (fault === null) await add({ name: path, source: piecesSource(pieces) });
          else unreadable(path, fault);
        }
      }
    } catch (error) {
      unreadable(input.name, error instanceof Error ? error.message : String(error));
    }
  }
  const names = await nameCore(new HeldCore(core).about(null, {}), files, tools);
  rememberNames(core, names);
  for (const { section: _, ...finding } of [...findings, ...names.diagnostics]) core.note({ ...finding, chunk: null });
}

/** The modules are beside those of the library. */
let loaded: Promise<SymbolTools> | null = null;

function symbolTools(): Promise<SymbolTools> {
  loaded ??= load().catch((error) => {
    loaded = null;
    throw error;
  });
  return loaded;
}

async function load(): Promise<SymbolTools> {
  const [reader, demangler] = await Promise.all([
    bytesAt(new URL("../symbols.wasm", import.meta.url)).then((bytes) => WebAssembly.compile(bytes)),
    bytesAt(new URL("../demangle.wasm.gz", import.meta.url)).then((bytes) => Demangler.createPacked(bytes)),
  ]);
  return { module: reader, readable: (linkage) => demangler.readable(linkage) };
}
