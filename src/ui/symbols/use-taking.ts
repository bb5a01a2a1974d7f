/** Files of the user on their way to the page: recordings are opened, symbols are given to the open recording. */
import { useCallback } from "react";
import type { InputFile } from "../../worker/api.ts";
import type { FilesToOpen } from "../app/use-recording.ts";
import { nothingFound } from "../open/folders.ts";
import type { Joining } from "../open/joining.ts";
import { type Sorted, takeSymbols } from "./sort-files.ts";

export type Take = (files: InputFile[] | (() => Promise<Sorted>), how: Joining) => void;

/** Files of symbols never replace a recording, and nothing is asked about them. */
export function useTaking(open: (files: FilesToOpen, how: Joining) => void): Take {
  return useCallback(
    (files, how) => {
      const take = async () => {
        const sorted = typeof files === "function" ? await files() : { recordings: files, others: [] };
        const { rest, hasSymbols } = await takeSymbols(sorted);
        if (rest.length > 0) open(rest, how);
        else if (!hasSymbols) throw nothingFound();
      };
      take().catch((error: unknown) => open(() => Promise.reject(error), how));
    },
    [open],
  );
}
