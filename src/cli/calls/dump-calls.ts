/** Calls of the dumps among the inputs of a command: which ones the options select, and their frames. */
import type { Core } from "../../core/core.ts";
import type { Filter } from "../../core/types.ts";
import { type OpenRun, sampleFrames } from "../../input/dump/read-dumps.ts";
import type { Call } from "../../model/calls/call.ts";
import {
  ALL_CALLS,
  type CallFilter,
  callParts,
  ROOTS,
  type Roots,
  sampleParts,
} from "../../model/calls/call-filter.ts";
import { UsageError } from "../../node/exit.ts";
import { notOneOf } from "../../node/usage/suggest.ts";
import { markSources } from "../../requests/open-files.ts";
import { SelectedCalls } from "./selected-calls.ts";

/** Values of the group CALLS. */
export interface CallValues {
  call?: string[] | undefined;
  "min-ms"?: string | undefined;
  "max-ms"?: string | undefined;
  query?: string | undefined;
  roots?: string | undefined;
}

/** The filter of calls that options and the filter of samples state. */
export function callFilter(values: CallValues, filter: Filter, roots: Roots): CallFilter {
  const wanted = ROOTS.find((each) => each === (values.roots ?? roots));
  if (wanted === undefined) throw new UsageError(notOneOf("--roots", values.roots ?? "", [...ROOTS]));
  return {
    ...ALL_CALLS,
    ...callParts(filter),
    ids: values.call ?? [],
    min: milliseconds("--min-ms", values["min-ms"]) ?? ALL_CALLS.min,
    max: milliseconds("--max-ms", values["max-ms"]) ?? ALL_CALLS.max,
    query: values.query ?? "",
    roots: wanted,
  };
}

function milliseconds(option: string, text: string | undefined): bigint | null {
  if (text === undefined) return null;
  if (!/^\d{1,18}$/.test(text))
    throw new UsageError(`${option}: ${JSON.stringify(text)} is not a number of milliseconds`);
  return BigInt(text);
}

/** The calls that options and filter select, in the order in which they were read. */
export async function selectedCalls(core: Core, values: CallValues, filter: Filter): Promise<Call[]> {
  const selected = new SelectedCalls(await core.dumps(), callFilter(values, filter, "all"));
  return selected.numbers.map((number) => selected.call(number));
}

/**
 * Makes samples of the selected calls of dumps. The answer is the filter of samples that remains: of inputs that are
 * dumps, conditions on threads, parameters and times select calls.
 */
export async function sampleCalls(
  core: Core,
  runs: readonly OpenRun[],
  values: CallValues,
  filter: Filter,
): Promise<Filter> {
  const dumps = await core.dumps();
  const isMarked = new Uint8Array(dumps.callCount + 1);
  for (const number of new SelectedCalls(dumps, callFilter(values, filter, "all")).numbers) isMarked[number] = 1;
  await sampleFrames(core, runs, (call) => isMarked[call] === 1);
  await markSources(core);
  const onlyDumps = core.files().every(({ format }) => format === "cdt");
  // Methods have the names of the dictionary.
  return onlyDumps ? { ...sampleParts(filter), rawNames: true } : filter;
}
