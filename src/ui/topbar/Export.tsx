import { Download } from "lucide-react";
import { useLazyDialog } from "../dialog/use-lazy-dialog.ts";
import type { ExportDialogProps } from "../export/ExportDialog.tsx";
import { useCommand } from "../find/commands.ts";
import { Icon } from "../icon/Icon.tsx";
import { likelySoon } from "../lazy/lazy.ts";

const EXPORT = likelySoon(() => import("../export/ExportDialog.tsx"));

type Props = Omit<ExportDialogProps, "open" | "onClose">;

/** The dialog is kept after its first use, with the user's choices. */
export function Export(props: Props) {
  const { loaded, open, show, close } = useLazyDialog(EXPORT, props.onFailure);
  useCommand("export", show);
  return (
    <>
      <button
        type="button"
        data-testid="export"
        data-tip="Save the selection to a file, or send it"
        aria-haspopup="dialog"
        onClick={show}
      >
        <Icon of={Download} size={14} /> Export…
      </button>
      {loaded !== null && <loaded.ExportDialog {...props} open={open} onClose={close} />}
    </>
  );
}
