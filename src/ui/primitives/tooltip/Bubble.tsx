import { Tooltip } from "@base-ui/react/tooltip";
import css from "./Bubble.module.css";

/** The tooltip itself, beside its element and inside the window. */
export function Bubble({ anchor, text }: { anchor: HTMLElement; text: string }) {
  return (
    <Tooltip.Root open>
      <Tooltip.Portal>
        <Tooltip.Positioner anchor={anchor} sideOffset={6} collisionPadding={8} className={css.place}>
          <Tooltip.Popup className={css.bubble} aria-hidden data-testid="tooltip">
            {text}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
