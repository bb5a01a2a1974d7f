/** Frames of an answer: names, files and lines of what the reader knows of an address. */
import type { SymbolLine } from "../core/answers/symbols.ts";
import type { Lookup, RawFrame } from "./reader.ts";

/** A function at an address. */
export type SymbolFrame = SymbolLine;

/** Frames of a chain that are kept, the innermost. */
const MOST_FRAMES = 64;
/** Characters of a name that reach an answer. */
const LONGEST_NAME = 4096;

/** The chain of an address: inlined functions, then the function that its code is in. */
export function chainOf(lookup: Lookup, readable: (linkage: string) => string): SymbolFrame[] {
  const frames = lookup.frames.slice(0, MOST_FRAMES);
  const isWhole = frames.length === lookup.frames.length;
  const chain = frames.map((raw, i) => {
    const isOutermost = isWhole && i === frames.length - 1;
    const linkage = (isOutermost ? symbolOf(lookup, raw) : "") || raw.linkage;
    if (linkage !== "") return frameOf(linkage, raw, readable);
    const frame = frameOf(raw.name, raw, readable);
    // Lines alone know no name, and names may be damaged.
    if (frame.function === "") frame.function = `0x${lookup.address.toString(16)}`;
    return raw.scope === "" ? frame : { ...frame, function: `${raw.scope}::${frame.function}`.slice(0, LONGEST_NAME) };
  });
  const [symbol] = lookup.symbols;
  if (chain.length > 0 || symbol === undefined) return chain;
  return [frameOf(symbol, NO_PLACE, readable)];
}

const NO_PLACE = { base: "", folder: "", file: "", line: 0, column: 0 };

/** The symbol that names the outermost function: of several at one start, the one that DWARF names. */
function symbolOf({ symbols }: Lookup, raw: RawFrame): string {
  return symbols.find((name) => name === raw.linkage || name === raw.name) ?? symbols[0] ?? "";
}

function frameOf(linkage: string, place: typeof NO_PLACE, readable: (linkage: string) => string): SymbolFrame {
  const name = linkage.slice(0, LONGEST_NAME);
  return {
    function: readable(name) || name,
    linkageName: name,
    file: pathOf(place).slice(0, LONGEST_NAME),
    line: place.line,
    column: place.column,
  };
}

const isAbsolute = (path: string) => path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path);

/** The parts joined; an absolute part ends those before it. */
function pathOf({ base, folder, file }: Pick<RawFrame, "base" | "folder" | "file">): string {
  if (file === "" || isAbsolute(file)) return file;
  const parts = isAbsolute(folder) ? [folder, file] : [base, folder, file];
  return parts
    .filter((part) => part !== "")
    .join("/")
    .replace(/\/\/+/g, "/");
}
