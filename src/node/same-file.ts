/**
 * Files that no output replaces: the inputs, by device and inode, so that links and other forms of a path are
 * recognised, and those of data sets.
 */
import {
  type BigIntStats,
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { isBinary, isZip, MAGIC_SIZE } from "../bytes/magic.ts";
import { MARKER, PARTS_FILE, PARTS_FOLDER, STATE_FOLDER, TABLE_NAMES } from "../core/tables/data-sets.ts";
import { UsageError } from "./exit.ts";
import { type CommandRow, optionsOf } from "./usage/rows.ts";

/** A name of the command line, and the file that it leads to. */
interface NamedFile {
  name: string;
  stats: BigIntStats;
}

/**
 * The regular file of a name; `-` is the file that standard input or output is redirected to. Null: there is no such
 * file.
 */
function fileOf(name: string, standard: 0 | 1): NamedFile | null {
  try {
    const stats = name === "-" ? fstatSync(standard, { bigint: true }) : statSync(name, { bigint: true });
    return stats.isFile() ? { name, stats } : null;
  } catch {
    return null;
  }
}

/** Windows has file systems without inodes: there every inode is 0. */
export function isSameFile(a: BigIntStats, b: BigIntStats): boolean {
  return a.ino !== 0n && a.ino === b.ino && a.dev === b.dev;
}

/** Files that a command writes, each with the option that leads to it. */
type Outputs = readonly (readonly [option: string, path: string])[];

/** Paths that the options of a command name. */
function pathsOf(row: CommandRow, values: object, isOutput: boolean): Outputs {
  const own = optionsOf(row).filter((option) => option.path === "file" && (option.isOutput === true) === isOutput);
  const given = values as Record<string, string | string[] | undefined>;
  return own.flatMap(({ name, short }) => {
    const flag = short === undefined ? `--${name}` : `-${short}`;
    return [given[name] ?? []].flat().map((path) => [flag, path] as const);
  });
}

/** Throws UsageError where an output is an input: a file of the operands, or one that an option names. */
export function refuseInputs(
  row: CommandRow,
  operands: () => readonly string[],
  values: object,
  outputs: Outputs = pathsOf(row, values, true),
): void {
  const written = outputs.flatMap(([option, name]) => {
    const file = fileOf(name, 1);
    return file === null ? [] : [{ ...file, option }];
  });
  if (written.length === 0) return;
  const keyOf = ({ stats: { dev, ino } }: NamedFile) => `${dev} ${ino}`;
  const options = pathsOf(row, values, false).map(([, path]) => path);
  const named = [...operands(), ...options];
  const read = [...named, ...options.flatMap(filesBelow)].map((name) => fileOf(name, 0));
  const byKey = new Map(read.filter((file) => file !== null).map((file) => [keyOf(file), file]));
  for (const output of written) {
    const input = byKey.get(keyOf(output));
    if (input === undefined || !isSameFile(input.stats, output.stats)) continue;
    if (!named.includes(input.name) && !hasSymbols(input.name)) continue;
    const names = `the output ${JSON.stringify(output.name)} and the input ${JSON.stringify(input.name)}`;
    throw new UsageError(`${output.option}: ${names} are the same file; choose another output`);
  }
}

/** Paths below a folder, links to folders not followed; none of anything else. */
function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
  } catch {
    // No folder, or one that the reader of symbols will name.
    return [];
  }
}

/** Whether a file of a folder is one that symbols are read from. */
function hasSymbols(path: string): boolean {
  const head = new Uint8Array(MAGIC_SIZE);
  const file = openSync(path, "r");
  try {
    readSync(file, head);
  } finally {
    closeSync(file);
  }
  return isBinary(head) || isZip(head);
}

/**
 * The path of `name` in the folder of `path`. `join` would shorten `link/../out` to `out`, but the system follows the
 * link before it goes up: these are two files.
 */
export function beside(path: string, name: string): string {
  return `${dirname(path)}/${name}`;
}

/** A path, split into the parts before and after the number of a part. */
function aroundNumber(path: string): [before: string, after: string] {
  const dot = /(\.[^./\\]+){1,2}$/.exec(path)?.index ?? path.length;
  return [path.slice(0, dot), path.slice(dot)];
}

/** Path of message `i` where each gets a file: `shop.pb`, `shop.2.pb`, `shop.3.pb`. */
export function numbered(path: string, i: number): string {
  if (i === 0) return path;
  const [before, after] = aroundNumber(path);
  return `${before}.${i + 1}${after}`;
}

/** Files that exist and have the name of a part. Case is ignored: some file systems ignore it. */
export function existingParts(path: string): string[] {
  const folder = dirname(path);
  const [before = "", after = ""] = aroundNumber(basename(path)).map((text) => text.toLowerCase());
  const isPart = (name: string) => {
    const text = name.toLowerCase();
    const number = text.slice(before.length + 1, text.length - after.length);
    return text.startsWith(`${before}.`) && text.endsWith(after) && /^\d+$/.test(number);
  };
  let names: string[] = [];
  try {
    names = readdirSync(folder);
  } catch {
    // Opening the output says why the folder cannot be used.
  }
  return names.filter(isPart).map((name) => beside(path, name));
}

/** Their names have no capitals. */
const OWN_FILES: readonly string[] = [MARKER, PARTS_FILE];
const OWN_FOLDERS: readonly string[] = [...TABLE_NAMES, STATE_FOLDER, PARTS_FOLDER];

/**
 * Whether a path is that of a file that writers make, in the folder of any data set. Case is ignored, as some file
 * systems do.
 */
export function isOfDataSet(path: string): boolean {
  let below: string[] = [];
  for (let folder = realFolder(dirname(path)); folder !== null; ) {
    const name = (below[0] ?? basename(path)).toLowerCase();
    const isOwn = below.length === 0 ? OWN_FILES.includes(name) : OWN_FOLDERS.includes(name);
    if (isOwn && existsSync(join(folder, MARKER))) return true;
    const above = dirname(folder);
    if (above === folder || below.length > 3) return false;
    below = [basename(folder), ...below];
    folder = above;
  }
  return false;
}

function realFolder(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
