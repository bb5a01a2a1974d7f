import type { ReactNode } from "react";
import { useRef, useState } from "react";
import { Button } from "../icon/Icon.tsx";
import { likelySoon, useLazy } from "../lazy/lazy.ts";
import { toastFailure } from "../toast/toasts.ts";

const PANEL = likelySoon(() => import("./Panel.tsx").then(({ Panel }) => Panel));

interface Props {
  /** On the button. */
  label: ReactNode;
  /** Name of the panel, and tooltip of the button. */
  title: string;
  testId: string;
  className?: string | undefined;
  /** Another look of the button (theme/base.css). */
  look?: "quiet" | "icon" | undefined;
  /** Name of the button where the label is an icon. */
  name?: string | undefined;
  /** Made only while the panel is open. */
  children: (close: () => void) => ReactNode;
}

/** A button and the panel it opens, which Escape or a click elsewhere closes. */
export function Popover({ label, title, testId, className, look, name, children }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const home = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const Panel = useLazy(open ? PANEL : null, toastFailure);
  const close = () => setOpen(false);
  return (
    <>
      <Button
        ref={button}
        className={className}
        testId={testId}
        look={look}
        tip={title}
        aria-label={name}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {label}
      </Button>
      {/* Next to the button, so that Tab leads from one to the other. React listens to all events there: not while closed. */}
      {open && <div ref={home} />}
      {open && Panel !== null && (
        <Panel title={title} testId={testId} button={button} home={home} onClose={close}>
          {children(close)}
        </Panel>
      )}
    </>
  );
}
