/** What samples a recording does give: through the core, written as OTLP and decoded by the tests' own reader. */
import { readFile } from "node:fs/promises";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { Core } from "../../../src/core/core.ts";
import { PROFILES, type ProfileRow } from "../../../src/core/tables/catalogue.ts";
import type { ExtraEvent } from "../../../src/core/types.ts";
import { readInputs } from "../../../src/input/open.ts";
import { type Dictionary, type Profile, readOtlp, scalarOf } from "../../kit/otlp/otlp-schema.ts";
import { frameText, threadText } from "./expected.ts";
import { attributesText, type Row, type Scalar, type Stacks } from "./rows.ts";

/**
 * Profiles of one core beside those of the catalogue: rows are numbered in a byte, and some of ours have two events.
 */
export const EXTRAS = 200;

/** Said once for the recording or of each sample; not of the event. */
const OURS = new Set(["profile.type", "jfr.event"]);

let module: Promise<WebAssembly.Module> | undefined;

function compiled(): Promise<WebAssembly.Module> {
  const wasm = readFile(new URL("../../../build/core.wasm", import.meta.url));
  module ??= wasm.then((bytes) => WebAssembly.compile(new Uint8Array(bytes)));
  return module;
}

/** A core that has read the recording, with profiles for these events beside the catalogue's. */
export async function coreWith(recording: Uint8Array, extra: ExtraEvent[]): Promise<Core> {
  const core = await Core.instantiate(await compiled(), extra);
  await readInputs(core, [{ name: "every.jfr", source: bytesSource(recording) }]);
  return core;
}

export interface Found {
  /** As in OTLP. */
  type: string;
  unit: string;
  rows: Row[];
}

/**
 * The profile of a row of the catalogue (or of an extra event, after them) by one of its measures; none: no samples.
 */
export function foundIn(core: Core, profile: number, measure: number, stacks: Stacks): Found {
  const data = readOtlp(core.write(profile, {}, { format: "otlp", measure }).bytes);
  const written = data.resourceProfiles.flatMap((each) => each.scopeProfiles.flatMap(({ profiles }) => profiles));
  if (written.length > 1) throw new Error(`${written.length} profiles where one was asked for`);
  if (written[0] === undefined || data.dictionary === null) return { type: "", unit: "", rows: [] };
  return new Message(data.dictionary, stacks).read(written[0]);
}

export const catalogueRows: readonly ProfileRow[] = PROFILES;

class Message {
  private readonly dictionary: Dictionary;
  private readonly stacks: Stacks;
  private readonly known = new Map<number, number>();

  constructor(dictionary: Dictionary, stacks: Stacks) {
    this.dictionary = dictionary;
    this.stacks = stacks;
  }

  read({ sampleType, samples }: Profile): Found {
    const rows = samples.flatMap(({ stackIndex, linkIndex, attributeIndices, values, timestampsUnixNano }) => {
      const all = this.attributes(attributeIndices);
      const { "thread.name": name, "thread.id": id, "span.id": span, "local_root_span.id": root, ...attributes } = all;
      const same = {
        thread: threadText(name as string | undefined, id as bigint | undefined),
        stack: this.stack(stackIndex),
        link: this.link(linkIndex, span, root),
        attributes: attributesText(attributes),
      };
      return values.map((value, i) => ({ ...same, value, time: timestampsUnixNano[i]! }));
    });
    return { type: this.text(sampleType?.typeStrindex), unit: this.text(sampleType?.unitStrindex), rows };
  }

  private text(index = 0): string {
    return this.dictionary.stringTable[index]!;
  }

  private attributes(indices: number[]): Record<string, Scalar> {
    const attributes: Record<string, Scalar> = {};
    for (const index of indices) {
      const { keyStrindex, value } = this.dictionary.attributeTable[index]!;
      const key = this.text(keyStrindex);
      if (!OURS.has(key)) attributes[key] = scalarOf(value)!;
    }
    return attributes;
  }

  /** `root span`; a lone id is an attribute instead of a link. */
  private link(index: number, span: Scalar | undefined, root: Scalar | undefined): string {
    const { traceId, spanId } = this.dictionary.linkTable[index]!;
    const none = "0".repeat(16);
    if (index !== 0) return `${traceId.slice(16)} ${spanId}`;
    return `${root ?? none} ${span ?? none}`;
  }

  private stack(index: number): number {
    let id = this.known.get(index);
    if (id === undefined) {
      id = this.stacks.idOf(this.dictionary.stackTable[index]!.locationIndices.map((i) => this.frame(i)));
      this.known.set(index, id);
    }
    return id;
  }

  private frame(index: number): string {
    const { lines, attributeIndices } = this.dictionary.locationTable[index]!;
    const { functionIndex, line } = lines[0]!;
    const { nameStrindex, systemNameStrindex } = this.dictionary.functionTable[functionIndex]!;
    const text = frameText(this.text(nameStrindex), line, this.text(systemNameStrindex));
    // All that a JDK records runs in the JVM, except the mark above a truncated stack.
    const type = this.attributes(attributeIndices)["profile.frame.type"];
    const expected = text.startsWith("[truncated]") ? "abort-marker" : "jvm";
    return type === expected ? text : `${text} of type ${type}`;
  }
}
