/** A CPU profile of V8 as OTLP: `node cpuprofile-to-otlp.mjs CPU.cpuprofile profile.otlp`. */
import { readFile, stat, writeFile } from "node:fs/promises";
import { ProfileBuilder } from "spanflame";

const [path, output] = process.argv.slice(2);
const { nodes, samples, timeDeltas, startTime, endTime } = JSON.parse(await readFile(path, "utf8"));
// V8's clock counts microseconds from any moment on. The file was written when the profile ended.
const zero = BigInt(Math.round((await stat(path)).mtimeMs * 1000) - endTime) * 1000n;

const builder = await ProfileBuilder.create();
const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
const locations = new Map();
for (const { id, callFrame } of nodes) {
  const { functionName, url, lineNumber } = callFrame;
  const name = functionName || "(anonymous)";
  const fn = builder.function({ name, file: url, startLine: lineNumber + 1 });
  const type = name.startsWith("(") && !url ? "native" : "v8js";
  locations.set(id, builder.location({ lines: [{ function: fn }], type }));
}
const stackOf = (id) => (parents.has(id) ? [locations.get(id), ...stackOf(parents.get(id))] : []);
const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === "(idle)").map(({ id }) => id));
const resource = builder.resource({ "service.name": "converted", "process.runtime.name": "nodejs" });
const cpu = builder.profile({ type: "cpu", unit: "nanoseconds", resource });
let time = startTime;
for (const [i, id] of samples.entries()) {
  time += timeDeltas[i];
  const value = Math.max(0, timeDeltas[i]) * 1000;
  if (!idle.has(id)) cpu.add({ stack: builder.stack(stackOf(id)), value, time: zero + BigInt(time) * 1000n });
}
await writeFile(output, builder.write("otlp").bytes);
