import { Dialog as Base } from "@base-ui/react/dialog";
import { type ReactNode, useRef } from "react";
import css from "./Dialog.module.css";
import { DialogHead, Scrim } from "./DialogParts.tsx";

/** Of every dialog. */
export interface DialogProps {
  open: boolean;
  onClose: () => void;
}

interface Props extends DialogProps {
  title: string;
  testId: string;
  /** For tables: as wide as the window leaves room, up to 1120 px. */
  wide?: boolean;
  /** The content and its choices stay while it is closed; React then listens to all events there. */
  keeps?: boolean;
  children: ReactNode;
}

/**
 * Over the page, which cannot be used meanwhile. Escape, the cross or a click beside it closes it, and the focus goes
 * back to where it was.
 */
export function Dialog({ open, onClose, title, testId, wide, keeps = false, children }: Props) {
  const popup = useRef<HTMLDivElement>(null);
  const first = () => {
    const within = (selector: string) => popup.current?.querySelector<HTMLElement>(selector);
    return within("[data-first]") ?? within("input:checked") ?? popup.current ?? undefined;
  };
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal keepMounted={keeps}>
        <Scrim />
        <Base.Popup
          ref={popup}
          className={css.dialog}
          data-modal
          data-wide={wide}
          data-testid={testId}
          initialFocus={first}
        >
          <DialogHead title={title} />
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
