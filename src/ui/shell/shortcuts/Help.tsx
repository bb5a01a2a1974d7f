import { Keyboard } from "lucide-react";
import { memo, useCallback } from "react";
import type { Failure } from "../../../worker/api.ts";
import { useCommand } from "../../parts/commands/commands.ts";
import { useLazyDialog } from "../../primitives/dialog/use-lazy-dialog.ts";
import { IconButton } from "../../primitives/icon/Icon.tsx";
import { useKeys } from "../../primitives/keys/use-keys.ts";
import { likelySoon } from "../../primitives/lazy/lazy.ts";

const SHORTCUTS = likelySoon(() => import("./ShortcutsDialog.tsx"));

interface Props {
  onFailure: (failure: Failure) => void;
}

/** Opens the overview of keys: by `?`, or by the button. */
export const Help = memo(function Help({ onFailure }: Props) {
  const { loaded, open, show, close } = useLazyDialog(SHORTCUTS, onFailure);
  useCommand("shortcuts", show);
  const onKey = useCallback(
    (event: KeyboardEvent) => {
      const isHelp = event.key === "?" && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (isHelp) show();
      return isHelp;
    },
    [show],
  );
  useKeys(onKey);
  return (
    <>
      <IconButton
        icon={Keyboard}
        label="Keyboard shortcuts"
        tip="Keyboard shortcuts (?)"
        testId="shortcuts"
        aria-haspopup="dialog"
        onClick={show}
      />
      {loaded !== null && <loaded.ShortcutsDialog open={open} onClose={close} />}
    </>
  );
});
