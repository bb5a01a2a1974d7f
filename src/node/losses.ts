/** Answers say what recorders left out of the profiles that they are made of. */
import type { Core } from "../core/core.ts";
import { lostSamples, readLosses } from "../core/reading/losses.ts";
import type { ProfileSummary } from "../core/types.ts";
import { lossRecord, lossSentence, lossSentences } from "../model/recording/loss-words.ts";
import { formatCounted } from "../model/words/format.ts";
import { say } from "./terminal.ts";

/** A line for the profile, and its record for --json. */
export function sayLoss(profile: ProfileSummary | undefined): ReturnType<typeof lossRecord> {
  const sentence = profile && lossSentence(profile);
  if (sentence != null) say(`spanflame: ${sentence}`);
  return lossRecord(profile === undefined ? [] : [profile]);
}

/** The same for times of requests, which several profiles tell. `told`: the text has the losses already. */
export function sayTimeLosses(core: Core, told?: ProfileSummary): ReturnType<typeof lossRecord> {
  const isOf = ({ id, unit, periodUnit }: ProfileSummary) =>
    id === told?.id || [unit, periodUnit].includes("nanoseconds");
  const timed = core.profiles().filter(isOf);
  for (const sentence of lossSentences(timed.filter(({ id }) => id !== told?.id))) say(`spanflame: ${sentence}`);
  return lossRecord(timed);
}

/** Of an answer without samples: those that the recorder took and lost, if the profile has no others. */
export function sayLost(core: Core): void {
  const kept = new Set(core.profiles().flatMap(({ events }) => Object.keys(events)));
  for (const { event, samples } of lostSamples(readLosses(core.instance)))
    if (!kept.has(event)) say(`spanflame: the recorder lost all ${formatCounted(samples, "sample")} of ${event}`);
}
