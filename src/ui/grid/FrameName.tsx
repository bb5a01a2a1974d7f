import { fitName } from "../../model/words/short-name.ts";
import css from "./FrameName.module.css";
import { useFitted } from "./fitted.ts";

/** Name of a function, as long as there is room for it: the package gives way first. Marked where it is looked for. */
export function FrameName({ text, found = false }: { text: string; found?: boolean }) {
  const element = useFitted<HTMLElement>(text, fitName);
  return (
    <bdi ref={element} className={found ? `${css.name} ${css.found}` : css.name} data-match={found || undefined} />
  );
}
