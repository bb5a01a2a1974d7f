/** The summary of a selection, as text for an issue. */
import type { SelectionTotals } from "../../core/types.ts";
import type { Why } from "../../core/view-types.ts";
import { withEstimate } from "../flame/detail.ts";
import { confidenceWords, likelyShare } from "../lists/confidence.ts";
import { type Measured, measured } from "../recording/measure.ts";
import type { ProfileTab } from "../recording/profile-tabs.ts";
import { formatCount, formatCounted, formatNanos, formatPercent, formatProfileValue } from "./format.ts";
import { visible } from "./text.ts";

export interface WhyLine {
  /** What it is of. */
  name: string;
  figure: string;
  /** 0 to 1, for a bar; null where nothing is shared out. */
  share: number | null;
}

export interface WhyWords {
  headline: string;
  confidence: string;
  split: WhyLine[];
  top: WhyLine[];
  threads: WhyLine[];
  states: WhyLine[];
  time: WhyLine[];
  standingOut: WhyLine[];
}

export function whyWords(why: Why, profile: Measured, tabs: ProfileTab[]): WhyWords {
  const { totals } = why;
  const whole = Number(totals.value);
  return {
    headline: `${amount(totals, profile)}, ${formatPercent(totals.value, profile.value)} of the profile`,
    confidence: confidenceWords(totals.samples),
    split: why.split.flatMap(({ profile: id, totals: own }): WhyLine[] => {
      const tab = tabs.find((each) => each.profile?.id === id);
      if (tab?.profile == null) return [];
      const of = measured(tab.profile, 0);
      const share = Number(own.value) / Math.max(1, Number(of.value));
      return [{ name: visible(tab.label, 60), figure: `${withEstimate(own.value, of)}, ${percent(share)}`, share }];
    }),
    top: why.top
      .filter(({ self }) => self > 0n)
      .map(({ name, self }): WhyLine => {
        const share = whole === 0 ? 0 : Number(self) / whole;
        const [least, most] = likelyShare(share * totals.samples, totals.samples);
        const figure = `${percent(share)} (${percent(least)} to ${percent(most)}), ${formatProfileValue(self, profile)}`;
        return { name: name === "" ? "(no name)" : visible(name, 200), figure, share };
      }),
    threads: why.threads.map(({ name, samples }): WhyLine => {
      const share = samples / Math.max(1, totals.samples);
      return { name: name === "" ? "(no name)" : visible(name, 120), figure: percent(share), share };
    }),
    states: why.states.map(({ profile: id, state, value, of }): WhyLine => {
      const share = Number(value) / Math.max(1, Number(of));
      const label = tabs.find((each) => each.profile?.id === id)?.label ?? "";
      return { name: `${visible(label, 60)}: ${visible(state, 120)}`, figure: percent(share), share };
    }),
    time: timeLines(why),
    standingOut: why.standingOut.map(({ key, value, share, restShare }): WhyLine => {
      const figure = `${percent(share)} here, ${percent(restShare)} of the rest`;
      return { name: `${visible(key, 60)} = ${visible(value, 120)}`, figure, share };
    }),
  };
}

/**
 * How the selection lies in time. Pauses hold up every thread, so they count by when the selection was, not by what its
 * stacks say; many recorders take no sample of a thread that is in one.
 */
function timeLines({ everything, totals, pauses, pausesKnown, gaps }: Why): WhyLine[] {
  const { time, samples, nanos } = pauses;
  if (time === null) return [];
  const whole = Math.max(1, Number(time.to - time.from));
  // A profiler sees a request no earlier than it begins, and no later than it ends.
  const least = everything ? "" : "≥ ";
  const lines: WhyLine[] = [
    { name: "Duration (first to last sample)", figure: `${least}${formatNanos(time.to - time.from)}`, share: null },
  ];
  if (pausesKnown) {
    const covered = nanos === 0 ? "" : `, ${formatNanos(nanos)}, ${percent(nanos / whole)} of that`;
    lines.push({
      name: "GC pauses",
      figure: `${formatCounted(pauses.pauses, "pause")}${covered}`,
      share: nanos / whole,
    });
    const of = Math.max(1, totals.samples);
    const figure = `${formatCount(samples)} of ${formatCount(totals.samples)}`;
    lines.push({ name: "Samples in GC pauses", figure, share: samples / of });
  } else {
    lines.push({ name: "GC pauses", figure: "none recorded", share: null });
  }
  if (gaps.count > 0) {
    const figure = `${formatCounted(gaps.count, "stretch", "stretches")}, ${formatNanos(gaps.nanos)}`;
    lines.push({ name: "Without any sample", figure, share: Math.min(1, gaps.nanos / whole) });
  }
  return lines;
}

/** The number of samples, and their value where it says more than that. */
function amount(totals: SelectionTotals, profile: Measured): string {
  const value = withEstimate(totals.value, profile);
  const samples = formatCounted(totals.samples, "sample");
  return value.startsWith(samples) ? value : `${samples}: ${value}`;
}

function percent(share: number): string {
  return formatPercent(share, 1);
}

/** The same in lines, under what is filtered for. */
export function whyText(words: WhyWords, what: string[], threadCount: number): string {
  const section = (title: string, lines: WhyLine[]) =>
    lines.length === 0 ? [] : ["", title, ...lines.map(({ name, figure }) => `- ${name}: ${figure}`)];
  return [
    what.length === 0 ? "All samples of the recording" : what.join(" · "),
    words.headline,
    words.confidence,
    ...section("In each profile", words.split),
    ...section("What threads were doing", words.states),
    ...section("In time", words.time),
    ...section("Functions by self value (95 times of 100 the true share lies in the range)", words.top),
    ...section(`Threads (${threadCount})`, words.threads),
    ...section("Stands out", words.standingOut),
  ].join("\n");
}
