/** What uploads of Datadog's profilers state beside samples: requests of each endpoint, and figures of the profiler. */
import type { FileSummary, Filter } from "../types.ts";

export interface UploadFacts {
  /** Requests by endpoint, also those without a sample; empty if the profiler did not count them. */
  endpoints: Readonly<Record<string, number>>;
  /** Figures of its metrics.json by name. */
  figures: Readonly<Record<string, number>>;
}

/** By uploads, the names of their files, or of the archive or the folder of an archive that they are in. */
export type Uploads = Map<UploadFacts, string[]>;

/** Whether a file is this one, or one in this folder or archive. */
export function isWithin(file: string, outer: string): boolean {
  return file === outer || file.startsWith(`${outer}/`);
}

function uploadOf(uploads: Uploads, file: string): UploadFacts | null {
  for (const [facts, names] of uploads) if (names.some((name) => isWithin(file, name))) return facts;
  return null;
}

/** Figures of the upload that a file belongs to. */
export function figuresOf(uploads: Uploads, file: string): Readonly<Record<string, number>> {
  return uploadOf(uploads, file)?.figures ?? {};
}

interface Opened {
  files(): readonly Pick<FileSummary, "name">[];
  readonly views: { readonly uploads: Uploads };
}

/**
 * Requests by endpoint; null unless the uploads of all files count requests, or if the filter is about more than
 * files.
 */
export function countedRequests(
  core: Opened,
  { file: wanted, rawNames: _, ...others }: Filter,
): ReadonlyMap<string, number> | null {
  const { uploads } = core.views;
  if (uploads.size === 0 || Object.keys(others).length > 0) return null;
  const own = core.files().filter(({ name }) => wanted === undefined || isWithin(name, wanted));
  const sums = new Map<string, number>();
  for (const upload of new Set(own.map(({ name }) => uploadOf(uploads, name)))) {
    const counts = Object.entries(upload?.endpoints ?? {});
    if (counts.length === 0) return null;
    for (const [endpoint, requests] of counts) sums.set(endpoint, (sums.get(endpoint) ?? 0) + requests);
  }
  return sums;
}
