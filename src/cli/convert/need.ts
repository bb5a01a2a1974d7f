/**
 * The samples that the answer of a command needs: given to the core before it reads, so that others are skipped
 * (src/core/reading/read-filter.ts).
 */
import { statSync } from "node:fs";
import type { Core } from "../../core/core.ts";
import { type Needed, readOnlyNeeded } from "../../core/reading/read-filter.ts";
import type { ProfileSummary } from "../../core/types.ts";
import { shapeKey } from "../../model/query/shape.ts";
import { canInfer } from "../../model/trace/coverage.ts";
import { formatCounted } from "../../model/words/format.ts";
import { isShown } from "../../model/words/shown-formats.ts";
import type { IdLabels, ProfileChoice } from "../../node/arguments.ts";
import type { NamedInput } from "../../node/inputs.ts";
import { readPaths, readSaid } from "../../node/read.ts";
import { noteOnce } from "../../node/terminal.ts";
import type { Conversion } from "./conversion.ts";

/** Options of commands that answer about spans of trace files as about samples, where no recording is beside them. */
export const SPANS_TOO = { takesTraces: true, spanSamples: true } as const;

/** Samples that an answer needs, beside the profile that the options select. */
export type Need = Pick<Needed, "filter" | "stacks" | "single" | "others" | "threads">;

type Output = Pick<Conversion, "row" | "chipped">;

interface Reading extends ProfileChoice, IdLabels {
  inferred?: boolean | undefined;
  trace?: readonly string[] | undefined;
  strict?: boolean | undefined;
}

/**
 * Of the output of a conversion; null for those that depend on the stacks of all samples: a call tree in another shape
 * describes a frame by the first sample that was read with it, and a report begins with what the samples of every
 * profile say. Pictures compare with the whole profile.
 */
export function outputNeed({ row, chipped: { filter, shape } }: Output): Need | null {
  if (shapeKey(shape) !== "" || row.name === "html") return null;
  return { filter, stacks: true, others: isShown(row.name) };
}

/** Reads what an answer needs, as `readSaid` does. Threads do not pay for the samples of single requests. */
export function readNeeded(
  inputs: readonly NamedInput[],
  choice: Parameters<typeof readSaid>[1],
  need: Need | null,
): ReturnType<typeof readSaid> {
  const ids = need?.others === true ? undefined : (need?.filter.span ?? need?.filter.localRoot);
  const jobs = choice.jobs ?? (ids !== undefined && maySkip(choice) ? "1" : undefined);
  return readSaid(inputs, { ...choice, jobs }, (core) => skipUnneeded(core, choice, need));
}

/** Profiles that are named. */
const MOST_NAMED = 2;

/** Says what `--inferred` would add: to all profiles, or to the one that the answer is of. */
export function noteInferable(
  core: Core,
  { inferred }: Pick<Reading, "inferred">,
  only: ProfileSummary | null = null,
): void {
  if (inferred === true) return;
  const profiles = core.profiles();
  const without = (only === null ? profiles : [only])
    .filter((profile) => profile.samples > 0 && !hasIds(profile))
    .sort((a, b) => b.samples - a.samples);
  const samples = without.reduce((sum, profile) => sum + profile.samples, 0);
  if (samples === 0 || !canInfer({ profiles, files: core.files(), eventTypes: core.eventTypes() })) return;
  const named = without.slice(0, MOST_NAMED).map(({ type }) => type);
  const more = without.length - named.length;
  const all = [...named, ...(more > 0 ? [formatCounted(more, "other profile")] : [])];
  const types = all.length === 1 ? all[0] : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
  const they = `${formatCounted(samples, "sample")} of ${types} ${samples === 1 ? "has" : "have"} no span id`;
  noteOnce(`spanflame: ${they}; --inferred assigns those whose thread was certainly in a span`);
}

const hasIds = ({ samplesWithSpan, samplesWithRoot }: ProfileSummary) => samplesWithSpan + samplesWithRoot > 0;

/** Has the core skip samples that an answer does not need. */
export function skipUnneeded(core: Core, choice: Reading, need: Need | null): void {
  const { type, event } = choice;
  if (need === null || !maySkip(choice)) return;
  const types = type === undefined ? {} : { types: [type] };
  const all = need.others === true;
  readOnlyNeeded(core, { ...need, ...(event === undefined ? types : { extraOnly: true }), all });
}

/**
 * Whether samples may be skipped. Inferred context looks at all samples of a thread, and `--strict` asks for damage in
 * any of them. The variable is for comparisons.
 */
function maySkip({ inferred, trace = [], strict }: Reading): boolean {
  return inferred !== true && trace.length === 0 && strict !== true && process.env.SPANFLAME_READ_ALL === undefined;
}

/**
 * All profiles of the inputs with all their facts, to say why a selection is empty: inputs of which samples were
 * skipped are read again. Null where one cannot be read twice.
 */
export async function allProfiles(
  core: Core,
  inputs: readonly NamedInput[],
  choice: Reading,
  need: Need | null,
): Promise<ProfileSummary[] | null> {
  if (need === null || !maySkip(choice)) return core.profiles();
  if (!inputs.every(({ path }) => path !== "-" && (statSync(path, { throwIfNoEntry: false })?.isFile() ?? true)))
    return null;
  return (await readPaths(inputs, choice)).core.profiles();
}
