/**
 * Filters in the core: the predicates that each field of a `Filter` selects by. A field without a row does not compile.
 */
import type { Access } from "../instance/access.ts";
import { windowOf } from "../instance/file-ranges.ts";
import { Missing } from "../instance/missing.ts";
import type {
  AttributeFilter,
  Filter,
  FoundSpans,
  FrameFilter,
  OneOrMore,
  RootFrameFilter,
  SpanChoice,
} from "../types.ts";
import { valuesOfRoots } from "./roots.ts";

interface Row<V> {
  /** `found`: the ids of the names of functions that each pattern of the frames matches. */
  select(core: Access, value: V, found: readonly Uint32Array[]): void;
  /** Readers may skip the samples that it excludes. */
  ofReaders: boolean;
}

/**
 * Predicates that may exclude a sample: all except the choices of names and of calls, which are resolved before, and
 * time and file, which are one window.
 */
type Condition = Exclude<keyof Filter, "rawNames" | "calls" | "time" | "file">;

const ROWS = {
  span: { select: (core, ids) => spans(core, ids, false), ofReaders: true },
  localRoot: { select: (core, ids) => localRoots(core, ids, false), ofReaders: true },
  spans: { select: someSpans, ofReaders: false },
  noSpan: { select: noSpan, ofReaders: true },
  not: {
    select: (core, { span, localRoot }) => {
      if (span !== undefined) spans(core, span, true);
      if (localRoot !== undefined) localRoots(core, localRoot, true);
    },
    ofReaders: true,
  },
  attributes: { select: attributes, ofReaders: true },
  frames: { select: frames, ofReaders: false },
  rootFrames: { select: rootFrames, ofReaders: false },
} satisfies { [Field in Condition]-?: Row<NonNullable<Filter[Field]>> };

/** Fields of a filter, besides the time, that readers have predicates for (reading/read-filter.ts). */
export type FieldOfReaders = {
  [Field in Condition]: (typeof ROWS)[Field]["ofReaders"] extends true ? Field : never;
}[Condition];

/** Whether readers may skip samples for a filter. */
export function mayBeSkipped(filter: Filter): boolean {
  const fields = Object.entries(ROWS).filter(([, { ofReaders }]) => ofReaders);
  return filter.time !== undefined || fields.some(([field]) => filter[field as Condition] !== undefined);
}

/** Whether a filter has no condition. */
export function isEverything({ rawNames: _, ...conditions }: Filter): boolean {
  return Object.values(conditions).every((condition) => condition === undefined);
}

/** Equal keys, equal samples with equal weights. A filter is not changed once it was used. */
export function selectionKey(profile: number | null, filter: Filter, measure: number): string {
  let key = keys.get(filter);
  if (key === undefined) {
    key = JSON.stringify(filter, (_, value) => (typeof value === "bigint" ? String(value) : value));
    const found = filter.spans?.found;
    if (found !== undefined) {
      // They are in no text (src/model/trace/chosen-spans.ts): there may be many.
      const number = numbers.get(found) ?? ++made;
      numbers.set(found, number);
      key += ` ${number}`;
    }
    keys.set(filter, key);
  }
  return `${profile} ${measure} ${key}`;
}

const keys = new WeakMap<Filter, string>();
/** Numbers of ids that were found. */
const numbers = new WeakMap<FoundSpans, number>();
let made = 0;

/** Before selectBegin. Fails with `Missing` if the filter needs the rest of the core: many ids are found there. */
export function needCode({ rest }: Access, { span, localRoot, not, spans: some }: Filter): void {
  const isLong = [span, localRoot, not?.span, not?.localRoot].some((ids) => [ids].flat().length > FEW_IDS);
  if (rest !== null && (isLong || some?.found !== undefined))
    throw new Missing("filters by many ids are in the rest of the core", rest);
}

/**
 * Whether a selection can have the parts of divided waits. Those of one file are found by their numbers, which samples
 * of other profiles do not share.
 */
export function hasParts(wasm: Access["wasm"], profile: number | null, { file }: Filter, divide: () => void): boolean {
  divide();
  return wasm.copiesEnd.value > 0 && (profile === null ? file === undefined : wasm.isCopied(profile));
}

/** To be called between selectBegin and selectEnd (assembly/view/selection.ts). */
export function applyFilter(core: Access, filter: Filter, found: readonly Uint32Array[]): void {
  for (const [field, row] of Object.entries(ROWS)) {
    const value = filter[field as Condition];
    if (value !== undefined) (row as Row<typeof value>).select(core, value, found);
  }
  const window = windowOf(filter, core);
  if (window === null) return;
  if (window.from > 0n || window.to < U64) core.wasm.selectTime(window.from, window.to);
  core.wasm.selectObservations(window.first, window.last);
}

function spans(core: Access, ids: OneOrMore<bigint>, exclude: boolean): void {
  core.wasm.selectPredicate(exclude);
  const all = [ids].flat();
  if (all.length > FEW_IDS) selectIds(core, ascending(all), false);
  else for (const id of all) core.wasm.selectSpan(id);
}

function noSpan({ wasm }: Access, wanted: boolean): void {
  if (!wanted) return;
  wasm.selectPredicate(false);
  wasm.selectNoSpan();
}

function someSpans(core: Access, { found }: SpanChoice): void {
  core.wasm.selectPredicate(false);
  if (found === undefined) return;
  selectIds(core, found.spans, false);
  selectIds(core, found.roots, true);
}

function localRoots(core: Access, ids: OneOrMore<bigint>, exclude: boolean): void {
  core.wasm.selectPredicate(exclude);
  const all = [ids].flat();
  const short = all.filter((id) => id <= U64);
  const areMany = short.length > FEW_IDS;
  if (areMany) selectIds(core, ascending(short), true);
  for (const id of all) if (!areMany || id > U64) core.wasm.selectRoot(BigInt.asUintN(64, id), id >> 64n);
}

/** Each of them is a pass over the links; more ids are found in one pass together. */
const FEW_IDS = 4;
const U64 = (1n << 64n) - 1n;

/** Those that samples can have. */
const ascending = (ids: readonly bigint[]) => BigUint64Array.from(ids.filter((id) => id !== 0n)).sort();

function selectIds(core: Access, ids: BigUint64Array, areRoots: boolean): void {
  const bytes = new Uint8Array(ids.buffer, ids.byteOffset, ids.byteLength);
  core.lend(bytes, (p) => core.wasm.selectIds(areRoots, p, ids.length));
}

/** Values of one key that are not excluded are alternatives; every other condition is a predicate. */
function attributes(core: Access, filters: readonly AttributeFilter[]): void {
  const wanted = filters.filter(({ exclude }) => exclude !== true);
  for (const key of new Set(wanted.map((filter) => filter.key))) {
    core.wasm.selectPredicate(false);
    for (const filter of wanted) if (filter.key === key) attribute(core, filter);
  }
  for (const filter of filters) {
    if (filter.exclude !== true) continue;
    core.wasm.selectPredicate(true);
    attribute(core, filter);
  }
}

function attribute(core: Access, { key, value }: AttributeFilter): void {
  const encoder = new TextEncoder();
  const k = encoder.encode(key);
  const v = encoder.encode(value);
  const both = new Uint8Array(k.length + v.length);
  both.set(k);
  both.set(v, k.length);
  core.lend(both, (p) => core.wasm.selectAttribute(p, k.length, p + k.length, v.length));
}

/** Names of one level are alternatives, as values of one key are; that of samples without a value is a condition. */
function rootFrames(core: Access, filters: readonly RootFrameFilter[]): void {
  const isAlone = ({ exclude, name, none }: RootFrameFilter) => exclude === true || name === none;
  const named = filters.filter((filter) => !isAlone(filter));
  for (const level of new Set(named.map(({ by }) => by)))
    rootFrame(
      core,
      named.filter(({ by }) => by === level),
    );
  for (const filter of filters) if (isAlone(filter)) rootFrame(core, [filter]);
}

function rootFrame(core: Access, filters: readonly RootFrameFilter[]): void {
  const { keys, name, none, exclude = false, ...level } = filters[0]!;
  const names = new Set(filters.map((each) => each.name));
  core.wasm.selectPredicate((name === none) !== exclude);
  for (const key of keys) {
    if (name === none) core.lend(new TextEncoder().encode(key), (p, n) => core.wasm.selectKey(p, n));
    else for (const value of valuesOfRoots(core, key, level, names)) attribute(core, { key, value });
  }
}

function frames(core: Access, filters: readonly FrameFilter[], found: readonly Uint32Array[]): void {
  for (const [i, { exclude }] of filters.entries()) {
    const ids = found[i]!;
    core.wasm.selectPredicate(exclude === true);
    core.lend(new Uint8Array(ids.slice().buffer), (p) => core.wasm.selectFrames(p, ids.length));
  }
}

/** `filter` with the names of `other`, raw or normalised. */
export function sameNames({ rawNames: _, ...filter }: Filter, other: Filter): Filter {
  return other.rawNames === true ? { ...filter, rawNames: true } : filter;
}
