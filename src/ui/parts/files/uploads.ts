/** Uploads of Datadog's profilers as files: what event.json states about the files beside it. */

import { isEventName, isFigures } from "../../../core/inputs/bundle-paths.ts";
import { isLibraries } from "../../../input/code-provenance.ts";
import { type BundleEvent, eventIn, figuresIn, inTimeOrder, LONGEST_EVENT } from "../../../input/upload-event.ts";
import type { InputFile, Upload } from "../../../worker/api.ts";

interface Described extends BundleEvent {
  /** Path of the folder, with a slash at its end; "" for files that were opened one by one. */
  folder: string;
  upload: Upload;
  hasFigures: boolean;
}

/** The files without descriptions and lists of libraries; attachments, under any name, have those of their upload. */
export async function withUploads(files: readonly InputFile[]): Promise<InputFile[]> {
  const described = new Map<string, Described>();
  for (const file of files) {
    const found = await descriptionIn(file, files);
    if (found !== null) described.set(found.folder, found);
  }
  const all = files.flatMap((file) => {
    const found = described.get(folderOf(file.name));
    if (found === undefined) return file;
    const name = baseOf(file.name);
    if (isEventName(name) || isLibraries(name) || (found.hasFigures && isFigures(name))) return [];
    const isAttached = found.attachments.includes(name);
    // Other files of a folder are of the same process. Files that were opened together need not be.
    if (!isAttached && (found.folder === "" || file.onlySymbols === true)) return file;
    const { onlySymbols: _, ...recording } = file;
    return { ...recording, upload: found.upload };
  });
  return inTimeOrder(all);
}

async function descriptionIn({ name, blob }: InputFile, files: readonly InputFile[]): Promise<Described | null> {
  if (!isEventName(baseOf(name)) || blob.size > LONGEST_EVENT) return null;
  const event = eventIn(await blob.text());
  if (event === null) return null;
  const folder = folderOf(name);
  const beside = files.filter((file) => folderOf(file.name) === folder);
  const names = new Set(beside.map((file) => baseOf(file.name)));
  const libraries = beside.find((file) => isLibraries(baseOf(file.name)))?.blob;
  const missing = event.attachments.filter((attachment) => !names.has(attachment));
  const measured = beside.find((file) => isFigures(baseOf(file.name)))?.blob;
  const isShort = measured !== undefined && measured.size <= LONGEST_EVENT;
  const figures = isShort ? figuresIn(await measured.text()) : null;
  const { resource, endpoints, start } = event;
  const facts = { endpoints, figures: figures ?? {} };
  return { ...event, folder, hasFigures: figures !== null, upload: { resource, missing, libraries, facts, start } };
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}
