/** The endpoints that Overview and reports list: by which profile, and in which order. */
import { profileOfKind } from "../../core/tables/kinds.ts";
import type { ProfileSummary, RankHow } from "../../core/types.ts";
import { type Measured, measured } from "../words/measure.ts";
import { namingOf } from "./explorer.ts";

export const ENDPOINTS_SHOWN = 8;
export const MOST_FIRST: RankHow = { sort: "weight", requests: true };

/** Those with most CPU time, or with most of the current profile without CPU samples. `key`: the attribute, if any. */
export function listedEndpoints(profiles: readonly ProfileSummary[], current: Measured) {
  const cpu = profileOfKind(profiles, "cpu");
  const profile = cpu === undefined ? current : measured(cpu, 0);
  const key = namingOf((each) => Object.hasOwn(profile.samplesWithAttribute, each)).endpoint;
  return { profile, key, title: cpu === undefined ? "Endpoints" : "Endpoints by CPU" };
}
