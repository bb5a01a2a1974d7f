/** The hottest functions of a recording, and the same samples as OTLP: `node top.mjs recording.jfr profile.otlp`. */
import { writeFile } from "node:fs/promises";
import { formatValue, open } from "spanflame";
import { openFile } from "spanflame/node";

const [path, output] = process.argv.slice(2);

const file = await openFile(path);
const recording = await open(file);
await file.close();
for (const { severity, message } of recording.diagnostics) console.error(`${severity}: ${message}`);

const cpu = recording.select("cpu");
for (const { name, self } of cpu.top({ limit: 10 }).rows) {
  console.log(`${formatValue(self, cpu.measure.unit).padStart(10)}  ${name}`);
}
await writeFile(output, cpu.write("otlp").bytes);
recording.close();
