import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useRef } from "react";
import { Icon } from "../icon/Icon.tsx";
import css from "./Sheet.module.css";

interface Props {
  title: string;
  open: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Over the lower part of a narrow window. */
export function Sheet({ title, open, onClose, children }: Props) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={css.scrim} />
        <Dialog.Popup ref={popup} className={css.sheet} data-modal data-testid="sheet" initialFocus={popup}>
          <div className={css.head}>
            <Dialog.Title className={css.title}>{title}</Dialog.Title>
            <Dialog.Close data-look="icon" aria-label="Close">
              <Icon of={X} />
            </Dialog.Close>
          </div>
          <div className={css.content}>{children}</div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
