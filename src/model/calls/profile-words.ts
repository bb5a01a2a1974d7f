/** Profile types of dumps (docs/cdt.md): their words, and that their values are exact. */
import type { ProfileSummary } from "../../core/types.ts";
import type { ProfileTab } from "../recording/profile-tabs.ts";
import type { Profiled } from "../words/measure.ts";

const WORDS: ReadonlyMap<string, { label: string; about: string }> = new Map(
  Object.entries({
    wall: {
      label: "Wall",
      about: "Time from the enter of a method to its exit, without that of the methods it called.",
    },
    net: { label: "Net", about: "Wall time without suspension." },
    suspension: {
      label: "Suspension",
      about: "Wall time in pauses of the JVM: garbage collection, safepoints, lack of processors.",
    },
    invocations: { label: "Invocations", about: "How often methods were entered." },
  }),
);
const ORDER = [...WORDS.keys()];

/** The tabs of a dump: its types in their order, and no types that only recordings have. */
export function callTabs(tabs: readonly ProfileTab[]): ProfileTab[] {
  const place = ({ type }: ProfileTab) => (ORDER.includes(type) ? ORDER.indexOf(type) : ORDER.length);
  return tabs
    .filter(({ profile }) => profile !== null)
    .map((tab): ProfileTab => {
      const profile = tab.profile && withExactness(tab.profile);
      return { ...tab, ...WORDS.get(tab.type), profile, uncounted: true };
    })
    .sort((a, b) => place(a) - place(b));
}

/** A profile of a recording with a dump in it. Those of other files beside the dump name events. */
export function withExactness<Profile extends ProfileSummary>(profile: Profile): Profile & Profiled {
  const isOfDump = WORDS.has(profile.otlpType) && Object.keys(profile.events).length === 0;
  return isOfDump ? { ...profile, exact: "calls" } : profile;
}
