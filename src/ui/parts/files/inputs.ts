/** Sources of recordings: the sample beside the page, the files of the local server, an address. */
import { uniqueNames } from "../../../model/recording/folder-files.ts";
import type { InputFile } from "../../../worker/api.ts";
import { fetchBlob } from "./own-host.ts";
import type { OpenedHandle } from "./recent.ts";

const elsewhere = () => import("./elsewhere.ts");
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
  if (params.has("files")) return async (signal) => (await import("./served.ts")).fetchServed(signal);
  if (params.has("lake")) return async (signal) => (await import("./lake.ts")).fetchTrace(params, signal);
  const urls = params.getAll("url");
  if (urls.length > 0) return async (signal) => (await elsewhere()).fetchAddresses(urls, signal);
  return params.has("sample") ? fetchSample : null;
}

/** A file of which a part was read while it was fetched can only be fetched again. */
export async function fetchedAgain(files: InputFile[], signal: AbortSignal): Promise<InputFile[]> {
  return (await elsewhere()).fetchAgain(files, signal);
}

/** Two files of one name get a number: filters tell them apart by name. */
export function namedApart(files: InputFile[]): InputFile[] {
  const names = uniqueNames(files.map(({ name }) => name));
  return files.map((file, i) => (file.name === names[i] ? file : { ...file, name: names[i]! }));
}

export function filesOf(list: Iterable<File>): InputFile[] {
  return Array.from(list, (file) => ({ name: file.name, blob: file }));
}

/** So that the welcome page can open the files again. Where that cannot be loaded they are open all the same. */
export function keepHandles(handles: readonly OpenedHandle[]): void {
  import("./recent.ts").then(({ keepRecent }) => keepRecent(handles)).catch(() => {});
}
