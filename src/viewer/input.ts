/** The data of an element as a file for the decoder. */
import { limited } from "../bytes/limited.ts";
import { formatBytes } from "../model/words/format.ts";
import { ELEMENT } from "../model/words/outward.ts";
import type { InputFile } from "../worker/api.ts";
import { Problem } from "./problem.ts";
import { columnsMessage, isAnswer, isColumns, treeMessage } from "./tree.ts";
import type { ViewerData } from "./types.ts";

/** Unit of a prepared tree for which the page gives no unit. */
const UNIT = "count";

/** Throws a Problem; an abort gives the signal's reason. */
export async function fetchFile(src: string, signal: AbortSignal, most = ELEMENT.most): Promise<InputFile> {
  let response: Response;
  try {
    response = await fetch(src, { signal });
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw new Problem("src.fetch", `${src} could not be fetched: ${reason}`);
  }
  if (!response.ok) {
    throw new Problem("src.status", `${src} could not be fetched: ${response.status} ${response.statusText}`.trim());
  }
  return { name: nameOf(src), blob: await blobOf(response.body ?? new Blob().stream(), src, most) };
}

async function blobOf(body: ReadableStream<Uint8Array<ArrayBuffer>>, src: string, most: number): Promise<Blob> {
  let fault: Problem | null = null;
  const tooLong = () => {
    fault = new Problem("src.fetch", `${src} could not be fetched: it has more than ${formatBytes(most)}`);
    return fault;
  };
  // Browsers hide the fault of a stream that a response is made of.
  return new Response(limited(body, most, tooLong)).blob().catch((error) => {
    throw fault ?? error;
  });
}

export function fileOf(data: ViewerData, unit = UNIT): InputFile {
  if (data instanceof File) return { name: data.name, blob: data };
  const name = "data";
  if (data instanceof Blob) return { name, blob: data };
  if (data instanceof ArrayBuffer) return { name, blob: new Blob([data]) };
  if (ArrayBuffer.isView(data)) return { name, blob: new Blob([data as Uint8Array<ArrayBuffer>]) };
  if (typeof data !== "object" || data === null) {
    throw new Problem("data.kind", "The data is neither bytes nor a message nor a tree of frames.");
  }
  if ("resourceProfiles" in data) return { name, blob: new Blob([JSON.stringify(data)]) };
  if (isAnswer(data)) return { name, blob: columnsMessage(data.frames, unit) };
  if (isColumns(data)) return { name, blob: columnsMessage(data, unit) };
  return { name, blob: treeMessage(data, unit) };
}

/** The last part of an address, for messages. */
function nameOf(src: string): string {
  return src.split(/[?#]/, 1)[0]?.split("/").at(-1) || "data";
}
