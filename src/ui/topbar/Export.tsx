import { useLazyDialog } from "../dialog/use-lazy-dialog.ts";
import type { ExportDialogProps } from "../export/ExportDialog.tsx";
import { useCommand } from "../find/commands.ts";
import { likelySoon } from "../lazy/lazy.ts";

const EXPORT = likelySoon(() => import("../export/ExportDialog.tsx"));

type Props = Omit<ExportDialogProps, "open" | "onClose">;

/** The dialog stays once it is there, and with it what was chosen. */
export function Export(props: Props) {
  const { loaded, open, show, close } = useLazyDialog(EXPORT, props.onFailure);
  useCommand("export", show);
  return (
    <>
      <button
        type="button"
        data-testid="export"
        title="Write what is filtered to a file, or send it"
        aria-haspopup="dialog"
        onClick={show}
      >
        Export…
      </button>
      {loaded !== null && <loaded.ExportDialog {...props} open={open} onClose={close} />}
    </>
  );
}
