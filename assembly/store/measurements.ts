/**
 * Measurements that the JVM made of itself and its machine while samples were taken. The drawing has limited space:
 * after the first MOST_MEASUREMENTS they are only counted.
 *
 *   measurement | series | chunk | time i64 | value f64 |      6 words
 *
 * The series is one of the host's (src/core/tables/measurements.ts), from 1 on.
 */
import * as MeasurementRow from "../abi/rows/measurement-row";
import { onReset } from "../memory/resets";
import { ownRowTable, RowTable } from "../memory/row-table";

/** A day of seven series, one value a second and half as many again; 6 MB. */
export const MOST_MEASUREMENTS: u32 = 262_144;

export const measurements: RowTable = ownRowTable(MeasurementRow.BYTES >> 2, 64);
/** Those that were counted only. */
export let measurementsBeyond: u32 = 0;

onReset((): void => {
  measurementsBeyond = 0;
});

export function noteMeasurement(series: u32, chunk: u32, time: i64, value: f64): void {
  if (measurements.count > MOST_MEASUREMENTS) {
    measurementsBeyond++;
    return;
  }
  const row = measurements.draft;
  store<u32>(row, series, MeasurementRow.SERIES);
  store<u32>(row, chunk, MeasurementRow.CHUNK);
  store<i64>(row, time, MeasurementRow.TIME);
  store<f64>(row, value, MeasurementRow.VALUE);
  measurements.intern();
}

/** Rows from 1 on. */
export function measurementRows(): usize {
  return measurements.rows;
}

export function measurementCount(): u32 {
  return measurements.count;
}
