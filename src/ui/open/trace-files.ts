/** Trace files among the files of the user: they belong beside a recording, so nothing is asked about them. */
import type { InputFile } from "../../worker/api.ts";

// Few files are traces: the code is fetched with the first files that are opened beside a recording.
const sniffer = async () => ({
  ...(await import("../../otlp/sniff-trace.ts")),
  ...(await import("../../otlp/message-fit.ts")),
});
const GZIP = [0x1f, 0x8b];
/** Compressed bytes that surely hold as many as are checked. */
const PACKED_BYTES = 1 << 16;

/** Whether all of these are trace files, plain or gzip. Files that cannot be read are none. */
export async function areTraces(files: readonly InputFile[]): Promise<boolean> {
  if (files.length === 0) return false;
  const { fitsTraces, isTraceMessage, isTraceText, MESSAGE_HEAD_BYTES } = await sniffer();
  const are = files.map(async ({ blob, parts }) => {
    if (parts !== undefined) return false;
    const head = await headOf(blob, MESSAGE_HEAD_BYTES);
    return isTraceText(head) || isTraceMessage(head) || fitsTraces(head);
  });
  return (await Promise.all(are.map((is) => is.catch(() => false)))).every(Boolean);
}

async function headOf(blob: Blob, size: number): Promise<Uint8Array> {
  const bytes = async (part: Blob) => new Uint8Array(await part.arrayBuffer());
  const magic = await bytes(blob.slice(0, GZIP.length));
  if (!GZIP.every((byte, i) => magic[i] === byte)) return bytes(blob.slice(0, size));
  const reader = blob.slice(0, PACKED_BYTES).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const head = new Uint8Array(size);
  let used = 0;
  // The part ends inside the stream, which is an error of the stream after its last bytes.
  while (used < size) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done || value === undefined) break;
    const part = value.subarray(0, size - used);
    head.set(part, used);
    used += part.length;
  }
  void reader.cancel().catch(() => {});
  return head.subarray(0, used);
}
