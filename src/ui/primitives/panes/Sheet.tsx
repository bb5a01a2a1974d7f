import { Dialog } from "@base-ui/react/dialog";
import { type ReactNode, useRef } from "react";
import type { DialogProps } from "../dialog/Dialog.tsx";
import { DialogHead, Scrim } from "../dialog/DialogParts.tsx";
import css from "./Sheet.module.css";

/** Over the lower part of a narrow window. */
export function Sheet({ title, open, onClose, children }: DialogProps & { title: string; children: ReactNode }) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Scrim />
        <Dialog.Popup ref={popup} className={css.sheet} data-modal data-testid="sheet" initialFocus={popup}>
          <DialogHead title={title} />
          <div className={css.content}>{children}</div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
