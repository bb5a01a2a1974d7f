/**
 * What a reading is for, as far as readers can decide it: they skip samples that cannot match
 * (assembly/read/wanted.ts). Of a filter these are the profile, ids, attributes and the time; all else is left to the
 * selection, which applies the whole filter to the samples that were read.
 */

import type { FieldOfReaders } from "../answers/filters.ts";
import type { Instance } from "../instance/instance.ts";
import { Packer } from "../instance/packer.ts";
import { PROFILES, type ProfileRow, wireType } from "../tables/catalogue.ts";
import { LIBRARY_KEY, LIBRARY_VERSION_KEY } from "../tables/library-keys.ts";
import { kindAsked, kindOf } from "../tables/meanings.ts";
import type { AttributeFilter, Filter, OneOrMore } from "../types.ts";

/** Samples that an answer needs. */
export interface Needed {
  /** Names of profile types, as `--type` has them; all types without it. */
  types?: readonly string[];
  /** Only the profiles of extra events. */
  extraOnly?: boolean;
  filter: Filter;
  /** The answer depends on stacks. */
  stacks: boolean;
  /** The answer depends on single observations, as their times do, and not only on sums of samples. True without it. */
  single?: boolean;
  /** The answer has incidents, measurements or the recording's other facts beside samples. */
  all: boolean;
  /** The answer has facts of all other samples, too, except their stacks. */
  others?: boolean;
  /** The answer has labels of threads, which depend on all threads. */
  threads?: boolean;
}

const NO_STACKS = 1;
const SAMPLES_ONLY = 2;
const NO_OBSERVATIONS = 4;
const OTHERS_TOO = 8;
const NOT_TYPES = 16;
const SPAN = 0;
const ROOT = 1;
const NO_SPAN = 2;
/** Texts of truth values: the first is 1, the second 2. */
const TRUTHS = ["false", "true"];
const EXCLUDES = 1;
const MAY_COME_LATER = 2;
/** Keys of assembly/store/keys.ts: columns of the event row, and those that datadog.Endpoint adds by the root. */
const EVENT_KEY = "jfr.event";
const TYPE_KEY = "profile.type";
const FREED_KEY = "alloc.freed";
/** Labels of threads are known at the end. */
const THREAD_KEY = "thread.name";
/** Keys that no set of attributes has while samples are read. */
const LATER = new Set([EVENT_KEY, TYPE_KEY, FREED_KEY, LIBRARY_KEY, LIBRARY_VERSION_KEY, THREAD_KEY]);
const OF_ROOTS = new Set(["trace endpoint", "trace operation"]);
const ALWAYS = { from: 0n, to: 2n ** 64n - 1n };
/** As in assembly/read/wanted.ts. */
const MOST_BYTES = 2 ** 16;

/** Of a core. */
interface Reader {
  readonly instance: Pick<Instance, "lend" | "wasm" | "setup">;
  catalogueRow(profile: number): ProfileRow | undefined;
}

/** Has a core read only what an answer needs, until it is reset; false if that is everything. */
export function readOnlyNeeded(core: Reader, needed: Needed): boolean {
  const profiles: ProfileRow[] = [];
  for (let row = core.catalogueRow(0); row !== undefined; row = core.catalogueRow(profiles.length)) profiles.push(row);
  const bytes = readFilterBytes(profiles, needed);
  return bytes !== null && readOnly(core, bytes);
}

/** Has a core read only what these bytes of a filter want, until it is reset. */
export function readOnly({ instance }: Pick<Reader, "instance">, wanted: Uint8Array): boolean {
  instance.setup = { ...instance.setup, wanted };
  return instance.lend(wanted, (p, n) => instance.wasm.setWanted(p, n));
}

function hasLabels({ threads, filter: { attributes = [], rootFrames = [] } }: Needed): boolean {
  return (
    threads === true || attributes.some(({ key }) => key === THREAD_KEY) || rootFrames.some(({ by }) => by === "thread")
  );
}

/** The filter as the core reads it; null if it excludes nothing. Profiles of extra events follow the catalogue. */
function readFilterBytes(profiles: readonly ProfileRow[], needed: Needed): Uint8Array | null {
  const { stacks, single = true, others = false } = needed;
  const { types, extraOnly = false, filter } = hasLabels(needed) ? { filter: {} } : (needed as Needed);
  const isNamed = (i: number) => types?.some((type) => mayBeNamed(profiles, i, type)) ?? true;
  const isWanted = (i: number) => (extraOnly ? i >= PROFILES.length : isNamed(i));
  const wanted = profiles.map((_, i) => isWanted(i));
  const events = profiles.flatMap((row, i) => row.events.map(() => wanted[i] === true));
  const rows = events.every((each) => each) ? [] : events.flatMap((each, i) => (each ? [i] : []));
  const all = predicatesOf(filter);
  const predicates = all.filter((each) => "alternatives" in each);
  const conditions = all.filter((each) => "key" in each);
  const { from, to } = filter.time ?? ALWAYS;
  const always = from === ALWAYS.from && to === ALWAYS.to;
  const isEverything = rows.length === 0 && types === undefined && all.length === 0;
  if (isEverything && always && stacks && single) return null;
  const packer = new Packer();
  const kept = (needed.all ? 0 : SAMPLES_ONLY) | (single ? 0 : NO_OBSERVATIONS);
  const { bases, areWanted } = typesOfMessages(profiles, types ?? []);
  packer.word((stacks ? 0 : NO_STACKS) | kept | (others ? OTHERS_TOO : 0) | (areWanted ? 0 : NOT_TYPES));
  packer.word(rows.length);
  for (const row of rows) packer.word(row);
  packer.word(predicates.length);
  for (const { exclude, alternatives } of predicates) {
    packer.word(exclude ? 1 : 0);
    packer.word(alternatives.length);
    for (const { kind, id } of alternatives) {
      packer.word(kind);
      packer.long(BigInt.asUintN(64, id));
      // The low half of a trace id may be that of a local root, which the id then means (trace/resolve-id.ts).
      packer.long(0n);
    }
  }
  packer.long(from);
  packer.long(to);
  packer.word(conditions.length);
  for (const condition of conditions) putCondition(packer, condition);
  packer.word(bases.size);
  for (const base of bases) packer.text(base);
  const bytes = packer.taken();
  return bytes.length > MOST_BYTES ? null : bytes;
}

/**
 * Types of messages that are wanted, or that are not. Profiles of a kind have any name, so then only the catalogue's
 * names for other kinds are left out.
 */
function typesOfMessages(profiles: readonly ProfileRow[], types: readonly string[]) {
  const bases = new Set(types.map((type) => partsOf(type)[0]));
  const kinds = types.map(kindAsked).filter((kind) => kind !== undefined);
  if (kinds.length === 0) return { bases, areWanted: true };
  const names = profiles.map(({ type }) => partsOf(type)[0]);
  const isOther = (name: string) => !bases.has(name) && !["other", ...kinds].includes(kindOfType(name));
  return { bases: new Set(names.filter(isOther)), areWanted: false };
}

const kindOfType = (type: string) => kindOf({ type, periodType: "", periodUnit: "" });

interface Condition {
  exclude: boolean;
  key: string;
  values: string[];
}

/** As `applyFilter` has them (filters.ts): values of one key are alternatives. Some keys are in no set. */
function attributePredicates(attributes: readonly AttributeFilter[]): Condition[] {
  const known = attributes.filter(({ key }) => !LATER.has(key));
  const wanted = known.filter(({ exclude }) => exclude !== true);
  return [
    ...[...new Set(wanted.map(({ key }) => key))].map((key) => ({
      exclude: false,
      key,
      values: wanted.filter((each) => each.key === key).map(({ value }) => value),
    })),
    ...known
      .filter(({ exclude }) => exclude === true)
      .map(({ key, value }) => ({ exclude: true, key, values: [value] })),
  ];
}

function putCondition(packer: Packer, { exclude, key, values }: Condition): void {
  packer.word((exclude ? EXCLUDES : 0) | (OF_ROOTS.has(key) ? MAY_COME_LATER : 0));
  packer.word(values.length);
  for (const value of values) {
    const number = /^(0|-?[1-9]\d{0,18})$/.test(value) ? BigInt(value) : null;
    const isNumber = number !== null && BigInt.asIntN(64, number) === number;
    packer.word(isNumber ? 1 : 0);
    packer.long(isNumber ? BigInt.asUintN(64, number) : 0n);
    packer.word(TRUTHS.indexOf(value) + 1);
    packer.text(key);
    packer.text(value);
  }
}

/**
 * Whether a profile of this row may be what a type names. The name depends on the profiles that a recording has
 * (profile-facts.ts): the first of a type has its name, the others have their event or their unit after it.
 */
function mayBeNamed(profiles: readonly ProfileRow[], i: number, type: string): boolean {
  if (wireType(profiles, i) === type) return true;
  const row = profiles[i]!;
  if (kindOfType(row.type) === kindAsked(type)) return true;
  const [base, event] = partsOf(type);
  const isOfBase = (each: ProfileRow) => partsOf(each.type)[0] === base;
  // The setting of a recording may name the samples of this row: a native function, for example `malloc`.
  if (
    row.events.some(({ route }) => route !== undefined && "where" in route && route.where !== "") &&
    (event === "samples" || /^\w+$/.test(type))
  )
    return true;
  if (!isOfBase(row)) return false;
  const isNamed = ({ events }: ProfileRow) => events[0]?.event === event;
  return event === undefined || !profiles.some((each) => isOfBase(each) && isNamed(each)) || isNamed(row);
}

function partsOf(type: string): [base: string, event: string | undefined] {
  const colon = type.indexOf(":");
  return colon < 0 ? [type, undefined] : [type.slice(0, colon), type.slice(colon + 1)];
}

interface Predicate {
  exclude: boolean;
  alternatives: { kind: number; id: bigint }[];
}

function ofIds(exclude: boolean, kind: number, ids: OneOrMore<bigint> | undefined): Predicate[] {
  return ids === undefined ? [] : [{ exclude, alternatives: [ids].flat().map((id) => ({ kind, id })) }];
}

/** What readers exclude by each field that the row of the filter gives them. */
const PREDICATES: { [Field in FieldOfReaders]: (value: NonNullable<Filter[Field]>) => (Predicate | Condition)[] } = {
  span: (ids) => ofIds(false, SPAN, ids),
  localRoot: (ids) => ofIds(false, ROOT, ids),
  noSpan: (wanted) => (wanted ? ofIds(false, NO_SPAN, 0n) : []),
  not: ({ span, localRoot }) => [...ofIds(true, SPAN, span), ...ofIds(true, ROOT, localRoot)],
  attributes: attributePredicates,
};

function predicatesOf(filter: Filter): (Predicate | Condition)[] {
  return Object.entries(PREDICATES).flatMap(([field, predicates]) => {
    const value = filter[field as FieldOfReaders];
    return value === undefined ? [] : (predicates as (value: unknown) => (Predicate | Condition)[])(value);
  });
}
