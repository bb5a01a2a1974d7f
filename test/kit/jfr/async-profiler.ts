/** Chunks as async-profiler writes them: the setting `event` says what jdk.ExecutionSample is. */
import type { ChunkSpec, Item } from "./jfr-builder.ts";
import { Constants, event, field, JVM_TYPES, javaStack, MAIN, ref, STACK, START } from "./jfr-types.ts";

const RECORDING = 307n;
const SAMPLE = 301n;
const TYPES = [
  ...JVM_TYPES,
  {
    ...event("jdk.ExecutionSample", [
      START,
      ref("sampledThread", "java.lang.Thread"),
      STACK,
      ref("state", "jdk.types.ThreadState"),
    ]),
    id: SAMPLE,
  },
  { ...event("jdk.ActiveRecording", [START]), id: RECORDING },
  event("jdk.ActiveSetting", [
    START,
    field("id", "long"),
    field("name", "java.lang.String"),
    field("value", "java.lang.String"),
  ]),
];

/**
 * A sample for each state: 0 is the default of versions from 2.10 on, 1 is running, 2 sleeping; 77 is the default under
 * another id. The empty mode has no settings; `isLate` has them at the end.
 */
export function modeChunk(
  mode: string,
  states: bigint[],
  interval = "10000000",
  isLate = false,
  version = states.includes(0n) ? "2.10" : "2.9",
): ChunkSpec {
  const c = new Constants();
  const samples = states.map(
    (state): Item => ({
      event: "jdk.ExecutionSample",
      values: { startTime: 0n, sampledThread: c.thread(MAIN), stackTrace: c.stack(javaStack("leaf")), state },
    }),
  );
  const stated: [bigint, string, string][] = [
    [RECORDING, "version", version],
    [RECORDING, "event", mode],
    [SAMPLE, "interval", interval],
  ];
  const settings = (mode === "" ? [] : stated).map(
    ([id, name, value]): Item => ({ event: "jdk.ActiveSetting", values: { startTime: 0n, id, name, value } }),
  );
  const names: [bigint, string][] = [
    ...[0n, 77n].filter((id) => states.includes(id)).map((id): [bigint, string] => [id, "STATE_DEFAULT"]),
    [1n, "STATE_RUNNABLE"],
    [2n, "STATE_SLEEPING"],
  ];
  const pool = {
    type: "jdk.types.ThreadState",
    entries: names.map(([key, name]): [bigint, { name: string }] => [key, { name }]),
  };
  return {
    types: TYPES,
    items: [...(isLate ? [...samples, ...settings] : [...settings, ...samples]), { checkpoint: [...c.all(), pool] }],
  };
}
