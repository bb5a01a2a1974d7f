/** Names of symbols for locations that are known by their address: the store keeps them beside its rows. */
import type { Access } from "../instance/access.ts";

/** A frame at an address. Texts are "" and numbers 0 where unknown. */
export interface SymbolLine {
  /** Readable name. */
  function: string;
  /** Name in the file. */
  linkageName: string;
  file: string;
  line: number;
  column: number;
}

/** What symbols say of a location. */
export interface NamedLocation {
  /** Row of the store (`AddressedPlace.location`). */
  location: number;
  /** Address of an offset 0 in the library's file. */
  base: bigint;
  /** Innermost first; empty if the files have no name for the address. */
  frames: readonly SymbolLine[];
}

/** Names these locations, and no others from now on. */
export function nameLocations(core: Access, named: Iterable<NamedLocation>): void {
  const { wasm } = core;
  const strings = new Map<string, number>([["", 0]]);
  const functions = new Map<string, number>();
  const encoder = new TextEncoder();
  const stringOf = (text: string) => {
    const known = strings.get(text);
    if (known !== undefined) return known;
    const row = core.lend(encoder.encode(text), (p, n) => wasm.symbolText(p, n));
    strings.set(text, row);
    return row;
  };
  const functionOf = (frame: SymbolLine) => {
    const key = `${frame.function}\0${frame.linkageName}\0${frame.file}`;
    const known = functions.get(key);
    if (known !== undefined) return known;
    const row = wasm.symbolFunction(stringOf(frame.function), stringOf(frame.linkageName), stringOf(frame.file));
    functions.set(key, row);
    return row;
  };
  wasm.clearSymbols();
  for (const { location, base, frames } of named) {
    const rows = frames.map((frame) => [functionOf(frame), frame.line, frame.column] as const);
    wasm.beginSymbol(base);
    for (const [fn, line, column] of rows) wasm.symbolLine(fn, line, column);
    wasm.endSymbol(location);
  }
  wasm.renewFrames();
}
