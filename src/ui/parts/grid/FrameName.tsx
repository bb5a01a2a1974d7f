import { useContext } from "react";
import type { FrameTypeName } from "../../../model/flame/frame-types.ts";
import { inlinedWord } from "../../../model/flame/frame-types.ts";
import { fitMiddle, fitName, formsOf } from "../../../model/words/short-name.ts";
import css from "./FrameName.module.css";
import { NameColumn, useFitted } from "./fitted.ts";

/** Class and method in full, whatever the room: for texts that are as wide as their words. */
export function BriefName({ text }: { text: string }) {
  const form = formsOf(text).at(-2) ?? [];
  return (
    <bdi>
      {form.map((piece, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one name do not move
        <span key={i} className={piece.shown ? undefined : css.off}>
          {piece.text}
        </span>
      ))}
    </bdi>
  );
}

interface Props {
  text: string;
  kind?: FrameTypeName;
  /** It is looked for. */
  found?: boolean;
  /** Nothing else is in the cell, so the name is as wide as all such names of the column. */
  alone?: boolean;
}

/** Name of a frame, as long as its element has room for it. A function's package gives way first, its method last. */
export function FrameName({ text, kind = "", found = false, alone = false }: Props) {
  const column = useContext(NameColumn);
  const element = useFitted<HTMLElement>(text, kind === "root" ? fitMiddle : fitName, alone ? column : null);
  return (
    <bdi ref={element} className={found ? `${css.name} ${css.found}` : css.name} data-match={found || undefined} />
  );
}

/** Mark after the name of a function that a compiler inlined. */
export function Inlined({ how }: { how: number | undefined }) {
  const word = inlinedWord(how);
  return word !== "" && <span className={css.inlined}>{word}</span>;
}

interface MiddleTextProps {
  text: string;
  className?: string | undefined;
  /** The whole text, where nothing around it has a title. */
  title?: string;
}

/** A thread, a route or a file without its middle where there is no room: both ends tell it from its neighbours. */
export function MiddleText({ text, className, title }: MiddleTextProps) {
  const element = useFitted<HTMLElement>(text, fitMiddle);
  return (
    <bdi ref={element} className={className === undefined ? css.name : `${css.name} ${className}`} title={title} />
  );
}
