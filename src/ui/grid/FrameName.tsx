import css from "./FrameName.module.css";

/** Name of a frame or a function, marked where it is looked for. */
export function FrameName({ text, found }: { text: string; found: boolean }) {
  return (
    <bdi className={found ? css.found : undefined} data-match={found || undefined}>
      {text}
    </bdi>
  );
}
