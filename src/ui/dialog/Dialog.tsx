import type { ReactNode, RefObject } from "react";
import { useEffect, useId } from "react";
import css from "./Dialog.module.css";

interface Props {
  dialog: RefObject<HTMLDialogElement | null>;
  open: boolean;
  onClose: () => void;
  title: string;
  testId: string;
  /** For tables: as wide as the window leaves room, up to 1120 px. */
  wide?: boolean;
  children: ReactNode;
}

/** Over the page, which waits behind it: Escape closes it, and the browser keeps the focus inside and gives it back. */
export function Dialog({ dialog, open, onClose, title, testId, wide, children }: Props) {
  const id = useId();
  useEffect(() => {
    const { current } = dialog;
    if (!open || current === null || current.open) return;
    current.showModal();
    (current.querySelector<HTMLElement>("[data-first], input:checked") ?? current).focus();
  }, [dialog, open]);
  return (
    <dialog
      ref={dialog}
      className={css.dialog}
      data-wide={wide}
      aria-labelledby={id}
      data-testid={testId}
      onClose={onClose}
    >
      <h2 id={id} className={css.title}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}
