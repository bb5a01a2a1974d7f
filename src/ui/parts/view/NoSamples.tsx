import { useContext, useEffect, useState } from "react";
import type { Filter } from "../../../core/types.ts";
import type { UncarriedId } from "../../../core/view-types.ts";
import { filterChipsOf } from "../../../model/query/chips.ts";
import { FILTER_KINDS, type FilterChip, filterRow } from "../../../model/query/filters.ts";
import { filterKey } from "../../../model/query/query.ts";
import { askedOf, onlySignals } from "../../../model/recording/contention.ts";
import { formatCounted, formatNanos } from "../../../model/words/format.ts";
import { idWord, isTrace } from "../../../model/words/ids.ts";
import type { Profiled } from "../../../model/words/measure.ts";
import { visible } from "../../../model/words/text.ts";
import { viewer } from "../../../worker/client.ts";
import { Button } from "../../primitives/icon/Icon.tsx";
import { likelySoon, useLazy } from "../../primitives/lazy/lazy.ts";
import { Grown } from "../answers/use-answer.ts";
import { AddFiles } from "../files/add-files.ts";
import { FilePicker } from "../files/FilePicker.tsx";
import css from "./NoSamples.module.css";

type IdChip = FilterChip & { kind: "span" | "local-root" };

interface Props {
  profile: Profiled;
  profiles: { profile: Profiled; label: string }[];
  filter: Filter;
  label: string;
  onType: (type: string) => void;
  /** Shows the id in its trace. */
  onTrace: (trace: string, id: IdChip) => void;
  onClear: () => void;
}

const TRACE_HELP = likelySoon(() => import("./TraceHelp.tsx").then(({ TraceHelp }) => TraceHelp));
/** The page stays as it is without the help. */
const quietly = () => {};

/** The reason why the filters leave nothing in this profile, and the profiles where there is something. */
export function NoSamples({ profile, profiles, filter: selected, label, onType, onTrace, onClear }: Props) {
  const filter = askedOf(profile, selected);
  const everywhere = useElsewhere(profiles, filter);
  const own = everywhere?.find(({ type }) => type === profile.type)?.samples ?? 0;
  const elsewhere = everywhere?.filter(({ type }) => type !== profile.type) ?? null;
  const signals = onlySignals(profile, filter, own);
  const id = loneId(filter);
  const isNowhere = everywhere !== null && everywhere.length === 0;
  const uncarried = useUncarried(isNowhere ? (id?.id ?? null) : null);
  const known = uncarried?.trace ?? null;
  const isUnknown = isNowhere && known === null && (id === null || uncarried !== null);
  const trace = isUnknown && id !== null && isTrace(id.id) ? id.id : null;
  const onAdd = useContext(AddFiles);
  const Help = useLazy(trace === null ? null : TRACE_HELP, quietly);
  return (
    <section className={css.empty} data-testid="no-samples" role="status">
      <h2>
        {isUnknown && id !== null
          ? `The recording does not have this ${idWord(id.kind, id.id)} id`
          : `No ${label} ${profile.exact === "calls" ? "of these calls" : whose(filter, id)}`}
      </h2>
      {uncarried !== null && <Uncarried {...uncarried} />}
      {trace !== null && Help !== null && <Help trace={trace} />}
      {(trace === null || Help === null) && known === null && <p>{signals ?? why(profile, filter, isUnknown)}</p>}
      {known !== null && id !== null && (
        <Button testId="show-in-trace" onClick={() => onTrace(known, id)}>
          Show it in its trace
        </Button>
      )}
      {elsewhere !== null && elsewhere.length > 0 && (
        <ul className={css.others}>
          {elsewhere.map((other) => (
            <li key={other.type}>
              <Button onClick={() => onType(other.type)}>
                {visible(other.label, 40)}
                {!other.exact && `: ${formatCounted(other.samples, "sample")}`}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {isUnknown && id !== null && onAdd !== null && (
        <FilePicker label="Add another recording…" testId="add-recording" onFiles={onAdd} />
      )}
      <Button onClick={onClear}>Clear the filters</Button>
    </section>
  );
}

/** What is known of an id that no sample carries; null until it is asked. */
function useUncarried(id: bigint | null): UncarriedId | null {
  const [found, setFound] = useState<UncarriedId | null>(null);
  const grown = useContext(Grown);
  // biome-ignore lint/correctness/useExhaustiveDependencies: more of the recording is known
  useEffect(() => {
    let wanted = id !== null;
    setFound(null);
    if (id !== null)
      void viewer.uncarried(id).then((answer) => {
        if (wanted) setFound(answer.ok ? answer.value : NOT_FOUND);
      });
    return () => {
      wanted = false;
    };
  }, [id, grown]);
  return found;
}

const NOT_FOUND: UncarriedId = { lines: [], trace: null };

/** The lines about it, as sentences. */
function Uncarried({ lines }: UncarriedId) {
  return (
    <ul className={css.known} data-testid="unknown-id">
      {lines.map((line) => (
        <li key={line}>{visible(line.replace(/^./, (first) => first.toUpperCase()).replace(/([^.])$/, "$1."))}</li>
      ))}
    </ul>
  );
}

/** The id that is the only filter. */
function loneId(filter: Filter): IdChip | null {
  const [chip, ...others] = filterChipsOf(filter);
  if (chip === undefined || others.length > 0) return null;
  return chip.kind === "span" || chip.kind === "local-root" ? chip : null;
}

function why(profile: Profiled, filter: Filter, isUnknown: boolean): string {
  for (const { kind } of filterChipsOf(filter)) {
    const reason = filterRow(kind).reason?.(filter, profile) ?? null;
    if (reason !== null) return reason;
  }
  if (profile.exact === "calls") return "None of the selected calls has frames that match.";
  if (profile.exact === "spans") return "Child spans may cover the whole time of a span.";
  const { period, periodUnit } = profile;
  const isSampled = period > 0n && periodUnit === "nanoseconds";
  const short = isSampled ? `It may be shorter than the ${formatNanos(period)} interval` : "No such event was recorded";
  return isUnknown ? `${short}, or it is in another recording.` : `${short}.`;
}

function whose(filter: Filter, id: ReturnType<typeof loneId>): string {
  if (id !== null) return `samples in this ${idWord(id.kind, id.id)}`;
  const parts = FILTER_KINDS.flatMap((kind) => {
    const { of, absence } = filterRow(kind);
    const conditions = of(filter);
    return conditions.length === 0 ? [] : absence(conditions);
  });
  return parts.length === 0 ? "sample in this recording." : `sample ${parts.join(" and ")}.`;
}

interface Elsewhere {
  type: string;
  label: string;
  samples: number;
  exact: boolean;
}

const NO_KEYS = { endpoint: [], operation: [] };

/** The other profiles that have samples under the same filter; null until that is known. */
function useElsewhere(profiles: Props["profiles"], filter: Filter): Elsewhere[] | null {
  const [found, setFound] = useState<Elsewhere[] | null>(null);
  const key = filterKey(filter);
  // biome-ignore lint/correctness/useExhaustiveDependencies: key stands for filter
  useEffect(() => {
    let wanted = true;
    setFound(null);
    void viewer.outline(filter, NO_KEYS).then((answer) => {
      if (!wanted || !answer.ok) return;
      const samples = new Map(answer.value.split.map(({ profile, totals }) => [profile, totals.samples]));
      const others = profiles.flatMap(({ profile: { id, type, exact }, label }): Elsewhere[] => {
        const count = samples.get(id);
        return count === undefined ? [] : [{ type, label, samples: count, exact: exact !== undefined }];
      });
      setFound(others);
    });
    return () => {
      wanted = false;
    };
  }, [profiles, key]);
  return found;
}
