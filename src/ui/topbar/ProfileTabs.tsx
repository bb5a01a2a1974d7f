import type { KeyboardEvent } from "react";
import { useEffect, useId, useRef } from "react";
import type { ProfileTab } from "../../model/recording/profile-tabs.ts";
import { formatCount } from "../../model/words/format.ts";
import { visible } from "../../model/words/text.ts";
import css from "./ProfileTabs.module.css";

interface Props {
  tabs: ProfileTab[];
  /** Type of the chosen profile, "" when there is none. */
  selected: string;
  /** Samples under the filters by profile; null without filters. */
  filtered: ReadonlyMap<number, number> | null;
  onSelect: (type: string) => void;
  /** Id of the panel the tabs switch. */
  controls: string;
}

/** One tab for each profile; types the recording lacks stay in the row and say which setting records them. */
export function ProfileTabs({ tabs, selected, filtered, onSelect, controls }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const inTabOrder = tabs.some((tab) => tab.type === selected) ? selected : tabs[0]?.type;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is another place to scroll to
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [selected]);

  const move = (event: KeyboardEvent, index: number) => {
    const to = targetOf(event.key, index, tabs.length);
    if (to === null) return;
    event.preventDefault();
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[to]?.focus();
    if (tabs[to].profile !== null) onSelect(tabs[to].type);
  };

  return (
    <div className={css.tabs} role="tablist" aria-label="Profiles" ref={list}>
      {tabs.map((tab, index) => {
        const absent = tab.profile === null;
        return (
          <button
            key={tab.type}
            type="button"
            role="tab"
            className={css.tab}
            data-testid={`tab-${tab.type}`}
            aria-selected={tab.type === selected}
            aria-disabled={absent}
            aria-controls={controls}
            aria-describedby={`${id}-${index}`}
            tabIndex={tab.type === inTabOrder ? 0 : -1}
            title={hint(tab)}
            onClick={() => !absent && onSelect(tab.type)}
            onKeyDown={(event) => move(event, index)}
          >
            {visible(tab.label, 40)} <span className={css.count}>{countWords(tab, filtered)}</span>
            <span id={`${id}-${index}`} hidden>
              {hint(tab)}
            </span>
          </button>
        );
      })}
    </div>
  );
}

/** `187`, and with filters `4 / 187`. */
function countWords({ profile }: ProfileTab, filtered: Props["filtered"]): string {
  if (profile === null) return "none";
  const all = formatCount(profile.samples);
  return filtered === null ? all : `${formatCount(filtered.get(profile.id) ?? 0)} / ${all}`;
}

/** Of an event that has no row in the catalogue the sentence holds names out of the recording. */
function hint({ about, setting, absence, profile }: ProfileTab): string {
  if (profile !== null) return visible(about);
  return [about, "None in this recording.", visible(absence), `To record it: ${setting}`]
    .filter((part) => part !== "")
    .join(" ");
}

function targetOf(key: string, index: number, count: number): number | null {
  if (key === "ArrowRight") return (index + 1) % count;
  if (key === "ArrowLeft") return (index + count - 1) % count;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : null;
}
