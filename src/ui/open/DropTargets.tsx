import { FileUp } from "lucide-react";
import { visible } from "../../model/words/text.ts";
import { Icon } from "../icon/Icon.tsx";
import css from "./DropTargets.module.css";
import { JOININGS, openWords } from "./joining.ts";
import type { Over } from "./use-drop.ts";

interface Props {
  over: Over;
  /** Files of the open recording: without any there is one target. */
  names: readonly string[];
}

/** Over the page while files are dragged across it. */
export function DropTargets({ over, names }: Props) {
  if (names.length === 0) {
    return (
      <div className={css.over}>
        <div className={css.only}>
          <Icon of={FileUp} size={32} className={css.mark} />
          <p>Drop to open</p>
        </div>
      </div>
    );
  }
  const open = visible(openWords(names), 60);
  return (
    <div className={css.over} data-testid="drop-targets">
      {JOININGS.map(({ how, label, about }) => (
        <div key={how} className={css.target} data-joining={how} data-over={over === how || undefined}>
          <p className={css.label}>{label}</p>
          <p className={css.about}>
            <bdi>{about(open)}</bdi>
          </p>
        </div>
      ))}
    </div>
  );
}
