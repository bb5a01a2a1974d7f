/** `spanflame calls --params`: parameters of the frames of calls, by signature. */
import type { Core } from "../../core/core.ts";
import type { StatedParam } from "../../core/dumps/dump.ts";
import { type OpenRun, tallyRuns } from "../../input/dump/read-dumps.ts";
import { methodName } from "../../model/calls/method.ts";
import { type FrameFigures, type FrameParams, netOfFrames, paramsOf } from "../../model/calls/params/params.ts";
import { formatCount, formatValue } from "../../model/words/format.ts";

/** Signatures of a parameter, and characters of each, in the table. */
const SHOWN = 5;
const ROOM = 100;

/** Total time, invocations, parameter with signature. */
type Row = [total: string, invocations: string, text: string];

export interface ReadParams {
  answer: FrameParams;
  /** Whole values by their ids. */
  texts: readonly string[];
}

export async function paramsOfCalls(
  core: Core,
  runs: readonly OpenRun[],
  calls: readonly number[],
): Promise<ReadParams> {
  const wanted = new Set(calls);
  const dumps = await core.dumps();
  const runOf = dumps.columns.numbers("run");
  const used = new Set(calls.map((call) => runOf[call]));
  const of = runs.filter(({ number }) => used.has(number));
  const request = { isMarked: (call: number) => wanted.has(call), frames: null, nameOf: methodName };
  const rows = await tallyRuns(core, of, { ...request, breathe: async () => true });
  return paramsOf(
    rows ?? [],
    of.flatMap(({ number }) => dumps.statedParams(number)),
  );
}

function figures(of: FrameFigures): object {
  return {
    invocations: of.invocations,
    totalNano: of.total,
    selfNano: of.self,
    selfSuspensionNano: of.suspended,
    selfNetNano: netOfFrames(of),
  };
}

/** What the stream `params` says about a parameter, besides its name. */
export function statedRecord({ indexed, list, order, signature }: StatedParam): object {
  return { indexed, list, order, signature };
}

export function paramsRecord({ answer, texts }: ReadParams): object {
  return {
    ...figures(answer.frames),
    params: answer.params.map((param) => ({
      name: param.name,
      stated: param.stated === null ? null : statedRecord(param.stated),
      ...figures(param),
      values: param.count,
      signatures: param.signatures,
      other: param.other === null ? null : figures(param.other),
      groups: param.groups.map((group) => ({
        signature: group.signature,
        ...figures(group),
        count: group.count,
        values: group.values.map((value) => ({ value: texts[value.id], ...figures(value) })),
      })),
    })),
  };
}

/** Rows of a table. */
export function paramRows({ params }: FrameParams): Row[] {
  return params.flatMap(({ name, groups, signatures }) => {
    const rows = groups
      .slice(0, SHOWN)
      .map((group) => rowOf(group, `${name}: ${group.signature.replace(/\s+/g, " ").slice(0, ROOM)}`));
    const left = signatures - rows.length;
    return left > 0 ? [...rows, ["", "", `${name}: ${formatCount(left)} more`] satisfies Row] : rows;
  });
}

function rowOf({ total, invocations }: FrameFigures, text: string): Row {
  return [formatValue(total, "nanoseconds"), `${formatCount(invocations)} ×`, text];
}
