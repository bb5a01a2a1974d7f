import type { ReactNode } from "react";
import type { ExplorerTab } from "../../model/lists/explorer.ts";
import { Tabs } from "../tabs/Tabs.tsx";
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
const SHORT: ReadonlyMap<string, string> = new Map(Object.entries({ root: "Roots" }));

export function ExplorerTabs({ tabs, chosen, onTab, controls, children }: Props) {
  return (
    <div className={css.head}>
      <Tabs
        label="List by"
        look="quiet"
        controls={controls}
        selected={chosen.name}
        onSelect={onTab}
        tabs={tabs.map(({ name, label, about, absence }) => ({
          id: name,
          testId: `by-${name}`,
          label: SHORT.get(name) ?? label,
          name: label,
          tip: absence === "" ? about : absence,
          empty: absence !== "",
        }))}
      />
      {children}
    </div>
  );
}
