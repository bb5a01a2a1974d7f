/**
 * What a recording says of the process that wrote it. The core keeps the values of the fields named here and nothing
 * else: arguments, environment and all other properties stay in the file.
 */

/** Fields of an event to keep; with `names`, `fields` is [name, value] and only rows of these names are kept. */
export interface FactRow {
  event: string;
  fields: string[];
  names?: string[];
}

export const FACTS: FactRow[] = [
  { event: "jdk.JVMInformation", fields: ["jvmName", "jvmVersion", "jvmStartTime", "pid"] },
  { event: "jdk.OSInformation", fields: ["osVersion"] },
  {
    event: "jdk.InitialSystemProperty",
    fields: ["key", "value"],
    names: ["java.runtime.name", "java.runtime.version", "java.vm.vendor", "java.vm.name", "os.name", "os.arch"],
  },
  { event: "datadog.ProfilerSetting", fields: ["name", "value"], names: ["service", "host", "runtime-id"] },
];

/**
 * One value kept: `name` is the field, or the row's name where the event is a list of names and values. Without an event it
 * is a resource attribute of a message.
 */
export interface Fact {
  event: string;
  name: string;
  value: string;
}

/** The JDK writes /etc/os-release and uname together, native profilers uname alone. */
function systemOf(version: string): string {
  const pretty = /^PRETTY_NAME="?([^"\n]*)"?$/m.exec(version)?.[1];
  return pretty ?? (version.split("\n", 1)[0] ?? "").replace(/^uname:/, "").trim();
}

/** The facts as OTLP resource attributes (semantic conventions 1.44), empty ones left out. The first value of each counts. */
export function resourceOf(facts: readonly Fact[]): Record<string, string> {
  const get = (event: string, name: string) =>
    facts.find((fact) => fact.event === event && fact.name === name && fact.value !== "")?.value ?? "";
  const jvm = (name: string) => get("jdk.JVMInformation", name);
  const property = (name: string) => get("jdk.InitialSystemProperty", name);
  const setting = (name: string) => get("datadog.ProfilerSetting", name);
  const version = jvm("jvmVersion");
  const resource = {
    "service.name": setting("service"),
    "service.instance.id": setting("runtime-id"),
    "host.name": setting("host"),
    "host.arch": property("os.arch"),
    "os.description": systemOf(get("jdk.OSInformation", "osVersion")),
    "process.pid": jvm("pid"),
    "process.runtime.name": property("java.runtime.name") || jvm("jvmName") || property("java.vm.name"),
    "process.runtime.version": property("java.runtime.version") || (/\(([^)]+)\)/.exec(version)?.[1] ?? version),
    "process.runtime.description": version,
  };
  const said = facts.filter(({ event }) => event === "").map(({ name, value }) => [name, value] as const);
  const derived = Object.entries(resource).filter(([, value]) => value !== "");
  // Of several messages the first one counts.
  return Object.fromEntries([...derived, ...said.reverse()]);
}
