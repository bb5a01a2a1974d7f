/** A recording of the project's workload with every event of the JDK, made in a folder that goes away with it. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Jdk, run } from "./jdk.ts";

const WORKLOAD = fileURLToPath(new URL("../../../fixtures/workload/", import.meta.url));

/** What belongs to the machine and not to the workload: other processes, the environment, the system's settings. */
const NOT_OURS = /^jdk\.(Initial(EnvironmentVariable|SystemProperty|SecurityProperty)|SystemProcess)$/;

/** Settings of every event; those that an event does not know are ignored. */
const SETTINGS: Record<string, string> = {
  enabled: "true",
  stackTrace: "true",
  threshold: "0 ns",
  throttle: "off",
  cutoff: "infinity",
  level: "all",
  filter: "shop.Shop$Pricing::discount",
};
const OWN: Record<string, Record<string, string>> = {
  "jdk.ExecutionSample": { period: "10 ms" },
  "jdk.NativeMethodSample": { period: "10 ms" },
  // Here "off" is no sample at all.
  "jdk.CPUTimeSample": { throttle: "5 ms" },
};
const PERIOD = "100 ms";

/** Names of all events that the JDK can record. */
function eventsOf(jdk: Jdk): string[] {
  const types = run(jdk, "jfr", ["metadata"]).split("\n\n@Name(");
  const names = types
    .filter((type) => /^class \w+ extends jdk\.jfr\.Event/m.test(type))
    .map((type) => type.split('"')[1]);
  return names.filter((name): name is string => name?.startsWith("jdk.") === true);
}

/**
 * The events that the JDK itself takes once per chunk: lists of flags and modules would be the bulk of the recording.
 */
function perChunk(jdk: Jdk): Map<string, string> {
  const text = readFileSync(join(jdk.home, "lib", "jfr", "profile.jfc"), "utf8");
  const found = new Map<string, string>();
  for (const [, event = "", settings = ""] of text.matchAll(/<event name="([^"]+)">([\s\S]*?)<\/event>/g)) {
    const period = /name="period"[^>]*>(\w+Chunk)</.exec(settings)?.[1];
    if (period !== undefined) found.set(event, period);
  }
  return found;
}

export function configuration(jdk: Jdk): string {
  const periods = perChunk(jdk);
  const rows = eventsOf(jdk).map((event) => {
    const enabled = NOT_OURS.test(event) ? { enabled: "false" } : SETTINGS;
    const settings = { ...enabled, period: periods.get(event) ?? PERIOD, ...OWN[event] };
    const each = Object.entries(settings).map(([name, value]) => `<setting name="${name}">${value}</setting>`);
    return `<event name="${event}">${each.join("")}</event>`;
  });
  return ['<?xml version="1.0" encoding="UTF-8"?>', '<configuration version="2.0">', ...rows, "</configuration>"].join(
    "\n",
  );
}

/** Records `millis` of everything, from the JVM's first event to its last, as one chunk; returns the file's path. */
export function recordEverything(jdk: Jdk, folder: string, millis: number): string {
  const sources = readdirSync(WORKLOAD).filter((name) => name.endsWith(".java"));
  run(jdk, "javac", [
    "-encoding",
    "UTF-8",
    "-g",
    "-d",
    join(folder, "classes"),
    ...sources.map((s) => join(WORKLOAD, s)),
  ]);
  writeFileSync(join(folder, "every.jfc"), configuration(jdk));
  const options = [
    "-Djava.io.tmpdir=.",
    "-Xmx128m",
    // Not the choice of the machine's size: this one has the most events.
    "-XX:+UseG1GC",
    "-XX:FlightRecorderOptions=maxchunksize=1g",
    "-XX:StartFlightRecording=settings=every.jfc,filename=every.jfr",
  ];
  run(jdk, "java", [...options, "-cp", "classes", "shop.Everything", String(millis)], folder);
  return join(folder, "every.jfr");
}
