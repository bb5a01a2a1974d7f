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
