import { useId, useState } from "react";
import type { RankBy } from "../../core/types.ts";
import type { Measured } from "../../model/measure.ts";
import type { QueryAction, QueryState } from "../../model/query.ts";
import { rankFilterOf } from "../../model/query.ts";
import { visible } from "../../model/text.ts";
import type { Failure } from "../../worker/api.ts";
import css from "./Explorer.module.css";
import { RankList } from "./RankList.tsx";
import { useRank } from "./use-rank.ts";

interface Props {
  profile: Measured;
  attributeKeys: string[];
  query: QueryState;
  act: (action: QueryAction) => void;
  onFailure: (failure: Failure) => void;
}

/** Characters of attribute keys that fit beside the other tabs; more go into a list to choose from. */
const KEY_TABS_ROOM = 20;

/** What the samples can be narrowed to, heaviest first. */
export function Explorer({ profile, attributeKeys, query, act, onFailure }: Props) {
  const [by, setBy] = useState<RankBy>({ kind: "local-root" });
  const ranking = useRank(profile, rankFilterOf(query, by), by, onFailure);
  // Others would only lead to an empty list; but the key in use stays, or a change of profile would take the choice away.
  const keys = attributeKeys.filter(
    (key) => Object.hasOwn(profile.samplesWithAttribute, key) || (by.kind === "attribute" && by.key === key),
  );
  const panel = useId();

  return (
    <aside className={css.explorer} aria-label="Roots, spans and attribute values">
      <RankTabs by={by} attributeKeys={keys} onBy={setBy} controls={panel} />
      <div id={panel} role="tabpanel" aria-label={nameOf(by)} className={css.panel}>
        {ranking.count === 0 ? (
          <p className={css.none}>{emptyWords(by, profile)}</p>
        ) : (
          <RankList ranking={ranking} profile={profile} query={query} act={act} label={nameOf(ranking.question.by)} />
        )}
      </div>
    </aside>
  );
}

interface TabsProps {
  by: RankBy;
  attributeKeys: string[];
  onBy: (by: RankBy) => void;
  controls: string;
}

function RankTabs({ by, attributeKeys, onBy, controls }: TabsProps) {
  const asTabs = attributeKeys.join("").length <= KEY_TABS_ROOM ? attributeKeys : [];
  const choices: RankBy[] = [
    { kind: "local-root" },
    { kind: "span" },
    ...asTabs.map((key): RankBy => ({ kind: "attribute", key })),
  ];
  const selected = choices.findIndex((choice) => sameRank(choice, by));
  return (
    <div className={css.head}>
      <div role="tablist" aria-label="Rank by" className={css.tabs}>
        {choices.map((choice, index) => (
          <button
            key={nameOf(choice)}
            type="button"
            role="tab"
            className={css.tab}
            aria-selected={index === selected}
            aria-controls={controls}
            tabIndex={index === Math.max(0, selected) ? 0 : -1}
            onClick={() => onBy(choice)}
            onKeyDown={(event) => {
              const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
              if (step === undefined) return;
              event.preventDefault();
              const to = (index + step + choices.length) % choices.length;
              (event.currentTarget.parentElement?.children[to] as HTMLElement | undefined)?.focus();
              onBy(choices[to]);
            }}
          >
            {visible(nameOf(choice), 24)}
          </button>
        ))}
      </div>
      {attributeKeys.length > asTabs.length && (
        <select
          className={css.keys}
          aria-label="Attribute to rank by"
          data-testid="attribute-key"
          value={by.kind === "attribute" ? by.key : ""}
          onChange={(event) => onBy({ kind: "attribute", key: event.currentTarget.value })}
        >
          <option value="" disabled>
            Attribute…
          </option>
          {attributeKeys.map((key) => (
            <option key={key} value={key}>
              {visible(key, 60)}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

function sameRank(a: RankBy, b: RankBy): boolean {
  return a.kind === b.kind && (a.kind !== "attribute" || (b.kind === "attribute" && a.key === b.key));
}

function nameOf(by: RankBy): string {
  if (by.kind === "attribute") return by.key;
  return by.kind === "span" ? "Spans" : "Local roots";
}

function emptyWords(by: RankBy, profile: Measured): string {
  if (by.kind === "attribute") return `No sample here has a value for ${visible(by.key, 60)}.`;
  if (profile.samplesWithSpan > 0) return "No sample under these filters belongs to a span.";
  return "No sample of this profile carries a span id. Span ids come from a tracer beside the profiler, e.g. dd-trace-java with its profiler on.";
}
