/** The profile tabs: what the recording has, and after it what it could have had. */
import { type ProfileRow, wireType } from "../../core/catalogue.ts";
import type { ProfileSummary, Setting } from "../../core/types.ts";
import { absenceSentences } from "./setting-words.ts";

export interface ProfileTab {
  type: string;
  label: string;
  /** One sentence: what the value is. */
  about: string;
  /** Which setting records it, for an absent type. */
  setting: string;
  /** For an absent type: how the recording's own settings explain that. */
  absence: string;
  /** Null when the recording has no sample of this type. */
  profile: ProfileSummary | null;
}

/** Catalogue order, a second profile of a type beside the first; types that are offered though absent are last. */
export function profileTabs(
  rows: readonly ProfileRow[],
  profiles: ProfileSummary[],
  settings: readonly Setting[] = [],
): ProfileTab[] {
  const present = profiles.filter((profile) => profile.samples > 0);
  const rowOf = ({ otlpType }: ProfileSummary) => rows.find((_, i) => wireType(rows, i) === otlpType);
  const labels = present.map((profile) => rowOf(profile)?.label ?? profile.type);
  const tabs = present.map((profile, at): ProfileTab => {
    const row = rowOf(profile);
    const label = labels[at] ?? "";
    const again = profile.type !== baseType(profile) && labels.indexOf(label) !== labels.lastIndexOf(label);
    return {
      type: profile.type,
      label: again ? `${label} · ${shortEvent(profile)}` : label,
      about: row?.about ?? aboutForeign(profile),
      setting: row?.setting ?? "",
      absence: "",
      profile,
    };
  });
  const rank = (tab: ProfileTab) => {
    const at = rows.findIndex(({ type }) => type === tab.profile?.otlpType.split(":", 1)[0]);
    return at < 0 ? rows.length : at;
  };
  const absent = rows
    .filter(({ type, offered }) => offered === true && !present.some((profile) => baseType(profile) === type))
    .map(({ type, label, about, setting, events }): ProfileTab => {
      const own = events.map(({ event }) => event);
      return { type, label, about, setting, absence: absenceSentences(own, settings).join(" "), profile: null };
    });
  return [...tabs.sort((a, b) => rank(a) - rank(b)), ...absent];
}

function aboutForeign({ events, unit }: ProfileSummary): string {
  const names = Object.keys(events).join(", ");
  return names === "" ? `As the file has it, in ${unit || "no unit"}.` : `Events ${names}, by ${unit}.`;
}

/** `cpu` of `cpu:jdk.ExecutionSample`. */
function baseType({ type }: ProfileSummary): string {
  return type.split(":", 1)[0] ?? type;
}

/** `jdk.ExecutionSample` as `ExecutionSample`, with the producer where it is not the JDK. */
function shortEvent({ type }: ProfileSummary): string {
  return type.slice(type.indexOf(":") + 1).replace(/^jdk\./, "");
}

/** The wanted profile, or the first with spans, or the first. */
export function chooseProfile(tabs: ProfileTab[], wanted: string): ProfileSummary | null {
  const profiles = tabs.flatMap((tab) => tab.profile ?? []);
  return (
    profiles.find((profile) => profile.type === wanted) ??
    profiles.find((profile) => profile.samplesWithSpan > 0) ??
    profiles[0] ??
    null
  );
}
