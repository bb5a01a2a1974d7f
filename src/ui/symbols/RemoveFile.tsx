import { visible } from "../../model/words/text.ts";
import type { FoundSymbols } from "../../worker/api.ts";
import { SHELF } from "./sort-files.ts";

/** The button that removes a file of symbols, and the names from it. */
export function RemoveFile({ file }: { file: FoundSymbols }) {
  return (
    <button
      type="button"
      aria-label={`Remove ${visible(file.path, 120)}`}
      onClick={() => void SHELF.fetch().then((shelf) => shelf.remove(file))}
    >
      Remove
    </button>
  );
}
