/** Files that the command line serves, and uploads of Datadog's profilers among them. */
import type { InputFile, Upload } from "../../../worker/api.ts";
import { fetchBlob, fetchOk } from "./own-host.ts";

/** `upload` of an entry of `files.json` (src/cli/serve/server.ts). */
interface Listed extends Omit<Upload, "libraries"> {
  number: number;
  hasLibraries: boolean;
}

/**
 * The command line serves `files.json`, a list of names, and the recordings as `files/0`, `files/1`, … The name of
 * a file in a folder begins with the folder's name. A single recording is read while its own worker fetches it.
 */
export async function fetchServed(signal: AbortSignal): Promise<InputFile[]> {
  const response = await fetchOk("./files.json", signal);
  const list: unknown = await response.json();
  const names = namesOf(list);
  const isUpload =
    Array.isArray(list) && list.some((entry) => typeof entry === "object" && entry?.upload !== undefined);
  const [only] = names;
  if (only !== undefined && names.length === 1 && !isUpload && !only.includes("/"))
    return [await (await import("./elsewhere.ts")).fetchFile(only, new URL("./files/0", location.href).href, signal)];
  const fetched = names.map(async (name, index) => {
    return { name, blob: await fetchBlob(`./files/${index}`, signal) };
  });
  const plain: InputFile[] = await Promise.all(fetched);
  const files = isUpload
    ? await withUploads(plain, list, (number) => fetchBlob(`./libraries/${number}`, signal))
    : plain;
  return files.some(({ name }) => name.includes("/")) ? (await import("./folders.ts")).withDumps(files) : files;
}

/**
 * What arrives at `spanflame receive` or in a folder that is watched, to its end: files by files, in their order. One
 * that has grown is the same object, with the bytes that it has now.
 */
export async function* fetchArriving(signal: AbortSignal): AsyncGenerator<InputFile[]> {
  const known = new Map<string, InputFile>();
  for (let count = 0; !signal.aborted; ) {
    const list: unknown = await (await fetchOk(`./files.json?after=${count}`, signal)).json();
    const names = namesOf(list);
    const found = names.map((name, index) => ({ name, index })).slice(count);
    const there = found.filter(({ index }) => !isRemoved(list, index));
    count = names.length;
    // One that was removed meanwhile is not fetched.
    const fetched = there.map(({ name, index }) =>
      fetchBlob(`./files/${index}`, signal).then(
        (blob) => [{ file: { name, blob }, entry: entriesOf(list)[index] }],
        () => [],
      ),
    );
    const arrived = (await Promise.all(fetched)).flat();
    const entries = arrived.map(({ entry }) => entry);
    const files = await withUploads(
      arrived.map(({ file }) => file),
      entries,
      (number) => fetchBlob(`./libraries/${number}`, signal),
    );
    const joined = files.map((file) => Object.assign(known.get(file.name) ?? file, file));
    for (const file of joined) known.set(file.name, file);
    if (joined.length > 0) yield joined;
  }
}

function entriesOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : [];
}

function isRemoved(list: unknown, index: number): boolean {
  const entry = entriesOf(list)[index];
  return isRecord(entry) && entry.isRemoved === true;
}

function namesOf(list: unknown): string[] {
  if (!Array.isArray(list)) throw new Error("files.json is not a list of files.");
  return list.map((entry: unknown, index) => {
    const name = typeof entry === "object" && entry !== null && "name" in entry ? entry.name : null;
    return typeof name === "string" ? name : `file ${index}`;
  });
}

/** `list` is `files.json`, which has an entry for each file. Files of one upload get the same object. */
async function withUploads(
  files: readonly InputFile[],
  list: readonly unknown[],
  fetchLibraries: (number: number) => Promise<Blob>,
): Promise<InputFile[]> {
  const listed = list.map(uploadOf);
  const uploads = new Map<number, Upload>();
  for (const upload of listed) {
    if (upload === null || uploads.has(upload.number)) continue;
    const { number, hasLibraries, ...facts } = upload;
    uploads.set(number, { ...facts, libraries: hasLibraries ? await fetchLibraries(number) : undefined });
  }
  return files.map((file, i) => {
    const upload = uploads.get(listed[i]?.number ?? -1);
    return upload === undefined ? file : { ...file, upload };
  });
}

/** Any server may answer `files.json`: an upload in another form is left out. */
function uploadOf(entry: unknown): Listed | null {
  if (!isRecord(entry) || !isRecord(entry.upload)) return null;
  const { number, resource, missing, hasLibraries, facts, start } = entry.upload;
  if (typeof number !== "number" || !isRecord(resource) || !Array.isArray(missing)) return null;
  const texts = Object.entries(resource).filter((pair): pair is [string, string] => typeof pair[1] === "string");
  return {
    number,
    resource: Object.fromEntries(texts),
    missing: missing.filter((name) => typeof name === "string"),
    hasLibraries: hasLibraries === true,
    facts: isRecord(facts) ? { endpoints: numbersOf(facts.endpoints), figures: numbersOf(facts.figures) } : NO_FACTS,
    start: typeof start === "string" ? start : "",
  };
}

const NO_FACTS = { endpoints: {}, figures: {} };

function numbersOf(value: unknown): Record<string, number> {
  const pairs = Object.entries(isRecord(value) ? value : {});
  return Object.fromEntries(pairs.filter((pair): pair is [string, number] => typeof pair[1] === "number"));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
