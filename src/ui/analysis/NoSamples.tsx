import { useEffect, useState } from "react";
import type { Filter, ProfileSummary } from "../../core/types.ts";
import { filterChipsOf } from "../../model/query/chips.ts";
import { FILTER_KINDS, filterRow } from "../../model/query/filters.ts";
import { filterKey } from "../../model/query/query.ts";
import { formatCounted } from "../../model/words/format.ts";
import { visible } from "../../model/words/text.ts";
import { viewer } from "../../worker/client.ts";
import css from "./NoSamples.module.css";

interface Props {
  profile: ProfileSummary;
  profiles: { profile: ProfileSummary; label: string }[];
  filter: Filter;
  label: string;
  onType: (type: string) => void;
  onClear: () => void;
}

const INTERVALS =
  "A profiler looks at intervals: what ran shorter than one, or waited all the time, can be missed. An id of another recording, or a span nobody profiled, has no samples either.";

/** The filters leave nothing in this profile: said in words, with where there is something. */
export function NoSamples({ profile, profiles, filter, label, onType, onClear }: Props) {
  const elsewhere = useElsewhere(profile, profiles, filter);
  return (
    <section className={css.empty} data-testid="no-samples" role="status">
      <h2>
        No {label} sample {whose(filter)}
      </h2>
      <p>{why(profile, filter)}</p>
      {elsewhere.length > 0 && (
        <ul className={css.others}>
          {elsewhere.map((other) => (
            <li key={other.type}>
              <button type="button" onClick={() => onType(other.type)}>
                {visible(other.label, 40)}: {formatCounted(other.samples, "sample")}
              </button>
            </li>
          ))}
        </ul>
      )}
      <button type="button" onClick={onClear}>
        Clear the filters
      </button>
    </section>
  );
}

function why(profile: ProfileSummary, filter: Filter): string {
  for (const { kind } of filterChipsOf(filter)) {
    const reason = filterRow(kind).reason?.(filter, profile) ?? null;
    if (reason !== null) return reason;
  }
  return INTERVALS;
}

function whose(filter: Filter): string {
  const parts = FILTER_KINDS.flatMap((kind) => {
    const { of, absence } = filterRow(kind);
    const conditions = of(filter);
    return conditions.length === 0 ? [] : absence(conditions);
  });
  return parts.length === 0 ? "in this recording." : `${parts.join(" and ")}.`;
}

interface Elsewhere {
  type: string;
  label: string;
  samples: number;
}

/** The other profiles that have samples under the same filter. */
function useElsewhere(profile: ProfileSummary, profiles: Props["profiles"], filter: Filter): Elsewhere[] {
  const [found, setFound] = useState<Elsewhere[]>([]);
  const key = filterKey(filter);
  // biome-ignore lint/correctness/useExhaustiveDependencies: key stands for filter
  useEffect(() => {
    let wanted = true;
    setFound([]);
    const others = profiles.filter((other) => other.profile.id !== profile.id);
    const ask = others.map(async (other): Promise<Elsewhere[]> => {
      const totals = await viewer.totals({ profile: other.profile.id, measure: 0, filter });
      if (!totals.ok || totals.value.samples === 0) return [];
      return [{ type: other.profile.type, label: other.label, samples: totals.value.samples }];
    });
    void Promise.all(ask).then((lists) => {
      if (wanted) setFound(lists.flat());
    });
    return () => {
      wanted = false;
    };
  }, [profile, profiles, key]);
  return found;
}
