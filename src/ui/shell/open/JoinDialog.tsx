import { visible } from "../../../model/words/text.ts";
import type { InputFile } from "../../../worker/api.ts";
import { JOININGS, type Joining, openWords } from "../../parts/files/joining.ts";
import { Dialog } from "../../primitives/dialog/Dialog.tsx";
import { Button } from "../../primitives/icon/Icon.tsx";
import css from "./JoinDialog.module.css";

export interface JoinDialogProps {
  /** Chosen or pasted; null closes the dialog. */
  files: InputFile[] | null;
  /** Files of the open recording. */
  names: readonly string[];
  onChoice: (how: Joining) => void;
  onClose: () => void;
}

/** How to open files beside an open recording: the choices of the drop places, for the keyboard. */
export function JoinDialog({ files, names, onChoice, onClose }: JoinDialogProps) {
  const open = visible(openWords(names), 60);
  const fresh = visible(openWords((files ?? []).map(({ name }) => name)), 60);
  const choose = (how: Joining) => {
    onClose();
    onChoice(how);
  };
  return (
    <Dialog open={files !== null} onClose={onClose} title={`Open ${fresh}`} testId="join-dialog">
      <div className={css.choices}>
        {JOININGS.map(({ how, label, about }) => (
          <Button
            key={how}
            className={css.choice}
            testId={`join-${how}`}
            data-first={how === "replace" || undefined}
            onClick={() => choose(how)}
          >
            <span className={css.label}>{label}</span>
            <bdi className={css.about}>{about(open)}</bdi>
          </Button>
        ))}
      </div>
      <div className={css.foot}>
        <Button testId="join-cancel" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Dialog>
  );
}
