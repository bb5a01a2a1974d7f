import type { ViewName } from "../../model/query/query.ts";
import css from "./ViewTabs.module.css";

interface Props {
  view: ViewName;
  onView: (view: ViewName) => void;
  controls: string;
}

const LABELS: [view: ViewName, label: string, about: string][] = [
  ["flame", "Flame", "All stacks of the selection, merged from the top down"],
  ["sandwich", "Sandwich", "One function: its callers above, what it calls below"],
  ["top", "Top", "Functions by own time and by total"],
  ["tree", "Tree", "The call tree as a table that opens frame by frame"],
  ["diff", "Diff", "The selection beside the rest of its operation, or another one"],
  ["why", "Why", "What the selection is about: functions, threads, what stands out"],
];

/** The views of one selection. */
export function ViewTabs({ view, onView, controls }: Props) {
  return (
    <div className={css.tabs} role="tablist" aria-label="Views">
      {LABELS.map(([name, label, about], index) => (
        <button
          key={name}
          type="button"
          role="tab"
          className={css.tab}
          data-testid={`view-${name}`}
          aria-selected={name === view}
          aria-controls={controls}
          tabIndex={name === view ? 0 : -1}
          title={about}
          onClick={() => onView(name)}
          onKeyDown={(event) => {
            const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
            if (step === undefined) return;
            event.preventDefault();
            const to = (index + step + LABELS.length) % LABELS.length;
            (event.currentTarget.parentElement?.children[to] as HTMLElement | undefined)?.focus();
            onView(LABELS[to][0]);
          }}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
