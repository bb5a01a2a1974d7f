/** Messages about files of symbols. */

import * as Section from "../../assembly/abi/elf-section.ts";
import * as Fault from "../../assembly/abi/faults/image-fault.ts";
import * as Damage from "../../assembly/abi/faults/section-fault.ts";
import type { ElfKind } from "./identify.ts";
import type { DwarfFault, Place } from "./reader.ts";

/** A finding, in the shape of other diagnostics. */
export interface SymbolDiagnostic {
  /** Stable name: `elf.…`, `dwarf.…` or `symbols.…`. */
  code: string;
  severity: "error" | "warning" | "info";
  message: string;
  /** Path of the file. */
  file: string;
  /** The section of the file; "" if it is about all of it. */
  section: string;
  /** Byte of the section, unpacked; of the file without a section. null if it is unknown. */
  offset: number | null;
}

/** `DebugLineStr` is `.debug_line_str`. Tables of symbols are known by their type, and nearly always named so. */
const SECTION_NAMES: Record<number, string> = Object.fromEntries(
  Object.entries(Section).map(([key, number]) => [
    number,
    `.${key.replace(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()}`,
  ]),
);

/** Name of a section by its number; "" for the file itself. */
export function sectionName(section: number): string {
  return section === Section.File ? "" : (SECTION_NAMES[section] ?? "");
}

type Where = { section?: string; offset?: number };

/** A finding about a file or about a section of it, which its message names, too. */
export function symbolDiagnostic(
  [code, message]: readonly [code: string, message: string],
  file: string,
  { section = "", offset }: Where = {},
  severity: SymbolDiagnostic["severity"] = "warning",
): SymbolDiagnostic {
  const place = section + (offset === undefined || section === "" ? "" : `, byte ${offset}`);
  return {
    code,
    severity,
    message: place === "" ? message : `${place}: ${message}`,
    file,
    section,
    offset: offset ?? null,
  };
}

type Words = readonly [code: string, message: string];

/** A file that is of no kind that can be read. */
const KIND_WORDS: Record<Exclude<ElfKind, "readable">, Words> = {
  "not-elf": ["symbols.not-elf", "this is neither an ELF nor a Mach-O file"],
  "big-endian": ["elf.big-endian", "big-endian files are not supported"],
  universal: ["symbols.universal", "this universal binary has no part that can be read"],
  pe: ["symbols.pe", "this is a PE file of Windows; only ELF and Mach-O files are supported"],
  damaged: ["elf.header", "the header of this ELF file is damaged"],
};

export function kindDiagnostic(path: string, kind: Exclude<ElfKind, "readable">, where: Where = {}): SymbolDiagnostic {
  return symbolDiagnostic(KIND_WORDS[kind], path, where);
}

interface Row {
  bit: number;
  words: Words;
}

const READ_ON = "; everything else was read";
const IMAGE_WORDS: readonly Row[] = [
  {
    bit: Fault.NotLinked,
    words: [
      "elf.not-linked",
      "this is an object file or a kernel module, whose code has no addresses before it is linked or loaded",
    ],
  },
  { bit: Fault.CoreDump, words: ["elf.core-dump", "this is a core dump, not a library or a program"] },
  { bit: Fault.Segments, words: ["elf.segments", `the table of segments is damaged or cut off${READ_ON}`] },
  { bit: Fault.Sections, words: ["elf.sections", `the table of sections is damaged or cut off${READ_ON}`] },
  {
    bit: Fault.SectionNames,
    words: ["elf.section-names", `the names of sections are outside of the file or of its table${READ_ON}`],
  },
  { bit: Fault.Empty, words: ["elf.empty", "the file has a header, but no segments and no sections"] },
];
const SECTION_WORDS: readonly Row[] = [
  { bit: Damage.Outside, words: ["elf.section-data", `the data of the section is outside of the file${READ_ON}`] },
  {
    bit: Damage.Claim,
    words: [
      "elf.section-size",
      "the section states more bytes than its packed ones can have; the stated rest is missing",
    ],
  },
  { bit: Damage.Packing, words: ["elf.packing", "the section is packed in an unknown way; it was not read"] },
  {
    bit: Damage.Nameless,
    words: ["elf.symbol-names", "names of symbols are outside of their table; they are missing"],
  },
  { bit: Damage.Empty, words: ["elf.packed-empty", "the section is packed, but states that it has no bytes"] },
];

/** Damage of an ELF file, or why it has no code, by its bits. `section`: the one that contains this file. */
export function imageDiagnostics(path: string, faults: number, where: Where = {}): SymbolDiagnostic[] {
  return IMAGE_WORDS.filter(({ bit }) => (faults & bit) !== 0).map(({ words }) => symbolDiagnostic(words, path, where));
}

/** Damage of sections; `offset` is where a section is in the file. */
export function sectionDiagnostics(path: string, damaged: readonly (Place & { faults: number })[]): SymbolDiagnostic[] {
  return damaged.flatMap(({ section, faults, offset }) =>
    SECTION_WORDS.filter(({ bit }) => (faults & bit) !== 0).map(({ words: [code, message] }) =>
      symbolDiagnostic([code, `${message} (at byte ${offset} of the file)`], path, { section: sectionName(section) }),
    ),
  );
}

const DWARF_WORDS: Record<DwarfFault, Words> = {
  Units: ["dwarf.unit", "a unit of .debug_info is damaged; its functions are missing"],
  Lines: ["dwarf.lines", "a line table is damaged; some lines are missing"],
  Alternate: [
    "dwarf.alternate",
    "parts of the debug information are in a file that is missing or damaged; some names are missing",
  ],
  Ranges: ["dwarf.ranges", "a list of address ranges is damaged; some functions may be missing"],
  Aranges: ["dwarf.aranges", "the index of addresses (.debug_aranges) is damaged"],
  Version: ["dwarf.version", "a unit has an unknown version of DWARF; its functions and lines are missing"],
  Fuel: ["dwarf.effort", "the debug information refers to itself so often that not all of it was read"],
  Abbreviations: ["dwarf.abbreviations", "a list of abbreviations is damaged; entries that need it are missing"],
  Texts: ["dwarf.texts", "a name is outside of the section; some names are missing"],
};

/** Functions of `units` units are in files that are missing. */
export function splitDiagnostic(path: string, file: string, units: number): SymbolDiagnostic {
  const which = units === 1 ? `a unit is in ${file}` : `${units} units is in other files, such as ${file}`;
  const message = `the debug information of ${which}, which is not here; its inlined functions are missing`;
  return symbolDiagnostic(["dwarf.split", message], path, { section: ".debug_info" });
}

/** dwz moved parts to a file that is missing. */
export function alternateDiagnostic(
  path: string,
  section: string,
  { name, id }: { name: string; id: string },
): SymbolDiagnostic {
  const message = `dwz moved parts of the debug information to ${name} (${id}), which is not here; some names are missing`;
  return symbolDiagnostic(["dwarf.alternate", message], path, { section });
}

/** Findings about DWARF, by their names in assembly/abi/faults/dwarf-fault.ts. */
export function dwarfDiagnostics(
  path: string,
  found: readonly { fault: DwarfFault; section: number; offset?: number }[],
): SymbolDiagnostic[] {
  return found.map(({ fault, section, offset }) =>
    symbolDiagnostic(DWARF_WORDS[fault], path, {
      section: sectionName(section),
      ...(offset !== undefined && { offset }),
    }),
  );
}

/** All codes, for docs/diagnostics.md. */
export const SYMBOL_DIAGNOSTICS: readonly { code: string; severity: SymbolDiagnostic["severity"]; about: string }[] = [
  { code: "symbols.unreadable", severity: "error", about: "a file or folder of symbols cannot be read" },
  {
    code: "symbols.checksum",
    severity: "warning",
    about: "a debug file has the name of `.gnu_debuglink`, but not its checksum",
  },
  { code: "symbols.fetch", severity: "warning", about: "a server of `--fetch` does not give the file of a library" },
  { code: "symbols.left-out", severity: "warning", about: "too many files have the same build id" },
  ...[
    ...Object.values(KIND_WORDS),
    ...[...IMAGE_WORDS, ...SECTION_WORDS].map(({ words }) => words),
    ["elf.packed", "a compressed section is damaged; what follows in it is missing"] as const,
    ["dwarf.split", "functions of units are in a `.dwo` file that is missing"] as const,
    ["elf.debug-link", "the section `.gnu_debuglink` is damaged"] as const,
    ...Object.values(DWARF_WORDS),
  ].map(([code, about]) => ({ code, severity: "warning" as const, about: about.replace(READ_ON, "") })),
];

/** A packed section that cannot be unpacked to its end, or whose size lies. */
export function packedDiagnostic(path: string, section: string, reason: string, offset?: number): SymbolDiagnostic {
  const words = ["elf.packed", `the compressed section is damaged (${reason}); what follows in it is missing`] as const;
  return symbolDiagnostic(words, path, { section, ...(offset !== undefined && { offset }) });
}
