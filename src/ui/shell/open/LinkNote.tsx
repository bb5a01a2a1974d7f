import { linkedFile, linkWords } from "../../../model/query/written/link-words.ts";
import { LINKED } from "../recording/address.ts";
import css from "./LinkNote.module.css";

/** What the page's address shows once its recording is there, and which file that is; nothing where it says neither. */
export function LinkNote() {
  const words = linkWords(location.hash);
  const files = LINKED.map(linkedFile).map(({ name, size }) => (size === "" ? name : `${name} (${size})`));
  if (words === "" && files.length === 0) return null;
  return (
    <p className={css.link} data-testid="link-note">
      This link shows {words === "" ? "a recording" : <strong>{words}</strong>}. Open{" "}
      {files.length === 0 ? "its recording" : <bdi>{files.join(", ")}</bdi>} to see it.
    </p>
  );
}
