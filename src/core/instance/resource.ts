/**
 * Facts of the process that wrote a recording, as resource attributes. The core keeps only the values of the fields
 * named here: arguments, environment and all other properties stay in the file.
 */

import * as FactRowAbi from "../../../assembly/abi/rows/fact-row.ts";
import { Numbered } from "../../bytes/numbered.ts";
import type { AttributeValue, FileFormat, Resource } from "../types.ts";
import { anyValueText } from "./any-value.ts";
import type { Instance } from "./instance.ts";

/**
 * Fields of an event to keep; with `names`, `fields` is [name, value] and only rows of these names (`*`: any) are kept.
 */
export interface FactRow {
  event: string;
  fields: string[];
  names?: string[];
}

/** Counters that ddprof writes about itself at the end of a chunk. */
const COUNTERS = "datadog.ProfilerCounter";

export const FACTS: FactRow[] = [
  { event: "jdk.JVMInformation", fields: ["jvmName", "jvmVersion", "jvmStartTime", "pid"] },
  { event: "jdk.OSInformation", fields: ["osVersion"] },
  {
    event: "jdk.InitialSystemProperty",
    fields: ["key", "value"],
    names: [
      "java.runtime.name",
      "java.runtime.version",
      "java.vm.vendor",
      "java.vm.name",
      "os.name",
      "os.arch",
      "dd.service",
      "otel.service.name",
    ],
  },
  { event: "datadog.ProfilerSetting", fields: ["name", "value"], names: ["service", "host", "runtime-id"] },
  { event: COUNTERS, fields: ["name", "count"], names: ["*"] },
];

/**
 * One value kept: `name` is the field, or the row's name where the event is a list of names and values. Without an
 * event it is a resource attribute of a message.
 */
export interface Fact {
  event: string;
  name: string;
  value: string;
  /** Of a message: the value with its type. */
  typed?: AttributeValue;
}

/** The JDK writes /etc/os-release and uname together, native profilers uname alone. */
function systemOf(version: string): string {
  const pretty = /^PRETTY_NAME="?([^"\n]*)"?$/m.exec(version)?.[1];
  return pretty ?? (version.split("\n", 1)[0] ?? "").replace(/^uname:/, "").trim();
}

/**
 * The facts as OTLP resource attributes (semantic conventions 1.44), empty ones left out. The first value of each
 * counts.
 */
export function resourceOf(facts: readonly Fact[]): Record<string, string> {
  const get = (event: string, name: string) =>
    facts.find((fact) => fact.event === event && fact.name === name && fact.value !== "")?.value ?? "";
  const jvm = (name: string) => get("jdk.JVMInformation", name);
  const property = (name: string) => get("jdk.InitialSystemProperty", name);
  const setting = (name: string) => get("datadog.ProfilerSetting", name);
  const version = jvm("jvmVersion");
  const resource = {
    "service.name": setting("service") || property("dd.service") || property("otel.service.name"),
    "service.instance.id": setting("runtime-id"),
    "host.name": setting("host"),
    "host.arch": property("os.arch"),
    "os.description": systemOf(get("jdk.OSInformation", "osVersion")),
    "process.pid": jvm("pid"),
    "process.runtime.name": property("java.runtime.name") || jvm("jvmName") || property("java.vm.name"),
    "process.runtime.version": property("java.runtime.version") || (/\(([^)]+)\)/.exec(version)?.[1] ?? version),
    "process.runtime.description": version,
  };
  const derived = Object.entries(resource).filter(([, value]) => value !== "");
  const said = Object.entries(saidResource(facts)).map(([key, value]) => [key, textOf(value)] as const);
  return Object.fromEntries([...derived, ...said]);
}

/** The last value of each counter of the profiler, by name, without those that are 0; undefined if there is none. */
export function countersOf(facts: readonly Fact[]): Record<string, number> | undefined {
  const counters = facts
    .filter(({ event }) => event === COUNTERS)
    .map(({ name, value }) => [name, Number(value)] as const);
  return counters.length === 0 ? undefined : Object.fromEntries(counters);
}

/** The start of the JVM, which tells processes of one number apart; "" if it is not known. */
function startOf(facts: readonly Fact[]): string {
  return facts.find(({ event, name }) => event === "jdk.JVMInformation" && name === "jvmStartTime")?.value ?? "";
}

/** The process of each file, counted from 1. A file that states no process number and start is a separate process. */
export class Processes {
  private readonly instance: Instance;
  private readonly known = new Numbered<string>();

  constructor(instance: Instance) {
    this.instance = instance;
  }

  numberOf(file: number): number {
    const [facts = []] = factsOf(this.instance, file, (event) => event === "jdk.JVMInformation");
    const pid = facts.find(({ name }) => name === "pid")?.value ?? "";
    const start = startOf(facts);
    return 1 + this.known.of(pid === "" || start === "" ? `file ${file}` : `${pid} ${start}`);
  }
}

/**
 * The attributes of a file with those that an upload states about it. The recording knows its process and its runtime
 * better than the tags of the upload do.
 */
export function statedResource(recorded: Record<string, string>, stated: Record<string, string>) {
  const process = Object.entries(recorded).filter(([key]) => key.startsWith("process."));
  return { ...recorded, ...stated, ...Object.fromEntries(process) };
}

/** Attributes that messages state, with their types; if several messages differ, the first one counts. */
function saidResource(facts: readonly Fact[]): Resource {
  const said = new Map<string, AttributeValue>();
  for (const { event, name, typed } of facts) {
    if (event === "" && typed !== undefined && !said.has(name)) said.set(name, typed);
  }
  return Object.fromEntries(said);
}

/** Attributes of the Resource of a file, and the start of its JVM, "" if it is not known. */
export interface FileFacts {
  format: FileFormat;
  resource: Resource;
  started: string;
}

/** Attributes have types if the file states them. */
export function factsOfFile(format: FileFormat, resource: Resource, facts: readonly Fact[]): FileFacts {
  return { format, resource: { ...resource, ...saidResource(facts) }, started: startOf(facts) };
}

function textOf(value: AttributeValue): string {
  return value instanceof Uint8Array ? anyValueText(value) : String(value);
}

/** Default if no recording states it: semantic conventions 1.44, "service". */
const UNKNOWN_SERVICE = "unknown_service:java";
/** Attributes whose values are integers. */
const INTEGERS = new Set(["process.pid"]);

/**
 * The Resource of a message: the attributes that all files share, then `overrides`; an empty text removes an attribute.
 */
export function messageResource(
  files: readonly { format: FileFormat; resource: Resource }[],
  overrides: Resource,
): Resource {
  const shared = sharedOf(files.map(({ resource }) => resource).filter((said) => Object.keys(said).length > 0));
  // Attributes that other producers leave out stay absent.
  const open: Resource = files.every(({ format }) => format === "jfr")
    ? { "service.name": UNKNOWN_SERVICE, "telemetry.sdk.language": "java" }
    : {};
  const said: Resource = {
    ...open,
    ...Object.fromEntries(shared),
    ...overrides,
  };
  const typed = Object.entries(said).map(([key, value]): [string, AttributeValue] => [key, typedValue(key, value)]);
  return Object.fromEntries(typed.filter(([, value]) => value !== ""));
}

/** The attributes that all of these have with one value. */
export function sharedOf([first = {}, ...others]: readonly Resource[]): [string, Resource[string]][] {
  return Object.entries(first).filter(([key, value]) => others.every((other) => isSame(other[key], value)));
}

export function isSame(a: AttributeValue | undefined, b: AttributeValue): boolean {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return a.length === b.length && a.every((v, i) => v === b[i]);
  return a === b;
}

function typedValue(key: string, value: AttributeValue): AttributeValue {
  return typeof value === "string" && INTEGERS.has(key) && /^\d{1,18}$/.test(value) ? BigInt(value) : value;
}

/** For each file from number `first` on, of the events that are asked for; other texts are not decoded. */
export function factsOf(instance: Instance, first: number, isAsked = (_event: string) => true): Fact[][] {
  const { wasm, memory, opened } = instance;
  const facts: Fact[][] = instance.files.slice(first).map(() => []);
  const at = wasm.factRows();
  const chunkOf = (i: number) => opened[memory.u32(at + FactRowAbi.BYTES * i + FactRowAbi.CHUNK) - 1];
  const count = wasm.factCount();
  let i = count;
  // In the order of the files, which may be many.
  while (i > 1 && (chunkOf(i - 1)?.file ?? first) >= first) i--;
  for (; i < count; i++) {
    const p = at + FactRowAbi.BYTES * i;
    const chunk = chunkOf(i);
    const event = instance.string(memory.u32(p + FactRowAbi.EVENT));
    if (chunk === undefined || !isAsked(event)) continue;
    facts[chunk.file - first]?.push({
      event,
      name: instance.string(memory.u32(p + FactRowAbi.NAME)),
      value: instance.label(memory.u32(p + FactRowAbi.VALUE)),
      typed: instance.value(memory.u32(p + FactRowAbi.VALUE)),
    });
  }
  return facts;
}
