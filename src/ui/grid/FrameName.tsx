import type { FrameTypeName } from "../../model/flame/frame-types.ts";
import { fitMiddle, fitName } from "../../model/words/short-name.ts";
import css from "./FrameName.module.css";
import { useFitted } from "./fitted.ts";

interface Props {
  text: string;
  kind?: FrameTypeName;
  /** It is looked for. */
  found?: boolean;
}

/** Name of a frame, as long as there is room for it. A function's package gives way first, its method last. */
export function FrameName({ text, kind = "", found = false }: Props) {
  const element = useFitted<HTMLElement>(text, kind === "root" ? fitMiddle : fitName);
  return (
    <bdi ref={element} className={found ? `${css.name} ${css.found}` : css.name} data-match={found || undefined} />
  );
}
