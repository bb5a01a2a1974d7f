import type { ViewName } from "../../model/query/query.ts";
import { VIEW_ROWS } from "../views.ts";
import css from "./ViewTabs.module.css";

interface Props {
  view: ViewName;
  onView: (view: ViewName) => void;
  controls: string;
}

/** The views of one selection. */
export function ViewTabs({ view, onView, controls }: Props) {
  return (
    <div className={css.tabs} role="tablist" aria-label="Views">
      {VIEW_ROWS.map(({ id, label, about }, index) => (
        <button
          key={id}
          type="button"
          role="tab"
          className={css.tab}
          data-testid={`view-${id}`}
          aria-selected={id === view}
          aria-controls={controls}
          tabIndex={id === view ? 0 : -1}
          title={about}
          onClick={() => onView(id)}
          onKeyDown={(event) => {
            const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
            if (step === undefined) return;
            event.preventDefault();
            const to = (index + step + VIEW_ROWS.length) % VIEW_ROWS.length;
            (event.currentTarget.parentElement?.children[to] as HTMLElement | undefined)?.focus();
            onView(VIEW_ROWS[to].id);
          }}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
