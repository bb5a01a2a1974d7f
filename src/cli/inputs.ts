/** Inputs of a command: files, standard input, and the recordings in folders, each with a name that no other has. */
import { readdirSync, type Stats, statSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { streamPath } from "../input/dump/stream-names.ts";
import { isProfileName, type Path, shortNames, usualEndings } from "../model/recording/folder-files.ts";

/** A file to read, or `-` for standard input. */
export interface NamedInput {
  path: string;
  /** For people, filters and outputs: the end of its path. */
  name: string;
  /** Why there is nothing to read. */
  fault?: string;
  /** It may be a file of a dump. */
  dump?: DumpPath;
}

/** The path of a file that may be part of a dump, from the name of its operand on. */
export interface DumpPath {
  path: string;
  /** The folder named on the command line; null for files named one by one. */
  folder: string | null;
}

/** Names of inputs that a message lists. */
const MOST_NAMES = 20;

/** Whether `--file WANTED` selects a name: that of an input, or of a folder or an archive around it. */
export function isWithin(name: string, wanted: string): boolean {
  return name === wanted || name.startsWith(`${wanted}/`);
}

/** The message of a `--file` that selects none of these names. */
export function noSuchInput(wanted: string, names: readonly string[]): string {
  const known = names.slice(0, MOST_NAMES).join(", ") + (names.length > MOST_NAMES ? ", …" : "");
  return `--file: no input is named ${JSON.stringify(wanted)}; the inputs are ${known}`;
}

interface Found extends Path {
  path: string;
  fault?: string;
  dump?: DumpPath;
}

/** Files of operands, those of a folder by name, however deep. `except`: a folder that is not read. */
export function inputsOf(operands: readonly string[], except?: string): NamedInput[] {
  const found = operands.flatMap((operand) => (operand === "-" ? standardInput() : filesOf(operand, except)));
  const names = shortNames(found);
  return found.map(({ path, fault, dump }, i) => ({
    path,
    name: names[i]!,
    ...(fault !== undefined && { fault }),
    ...(dump !== undefined && { dump }),
  }));
}

function standardInput(): Found[] {
  return [{ path: "-", parts: ["-"], least: 1 }];
}

function filesOf(operand: string, except: string | undefined): Found[] {
  const partsOf = (path: string) => resolve(path).split(sep);
  if (statOf(operand)?.isDirectory() !== true) {
    const path = operand.split(sep).join("/");
    const dump = streamPath(path) === null ? {} : { dump: { path, folder: null } };
    return [{ path: operand, parts: partsOf(operand), least: 1, ...dump }];
  }
  const parts = partsOf(operand);
  const files: Found[] = [];
  collect(operand, [parts.at(-1) ?? ""], { parts, files, operand, within: [], except: except && idOf(except) });
  if (files.length > 0) return files;
  const fault = `the folder contains no recording: no file name ends in ${usualEndings()}`;
  return [{ path: operand, parts, least: 1, fault }];
}

interface Walk {
  /** Of the folder named on the command line. */
  parts: string[];
  files: Found[];
  /** As named on the command line. */
  operand: string;
  /** Folders around the current one: a link to one of them is not followed. */
  within: string[];
  except: string | undefined;
}

function collect(folder: string, below: string[], walk: Walk): void {
  const id = idOf(folder);
  if (id === undefined || id === walk.except || walk.within.includes(id)) return;
  const inner = { ...walk, within: [...walk.within, id] };
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    const stats = statOf(path);
    if (stats?.isDirectory() === true) collect(path, [...below, name], inner);
    else if (stats?.isFile() === true) addFile(path, [...below, name], walk);
  }
}

function addFile(path: string, below: string[], { files, parts, operand }: Walk): void {
  const inFolder = below.join("/");
  const isStream = streamPath(inFolder) !== null;
  if (!isStream && !isProfileName(below.at(-1) ?? "")) return;
  const dump = isStream ? { dump: { path: inFolder, folder: operand } } : {};
  files.push({ path, parts: [...parts.slice(0, -1), ...below], least: below.length, ...dump });
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    // Reading it gives the reason.
    return undefined;
  }
}

/** Device and inode of a folder, undefined if there is none. */
function idOf(path: string): string | undefined {
  const stats = statOf(path);
  return stats && `${stats.dev} ${stats.ino}`;
}
