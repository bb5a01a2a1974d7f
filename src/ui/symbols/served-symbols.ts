/** Files of symbols beside the page (`?symbols`), those that the recording needs: `spanflame --symbols` serves them. */
import type { LibrarySum, SymbolInput } from "../../worker/api.ts";
import { showToast } from "../toast/toasts.ts";

interface Served {
  name: string;
  buildId: string;
  url: string;
}

let listed: Promise<Served[]> | null = null;

/** The files of these libraries, except those that the page has. A failure is shown, and asked for again next time. */
export async function fetchNeeded(
  libraries: readonly Pick<LibrarySum, "buildId">[],
  held: readonly { path: string }[],
): Promise<SymbolInput[]> {
  if (!new URLSearchParams(location.search).has("symbols")) return [];
  try {
    listed ??= list();
    const needed = (await listed).filter(
      ({ name, buildId }) =>
        buildId !== "" &&
        libraries.some((library) => library.buildId === buildId) &&
        held.every(({ path }) => path !== name),
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
  return entries.map((entry: { name?: unknown; buildId?: unknown } | null, index) => ({
    name: typeof entry?.name === "string" ? entry.name : `file ${index}`,
    buildId: typeof entry?.buildId === "string" ? entry.buildId : "",
    url: `./symbols/${index}`,
  }));
}

const fetchBlob = async (url: string) => (await fetchOk(url)).blob();

async function fetchOk(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} could not be fetched: ${response.status} ${response.statusText}`);
  return response;
}
