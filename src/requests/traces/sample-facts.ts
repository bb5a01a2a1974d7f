/** Facts of all samples of a core that many questions need: profiles, and marks of time. Each is a pass over all. */
import type { Core } from "../../core/core.ts";
import { samplesStamp } from "../../core/instance/instance.ts";
import type { ProfileSummary } from "../../core/types.ts";
import type { Marks } from "../../core/view-types.ts";
import { cut } from "../../model/words/text.ts";

/** Characters of the cause of a pause: there may be a hundred thousand pauses. */
const CAUSE_CAP = 200;

interface Facts {
  stamp: string;
  profiles: ProfileSummary[] | null;
  marks: Marks | null;
}

const known = new WeakMap<Core, Facts>();

function factsOf(core: Core): Facts {
  const stamp = samplesStamp(core.instance);
  const before = known.get(core);
  if (before?.stamp === stamp) return before;
  const facts = { stamp, profiles: null, marks: null };
  known.set(core, facts);
  return facts;
}

/** The profiles of all samples; the same until samples are added. Without inferred context nothing asks about it. */
export function profilesOf(core: Core): ProfileSummary[] {
  const facts = factsOf(core);
  facts.profiles ??= core.profiles().map(({ inferredBy, ...profile }) => {
    const isInferred = inferredBy !== undefined && Object.values(inferredBy).some((n) => n > 0);
    return isInferred ? { ...profile, inferredBy } : profile;
  });
  return facts.profiles;
}

/** Pauses, gaps and losses of the recordings. */
export function marksOf(core: Core): Marks {
  const facts = factsOf(core);
  facts.marks ??= withShortCauses(core.views.marks());
  return facts.marks;
}

function withShortCauses(marks: Marks): Marks {
  return { ...marks, texts: marks.texts.map((text) => cut(text, CAUSE_CAP)) };
}

/** The profiles, and the pauses of the recordings. */
export function factsOfSamples(core: Core): { profiles: ProfileSummary[]; marks: Marks } {
  return { profiles: profilesOf(core), marks: marksOf(core) };
}
