import { X } from "lucide-react";
import { memo, useState } from "react";
import { formatPercent } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import type { LibraryRow } from "../../../symbols/library-rows.ts";
import { useLazyDialog } from "../../primitives/dialog/use-lazy-dialog.ts";
import { Button, IconButton } from "../../primitives/icon/Icon.tsx";
import { Lazy } from "../../primitives/lazy/lazy.ts";
import { useSymbols } from "../answers/symbol-store.ts";
import { useCommand } from "../commands/commands.ts";
import { samplesOf } from "./row-words.ts";
import css from "./SymbolNotice.module.css";
import { useLibraryRows } from "./use-recording-symbols.ts";

const DIALOG = new Lazy(() => import("./SymbolsDialog.tsx"));
/** Libraries that the notice names. */
const SHOWN = 2;

/** One line about native frames without names, and the dialog about their libraries. */
export const SymbolNotice = memo(function SymbolNotice() {
  const { loaded, open, show, close } = useLazyDialog(DIALOG);
  const { native } = useSymbols();
  const rows = useLibraryRows();
  const [isDismissed, setDismissed] = useState(false);
  useCommand("symbols", show);
  const wanted = (rows ?? []).filter(({ status }) => status === "missing" || status === "mismatch");
  return (
    <>
      {wanted.length > 0 && !isDismissed && (
        <section className={css.notice} aria-label="Native frames without names" data-testid="symbols-notice">
          <p className={css.text}>
            Native frames without names: <Libraries rows={wanted} samples={native?.samples ?? 0n} />
            {wanted.length > SHOWN && ` and ${wanted.length - SHOWN} more`}.
            <span className={css.spare}> Drop the libraries or their debug files.</span>
          </p>
          <Button testId="symbols-open" aria-haspopup="dialog" onClick={show}>
            Symbols…
          </Button>
          <IconButton icon={X} label="Dismiss" testId="symbols-dismiss" onClick={() => setDismissed(true)} />
        </section>
      )}
      {loaded !== null && <loaded.SymbolsDialog open={open} onClose={close} />}
    </>
  );
});

function Libraries({ rows, samples }: { rows: readonly LibraryRow[]; samples: bigint }) {
  return rows.slice(0, SHOWN).map(({ name, buildId, weights }, i) => (
    <span key={buildId}>
      {i > 0 && ", "}
      <bdi>{name === "" ? `build id ${buildId.slice(0, 8)}` : visible(name, 60)}</bdi>
      <span className={css.spare}> ({formatPercent(samplesOf(weights), samples)} of native samples)</span>
    </span>
  ));
}
