import type { KeyboardEvent, ReactNode, Ref } from "react";
import { Button } from "../icon/Icon.tsx";
import css from "./Tabs.module.css";

export interface Tab {
  id: string;
  label: ReactNode;
  /** Name, where the label is shorter. */
  name?: string | undefined;
  tip: string;
  /** Chooses it wherever the focus is. */
  keys?: string | undefined;
  testId: string;
  /** It can be reached, and says in its tooltip why it cannot be chosen. */
  disabled?: boolean;
  /** It can be chosen, and has nothing to show. */
  empty?: boolean;
}

interface Props {
  /** Name of the row. */
  label: string;
  /** Profiles are segmented, views underlined, lists quiet. */
  look: "segmented" | "underlined" | "quiet";
  tabs: readonly Tab[];
  selected: string;
  onSelect: (id: string) => void;
  /** Id of the panel that the tabs switch. */
  controls: string;
  ref?: Ref<HTMLDivElement>;
}

/** A row of tabs: the arrow keys go through it and choose, Home and End lead to its ends. */
export function Tabs({ label, look, tabs, selected, onSelect, controls, ref }: Props) {
  const inTabOrder = tabs.some((tab) => tab.id === selected) ? selected : tabs[0]?.id;
  const move = (event: KeyboardEvent, index: number) => {
    const to = targetOf(event.key, index, tabs.length);
    if (to === null) return;
    event.preventDefault();
    (event.currentTarget.parentElement?.children[to] as HTMLElement | undefined)?.focus();
    const tab = tabs[to];
    if (tab !== undefined && tab.disabled !== true) onSelect(tab.id);
  };
  return (
    <div ref={ref} className={css.tabs} data-tabs={look} role="tablist" aria-label={label}>
      {tabs.map((tab, index) => (
        <Button
          key={tab.id}
          role="tab"
          className={css.tab}
          testId={tab.testId}
          data-empty={tab.empty || undefined}
          tip={tab.keys === undefined ? tab.tip : `${tab.tip} (${tab.keys})`}
          aria-keyshortcuts={tab.keys}
          aria-label={tab.name}
          aria-selected={tab.id === selected}
          aria-disabled={tab.disabled}
          aria-controls={controls}
          aria-description={tab.tip}
          tabIndex={tab.id === inTabOrder ? 0 : -1}
          onClick={() => tab.disabled !== true && onSelect(tab.id)}
          onKeyDown={(event) => move(event, index)}
        >
          {tab.label}
        </Button>
      ))}
    </div>
  );
}

function targetOf(key: string, index: number, count: number): number | null {
  if (key === "ArrowRight") return (index + 1) % count;
  if (key === "ArrowLeft") return (index + count - 1) % count;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : null;
}
