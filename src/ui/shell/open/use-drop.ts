/**
 * Files and folders dropped anywhere on the window, or pasted: recordings are opened, symbols are given to the open
 * recording.
 */
import { useCallback, useEffect, useLayoutEffect, useState } from "react";
import type { InputFile } from "../../../worker/api.ts";
import { startSpare } from "../../../worker/client.ts";
import { filesOf, keepHandles } from "../../parts/files/inputs.ts";
import { JOININGS, type Joining } from "../../parts/files/joining.ts";
import { areTraces, withoutSymbols } from "../../parts/symbols/sort-files.ts";
import { isDialogOpen } from "../../primitives/keys/use-keys.ts";
import type { FilesToOpen } from "../recording/recording-reader.ts";
import { droppedFolders } from "./dropped-folders.ts";
import { isPastedTrace, takesText } from "./pasted-trace.ts";

export type Take = (files: InputFile[] | (() => Promise<InputFile[]>), how: Joining) => void;

/**
 * Files of symbols and of traces never replace a recording, and nothing is asked about them. `hasTraces`: only such
 * are open, which wait for a recording.
 */
export function useTaking(open: (files: FilesToOpen, how: Joining) => void, isOpen: boolean, hasTraces: boolean): Take {
  return useCallback(
    (files, how) => {
      const take = async () => {
        const recordings = await withoutSymbols(typeof files === "function" ? await files() : files);
        if (recordings.length === 0) return;
        const isBeside = isOpen && how === "replace" && (hasTraces || areTraces(recordings));
        open(recordings, isBeside ? "add" : how);
      };
      take().catch((error: unknown) => open(() => Promise.reject(error), how));
    },
    [open, isOpen, hasTraces],
  );
}

/** Where something is dragged: null outside the window. Beside all targets it is "replace". */
export type Over = Joining | null;

/** `ask` is called for files without a drop place: the user decides how to open them. */
export function useDrop(take: Take, ask: (files: InputFile[]) => void): Over {
  const [over, setOver] = useState<Over>(null);

  // Before the first paint: as soon as the page is seen, files can be dropped on it.
  useLayoutEffect(() => {
    // Enter and leave fire for every element crossed; the window is left when the counts meet.
    let inside = 0;
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      inside++;
      if (inside === 1) startSpare();
      setOver(targetOf(event));
    };
    const hover = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(targetOf(event));
    };
    const leave = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      inside = Math.max(0, inside - 1);
      if (inside === 0) setOver(null);
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      inside = 0;
      setOver(null);
      const how = targetOf(event);
      const folders = droppedFolders(event.dataTransfer?.items);
      if (folders !== null) return take(folders, how);
      const files = filesOf(event.dataTransfer?.files ?? []);
      if (files.length === 0) return;
      take(files, how);
      // Asked for while the drop is being handled.
      keepHandles(Array.from(event.dataTransfer?.items ?? [], (item: WithHandle) => item.getAsFileSystemHandle?.()));
    };
    const paste = (event: ClipboardEvent) => {
      const files = filesOf(event.clipboardData?.files ?? []);
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (files.length === 0 && !takesText(event.target) && !isDialogOpen() && isPastedTrace(text)) {
        files.push({ name: "pasted trace.json", blob: new Blob([text]) });
      }
      if (files.length === 0) return;
      event.preventDefault();
      ask(files);
    };
    addEventListener("paste", paste);
    const listeners = [
      ["dragenter", enter],
      ["dragover", hover],
      ["dragleave", leave],
      ["drop", drop],
    ] as const;
    for (const [type, listener] of listeners) addEventListener(type, listener);
    return () => {
      removeEventListener("paste", paste);
      for (const [type, listener] of listeners) removeEventListener(type, listener);
    };
  }, [take, ask]);

  return over;
}

/** TypeScript's library does not have it. */
type WithHandle = DataTransferItem & { getAsFileSystemHandle?: () => Promise<FileSystemHandle | null> };

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}

function targetOf({ target }: DragEvent): Joining {
  const place = target instanceof Element ? target.closest<HTMLElement>("[data-joining]") : null;
  return JOININGS.find(({ how }) => how === place?.dataset.joining)?.how ?? "replace";
}

/** The part of the browser's `launchQueue` that is used; TypeScript's library has none of it. */
interface LaunchQueue {
  setConsumer(consumer: (launch: { files?: readonly FileSystemFileHandle[] }) => void): void;
}

/**
 * Opens files that the system opens with the installed page (`file_handlers` of public/manifest.webmanifest) in place
 * of the recording. Does nothing in browsers without installed pages.
 */
export function useLaunch(take: Take): void {
  useEffect(() => {
    const { launchQueue } = window as { launchQueue?: LaunchQueue };
    launchQueue?.setConsumer(({ files = [] }) => {
      if (files.length === 0) return;
      keepHandles(files);
      take(async () => filesOf(await Promise.all(files.map((file) => file.getFile()))), "replace");
    });
  }, [take]);
}
