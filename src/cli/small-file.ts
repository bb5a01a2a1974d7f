/** Small texts of the user that are read whole: rules, conditions, headers, certificates. */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { UsageError } from "./exit.ts";
import { systemWords } from "./system-error.ts";

const MIB = 1 << 20;

/** The text of a file that an option or a variable names. Throws UsageError. */
export async function readSmallFile(option: string, path: string, mostMiB = 1): Promise<string> {
  try {
    return await textOf(path, mostMiB * MIB);
  } catch (error) {
    throw new UsageError(`${option}: ${path} cannot be read: ${systemWords(error)}`);
  }
}

async function textOf(path: string, most: number): Promise<string> {
  const stats = await stat(path);
  // Opening a pipe waits for a writer. The pipes that a shell passes have one: <(…), /dev/stdin.
  const isOpenPipe = stats.isFIFO() && /^\/(dev|proc)\//.test(path);
  if (stats.isFIFO() && !isOpenPipe) throw new Error("it is a named pipe, no file");
  if (!stats.isFile() && !stats.isDirectory() && !isOpenPipe) throw new Error("it is a device or a socket, no file");
  const parts: Buffer[] = [];
  for await (const part of createReadStream(path, { end: most })) parts.push(part);
  const bytes = Buffer.concat(parts);
  if (bytes.length > most) throw new Error(`it has more than ${most / MIB} MiB`);
  return new TextDecoder().decode(bytes);
}
