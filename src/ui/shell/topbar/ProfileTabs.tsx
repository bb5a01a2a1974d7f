import { ChevronDown } from "lucide-react";
import { memo, useEffect, useMemo, useRef, useState } from "react";
import type { ProfileTab } from "../../../model/recording/profile-tabs.ts";
import { formatCount } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import { Icon } from "../../primitives/icon/Icon.tsx";
import { MenuButton } from "../../primitives/menu/MenuButton.tsx";
import { Tabs } from "../../primitives/tabs/Tabs.tsx";
import css from "./ProfileTabs.module.css";
import { profileIcon } from "./profile-icons.ts";

interface Props {
  tabs: ProfileTab[];
  /** Type of the current profile, "" without a profile. */
  selected: string;
  /** Samples under the filters by profile; null without filters. */
  filtered: ReadonlyMap<number, number> | null;
  onSelect: (type: string) => void;
  /** Id of the panel the tabs switch. */
  controls: string;
}

/** Profiles with a tab, at most; the menu has all. */
const TABS = 5;

/**
 * Tabs of the selected profile and of the largest ones, as many as there is room for, and a menu of all. The menu also
 * lists the types that the recording lacks, with the setting that records them.
 */
export const ProfileTabs = memo(function ProfileTabs({ tabs, selected, filtered, onSelect, controls }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const fit = useFit(list);
  const large = useMemo(() => largest(tabs, selected, filtered, fit), [tabs, selected, filtered, fit]);

  return (
    <div className={css.profiles}>
      <div className={css.line}>
        <Tabs
          ref={list}
          label="Profiles"
          look="segmented"
          controls={controls}
          selected={selected}
          onSelect={onSelect}
          tabs={large.map((tab) => ({
            id: tab.type,
            testId: `tab-${tab.type}`,
            tip: hint(tab),
            label: (
              <>
                <Icon of={profileIcon(tab.type)} size={14} />
                <span>
                  {visible(tab.label, 40)}{" "}
                  <span data-count className={css.count}>
                    {countWords(tab, filtered)}
                  </span>
                </span>
              </>
            ),
          }))}
        />
      </div>
      <MenuButton
        icon={ChevronDown}
        label="All profiles"
        testId="profiles-menu"
        groups={[tabs.map((tab) => itemOf(tab, tab.type === selected, filtered, onSelect))]}
      />
    </div>
  );
});

/** The selected profile and the largest ones by samples that fit beside it, in the order of the tabs. */
function largest(tabs: ProfileTab[], selected: string, filtered: Props["filtered"], { room, widths }: Fit) {
  const rank = ({ type, profile }: ProfileTab) => (type === selected ? Number.MAX_VALUE : (profile?.samples ?? 0));
  const present = tabs.filter(({ profile }) => profile !== null).sort((a, b) => rank(b) - rank(a));
  let used = 0;
  const without = present.findIndex((tab, i) => {
    // A tab is drawn once before its width is known.
    used += widths.get(tabWords(tab, filtered)) ?? 0;
    return i === TABS || (i > 0 && used > room);
  });
  const first = without < 0 ? present : present.slice(0, without);
  return tabs.filter((tab) => first.includes(tab));
}

/** Pixels for tabs, and the width of each tab that was drawn by its words, with the gap after it. */
interface Fit {
  room: number;
  widths: ReadonlyMap<string, number>;
}

const GAP_PX = 2;

/** The observer asks after the browser's layout: to ask at another time would have the page laid out once more. */
function useFit(list: { current: HTMLElement | null }): Fit {
  const [fit, setFit] = useState<Fit>({ room: Number.POSITIVE_INFINITY, widths: new Map() });
  useEffect(() => {
    const row = list.current;
    const line = row?.parentElement;
    const whole = row?.closest("section");
    if (row === null || line == null || whole == null) return;
    const measure = () => {
      const end = whole.lastElementChild?.getBoundingClientRect().right ?? 0;
      const room = line.clientWidth + whole.getBoundingClientRect().right - end - 2 * GAP_PX;
      const drawn = [...row.children].map(
        (tab) => [tab.textContent, (tab as HTMLElement).offsetWidth + GAP_PX] as const,
      );
      setFit((known) => {
        const isKnown = known.room === room && drawn.every(([words, width]) => known.widths.get(words) === width);
        return isKnown ? known : { room, widths: new Map([...known.widths, ...drawn]) };
      });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(whole);
    observer.observe(row);
    return () => observer.disconnect();
  }, [list]);
  return fit;
}

function itemOf(tab: ProfileTab, checked: boolean, filtered: Props["filtered"], onSelect: Props["onSelect"]) {
  const { type, label, profile } = tab;
  return {
    label: visible(label, 40),
    icon: profileIcon(type),
    keys: countWords(tab, filtered),
    tip: profile === null ? hint(tab) : undefined,
    testId: `profile-${type}`,
    checked,
    run: profile === null ? null : () => onSelect(type),
  };
}

function tabWords(tab: ProfileTab, filtered: Props["filtered"]): string {
  return `${visible(tab.label, 40)} ${countWords(tab, filtered)}`;
}

/** `187`, and with filters `4 / 187`. */
function countWords({ profile, uncounted }: ProfileTab, filtered: Props["filtered"]): string {
  if (uncounted === true) return "";
  if (profile === null) return "none";
  const all = formatCount(profile.samples);
  return filtered === null ? all : `${formatCount(filtered.get(profile.id) ?? 0)} / ${all}`;
}

/** Of an event that has no row in the catalogue the sentence holds names out of the recording. */
function hint({ about, setting, absence, profile }: ProfileTab): string {
  if (profile !== null) return visible(about);
  const how = setting === "" ? "" : `To record it: ${setting}`;
  return [visible(about), "No samples in this recording.", visible(absence), how]
    .filter((part) => part !== "")
    .join(" ");
}
