import type { ReactNode } from "react";
import type { ExplorerTab } from "../../model/lists/explorer.ts";
import css from "./Explorer.module.css";

interface Props {
  tabs: ExplorerTab[];
  chosen: ExplorerTab;
  onTab: (name: string) => void;
  controls: string;
  /** Beside the tabs. */
  children: ReactNode;
}

/** One tab has the room of a word only; its name is the whole. */
const SHORT: Record<string, string> = { root: "Roots" };

export function ExplorerTabs({ tabs, chosen, onTab, controls, children }: Props) {
  const selected = tabs.findIndex(({ name }) => name === chosen.name);
  return (
    <div className={css.head}>
      <div role="tablist" aria-label="List by" className={css.tabs}>
        {tabs.map(({ name, label, about, absence }, index) => (
          <button
            key={name}
            type="button"
            role="tab"
            className={css.tab}
            data-testid={`by-${name}`}
            data-absent={absence !== "" || undefined}
            aria-label={label}
            aria-selected={index === selected}
            aria-controls={controls}
            tabIndex={index === Math.max(0, selected) ? 0 : -1}
            title={absence === "" ? about : absence}
            onClick={() => onTab(name)}
            onKeyDown={(event) => {
              const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
              if (step === undefined) return;
              event.preventDefault();
              const to = (index + step + tabs.length) % tabs.length;
              (event.currentTarget.parentElement?.children[to] as HTMLElement | undefined)?.focus();
              onTab(tabs[to]!.name);
            }}
          >
            {SHORT[name] ?? label}
          </button>
        ))}
      </div>
      {children}
    </div>
  );
}
