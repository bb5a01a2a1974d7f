/** Files of symbols beside the page (`?symbols`), those that the recording needs: `spanflame --symbols` serves them. */
import { type FileIds, hasBuildId, isBeside, NO_BUILD_ID } from "../../../symbols/build-id.ts";
import type { LibrarySum, SymbolInput } from "../../../worker/api.ts";
import { showToast } from "../../primitives/toast/toasts.ts";

interface Served extends FileIds {
  name: string;
  url: string;
}

const IDS = Object.keys(NO_BUILD_ID) as (keyof FileIds)[];

let listed: Promise<Served[]> | null = null;
/** Files by address: a recording that grows asks for them again. */
const fetched = new Map<string, Promise<Blob>>();

/** The files of these libraries, except those that the page has. A failure is shown, and asked for again next time. */
export async function fetchNeeded(
  libraries: readonly Pick<LibrarySum, "buildId">[],
  held: readonly { path: string }[],
): Promise<SymbolInput[]> {
  if (!new URLSearchParams(location.search).has("symbols")) return [];
  try {
    listed ??= list();
    const all = await listed;
    const own = all.filter((file) => libraries.some(({ buildId }) => hasBuildId(file, buildId)));
    const needed = all.filter(
      (file) => (own.includes(file) || isBeside(file, own)) && held.every(({ path }) => path !== file.name),
    );
    return await Promise.all(needed.map(async ({ name, url }) => ({ path: name, blob: await fetchBlob(url) })));
  } catch (error) {
    listed = null;
    showToast({ tone: "error", text: error instanceof Error ? error.message : String(error) });
    return [];
  }
}

async function list(): Promise<Served[]> {
  const response = await fetchOk("./symbols.json");
  const entries: unknown = await response.json();
  if (!Array.isArray(entries)) throw new Error("symbols.json is not a list of files.");
  return entries.map((entry: Partial<Record<keyof Served, unknown>> | null, index) => ({
    name: textOf(entry?.name) || `file ${index}`,
    ...NO_BUILD_ID,
    ...Object.fromEntries(IDS.map((key) => [key, textOf(entry?.[key])])),
    url: `./symbols/${index}`,
  }));
}

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

function fetchBlob(url: string): Promise<Blob> {
  const known = fetched.get(url);
  if (known !== undefined) return known;
  const blob = fetchOk(url).then((response) => response.blob());
  fetched.set(url, blob);
  blob.catch(() => fetched.delete(url));
  return blob;
}

async function fetchOk(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} could not be fetched: ${response.status} ${response.statusText}`);
  return response;
}
