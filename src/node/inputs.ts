/**
 * Inputs of a command: files, standard input, the recordings in folders and the attachments of an upload that a folder
 * has, each with a name that no other has.
 */
import { closeSync, type Dirent, openSync, readdirSync, readFileSync, readSync, type Stats, statSync } from "node:fs";
import { basename, join, resolve, sep } from "node:path";
import { constants, gunzipSync } from "node:zlib";
import type { UploadFacts } from "../core/answers/uploads.ts";
import { isEventName, isFigures } from "../core/inputs/bundle-paths.ts";
import { sniff } from "../input/classify.ts";
import { isLibraries } from "../input/code-provenance.ts";
import { streamPath } from "../input/dump/stream-names.ts";
import { formatOf } from "../input/formats.ts";
import { HEAD_BYTES } from "../input/sniffed.ts";
import { eventIn, figuresIn, inTimeOrder, LONGEST_EVENT } from "../input/upload-event.ts";
import { isProfileName, type Path, shortNames, usualEndings } from "../model/recording/folder-files.ts";
import { formatCounted } from "../model/words/format.ts";
import { sniffJson } from "../otlp/sniff.ts";
import { systemWords } from "./system-error.ts";
import { note, sayOnce } from "./terminal.ts";

/** A file to read, or `-` for standard input. */
export interface NamedInput {
  path: string;
  /** For people, filters and outputs: the end of its path. */
  name: string;
  /** Why there is nothing to read. */
  fault?: string;
  /** The side of a comparison: what both sides have is no copy. */
  side?: string;
  /** It may be a file of a dump. */
  dump?: DumpPath;
  /** The upload in its folder. */
  upload?: FolderUpload;
}

/** An upload of Datadog's profilers in a folder. Its files have the same object. */
export interface FolderUpload {
  /** Resource attributes of its process. */
  resource: Record<string, string>;
  /** Attachments that are not there. */
  missing: string[];
  /** Attachments whose names are paths: they are no inputs. */
  noNames: string[];
  /** Path of its list of libraries. */
  libraries?: string;
  /** Requests by endpoint, and figures of the profiler. */
  facts: UploadFacts;
  /** Beginning of its time, ISO 8601; "" if it is not stated. */
  start: string;
}

/** The path of a file that may be part of a dump, from the name of its operand on. */
export interface DumpPath {
  path: string;
  /** The folder named on the command line; null for files named one by one. */
  folder: string | null;
}

/** First bytes of a compressed file. */
const PACKED_HEAD = 1 << 10;
/** Names of inputs that a message lists. */
const MOST_NAMES = 20;

/** Whether `--file WANTED` selects a name: that of an input, or of a folder or an archive around it. */
export function isWithin(name: string, wanted: string): boolean {
  return name === wanted || name.startsWith(`${wanted}/`);
}

/** The message of a `--file` that selects none of these names. */
export function noSuchInput(wanted: string, names: readonly string[]): string {
  return `--file: no input is named ${JSON.stringify(wanted)}; the inputs are ${listOf(names)}`;
}

interface Found extends Path {
  path: string;
  fault?: string;
  dump?: DumpPath;
  upload?: FolderUpload;
}

/** Files of operands, those of a folder by name, however deep. `except`: a folder that is not read. */
export function inputsOf(operands: readonly string[], except?: string): NamedInput[] {
  const found = operands.flatMap((operand) => (operand === "-" ? standardInput() : filesOf(operand, except)));
  const names = shortNames(found);
  return found.map(({ path, fault, dump, upload }, i) => ({
    path,
    name: names[i]!,
    ...(fault !== undefined && { fault }),
    ...(dump !== undefined && { dump }),
    ...(upload !== undefined && { upload }),
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
  const others: string[] = [];
  const walk = { parts, files, others, operand, within: [], except: except && idOf(except) };
  collect(operand, [parts.at(-1) ?? ""], walk);
  sayOnce(operand, () => leftOut(operand, others));
  if (files.length > 0) return inTimeOrder(files);
  const fault = `the folder contains no recording: no file name ends in ${usualEndings()}`;
  return [{ path: operand, parts, least: 1, fault }];
}

/** What is said about the files of a folder that are not read: recordings with other names, and other files. */
function leftOut(operand: string, paths: readonly string[]): string | null {
  const recordings: string[] = [];
  const others: string[] = [];
  for (const path of paths) (isRecording(path) ? recordings : others).push(path);
  const left = `${formatCounted(others.length, "file")} left out, by name no recordings: ${listOf(others)}`;
  if (others.length > 0) note(`spanflame: ${operand}: ${left}`);
  if (recordings.length === 0) return null;
  const all = `${formatCounted(recordings.length, "recording")} with other names`;
  return `spanflame: warning: ${operand}: ${all} left out, which are read if you name them: ${listOf(recordings)}`;
}

function listOf(paths: readonly string[]): string {
  return paths.slice(0, MOST_NAMES).join(", ") + (paths.length > MOST_NAMES ? ", …" : "");
}

interface Walk {
  /** Of the folder named on the command line. */
  parts: string[];
  files: Found[];
  /** Paths of files that are not read. */
  others: string[];
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
  const entries = readdirSync(folder, { withFileTypes: true });
  const names = entries.map(({ name }) => name).sort();
  const described = uploadIn(folder, names);
  const upload = described?.upload;
  const add = (name: string, fault: string) => {
    const parts = [...walk.parts.slice(0, -1), ...below, name];
    const around = upload === undefined ? {} : { upload };
    walk.files.push({ path: join(folder, name), parts, least: below.length + 1, fault, ...around });
  };
  for (const name of names) {
    const path = join(folder, name);
    const stats = statOf(path);
    if (stats?.isDirectory() === true) collect(path, [...below, name], inner);
    else if (stats?.isFile() === true) addFile(path, [...below, name], walk, described);
    else if (stats === undefined && isRead(entries.find((entry) => entry.name === name)!)) add(name, faultOf(path));
  }
  if (upload === undefined) return;
  for (const name of upload.missing) add(name, "event.json names this attachment, which is no file of its folder");
  if (upload.noNames.length > 0) add(described!.event, noNamesFault(upload.noNames));
}

/** Whether an entry without a file may be one that is read. */
function isRead(entry: Dirent): boolean {
  return isProfileName(entry.name) || (entry.name.includes("\ufffd") && entry.isDirectory());
}

/** Why there is no file of a name that its folder has. Node decodes names as UTF-8. */
function faultOf(path: string): string {
  if (basename(path).includes("\ufffd")) return "its name is not UTF-8; rename it, or use - < FILE";
  return systemWords(Object.assign(new Error(), { code: "ENOENT" }));
}

function noNamesFault(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).map((name) => JSON.stringify(name));
  const more = names.length > shown.length ? ", …" : "";
  return `attachments are files of the upload's folder, and these are no names of files: ${shown.join(", ")}${more}`;
}

/** A name of a file on every system: no path, no drive. */
function isFileName(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no system has them in names that people write
  return name !== "." && name !== ".." && /^[^/\\:\u0000-\u001f]{1,255}$/.test(name);
}

interface Described {
  /** Name of the description. */
  event: string;
  attachments: readonly string[];
  upload: FolderUpload;
}

/** The description of an upload in a folder; null without one. */
function uploadIn(folder: string, names: readonly string[]): Described | null {
  for (const name of names.filter(isEventName)) {
    const path = join(folder, name);
    const stats = statOf(path);
    const isShort = stats?.isFile() === true && stats.size <= LONGEST_EVENT;
    const event = isShort ? eventIn(readFileSync(path, "utf8")) : null;
    if (event === null) continue;
    const { resource, start, endpoints } = event;
    const measured = names.find(isFigures);
    const figures = measured === undefined ? null : figuresAt(join(folder, measured));
    const attachments = event.attachments.filter((each) => figures === null || each !== measured);
    // A pipe would be waited for, a device may have no end.
    const isThere = (each: string) => names.includes(each) && statOf(join(folder, each))?.isFile() === true;
    const absent = attachments.filter((each) => !isThere(each));
    const [missing, noNames] = [absent.filter(isFileName), absent.filter((each) => !isFileName(each))];
    const libraries = names.find(isLibraries);
    const more = libraries === undefined ? {} : { libraries: join(folder, libraries) };
    const facts = { endpoints, figures: figures ?? {} };
    return { event: name, attachments, upload: { resource, missing, noNames, facts, start, ...more } };
  }
  return null;
}

function figuresAt(path: string): Record<string, number> | null {
  const stats = statOf(path);
  return stats?.isFile() === true && stats.size <= LONGEST_EVENT ? figuresIn(readFileSync(path, "utf8")) : null;
}

function addFile(path: string, below: string[], walk: Walk, described: Described | null): void {
  const { files, parts, operand } = walk;
  const inFolder = below.join("/");
  const name = below.at(-1) ?? "";
  const isStream = streamPath(inFolder) !== null;
  const isAttached = described?.attachments.includes(name) === true;
  if (described !== null && (isLibraries(name) || (!isAttached && (isEventName(name) || isFigures(name))))) return;
  if (!isStream && !isAttached && !isProfileName(name) && !isMessages(path)) {
    // Hidden ones are those of programs, which may be copying them.
    if (!name.startsWith(".")) walk.others.push(path);
    return;
  }
  const dump = isStream ? { dump: { path: inFolder, folder: operand } } : {};
  const around = described === null ? {} : { upload: described.upload };
  files.push({ path, parts: [...parts.slice(0, -1), ...below], least: below.length, ...dump, ...around });
}

/** Whether a file of JSON, of which folders have many, has OTLP profiles. */
function isMessages(path: string): boolean {
  return /\.jsonl?$/i.test(path) && sniffJson(headOf(path, HEAD_BYTES)) !== null;
}

/** Whether a file is a recording by its first bytes, also compressed by gzip. */
function isRecording(path: string): boolean {
  const head = headOf(path, PACKED_HEAD);
  const { kind } = sniff(head.subarray(0, HEAD_BYTES));
  return formatOf(kind === "gzip" ? sniff(unpackedHead(head)).kind : kind) !== undefined;
}

function unpackedHead(head: Uint8Array): Uint8Array {
  try {
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, HEAD_BYTES);
  } catch {
    return new Uint8Array(0);
  }
}

/** The first bytes of a file; none if it cannot be read. */
export function headOf(path: string, size: number): Uint8Array {
  try {
    const file = openSync(path, "r");
    try {
      const head = new Uint8Array(size);
      return head.subarray(0, readSync(file, head));
    } finally {
      closeSync(file);
    }
  } catch {
    return new Uint8Array(0);
  }
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
