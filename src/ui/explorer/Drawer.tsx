import type { ReactNode } from "react";
import { useId, useState } from "react";
import css from "./Drawer.module.css";

interface Props {
  label: string;
  children: ReactNode;
}

/**
 * A column beside the graph where there is room; in narrow windows closed above the graph, which needs the room more.
 */
export function Drawer({ label, children }: Props) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <div className={css.drawer} data-open={open || undefined}>
      <button
        type="button"
        className={css.toggle}
        data-testid="drawer"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <span aria-hidden="true">{open ? "▾" : "▸"}</span> {label}
      </button>
      <div id={id} className={css.content}>
        {children}
      </div>
    </div>
  );
}
