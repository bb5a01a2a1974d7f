import { linkedFile, linkWords } from "../../../model/query/written/link-words.ts";
import type { InputFile } from "../../../worker/api.ts";
import { ASKED, LINKED, RELOADED } from "../recording/address.ts";
import css from "./LinkNote.module.css";
import { RecentFiles } from "./RecentFiles.tsx";

/** What the page's address shows once its recording is there, and files that were open before. */
export function LinkNote({ onFiles }: { onFiles: (files: InputFile[]) => void }) {
  const words = linkWords(ASKED || location.hash);
  const files = LINKED.map(linkedFile).map(({ name, size }) => (size === "" ? name : `${name} (${size})`));
  return (
    <>
      {(words !== "" || files.length > 0) && (
        <p className={css.link} data-testid="link-note">
          {RELOADED ? "This page showed" : "This link shows"} {words === "" ? "a recording" : <strong>{words}</strong>}.
          Drop {files.length === 0 ? "its recording" : <bdi>{files.join(", ")}</bdi>} to open it.
        </p>
      )}
      <RecentFiles onFiles={onFiles} wanted={LINKED} />
    </>
  );
}
