import { CircleHelp } from "lucide-react";
import type { ComponentProps } from "react";
import { memo, useId, useMemo } from "react";
import type { RankHow } from "../../../core/types.ts";
import type { ExplorerTab } from "../../../model/lists/explorer.ts";
import { attributeChoices, chooseTab, emptyWords, explorerTabs, groupTab } from "../../../model/lists/explorer.ts";
import { patternIn, rowFind } from "../../../model/lists/row-find.ts";
import { sortFor, sortWord } from "../../../model/lists/sort-words.ts";
import { rankFilterOf } from "../../../model/query/query.ts";
import { oneId } from "../../../model/query/scope.ts";
import { visible } from "../../../model/words/text.ts";
import { Icon } from "../../primitives/icon/Icon.tsx";
import { likelySoon, useLazy } from "../../primitives/lazy/lazy.ts";
import { Popover } from "../../primitives/popover/Popover.tsx";
import { Tabs } from "../../primitives/tabs/Tabs.tsx";
import { useSame } from "../answers/use-answer.ts";
import { usePattern } from "../search/use-pattern.ts";
import css from "./Explorer.module.css";
import { ExplorerTools } from "./ExplorerTools.tsx";
import { RankList } from "./RankList.tsx";
import { useRank } from "./use-rank.ts";

const SCOPE_AND_HELP = likelySoon(() => import("./scope-and-help.ts"));

const HELP = (
  <>
    <Icon of={CircleHelp} />
    <span className="visually-hidden">About this list</span>
  </>
);

interface Props extends Pick<ComponentProps<typeof RankList>, "profile" | "zeros" | "query" | "act" | "endpoint"> {
  attributeKeys: string[];
}

/** What the samples can be narrowed to: as a list, in any order. */
export const Explorer = memo(function Explorer(props: Props) {
  const { profile, attributeKeys, zeros, query, endpoint, act } = props;
  const panel = useId();
  const tabs = useMemo(() => explorerTabs(profile), [profile]);
  const tab = useMemo(() => chooseTab(tabs, query.by), [tabs, query.by]);
  // Growing makes the tabs again: the list is the same.
  const by = useSame(tab.by);
  const group = groupTab(by, tabs);
  const about = group?.by.kind === "attribute" ? group.by.key : "";
  const { reversed, rows } = query;
  const sort = sortFor(query.sort, by, zeros.length > 0);
  const wanted = useMemo(() => rowFind(rows, by), [rows, by]);
  const pattern = patternIn(wanted.find);
  const checked = usePattern(pattern);
  const find = pattern === "" || checked.expression !== null ? wanted.find : null;
  const error = wanted.error ?? checked.error;
  const how = useMemo(
    (): RankHow => ({
      sort,
      reversed,
      wholeExtents: true,
      requests: true,
      ...(find !== null && { find }),
      ...(about !== "" && { about: [about] }),
    }),
    [sort, reversed, find, about],
  );
  const ranking = useRank(profile, rankFilterOf(query, by), by, how);

  const one = oneId(query) !== null;
  const chosen = useLazy(one ? SCOPE_AND_HELP : null);

  return (
    <aside className={css.explorer} aria-label="Traces and filters">
      <ExplorerTabs tabs={tabs} chosen={tab} onTab={(name) => act({ kind: "explore", by: name })} controls={panel} />
      <ExplorerTools
        {...{ tabs, query, sort, error, act }}
        chosen={tab}
        named={tabs.includes(tab)}
        attributeKeys={attributeChoices(attributeKeys, profile)}
        ofCalls={profile.exact === "calls"}
      >
        <Popover label={HELP} title="About this list" testId="explorer-help" look="icon">
          {() => <Help ofCalls={profile.exact === "calls"} />}
        </Popover>
      </ExplorerTools>
      <div
        id={panel}
        tabIndex={-1}
        role="tabpanel"
        aria-label={visible(tab.label, 60)}
        aria-busy={!ranking.isCurrent || undefined}
        className={css.panel}
      >
        {ranking.count === 0 ? (
          <p className={css.none}>{emptyWords(tab, rows)}</p>
        ) : (
          <RankList
            {...{ ranking, profile, zeros, query, act, group, endpoint }}
            label={`${visible(tab.label, 60)} by ${sortWord(sort, by)}${reversed ? ", reversed" : ""}`}
          />
        )}
      </div>
      {/* Below the list, whose rows stay where they are when one is chosen. */}
      {chosen !== null && <chosen.Scope profile={profile} query={query} act={act} />}
    </aside>
  );
});

function Help({ ofCalls }: { ofCalls: boolean }) {
  const loaded = useLazy(SCOPE_AND_HELP);
  return loaded !== null && <loaded.HelpWords ofCalls={ofCalls} />;
}

interface ExplorerTabsProps {
  tabs: ExplorerTab[];
  chosen: ExplorerTab;
  onTab: (name: string) => void;
  controls: string;
}

function ExplorerTabs({ tabs, chosen, onTab, controls }: ExplorerTabsProps) {
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
          label,
          tip: absence === "" ? about : absence,
          empty: absence !== "",
        }))}
      />
    </div>
  );
}
