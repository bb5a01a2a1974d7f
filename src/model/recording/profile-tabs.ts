/** The profile tabs: profiles of the recording, then those that it could have had. */
import { type ProfileRow, wireType } from "../../core/tables/catalogue.ts";
import { kindOfWord, profileNamed, profileOfKind } from "../../core/tables/kinds.ts";
import type { ProfileSummary, Setting } from "../../core/types.ts";
import type { Profiled } from "../words/measure.ts";
import { absenceSentences } from "./setting-words.ts";

export interface ProfileTab {
  type: string;
  label: string;
  /** One sentence about the value. */
  about: string;
  /** Which setting records it, for an absent type. */
  setting: string;
  /** For an absent type: how the recording's own settings explain that. */
  absence: string;
  /** Null when the recording has no sample of this type. */
  profile: Profiled | null;
  /** The number of its samples says nothing. */
  uncounted?: true;
}

/** The time of spans, where no recording has samples (src/requests/span-samples.ts). */
const SPAN_TIME: ProfileRow = {
  ...{ type: "span-time", unit: "nanoseconds", label: "Span time", setting: "", events: [] },
  about: "Time of spans in which none of their child spans ran. Spans beside each other count each.",
};

/** Catalogue order, a second profile of a type beside the first; types without samples are last. */
export function profileTabs(
  rows: readonly ProfileRow[],
  profiles: ProfileSummary[],
  settings: readonly Setting[] = [],
): ProfileTab[] {
  const present = profiles.filter(({ samples, empty }) => samples > 0 || empty === true);
  const known = [...rows, SPAN_TIME];
  const rowOf = ({ otlpType }: ProfileSummary) => known.find((_, i) => wireType(known, i) === otlpType);
  const labels = present.map((profile) => rowOf(profile)?.label ?? profile.type);
  const tabs = present.map((profile, at): ProfileTab => {
    const row = rowOf(profile);
    const label = labels[at] ?? "";
    const namesakes = present.filter((_, i) => labels[i] === label);
    return {
      type: profile.type,
      label: namesakes.length === 1 ? label : `${label} · ${distinction(profile, namesakes)}`,
      about: row?.about ?? aboutForeign(profile),
      setting: profile.empty === true ? "" : (row?.setting ?? ""),
      absence: profile.empty === true ? "The file has the type, but all its values are 0." : "",
      profile: profile.empty === true ? null : { ...profile, ...(row === SPAN_TIME && { exact: "spans" }) },
      ...(row === SPAN_TIME && { uncounted: true }),
    };
  });
  const rank = (tab: ProfileTab) => {
    const at = rows.findIndex(({ type }) => type === tab.profile?.otlpType.split(":", 1)[0]);
    return at < 0 ? rows.length : at;
  };
  const absent = rows
    .filter(({ type, offered }) => offered === true && profileOfKind(present, kindOfWord(type)) === undefined)
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

const PRODUCERS: ReadonlyMap<string, string> = new Map(
  Object.entries({ datadog: "Datadog", jdk: "JDK", profiler: "async-profiler" }),
);

/** Of profiles with one label: the producer, or the event where one producer has several; else the type. */
function distinction(profile: ProfileSummary, namesakes: readonly ProfileSummary[]): string {
  const producer = producerOf(profile);
  if (producer === "") return profile.type;
  return namesakes.filter((other) => producerOf(other) === producer).length === 1 ? producer : shortEvent(profile);
}

/** By the name of the event; "" where no known producer has such. */
function producerOf(profile: ProfileSummary): string {
  return PRODUCERS.get(eventOf(profile).split(".", 1)[0] ?? "") ?? "";
}

/** `jdk.ExecutionSample` of `cpu:jdk.ExecutionSample`; the plain type has the event that most of its samples are of. */
function eventOf({ type, events }: ProfileSummary): string {
  if (type.includes(":")) return type.slice(type.indexOf(":") + 1);
  return Object.entries(events).sort(([, a], [, b]) => b - a)[0]?.[0] ?? "";
}

function shortEvent(profile: ProfileSummary): string {
  return eventOf(profile).replace(/^[^.]*\./, "");
}

/** The wanted profile; else CPU, wall or the first, of those with spans if there are any. */
export function chooseProfile(tabs: ProfileTab[], wanted: string): Profiled | null {
  const profiles = tabs.flatMap((tab) => tab.profile ?? []);
  const withSpans = profiles.filter(({ samplesWithSpan }) => samplesWithSpan > 0);
  const some = withSpans.length > 0 ? withSpans : profiles;
  return profileNamed(profiles, wanted) ?? profileOfKind(some, "cpu") ?? profileOfKind(some, "wall") ?? some[0] ?? null;
}
