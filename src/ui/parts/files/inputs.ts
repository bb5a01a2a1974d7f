/** Sources of recordings: the sample beside the page, the files of the local server, an address. */
import { uniqueNames } from "../../../model/recording/folder-files.ts";
import type { InputFile } from "../../../worker/api.ts";
import type { OpenedHandle } from "./recent.ts";

const SAMPLE = "sample.jfr";
/** First byte of a file that gzip compressed. */
const GZIP = 0x1f;

export async function fetchSample(signal: AbortSignal): Promise<InputFile[]> {
  // The build packs it (scripts/packed-sample.ts).
  const packed = await fetchBlob(import.meta.env.PROD ? `./${SAMPLE}.gz` : `./${SAMPLE}`, signal);
  return [{ name: SAMPLE, blob: await unpackedSample(packed) }];
}

/** Some servers declare a compressed file as an encoding, and browsers then decompress it themselves. */
async function unpackedSample(blob: Blob): Promise<Blob> {
  const [first] = new Uint8Array(await blob.slice(0, 1).arrayBuffer());
  if (first !== GZIP) return blob;
  return new Response(blob.stream().pipeThrough(new DecompressionStream("gzip"))).blob();
}

/**
 * The command line serves `files.json`, a list of names, and the recordings as `files/0`, `files/1`, … Names of files
 * in a folder begin with that of the folder.
 */
async function fetchServed(signal: AbortSignal): Promise<InputFile[]> {
  const response = await fetchOk("./files.json", signal);
  const list: unknown = await response.json();
  const fetched = namesOf(list).map(async (name, index) => {
    return { name, blob: await fetchBlob(`./files/${index}`, signal) };
  });
  const plain: InputFile[] = await Promise.all(fetched);
  const isUpload =
    Array.isArray(list) && list.some((entry) => typeof entry === "object" && entry?.upload !== undefined);
  const files = isUpload ? await withUploads(plain, list, signal) : plain;
  return files.some(({ name }) => name.includes("/")) ? (await import("./folders.ts")).withDumps(files) : files;
}

async function withUploads(files: InputFile[], list: readonly unknown[], signal: AbortSignal): Promise<InputFile[]> {
  const { withServedUploads } = await import("./served-uploads.ts");
  return withServedUploads(files, list, (number) => fetchBlob(`./libraries/${number}`, signal));
}

function namesOf(list: unknown): string[] {
  if (!Array.isArray(list)) throw new Error("files.json is not a list of files.");
  return list.map((entry: unknown, index) => {
    const name = typeof entry === "object" && entry !== null && "name" in entry ? entry.name : null;
    return typeof name === "string" ? name : `file ${index}`;
  });
}

async function fetchBlob(path: string, signal: AbortSignal): Promise<Blob> {
  return (await fetchOk(path, signal)).blob();
}

async function fetchOk(path: string, signal: AbortSignal): Promise<Response> {
  const response = await fetch(path, { signal });
  if (!response.ok) throw new Error(`${path} could not be fetched: ${response.status} ${response.statusText}`);
  return response;
}

/** Other hosts are asked once the user allows it. */
async function fetchAddresses(addresses: readonly string[], signal: AbortSignal): Promise<InputFile[]> {
  const urls = addresses.map(addressOf);
  const isOwn = (url: URL) => url.origin === location.origin;
  const others = urls.filter((url) => !isOwn(url));
  const elsewhere = others.length === 0 ? null : await import("./elsewhere.ts");
  await elsewhere?.askForFiles(others, signal);
  const fetched = urls.map(async (url) => {
    const name = nameIn(url);
    if (elsewhere !== null && !isOwn(url)) return elsewhere.fetchFile(name, url, signal);
    return { name, blob: await fetchBlob(url.href, signal) };
  });
  return Promise.all(fetched);
}

function addressOf(address: string): URL {
  const url = URL.canParse(address, location.href) ? new URL(address, location.href) : null;
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new Error(`?url=${address} is not an http or https address.`);
}

function nameIn({ pathname, host }: URL): string {
  const last = pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last) || host;
  } catch {
    return last;
  }
}

/**
 * The query of the address. `#lake=` and its parameters move there, where they stay while the views change the
 * fragment. The trace is selected, too.
 */
export function searchOfAddress(): string {
  if (!location.hash.includes("lake=")) return location.search;
  const fragment = new URLSearchParams(location.hash.slice(1));
  const query = new URLSearchParams();
  for (const name of ["lake", "trace", "root", "date", "service", "from", "to"]) {
    const value = fragment.get(name);
    if (value !== null) query.set(name, value);
    if (name !== "trace") fragment.delete(name);
  }
  history.replaceState(history.state, "", `${location.pathname}?${query}#${fragment}`);
  return location.search;
}

/** What the address asks for: `?sample`, `?files`, `?url=` once or several times, `?lake=`, or nothing. */
export function requestedByAddress(search: string): ((signal: AbortSignal) => Promise<InputFile[]>) | null {
  const params = new URLSearchParams(search);
  if (params.has("files")) return fetchServed;
  if (params.has("lake")) return async (signal) => (await import("./lake.ts")).fetchTrace(params, signal);
  const urls = params.getAll("url");
  if (urls.length > 0) return (signal) => fetchAddresses(urls, signal);
  return params.has("sample") ? fetchSample : null;
}

/** Two files of one name get a number: filters tell them apart by name. */
export function namedApart(files: InputFile[]): InputFile[] {
  const names = uniqueNames(files.map(({ name }) => name));
  return files.map((file, i) => ({ ...file, name: names[i]! }));
}

export function filesOf(list: Iterable<File>): InputFile[] {
  return Array.from(list, (file) => ({ name: file.name, blob: file }));
}

/** So that the welcome page can open the files again. Where that cannot be loaded they are open all the same. */
export function keepHandles(handles: readonly OpenedHandle[]): void {
  import("./recent.ts").then(({ keepRecent }) => keepRecent(handles)).catch(() => {});
}
