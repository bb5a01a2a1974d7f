/** Files of the user on their way to the page: recordings are opened, symbols are given to the open recording. */
import { useCallback } from "react";
import type { InputFile } from "../../../worker/api.ts";
import type { Joining } from "../../parts/files/joining.ts";
import { areTraces, withoutSymbols } from "../../parts/symbols/sort-files.ts";
import type { FilesToOpen } from "../recording/recording-reader.ts";

export type Take = (files: InputFile[] | (() => Promise<InputFile[]>), how: Joining) => void;

/** Files of symbols and of traces never replace a recording, and nothing is asked about them. */
export function useTaking(open: (files: FilesToOpen, how: Joining) => void, isOpen: boolean): Take {
  return useCallback(
    (files, how) => {
      const take = async () => {
        const recordings = await withoutSymbols(typeof files === "function" ? await files() : files);
        if (recordings.length === 0) return;
        const isBeside = isOpen && how === "replace" && areTraces(recordings);
        open(recordings, isBeside ? "add" : how);
      };
      take().catch((error: unknown) => open(() => Promise.reject(error), how));
    },
    [open, isOpen],
  );
}
