import { useState } from "react";
import type { PathFrame } from "../../../core/types.ts";
import { visible } from "../../../model/words/text.ts";
import { BriefName } from "../../parts/grid/FrameName.tsx";
import { Button } from "../../primitives/icon/Icon.tsx";
import css from "./Breadcrumb.module.css";

interface Props {
  path: PathFrame[];
  /** Name of the frame zoomed to. */
  focus: string;
  rootName: string;
  /** Out to an ancestor, by its place in `path`. */
  onStep: (index: number) => void;
}

/** Ancestors that are always shown: the root, and the last few. */
const LAST_SHOWN = 3;

/** The way out of a zoom: every ancestor of the frame zoomed to, the middle ones on request. */
export function Breadcrumb({ path, focus, rootName, onStep }: Props) {
  const [whole, setWhole] = useState(false);
  if (path.length === 0) return null;
  const hidden = whole ? 0 : Math.max(0, path.length - 1 - LAST_SHOWN);
  const shown = [path[0], ...path.slice(1 + hidden)];
  return (
    <nav className={css.nav} part="breadcrumb" aria-label="Zoomed in" data-testid="breadcrumb">
      <ol className={css.list}>
        {shown.map((frame, index) => (
          <li key={path.indexOf(frame)} className={css.item}>
            <Button className={css.step} title={nameOf(frame, rootName)} onClick={() => onStep(path.indexOf(frame))}>
              <BriefName text={nameOf(frame, rootName)} />
            </Button>
            {index === 0 && path.length - 1 > LAST_SHOWN && (
              <Button className={css.step} aria-expanded={whole} onClick={() => setWhole(!whole)}>
                {whole ? "fewer" : `… ${hidden} more`}
              </Button>
            )}
          </li>
        ))}
        <li className={css.item} aria-current="location">
          <span className={css.here} title={focus}>
            <BriefName text={focus} />
          </span>
        </li>
      </ol>
    </nav>
  );
}

function nameOf(frame: PathFrame, rootName: string, cap?: number): string {
  if (frame.name === "") return frame.node === 0 ? rootName : "(no name)";
  return visible(frame.name, cap);
}
