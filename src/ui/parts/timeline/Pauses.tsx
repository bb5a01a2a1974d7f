import { useLazyDialog } from "../../primitives/dialog/use-lazy-dialog.ts";
import { Button } from "../../primitives/icon/Icon.tsx";
import { Lazy } from "../../primitives/lazy/lazy.ts";
import { runCommand, useCommand } from "../commands/commands.ts";
import type { PausesProps } from "./PauseDialog.tsx";
import css from "./Pauses.module.css";

const DIALOG = new Lazy(() => import("./PauseDialog.tsx"));

/** The list of pauses, which the legend and the search box open. */
export function Pauses(props: PausesProps) {
  const { loaded, open, show, close } = useLazyDialog(DIALOG);
  useCommand("pauses", show);
  return loaded !== null && <loaded.PauseDialog open={open} onClose={close} {...props} />;
}

/** The pauses of a legend in words: opens the list. */
export function PausesButton({ text }: { text: string }) {
  return (
    <Button
      className={css.open}
      testId="pauses-open"
      tip="List the longest pauses"
      aria-haspopup="dialog"
      onClick={() => runCommand("pauses")}
    >
      {text}
    </Button>
  );
}
