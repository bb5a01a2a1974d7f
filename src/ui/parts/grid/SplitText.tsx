import css from "./FrameName.module.css";

/** Letters at the end that stay, and the fewest of a text that is worth cutting. */
const TAIL = 8;
const LONG = 24;

interface Props {
  text: string;
  className?: string | undefined;
  /** Shorter texts are not split. */
  long?: number;
}

/**
 * A text in an element that is as wide as its text, up to a limit: the beginning is cut, a fixed end stays. Nothing is
 * measured, unlike in MiddleText.
 */
export function SplitText({ text, className = "", long = LONG }: Props) {
  if (text.length < long) return <bdi className={className}>{text}</bdi>;
  // Not within a letter that takes two units.
  const at = text.length - TAIL + Number(/[\udc00-\udfff]/.test(text[text.length - TAIL]));
  return (
    <bdi className={`${css.split} ${className}`}>
      <span className={css.head}>{text.slice(0, at)}</span>
      <span className={css.tail}>{text.slice(at)}</span>
    </bdi>
  );
}
