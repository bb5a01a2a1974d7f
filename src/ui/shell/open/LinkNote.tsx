import { linkedFile, linkWords } from "../../../model/query/written/link-words.ts";
import type { InputFile } from "../../../worker/api.ts";
import { LINKED } from "../recording/address.ts";
import css from "./LinkNote.module.css";
import { RecentFiles } from "./RecentFiles.tsx";

/** What the page's address shows once its recording is there, and files that were open before. */
export function LinkNote({ onFiles }: { onFiles: (files: InputFile[]) => void }) {
  const words = linkWords(location.hash);
  const files = LINKED.map(linkedFile).map(({ name, size }) => (size === "" ? name : `${name} (${size})`));
  return (
    <>
      {(words !== "" || files.length > 0) && (
        <p className={css.link} data-testid="link-note">
          This link shows {words === "" ? "a recording" : <strong>{words}</strong>}. Open{" "}
          {files.length === 0 ? "its recording" : <bdi>{files.join(", ")}</bdi>} to see it.
        </p>
      )}
      <RecentFiles onFiles={onFiles} />
    </>
  );
}
