import { useState } from "react";
import type { Failure } from "../../worker/api.ts";
import type { ExportDialog, ExportDialogProps } from "../export/ExportDialog.tsx";

type Props = Omit<ExportDialogProps, "open" | "onClose">;

/** The dialog is a file of its own, fetched when first asked for. It stays after that, and with it what was chosen. */
export function Export(props: Props) {
  const [open, setOpen] = useState(false);
  const [loaded, setLoaded] = useState<{ Dialog: typeof ExportDialog } | null>(null);

  const show = async () => {
    try {
      const { ExportDialog: Dialog } = await import("../export/ExportDialog.tsx");
      setLoaded({ Dialog });
      setOpen(true);
    } catch (error) {
      props.onFailure(notLoaded(error));
    }
  };

  return (
    <>
      <button
        type="button"
        data-testid="export"
        title="Write what is filtered to a file, or send it"
        aria-haspopup="dialog"
        onClick={() => void show()}
      >
        Export…
      </button>
      {loaded !== null && <loaded.Dialog {...props} open={open} onClose={() => setOpen(false)} />}
    </>
  );
}

function notLoaded(error: unknown): Failure {
  const reason = error instanceof Error ? error.message : String(error);
  return { code: "page.incomplete", message: `The export dialog could not be loaded: ${reason}` };
}
