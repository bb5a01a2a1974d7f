/** Every recording of the fixtures, by itself and with each trace file beside it. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./run-cli.ts";

export const FIXTURES = join(ROOT, "fixtures");

export interface Case {
  recording: string;
  /** A file of the same folder; null for none. */
  trace: string | null;
}

export const recordings = ["traces", "recorded", "."].flatMap((dir) =>
  readdirSync(join(FIXTURES, dir))
    .filter((name) => name.endsWith(".jfr"))
    .map((name) => join(dir, name)),
);
const isTraceFile = /\.(?:otlp|jaeger|zipkin|datadog)\./;
const tracesOf = (recording: string) => {
  const stem = recording.slice(recording.indexOf("/") + 1, -"jfr".length);
  const names = recording.startsWith("traces/") ? readdirSync(join(FIXTURES, "traces")) : [];
  return names.filter((name) => name.startsWith(stem) && isTraceFile.test(name)).map((name) => join("traces", name));
};
export const cases = recordings.flatMap((recording): Case[] =>
  [null, ...tracesOf(recording)].map((trace) => ({ recording, trace })),
);

/** The operands and options of a command. */
export const inputs = ({ recording, trace }: Case) => [
  join(FIXTURES, recording),
  ...(trace === null ? [] : ["--trace", join(FIXTURES, trace)]),
];
