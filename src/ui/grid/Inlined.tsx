import { inlinedWord } from "../../model/flame/frame-types.ts";
import css from "./FrameName.module.css";

/** Mark after the name of a function that a compiler inlined. */
export function Inlined({ how }: { how: number | undefined }) {
  const word = inlinedWord(how);
  return word !== "" && <span className={css.inlined}>{word}</span>;
}
