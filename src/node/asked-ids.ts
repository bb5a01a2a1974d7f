/** Ids of the command line: what they mean once the recordings and the trace files were read. */
import { carriedIds } from "../core/carried-ids.ts";
import type { Core } from "../core/core.ts";
import type { Filter, RootFrameFilter } from "../core/types.ts";
import { coveredWords, resolveId, similarIds, unknownWords, whenWords } from "../model/trace/resolve-id.ts";
import type { TraceTree } from "../model/trace/tree.ts";
import { isTrace, parseId } from "../model/words/ids.ts";
import { HeldCore } from "../requests/held-core.ts";
import type { ReadSpans } from "../requests/read-spans.ts";
import { ID_WORD } from "./arguments.ts";
import { UsageError } from "./exit.ts";
import { say } from "./terminal.ts";

/** The filter with the ids that samples carry in place of those asked for. */
export function meantBy(core: Core, traces: ReadSpans | null, filter: Filter): Filter {
  const held = new HeldCore(core);
  for (const word of filter.rootFrames ?? []) if (word.by.startsWith(ID_WORD)) checkWord(held, word);
  const asked = [filter.localRoot ?? []].flat();
  const isKnown = (id: bigint) => !isTrace(id) && held.totals(null, { localRoot: id }).samples > 0;
  if (asked.length === 0 || asked.every(isKnown)) return filter;
  const carried = carriedIds(held);
  const found = asked.flatMap((id) => {
    // A recording has the low half of the id of a trace that began in it as local root.
    const candidates = isTrace(id) ? [id, BigInt.asUintN(64, id)] : [id];
    return resolveId(candidates, carried, traces?.tree ?? null, true) ?? [];
  });
  const known = found.filter(({ ids }) => ids.some((id) => carried.roots.has(id) || carried.spans.has(id)));
  if (known.length === 0) return filter;
  const { localRoot: _, ...rest } = filter;
  const roots = known.filter(({ kind }) => kind === "local-root").flatMap(({ ids }) => ids);
  const spans = roots.length > 0 ? [] : known.flatMap(({ ids }) => ids);
  return spans.length > 0 && filter.span === undefined
    ? { ...rest, span: spans }
    : { ...rest, localRoot: [...new Set(roots)] };
}

/** A word that is the id of no sample is a mistake. */
function checkWord(held: HeldCore, word: RootFrameFilter): void {
  const { by, name } = word;
  if (held.totals(null, { rootFrames: [word] }).samples > 0) return;
  const parsed = parseId(name);
  throw new UsageError(`--${by.slice(ID_WORD.length)}: ${parsed.ok ? "no id" : parsed.error}`);
}

/** Says in one line what is known in place of ids that nothing knows; `known` is the line's beginning. */
export function sayUnknown(
  core: Core,
  asked: readonly bigint[],
  tree: TraceTree | null,
  isFile: boolean,
  known: string | null = null,
): void {
  const [first] = asked;
  if (first === undefined) return;
  const carried = carriedIds(new HeldCore(core));
  const files = core.files();
  const covers = coveredWords(files, carried);
  const lines = unknownWords(first, similarIds(asked, carried, tree), covers, isFile, whenWords(first, files));
  const [what, ...rest] = lines;
  say(`spanflame: ${[known ?? what, ...rest].join("; ")}`);
}
