import { useMemo, useState } from "react";
import type { LegendFrames } from "../../../model/flame/legend.ts";
import { likelyOwn } from "../../../model/flame/likely-own.ts";
import type { Look } from "../../../model/query/look.ts";
import { visible } from "../../../model/words/text.ts";
import { Button } from "../../primitives/icon/Icon.tsx";
import { storage } from "../../primitives/panes/use-stored.ts";
import css from "./LegendStrip.module.css";

export interface AskOwnProps {
  frames: LegendFrames;
  look: Look;
  onOwn: (own: string) => void;
  /** Whoever has none is not asked again. */
  storeKey: string;
}

/** Where no package of the application is recognised: which ones are the reader's. */
export function AskOwn({ frames, look, onOwn, storeKey }: AskOwnProps) {
  const [isAsked, setAsked] = useState(true);
  const packages = useMemo(() => (isAsked ? likelyOwn(frames, look) : []), [isAsked, frames, look]);
  if (packages.length === 0) return null;
  const none = () => {
    setAsked(false);
    storage.setItem(storeKey, "true");
  };
  return (
    <span className={css.ask} data-testid="ask-own">
      Which packages are yours?
      {packages.map((name) => (
        <Button key={name} onClick={() => onOwn(name)}>
          {visible(name, 60)}
        </Button>
      ))}
      <Button onClick={none}>None</Button>
    </span>
  );
}
