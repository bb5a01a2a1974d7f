import { Popover } from "@base-ui/react/popover";
import type { ReactNode, RefObject } from "react";
import { useRef } from "react";
import css from "./Panel.module.css";

interface Props {
  title: string;
  testId: string;
  button: RefObject<HTMLButtonElement | null>;
  /** Where the panel is in the document. */
  home: RefObject<HTMLElement | null>;
  onClose: () => void;
  children: ReactNode;
}

/** The panel of a popover: below its button, and inside the window. */
export function Panel({ title, testId, button, home, onClose, children }: Props) {
  const popup = useRef<HTMLDivElement>(null);
  /** The button closes the panel itself. */
  const isButton = (at: EventTarget | null) => at instanceof Node && button.current?.contains(at) === true;
  return (
    <Popover.Root
      open
      onOpenChange={(_open, { event }) => {
        const to = event instanceof FocusEvent ? event.relatedTarget : event.target;
        if (event.type.startsWith("key") || !isButton(to)) onClose();
      }}
    >
      <Popover.Portal container={home}>
        <Popover.Positioner
          anchor={button}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          positionMethod="fixed"
          className={css.place}
        >
          <Popover.Popup
            ref={popup}
            className={css.panel}
            aria-label={title}
            data-testid={`${testId}-panel`}
            initialFocus={() => popup.current?.querySelector<HTMLElement>("[data-first]") ?? popup.current ?? undefined}
            finalFocus={button}
          >
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
