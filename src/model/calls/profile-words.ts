/** Words for the profile types of dumps (docs/cdt.md). */
import type { ProfileTab } from "../recording/profile-tabs.ts";

const WORDS: Readonly<Record<string, { label: string; about: string }>> = {
  wall: { label: "Wall", about: "Time from the enter of a method to its exit, without that of the methods it called." },
  net: { label: "Net", about: "Wall time without suspension." },
  suspension: {
    label: "Suspension",
    about: "Wall time in pauses of the JVM: garbage collection, safepoints, lack of processors.",
  },
  invocations: { label: "Invocations", about: "How often methods were entered." },
};
const ORDER = Object.keys(WORDS);

/** The tabs of a dump: its types in their order, and no types that only recordings have. */
export function callTabs(tabs: readonly ProfileTab[]): ProfileTab[] {
  const place = ({ type }: ProfileTab) => (ORDER.includes(type) ? ORDER.indexOf(type) : ORDER.length);
  return tabs
    .filter(({ profile }) => profile !== null)
    .map((tab): ProfileTab => ({ ...tab, ...WORDS[tab.type], uncounted: true }))
    .sort((a, b) => place(a) - place(b));
}
