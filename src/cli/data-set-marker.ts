/** The file that makes a folder a data set, and the versions that readers and writers take. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { FORMAT_NAME, FORMAT_VERSION, isKnownVersion, KNOWN_VERSIONS, MARKER } from "../parquet/schema.ts";
import { Folder } from "./disk.ts";
import { UsageError } from "./exit.ts";
import { say } from "./terminal.ts";

const MOST_BYTES = 1 << 12;
const RENEW = "to renew it, export its recordings into a new folder";

/** The version of the data set. Throws if this program does not know it. */
function versionOf(folder: string): number {
  const path = join(folder, MARKER);
  let marker: { format?: unknown; version?: unknown } | null;
  try {
    marker = JSON.parse(new Folder(folder).read(MARKER, MOST_BYTES) ?? "");
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : error}`);
  }
  const { format, version } = marker ?? {};
  if (format !== FORMAT_NAME) throw new Error(`${path}: the format is not ${FORMAT_NAME}`);
  if (!isKnownVersion(version)) throw new Error(`${path}: version ${version} is unknown; ${KNOWN_VERSIONS}`);
  return version;
}

/** Throws if the folder is no data set; says so if it is an older one. */
export function checkDataSet(dir: string): void {
  if (!existsSync(join(dir, MARKER))) {
    const reason = existsSync(dir)
      ? `it has no ${MARKER}; spanflame export --parquet writes data sets`
      : "no such folder";
    throw new Error(`${dir}: not a data set: ${reason}`);
  }
  const version = versionOf(dir);
  if (version === FORMAT_VERSION) return;
  say(
    `spanflame: ${dir} has version ${version} of the format: its stack_hash has 64 bits, so functions of different stacks ` +
      `may be added up as one by top, function_history and your SQL; ${RENEW}`,
  );
}

/** Throws UsageError if this program cannot write into the data set. */
export function checkWritable(folder: string): void {
  let version: number;
  try {
    version = versionOf(folder);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  if (version !== FORMAT_VERSION)
    throw new UsageError(
      `${folder} has version ${version} of the format, which query and open read; only version ${FORMAT_VERSION} is written; ${RENEW}`,
    );
}
