import { fitMiddle } from "../../model/words/short-name.ts";
import css from "./FrameName.module.css";
import { useFitted } from "./fitted.ts";

interface Props {
  text: string;
  className?: string | undefined;
  /** The whole text, where nothing around it has a title. */
  title?: string;
}

/** A thread, a route or a file without its middle where there is no room: both ends tell it from its neighbours. */
export function MiddleText({ text, className, title }: Props) {
  const element = useFitted<HTMLElement>(text, fitMiddle);
  return (
    <bdi ref={element} className={className === undefined ? css.name : `${css.name} ${className}`} title={title} />
  );
}

/** Letters at the end that stay, and the fewest of a text that is worth cutting. */
const TAIL = 8;
const LONG = 24;

/** The same for an element that is as wide as its text, up to a limit: the beginning is cut, a fixed end stays. */
export function SplitText({ text, className = "" }: { text: string; className?: string | undefined }) {
  if (text.length < LONG) return <bdi className={className}>{text}</bdi>;
  // Not within a letter that takes two units.
  const at = text.length - TAIL + Number(/[\udc00-\udfff]/.test(text[text.length - TAIL]));
  return (
    <bdi className={`${css.split} ${className}`}>
      <span className={css.head}>{text.slice(0, at)}</span>
      <span className={css.tail}>{text.slice(at)}</span>
    </bdi>
  );
}
