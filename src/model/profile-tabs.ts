/** The profile tabs: what the recording has, and after it what it could have had. */
import type { ProfileKind, ProfileSummary } from "../core/types.ts";

export interface ProfileTab {
  type: string;
  label: string;
  /** One sentence: what the value is. */
  about: string;
  /** Which setting records it, for an absent type. */
  setting: string;
  /** Null when the recording has no sample of this type. */
  profile: ProfileSummary | null;
}

/** Catalogue order; a second profile of a type (`cpu:jdk.ExecutionSample`) stands after the first, absent types last. */
export function profileTabs(kinds: ProfileKind[], profiles: ProfileSummary[]): ProfileTab[] {
  const rank = (type: string) => {
    const at = kinds.findIndex((kind) => kind.type === baseType(type));
    return at < 0 ? kinds.length : at;
  };
  const present = profiles
    .filter((profile) => profile.samples > 0)
    .sort((a, b) => rank(a.type) - rank(b.type))
    .map((profile) => presentTab(kinds, profile));
  const absent = kinds
    .filter((kind) => !present.some((tab) => baseType(tab.type) === kind.type))
    .map(({ type, label, about, setting }) => ({ type, label, about, setting, profile: null }));
  return [...present, ...absent];
}

function presentTab(kinds: ProfileKind[], profile: ProfileSummary): ProfileTab {
  const kind = kinds.find(({ type }) => type === baseType(profile.type));
  const event = profile.type.slice(baseType(profile.type).length + 1);
  const label = kind?.label ?? baseType(profile.type);
  return {
    type: profile.type,
    label: event === "" ? label : `${label} · ${event}`,
    about: kind?.about ?? "",
    setting: kind?.setting ?? "",
    profile,
  };
}

function baseType(type: string): string {
  return type.split(":", 1)[0];
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
