/** Memory of two recordings, of which one is read while the other is open. */
import type { Diagnostic } from "../core/types.ts";
import { Refusal } from "../requests/refusal.ts";
import type { Beside, InputFile } from "./api.ts";

/** Bytes of a core's memory. */
export const MEMORY = {
  /** Two recordings at once share it. */
  all: 2 ** 32,
  /** A recording in more than this is forgotten before another one is read: two at once might not fit. */
  kept: 2 ** 30,
  /** A core needs so much for its tables before it reads anything. */
  least: 2 ** 22,
};

/** Refuses files of which not all could be read beside the recording on the page. */
export function checkRoom(files: readonly InputFile[], beside: Beside, diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.some(({ code }) => code === "core.full")) throw new Refusal("open.room", roomWords(files, beside));
}

function roomWords(files: readonly InputFile[], beside: Beside): string {
  const names = (list: readonly InputFile[]) => list.map(({ name }) => name).join(", ");
  const [verb, them] = files.length === 1 ? ["does", "it"] : ["do", "them"];
  return `${names(files)} ${verb} not fit into memory beside ${names(beside.files)}. Close the open recording to read ${them}.`;
}
