import { X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { FrameName } from "../grid/FrameName.tsx";
import { IconButton } from "../icon/IconButton.tsx";
import css from "./ChartSide.module.css";

interface Props {
  /** Name of the frame. */
  name: string;
  /** It takes the focus, because a key opened it; another object is another request. */
  focus: object | null;
  onClose: () => void;
  children: ReactNode;
}

/** The detail of the current frame, beside the chart. Escape closes it. */
export function ChartSide({ name, focus, onClose, children }: Props) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (focus !== null) panel.current?.focus();
  }, [focus]);
  return (
    <aside
      ref={panel}
      className={css.side}
      tabIndex={-1}
      aria-label="Frame detail"
      data-testid="chart-side"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
    >
      <div className={css.head}>
        <h2 className={css.name} data-testid="chart-side-name">
          <FrameName text={name} />
        </h2>
        <IconButton
          icon={X}
          label="Close the detail"
          tip="Close (Escape)"
          testId="chart-side-close"
          onClick={onClose}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must be able to do */}
      <section className={css.body} tabIndex={0} aria-label="Times, method and parameters">
        {children}
      </section>
    </aside>
  );
}
