/** Dropped items with a folder among them. What is in folders is read by a script that the first folder loads. */
import type { InputFile } from "../../../worker/api.ts";

/** How to read the items; null without a folder. Must be asked while the drop is being handled. */
export function droppedFolders(items: DataTransferItemList | undefined): (() => Promise<InputFile[]>) | null {
  const entries = Array.from(items ?? [], (item) => item.webkitGetAsEntry());
  if (!entries.some((entry) => entry?.isDirectory === true)) return null;
  return async () => (await import("../../parts/files/folders.ts")).filesOfEntries(entries);
}
