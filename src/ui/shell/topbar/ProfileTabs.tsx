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

/** Profiles with a tab; the menu has all. */
const TABS = 5;

/**
 * Tabs of the largest profiles and of the selected one, and a menu of all. The menu also lists the types that the
 * recording lacks, with the setting that records them.
 */
export const ProfileTabs = memo(function ProfileTabs({ tabs, selected, filtered, onSelect, controls }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const large = useMemo(() => largest(tabs, selected), [tabs, selected]);
  const cut = useCut(list, large);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is another place to scroll to
  useEffect(() => showSelected(list.current), [cut !== "", filtered, large]);

  return (
    <div className={css.profiles}>
      <div className={css.line} data-cut={cut || undefined}>
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

/** The largest profiles by samples, in the order of the tabs; the selected one is always among them. */
function largest(tabs: ProfileTab[], selected: string): ProfileTab[] {
  const rank = ({ type, profile }: ProfileTab) => (type === selected ? Number.MAX_VALUE : (profile?.samples ?? 0));
  const first = tabs
    .filter(({ profile }) => profile !== null)
    .sort((a, b) => rank(b) - rank(a))
    .slice(0, TABS);
  return tabs.filter((tab) => first.includes(tab));
}

/** Less than this share of a tab in view is not the whole tab. */
const WHOLE = 0.99;

/**
 * Scrolls to the selected tab where it is cut. The observer knows that after the browser's next layout; to ask, or to
 * scroll a tab that is in view, would have the browser lay out the page once more.
 */
function showSelected(list: HTMLElement | null) {
  const tab = list?.querySelector("[aria-selected=true]");
  if (tab == null) return;
  const observer = new IntersectionObserver(([{ intersectionRatio }]) => {
    observer.disconnect();
    if (intersectionRatio < WHOLE) tab.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  observer.observe(tab);
  return () => observer.disconnect();
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

/** The sides at which tabs are cut, because they are wider than their line: `left`, `right`, both or none. */
function useCut(list: { current: HTMLElement | null }, tabs: ProfileTab[]): string {
  const [cut, setCut] = useState("");
  // biome-ignore lint/correctness/useExhaustiveDependencies: other tabs have another width
  useEffect(() => {
    const line = list.current?.parentElement;
    if (line == null) return;
    const measure = () => {
      const more = line.scrollWidth - line.clientWidth;
      const sides = [line.scrollLeft > 1 && "left", line.scrollLeft < more - 1 && "right"];
      setCut(more > 1 ? sides.filter(Boolean).join(" ") : "");
    };
    const observer = new ResizeObserver(measure);
    observer.observe(line);
    if (list.current !== null) observer.observe(list.current);
    line.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      line.removeEventListener("scroll", measure);
    };
  }, [tabs]);
  return cut;
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
