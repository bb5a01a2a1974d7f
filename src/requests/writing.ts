/** Messages as Blobs: the browser decides where to keep their bytes, and they cross to the page as handles. */
import type { Core } from "../core/core.ts";
import { SpanflameError } from "../core/instance/error.ts";
import { SPLIT_BYTES, type SplitCore, splitByProfile } from "../core/split.ts";
import { formatRow } from "../core/tables/formats.ts";
import type { OutputFormat } from "../core/types.ts";
import type { FileKind } from "../input/classify.ts";
import type { Download, DownloadRequest, InputFile, Message, WriteRequest } from "./api/api.ts";
import { Refusal } from "./refusal.ts";

/** Bytes of a message that the page makes a Blob of: the browser may keep all of them in memory. */
export const LARGEST_DOWNLOAD = 2 ** 31;

/** The payload of a message. */
export function recordingsOf(
  { withRecordings }: DownloadRequest,
  files: readonly InputFile[],
  kinds: readonly FileKind[],
): Blob[] {
  if (!withRecordings) return [];
  if (kinds.some(({ kind, packed }) => kind !== "jfr" || packed)) {
    throw new Refusal(
      "payload",
      "Only plain recordings can be included: one of these files is compressed or not a recording.",
    );
  }
  return files.map(({ blob }) => blob);
}

/** `recordings` are inserted unchanged: none of their bytes is read here. */
export async function writeDownload(
  core: Pick<Core, "writeTo">,
  { profile, filter, options, gzip }: DownloadRequest,
  recordings: Blob[],
): Promise<Download> {
  const parts: Blob[] = [];
  let written = 0;
  const bytes = recordings.reduce((sum, { size }) => sum + size, 0);
  const payload = { format: "jfr", bytes, put: () => void parts.push(...recordings) };
  const sink = (part: Uint8Array) => {
    written += part.length;
    if (written > LARGEST_DOWNLOAD) throw tooLarge(options.format);
    // The part is a view of the core's memory, the Blob a copy of it.
    parts.push(new Blob([part as Uint8Array<ArrayBuffer>]));
  };
  const totals = core.writeTo(profile, filter, recordings.length > 0 ? { ...options, payload } : options, sink);
  const message = blobOf(parts, options.format);
  return { ...totals, blob: gzip ? await packed(message) : message };
}

export function writeMessages(core: SplitCore, { profile, filter, options }: WriteRequest): Message[] {
  return Array.from(splitByProfile(core, profile, filter, options, SPLIT_BYTES), ({ bytes, ...part }) => ({
    ...part,
    blob: blobOf([bytes as Uint8Array<ArrayBuffer>], options.format),
  }));
}

function tooLarge(format: OutputFormat): SpanflameError {
  const most = `${LARGEST_DOWNLOAD / 2 ** 30} GiB`;
  return new SpanflameError(
    "download.large",
    `The output as ${formatRow(format).name} is larger than ${most}, the most that the page can pass to the browser. ` +
      "Filter by span, profile or range of time, or run `spanflame convert`, which writes to a file.",
  );
}

function blobOf(parts: BlobPart[], format: OutputFormat): Blob {
  return new Blob(parts, { type: formatRow(format).mediaType });
}

export function packed(message: Blob): Promise<Blob> {
  const type = "application/gzip";
  const stream = message.stream().pipeThrough(new CompressionStream("gzip"));
  return new Response(stream, { headers: { "content-type": type } }).blob();
}
