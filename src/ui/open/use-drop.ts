/** Files and folders dropped anywhere on the window, or pasted. True while something is dragged over it. */
import { useLayoutEffect, useState } from "react";
import type { FilesToOpen } from "../app/use-recording.ts";
import { droppedFolders } from "./folders.ts";
import { filesOf } from "./inputs.ts";

export function useDrop(open: (files: FilesToOpen) => void): boolean {
  const [over, setOver] = useState(false);

  // Before the first paint: as soon as the page is seen, files can be dropped on it.
  useLayoutEffect(() => {
    // Enter and leave fire for every element crossed; the window is left when the counts meet.
    let inside = 0;
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      inside++;
      setOver(true);
    };
    const hover = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault();
    };
    const leave = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      inside = Math.max(0, inside - 1);
      if (inside === 0) setOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      inside = 0;
      setOver(false);
      const folders = droppedFolders(event.dataTransfer?.items);
      if (folders !== null) return open(folders);
      const files = filesOf(event.dataTransfer?.files ?? []);
      if (files.length > 0) open(files);
    };
    const paste = (event: ClipboardEvent) => {
      const files = filesOf(event.clipboardData?.files ?? []);
      if (files.length === 0) return;
      event.preventDefault();
      open(files);
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
  }, [open]);

  return over;
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}
