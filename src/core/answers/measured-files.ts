/** Which files have measurements of the JVM. */
import * as MeasurementRow from "../../../assembly/abi/rows/measurement-row.ts";
import type { Access } from "../instance/access.ts";
import { SERIES_KINDS } from "../tables/measurements.ts";

/** Files with at least one measurement of the JVM: the processors are the machine's. */
export function measuredFiles(core: Access): Set<string> {
  const files = new Set<string>();
  eachMeasurement(core, (p) => {
    const kind = SERIES_KINDS[core.memory.u32(p + MeasurementRow.SERIES) - 1];
    if (kind === undefined || kind === "processors") return;
    const file = core.opened[core.memory.u32(p + MeasurementRow.CHUNK)]?.file ?? 0;
    files.add(core.files[file]?.name ?? "");
  });
  return files;
}

export function eachMeasurement({ wasm }: Access, visit: (pointer: number) => void): void {
  const at = wasm.measurementRows();
  const count = wasm.measurementCount();
  for (let i = 1; i < count; i++) visit(at + MeasurementRow.BYTES * i);
}
