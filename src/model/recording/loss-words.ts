/** What a recorder left out of a profile, in one sentence, and as the member `losses` of an answer. */
import type { Loss, ProfileSummary } from "../../core/types.ts";
import { formatBytes, formatCount, formatCounted, formatValue } from "../words/format.ts";

type Profiled = Pick<ProfileSummary, "type" | "unit"> & { loss?: Loss | undefined };

/** `At least: jdk.FileRead is limited to 300/s.` Null if nothing is known to be missing. */
export function lossSentence({ unit, loss }: Omit<Profiled, "type">): string | null {
  return loss === undefined ? null : `At least: ${lossParts(loss, unit).join("; ")}.`;
}

/** `At least (file-read): …`, for answers of several profiles. */
export function lossSentences(profiles: readonly Profiled[]): string[] {
  return profiles.flatMap((profile) => lossSentence(profile)?.replace("At least", `At least (${profile.type})`) ?? []);
}

function lossParts({ limited = [], sampled = [], counted, lost, dropped }: Loss, unit: string): string[] {
  const limits = new Map<string, Set<string>>();
  for (const { event, limit } of limited) limits.set(event, (limits.get(event) ?? new Set()).add(limit));
  const parts = [...limits].map(([event, of]) => `${event} is limited to ${[...of].join(" or ")}`);
  if (sampled.length > 0) parts.push(`the recorder keeps a few of each kind of ${sampled.join(" and ")}`);
  if (counted !== undefined) parts.push(`${counted.event} counts ${formatCount(counted.count)}`);
  if (lost !== undefined) {
    const value = lost.value === 0n ? "" : `, about ${formatValue(lost.value, unit)}`;
    parts.push(`the recorder lost ${formatCounted(lost.samples, "sample")}${value}`);
  }
  if (dropped !== undefined) parts.push(`the recorder dropped ${formatBytes(dropped.bytes)} of events`);
  return parts;
}

/** For JSON: the losses of the profiles that an answer is made of; no member if there are none. */
export function lossRecord(profiles: readonly Profiled[]): { losses?: ({ type: string } & Loss)[] } {
  const losses = profiles.flatMap(({ type, loss }) => (loss === undefined ? [] : { type, ...loss }));
  return losses.length === 0 ? {} : { losses };
}
