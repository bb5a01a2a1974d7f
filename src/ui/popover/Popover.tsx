import type { ReactNode } from "react";
import { useId, useRef, useState } from "react";
import css from "./Popover.module.css";

interface Props {
  /** On the button. */
  label: ReactNode;
  /** Name of the panel, and of the button where its label is not enough. */
  title: string;
  testId: string;
  className?: string | undefined;
  /** Made only while the panel is open. */
  children: (close: () => void) => ReactNode;
}

/** A button and the panel it opens, which Escape or a click elsewhere closes: the browser's own popover. */
export function Popover({ label, title, testId, className, children }: Props) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const close = () => panel.current?.hidePopover();

  /** Below the button, wherever the window leaves room; the stylesheet knows how wide the panel is. */
  const place = () => {
    const rect = button.current?.getBoundingClientRect();
    if (rect === undefined || panel.current === null) return;
    const { style } = panel.current;
    style.setProperty("--x", `${Math.round(rect.left)}px`);
    style.setProperty("--y", `${Math.round(rect.bottom + 4)}px`);
  };

  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        data-testid={testId}
        title={title}
        popoverTarget={id}
        aria-haspopup="dialog"
        aria-expanded={open}
      >
        {label}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={title}
        tabIndex={-1}
        className={css.panel}
        data-testid={`${testId}-panel`}
        onBeforeToggle={(event) => {
          if (event.newState !== "open") return;
          place();
          setOpen(true);
        }}
        onToggle={(event) => {
          // Not before it is closed: the focus goes back to the button only from an element that is still there.
          if (event.newState !== "open") return setOpen(false);
          (panel.current?.querySelector<HTMLElement>("[data-first]") ?? panel.current)?.focus();
        }}
      >
        {open && children(close)}
      </div>
    </>
  );
}
