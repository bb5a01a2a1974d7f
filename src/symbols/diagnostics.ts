/** Messages about files of symbols. */
import * as Fault from "../../assembly/abi/image-fault.ts";
import type { ElfKind } from "./reader.ts";

/** A finding, in the shape of other diagnostics. */
export interface SymbolDiagnostic {
  /** Stable name: `elf.…`, `dwarf.…` or `symbols.…`. */
  code: string;
  severity: "error" | "warning" | "info";
  message: string;
  /** Path of the file. */
  file: string;
}

/** A file that is no ELF file of a kind that can be read. */
export const KIND_WORDS: Record<Exclude<ElfKind, "elf">, [code: string, fact: string]> = {
  "not-elf": ["symbols.not-elf", "this is no ELF file"],
  "big-endian": ["elf.big-endian", "big-endian ELF files are not supported"],
  "mach-o": ["symbols.mach-o", "this is a Mach-O file of macOS; only ELF files are supported"],
  pe: ["symbols.pe", "this is a PE file of Windows; only ELF files are supported"],
  damaged: ["elf.header", "the header of this ELF file is damaged"],
};

export function kindDiagnostic(path: string, kind: Exclude<ElfKind, "elf">): SymbolDiagnostic {
  const [code, message] = KIND_WORDS[kind];
  return { code, severity: "warning", message, file: path };
}

const IMAGE_WORDS = [
  { bit: Fault.Segments, code: "elf.segments", message: "the table of segments is damaged or cut off" },
  { bit: Fault.Sections, code: "elf.sections", message: "the table of sections is damaged or cut off" },
  { bit: Fault.SectionData, code: "elf.section-data", message: "the data of a section is outside of the file" },
];
const USELESS_WORDS = [
  {
    bit: Fault.NotLinked,
    code: "elf.not-linked",
    message: "this is an object file or a kernel module, whose code has no addresses before it is linked or loaded",
  },
  { bit: Fault.CoreDump, code: "elf.core-dump", message: "this is a core dump, not a library or a program" },
];

/** Damage of an ELF file, or why it has no code, by its bits. */
export function imageDiagnostics(path: string, faults: number): SymbolDiagnostic[] {
  const damage = IMAGE_WORDS.map((row) => ({ ...row, message: `${row.message}; everything else was read` }));
  return [...USELESS_WORDS, ...damage]
    .filter(({ bit }) => (faults & bit) !== 0)
    .map(({ code, message }) => ({ code, severity: "warning", message, file: path }));
}

const DWARF_WORDS: Record<string, [code: string, message: string]> = {
  Units: ["dwarf.unit", "a unit of .debug_info is damaged; its functions are missing"],
  Lines: ["dwarf.lines", "a line table is damaged; some lines are missing"],
  Split: [
    "dwarf.split",
    "the debug information was split off into .dwo files, which are not read; inlined functions are missing",
  ],
  Alternate: [
    "dwarf.alternate",
    "dwz moved parts of the debug information to another file (.gnu_debugaltlink), which is not read; some names are missing",
  ],
  Ranges: ["dwarf.ranges", "a list of address ranges is damaged; some functions may be missing"],
  Aranges: ["dwarf.aranges", "the index of addresses (.debug_aranges) is damaged"],
  Version: ["dwarf.version", "a unit has an unknown version of DWARF; its functions and lines are missing"],
  Fuel: ["dwarf.effort", "the debug information refers to itself so often that not all of it was read"],
};

/** Findings about DWARF, by their names in assembly/abi/dwarf-fault.ts. */
export function dwarfDiagnostics(path: string, found: readonly string[]): SymbolDiagnostic[] {
  return found.flatMap((name) => {
    const words = DWARF_WORDS[name];
    return words === undefined ? [] : [{ code: words[0], severity: "warning" as const, message: words[1], file: path }];
  });
}

/** All codes, for docs/diagnostics.md. */
export const SYMBOL_DIAGNOSTICS: readonly { code: string; severity: SymbolDiagnostic["severity"]; about: string }[] = [
  { code: "symbols.unreadable", severity: "error", about: "a file or folder of symbols cannot be read" },
  {
    code: "symbols.checksum",
    severity: "warning",
    about: "a debug file has the name of `.gnu_debuglink`, but not its checksum",
  },
  ...Object.values(KIND_WORDS).map(([code, about]) => ({ code, severity: "warning" as const, about })),
  ...[...IMAGE_WORDS, ...USELESS_WORDS].map(({ code, message }) => ({
    code,
    severity: "warning" as const,
    about: message,
  })),
  { code: "elf.packed", severity: "warning", about: "a compressed section is damaged; what follows in it is missing" },
  ...Object.values(DWARF_WORDS).map(([code, about]) => ({ code, severity: "warning" as const, about })),
];

/** A packed section that cannot be unpacked to its end. */
export function packedDiagnostic(path: string, reason: string): SymbolDiagnostic {
  return {
    code: "elf.packed",
    severity: "warning",
    message: `a compressed section is damaged (${reason}); what follows in it is missing`,
    file: path,
  };
}
