/** Files of the page as sources of bytes, and the overview of the recording that was read. */

import { type ByteSource, blobSource } from "../bytes/byte-source.ts";
import type { Core } from "../core/core.ts";
import { messageResource } from "../core/resource.ts";
import { type InputKind, inputKind } from "../input/input-kind.ts";
import { tellsOfAbsence } from "../model/recording/setting-words.ts";
import type { Beside, InputFile, Overview } from "./api.ts";

/**
 * A file of the page. Browsers refuse to read a file that changed or vanished after the user chose it; the refusal is
 * kept in `fault`, since readers turn it into a diagnostic.
 */
export class FileSource implements ByteSource {
  readonly byteLength: number;
  fault: string | null = null;
  private readonly source: ByteSource;

  constructor(blob: Blob) {
    this.source = blobSource(blob);
    this.byteLength = this.source.byteLength;
  }

  async slice(start: number, end: number): Promise<Uint8Array> {
    try {
      return await this.source.slice(start, end);
    } catch (error) {
      this.fault ??= faultWords(error);
      throw new Error(this.fault);
    }
  }
}

function faultWords(error: unknown): string {
  const { name, message } = error instanceof Error ? error : { name: "", message: String(error) };
  if (name !== "NotReadableError" && name !== "NotFoundError") return message;
  return "the file changed or was removed after it was chosen, or the browser may not read it; choose it again";
}

/** The same file as the page knew it before: its names are unique. */
export function isSame(a: InputFile, b: InputFile): boolean {
  return a.name === b.name && a.blob.size === b.blob.size;
}

/** The reason why nothing was read, and advice. */
export function changedWords(files: readonly InputFile[]): string {
  const names = files.map(({ name }) => name).join(", ");
  const [they, were, them] = files.length === 1 ? ["it", "was", "it"] : ["they", "were", "them"];
  return (
    `${names} could not be read: ${they} changed or ${were} removed after you chose ${them}, and browsers do not read such a ` +
    `file. Choose ${them} again, or drop ${them} on the page.`
  );
}

/** Why files were not opened beside the recording on the page. */
export function roomWords(files: readonly InputFile[], beside: Beside): string {
  const names = (list: readonly InputFile[]) => list.map(({ name }) => name).join(", ");
  const [verb, them] = files.length === 1 ? ["does", "it"] : ["do", "them"];
  return `${names(files)} ${verb} not fit into memory beside ${names(beside.files)}. Close the open recording to read ${them}.`;
}

/** One that cannot be read at all has no kind. */
export function kindsOf(sources: readonly ByteSource[]): Promise<InputKind[]> {
  const unknown: InputKind = { kind: "foreign", packed: false };
  return Promise.all(sources.map((source) => inputKind(source).catch(() => unknown)));
}

export function overviewOf(core: Core, inputs: InputKind[], cancelled: boolean): Omit<Overview, "open"> {
  return {
    inputs,
    files: core.files(),
    profiles: core.profiles(),
    attributeKeys: core.attributeKeys(),
    diagnostics: core.diagnostics(),
    eventTypes: core.eventTypes().filter(({ stack }) => stack),
    settings: core.settings().filter(tellsOfAbsence),
    resource: messageResource(core.files(), {}),
    time: core.views.timeBounds(),
    rows: core.views.timeRows(),
    cancelled,
    bytesHeld: core.bytesHeld(),
  };
}

/** No event in any file, and errors: only the errors can be shown. */
export function isUnreadable({ files, profiles, diagnostics, cancelled }: Omit<Overview, "open">): boolean {
  const anyEvent = files.some(({ chunks }) => chunks.some(({ events }) => Object.keys(events).length > 0));
  return profiles.length === 0 && !anyEvent && !cancelled && diagnostics.some(({ severity }) => severity === "error");
}
