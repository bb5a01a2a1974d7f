/**
 * Calls as a processed profile of the Firefox Profiler, version 58 (assembly/write/viewers/firefox.ts has the same of
 * samples): a thread for each call. Its samples are the moments at which the stack changes, each weighed by the time
 * until the next, so the stack chart shows every invocation with its duration. A marker for each frame with
 * parameters has its start, its end and its values.
 *
 *   { meta, libs: [], threads: [{ …, samples, markers, stackTable, frameTable, funcTable, … }],
 *     shared: { stringArray, sources } }
 *
 * Times are ms since the start of the first call.
 */
import { Numbered } from "../../../bytes/numbered.ts";
import { methodParts, REACTIVE } from "../method.ts";
import { callTitle, frameText, inParts, type ListedCall, stepsOf, type WordOf } from "./listed-call.ts";

/** Characters of all parameters in a marker. */
const MARKER_TEXT = 1000;
const INTERVAL_PHASE = 1;
const JAVA = 1;

/** The file in parts. */
export function firefoxCalls(calls: readonly ListedCall[], wordOf: WordOf, product: string): Generator<string> {
  return inParts(fileParts(calls, wordOf, product));
}

interface Shared {
  strings: Numbered<string>;
  /** Names of files, as indices of `strings`. */
  sources: Numbered<string, number>;
}

function* fileParts(calls: readonly ListedCall[], wordOf: WordOf, product: string): Generator<string> {
  const zero = calls.reduce((least, { call }) => (call.start < least ? call.start : least), calls[0]?.call.start ?? 0n);
  const end = calls.reduce((most, { call }) => Math.max(most, Number(call.start + call.duration - zero)), 0);
  const shared: Shared = { strings: new Numbered(), sources: new Numbered() };
  yield `{"meta":${JSON.stringify(metaOf(Number(zero), end, product))},\n"libs":[],\n"threads":[`;
  for (const [i, listed] of calls.entries()) {
    yield i === 0 ? "\n" : ",\n";
    yield JSON.stringify(threadOf(listed, i, Number(listed.call.start - zero), wordOf, shared));
  }
  const { strings, sources } = shared;
  const files = { length: sources.list.length, uuid: sources.list.map(() => null), filename: sources.list };
  yield `],\n"shared":${JSON.stringify({ stringArray: strings.list, sources: files })}}\n`;
}

function metaOf(startTime: number, end: number, product: string): object {
  const category = (name: string, color: string) => ({ name, color, subcategories: ["Other"] });
  return {
    interval: 1,
    startTime,
    profilingStartTime: 0,
    profilingEndTime: end,
    processType: 0,
    product,
    importedFrom: product,
    stackwalk: 1,
    version: 31,
    preprocessedProfileVersion: 58,
    symbolicated: true,
    usesOnlyOneStackType: true,
    sourceCodeIsNotOnSearchfox: true,
    markerSchema: [
      {
        name: "parameters",
        display: ["marker-chart", "marker-table"],
        tooltipLabel: "{marker.name}",
        tableLabel: "{marker.data.text}",
        chartLabel: "{marker.name}",
        fields: [{ key: "text", label: "Parameters", format: "string" }],
      },
    ],
    categories: [category("Other", "grey"), category("Java", "yellow")],
  };
}

/** Columns of a table, by the names of the format. */
type Columns = Record<string, unknown[]>;

function table(columns: Columns): object {
  return { length: Object.values(columns)[0]?.length ?? 0, ...columns };
}

function threadOf({ call, frames }: ListedCall, index: number, offset: number, wordOf: WordOf, shared: Shared): object {
  const funcs = new Numbered<string>();
  const funcOf = frames.map(({ method }) => {
    const text = frameText(call.runNumber, method, wordOf);
    return funcs.of(text);
  });
  const { samples, stacks } = stackChanges(frames, funcOf, offset);
  return {
    processType: "default",
    processName: "calls",
    processStartupTime: 0,
    processShutdownTime: null,
    registerTime: 0,
    unregisterTime: null,
    pausedRanges: [],
    name: callTitle(call),
    isMainThread: index === 0,
    pid: "1",
    tid: index + 1,
    samples: { ...table({ ...samples }), weightType: "tracing-ms" },
    markers: markersOf(frames, funcOf, funcs.list, offset, shared),
    stackTable: table({ prefix: stacks.list.map(([prefix]) => prefix), frame: stacks.list.map(([, func]) => func) }),
    ...functionTables(funcs.list, shared),
    resourceTable: table({ lib: [], name: [], host: [], type: [] }),
    nativeSymbols: table({ libIndex: [], address: [], name: [], functionSize: [] }),
  };
}

interface Samples {
  stack: number[];
  time: number[];
  weight: number[];
}

/** A sample for each moment at which the stack changes, and the stacks as a tree of functions. */
function stackChanges(
  frames: ListedCall["frames"],
  funcOf: readonly number[],
  offset: number,
): { samples: Samples; stacks: Numbered<string, [prefix: number | null, func: number]> } {
  const stacks = new Numbered<string, [prefix: number | null, func: number]>();
  const samples: Samples = { stack: [], time: [], weight: [] };
  const open: number[] = [];
  let since = 0;
  for (const { at, frame, enters } of stepsOf(frames)) {
    const top = open.at(-1);
    if (at > since && top !== undefined) {
      samples.stack.push(top);
      samples.time.push(offset + since);
      samples.weight.push(at - since);
    }
    since = at;
    if (enters) open.push(stacks.of(`${top ?? ""}/${funcOf[frame]}`, () => [top ?? null, funcOf[frame]!]));
    else open.pop();
  }
  return { samples, stacks };
}

/** One frame for each function: a dump has no lines of calls. */
function functionTables(texts: readonly string[], { strings, sources }: Shared): object {
  const parts = texts.map(methodParts);
  const same = <T>(value: T) => texts.map(() => value);
  const text = (value: string) => strings.of(value);
  const fileOf = (file: string) => (file === "" ? null : sources.of(file, () => text(file)));
  const lines = parts.map(({ line }) => (line === 0 ? null : line));
  return {
    frameTable: table({
      address: same(-1),
      inlineDepth: same(0),
      category: texts.map((each) => (each === REACTIVE ? 0 : JAVA)),
      subcategory: same(0),
      func: [...texts.keys()],
      nativeSymbol: same(null),
      innerWindowID: same(null),
      line: lines,
      column: same(null),
    }),
    funcTable: table({
      name: parts.map(({ name }) => text(name)),
      isJS: same(false),
      relevantForJS: same(false),
      resource: same(-1),
      source: parts.map(({ file }) => fileOf(file)),
      lineNumber: lines,
      columnNumber: same(null),
    }),
  };
}

function markersOf(
  frames: ListedCall["frames"],
  funcOf: readonly number[],
  texts: readonly string[],
  offset: number,
  { strings }: Shared,
): object {
  const zero = frames[0]?.start ?? 0n;
  const rows = frames.flatMap(({ params, start, total }, i) => {
    const pairs = Object.entries(params).flatMap(([name, values]) => values.map((value) => `${name}=${value}`));
    if (pairs.length === 0) return [];
    const at = offset + Number(start - zero);
    const name = methodParts(texts[funcOf[i]!]!).name;
    const text = pairs.join("; ");
    const cut = text.length > MARKER_TEXT ? `${text.slice(0, MARKER_TEXT)}…` : text;
    return [{ name: strings.of(name), at, end: at + Number(total), data: { type: "parameters", text: cut } }];
  });
  return table({
    data: rows.map(({ data }) => data),
    name: rows.map(({ name }) => name),
    startTime: rows.map(({ at }) => at),
    endTime: rows.map(({ end }) => end),
    phase: rows.map(() => INTERVAL_PHASE),
    category: rows.map(() => JAVA),
  });
}
