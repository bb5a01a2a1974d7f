/** The tables of an OTLP message that is made from another format: each entry once, element 0 of each empty. */
import { Numbered } from "../bytes/numbered.ts";
import type { WireWriter } from "../bytes/wire-writer.ts";
import { TAGS } from "./tags.ts";

/** A frame of a stack. A frame without a name has an address in a file. */
export interface MadeFrame {
  name: string;
  file?: string | undefined;
  startLine?: number | undefined;
  line?: number | undefined;
  column?: number | undefined;
  /** `profile.frame.type`. */
  type?: string | undefined;
  /** The library, in which `address` is. */
  library?: { file: string; buildId: string } | undefined;
  address?: bigint | undefined;
}

type Value = string | bigint;

export class Dictionary {
  readonly strings = new Numbered("");
  private readonly functions = new Numbered<string, readonly [name: number, file: number, line: number]>("", [0, 0, 0]);
  private readonly mappings = new Numbered<string, readonly [file: number, set: readonly number[]]>("", [0, []]);
  private readonly locations = new Numbered<string, MadeLocation>("", { line: [0, 0, 0], mapping: 0, set: [] });
  private readonly stacks = new Numbered<string, readonly number[]>("", []);
  private readonly links = new Numbered<string, readonly [root: bigint, span: bigint]>("", [0n, 0n]);
  private readonly attributes = new Numbered<string, readonly [key: number, value: Value]>("", [0, ""]);
  /** Frames of all stacks. */
  frames = 0;

  location({
    name,
    file = "",
    startLine = 0,
    line = 0,
    column = 0,
    type = "",
    library,
    address = 0n,
  }: MadeFrame): number {
    const mapping = library === undefined ? 0 : this.mapping(library);
    const fn = name === "" && file === "" ? 0 : this.function(name, file, startLine);
    const set = type === "" ? [] : [this.attribute("profile.frame.type", type)];
    return this.locations.of(`${fn} ${line} ${column} ${mapping} ${address} ${set}`, () => ({
      ...{ line: [fn, line, column], mapping, set },
      ...(address !== 0n && { address }),
    }));
  }

  private function(name: string, file: string, line: number): number {
    const row = [this.strings.of(name), this.strings.of(file), line] as const;
    return this.functions.of(row.join(" "), () => row);
  }

  private mapping({ file, buildId }: { file: string; buildId: string }): number {
    const set = buildId === "" ? [] : [this.attribute("process.executable.build_id.gnu", buildId)];
    return this.mappings.of(`${file} ${set}`, () => [this.strings.of(file), set]);
  }

  /** Locations, leaf first. Stacks with equal keys are one. */
  stack(key: string, make: () => readonly number[]): number {
    return this.stacks.of(key, () => {
      const locations = make();
      this.frames += locations.length;
      return locations;
    });
  }

  /** A location below those of another stack. */
  below(above: number, location: number): number {
    return this.stack(`${above} ${location}`, () => [location, ...(this.stacks.list[above] ?? [])]);
  }

  /** Without the id of the trace, a link has the local root in its place. */
  link(root: bigint, span: bigint): number {
    return this.links.of(`${root} ${span}`, () => [root, span]);
  }

  attribute(key: string, value: Value): number {
    const index = this.strings.of(key);
    return this.attributes.of(`${index} ${typeof value} ${value}`, () => [index, value]);
  }

  write(out: WireWriter): void {
    const { Function: Named, Link, Mapping, ProfilesDictionary: Tables, Stack } = TAGS;
    for (const [file, set] of this.mappings.list) {
      out.message(Tables.mapping_table, () => {
        out.field(Mapping.filename_strindex, file);
        out.packed(Mapping.attribute_indices, set);
      });
    }
    for (const [name, file, line] of this.functions.list) {
      out.message(Tables.function_table, () => {
        out.field(Named.name_strindex, name);
        out.field(Named.filename_strindex, file);
        out.field(Named.start_line, line);
      });
    }
    for (const location of this.locations.list) out.message(Tables.location_table, () => writeLocation(out, location));
    for (const [root, span] of this.links.list) {
      out.message(Tables.link_table, () => {
        if (span === 0n) return;
        out.message(Link.trace_id, () => bigEndian(out, 0n, root));
        out.message(Link.span_id, () => bigEndian(out, span));
      });
    }
    for (const text of this.strings.list) out.text(Tables.string_table, text);
    for (const [key, value] of this.attributes.list)
      out.message(Tables.attribute_table, () => writeAttribute(out, key, value));
    for (const locations of this.stacks.list) {
      out.message(Tables.stack_table, () => out.packed(Stack.location_indices, locations));
    }
  }
}

interface MadeLocation {
  line: readonly [fn: number, line: number, column: number];
  mapping: number;
  set: readonly number[];
  address?: bigint;
}

function writeLocation(out: WireWriter, { line: [fn, line, column], mapping, set, address }: MadeLocation): void {
  const { Line, Location } = TAGS;
  out.field(Location.mapping_index, mapping);
  if (address !== undefined) out.number(Location.address, address);
  if (fn !== 0)
    out.message(Location.lines, () => {
      out.field(Line.function_index, fn);
      out.field(Line.line, line);
      out.field(Line.column, column);
    });
  out.packed(Location.attribute_indices, set);
}

function writeAttribute(out: WireWriter, key: number, value: Value): void {
  const { AnyValue, KeyValueAndUnit } = TAGS;
  out.field(KeyValueAndUnit.key_strindex, key);
  if (key === 0) return;
  out.message(KeyValueAndUnit.value, () => {
    if (typeof value === "string") out.text(AnyValue.string_value, value);
    else out.number(AnyValue.int_value, value);
  });
}

function bigEndian(out: WireWriter, ...words: readonly bigint[]): void {
  for (const word of words) for (let shift = 56n; shift >= 0n; shift -= 8n) out.byte(Number((word >> shift) & 0xffn));
}
