import type { ReactNode } from "react";
import { useEffect, useId, useMemo } from "react";
import type { RankHow } from "../../core/types.ts";
import { attributeChoices, chooseTab, emptyWords, explorerTabs, groupTab, sortWord } from "../../model/explorer.ts";
import type { Measured } from "../../model/measure.ts";
import type { QueryAction, QueryState } from "../../model/query.ts";
import { rankFilterOf } from "../../model/query.ts";
import { rowFind } from "../../model/row-find.ts";
import { oneId } from "../../model/scope.ts";
import { visible } from "../../model/text.ts";
import type { Failure } from "../../worker/api.ts";
import { useLoaded } from "../dialog/use-loaded.ts";
import { Popover } from "../popover/Popover.tsx";
import css from "./Explorer.module.css";
import { ExplorerTabs } from "./ExplorerTabs.tsx";
import { ExplorerTools } from "./ExplorerTools.tsx";
import { RankList } from "./RankList.tsx";
import { useRank } from "./use-rank.ts";

interface Props {
  profile: Measured;
  attributeKeys: string[];
  /** First moment of the recording. */
  start: bigint;
  query: QueryState;
  act: (action: QueryAction) => void;
  onFailure: (failure: Failure) => void;
}

/** What the samples can be narrowed to: as a list, in any order. */
export function Explorer({ profile, attributeKeys, start, query, act, onFailure }: Props) {
  const panel = useId();
  const tabs = useMemo(() => explorerTabs(profile), [profile]);
  const tab = useMemo(() => chooseTab(tabs, query.by), [tabs, query.by]);
  const { by } = tab;
  const group = groupTab(by, tabs);
  const about = group?.by.kind === "attribute" ? group.by.key : "";
  const { sort, reversed, rows } = query;
  const { find, error } = useMemo(() => rowFind(rows, by), [rows, by]);
  const how = useMemo(
    (): RankHow => ({
      sort,
      reversed,
      ...(find !== null && { find }),
      ...(about !== "" && { about: [about] }),
    }),
    [sort, reversed, find, about],
  );
  const ranking = useRank(profile, rankFilterOf(query, by), by, how, onFailure);

  const extras = useLoaded(() => import("./extras.tsx"), onFailure);
  const one = oneId(query) !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another function each time, to be called once
  useEffect(() => {
    if (one) extras.show();
  }, [one]);

  return (
    <aside className={css.explorer} aria-label="What the samples belong to">
      <ExplorerTabs tabs={tabs} chosen={tab} onTab={(name) => act({ kind: "explore", by: name })} controls={panel}>
        <Popover label="?" title="What the list means" testId="explorer-help" className={css.turn}>
          {() => <Opened onOpen={extras.show}>{extras.loaded !== null && <extras.loaded.HelpWords />}</Opened>}
        </Popover>
      </ExplorerTabs>
      <ExplorerTools
        chosen={tab}
        named={tabs.includes(tab)}
        attributeKeys={attributeChoices(attributeKeys, profile)}
        query={query}
        error={error}
        act={act}
      />
      {one && extras.loaded !== null && (
        <extras.loaded.Scope profile={profile} query={query} act={act} onFailure={onFailure} />
      )}
      <div id={panel} role="tabpanel" aria-label={visible(tab.label, 60)} className={css.panel}>
        {ranking.count === 0 ? (
          <p className={css.none}>{emptyWords(tab, rows)}</p>
        ) : (
          <RankList
            ranking={ranking}
            profile={profile}
            start={start}
            query={query}
            act={act}
            label={`${visible(tab.label, 60)} by ${sortWord(sort, by)}${reversed ? ", reversed" : ""}`}
            group={group}
          />
        )}
      </div>
    </aside>
  );
}

/** Says that it is there. */
function Opened({ onOpen, children }: { onOpen: () => void; children: ReactNode }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => onOpen(), []);
  return children;
}
