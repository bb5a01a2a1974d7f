/** Rows of the table of commands: those whose recordings are made while they run. */
import { GENERAL, JVM_RECORDING, SERVER } from "./options.ts";
import type { CommandRow } from "./rows.ts";

export const ARRIVING_COMMANDS = {
  record: {
    about: "Records a running JVM with async-profiler or JDK Flight Recorder, and opens the recording",
    operands: { value: "PID", count: "one" },
    examples: [
      { args: "record 4242", about: "half a minute of process 4242, in the viewer" },
      { args: "record 4242 --for 2m -o shop.jfr --no-open", about: "two minutes of it, into a file" },
    ],
    groups: [JVM_RECORDING, { title: "Viewer", options: SERVER }, GENERAL],
    notes: [
      "The JVM must be of the same user. jcmd of a JDK starts its recorder with settings=profile and lower thresholds of waits. " +
        "A Node service has a recorder of another kind: node --import spanflame/record app.js (docs/record.md).",
    ],
  },
  receive: {
    about: "Receives what profilers and tracers send, and opens the viewer with it (docs/receive.md)",
    operands: { value: "", count: "none" },
    examples: [
      { args: "receive", about: "listen for OTLP, Datadog's agents and Pyroscope's on port 4318" },
      { args: "receive --keep received --for 10m --no-open", about: "keep what arrives in ten minutes" },
    ],
    groups: [
      {
        title: "Receiver",
        options: [
          { name: "port", value: "N", about: "port on loopback; 4318 by default, 0 for a free one" },
          { name: "no-open", about: "print the address and do not open a browser" },
          { name: "for", value: "D", about: "end after a time, such as 60s or 5m" },
          { name: "keep", value: "DIR", path: "folder", about: "keep the latest in DIR: 1 GiB, 2,000 files, 7 days" },
          { name: "forward", value: "URL", about: "send on: profiles as push does, traces and logs as they came" },
          { name: "json", about: "print a line of JSON for each that arrives" },
        ],
      },
      GENERAL,
    ],
  },
} as const satisfies Record<string, CommandRow>;
