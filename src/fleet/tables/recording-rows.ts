/** Rows of the table of recordings. */
import { DEPLOYMENT, type DeploymentColumn, deploymentOf } from "../deployment.ts";
import { intValues, longValues, sameText, textLists, textMaps, textValues } from "../parquet/column-data.ts";
import type { Rows } from "../parquet/file.ts";
import type { Window } from "./windows.ts";

/** A recording whose observations are in a core. */
export interface Recording {
  sha256: string;
  /** Name of the file, without folders. */
  name: string;
  bytes: number;
  service: string;
  instance: string;
  resource: Record<string, string>;
  diagnostics: readonly string[];
  /** When it began, in nanoseconds since 1970; 0n if that is unknown. */
  begin: bigint;
  /** When its file was changed: the date of what has no time at all. */
  changed: bigint;
  /** Observations [first, last) of the core. */
  first: number;
  last: number;
  /** Those that count, in order: contents of the others are in other recordings. */
  ranges: readonly (readonly [first: number, last: number])[];
  /** Windows of those without a time, in order. */
  windows: readonly Window[];
  /** Chunks [first, last) of the core, and numbers of those that are in other recordings. */
  chunks: readonly [first: number, last: number];
  knownChunks: ReadonlySet<number>;
  /** Number of a trace file, from 1 on; 0 for a recording. */
  traceFile: number;
  /** Runs of dumps by their numbers in the core. */
  runs: readonly number[];
}

/** A recording on a date: its number in the part, and its observations there. Nanoseconds since 1970; 0n is unknown. */
export interface OnDate {
  recording: Recording;
  id: number;
  samples: number;
  start: bigint;
  end: bigint;
}

/** A column for each fact of a deployment. */
export function deploymentColumns<T>(of: (column: DeploymentColumn) => T): Record<DeploymentColumn, T> {
  const columns = Object.keys(DEPLOYMENT) as DeploymentColumn[];
  return Object.fromEntries(columns.map((column) => [column, of(column)])) as Record<DeploymentColumn, T>;
}

const NANOS_OF_MICRO = 1000n;

export function recordingRows(part: string, days: readonly OnDate[]): Rows {
  const texts = (of: (recording: Recording) => string, nullable: boolean) =>
    textValues(
      days.map(({ recording }) => of(recording)),
      nullable,
    );
  return {
    part: sameText(part, days.length),
    recording_id: intValues(days.map(({ id }) => id)),
    sha256: texts(({ sha256 }) => sha256, false),
    file: texts(({ name }) => name, false),
    bytes: longValues(days.map(({ recording }) => BigInt(recording.bytes))),
    service: texts(({ service }) => service, true),
    instance: texts(({ instance }) => instance, true),
    ...deploymentColumns((column) => texts(({ resource }) => deploymentOf(resource, column), true)),
    start: longValues(
      days.map(({ start }) => start / NANOS_OF_MICRO),
      0,
    ),
    end: longValues(
      days.map(({ end }) => end / NANOS_OF_MICRO),
      0,
    ),
    samples: longValues(days.map(({ samples }) => BigInt(samples))),
    resource: textMaps(days.map(({ recording }) => recording.resource)),
    diagnostics: textLists(days.map(({ recording }) => recording.diagnostics)),
  };
}
