/**
 * Faults that a reader could have, planted into its results: the comparison with the workload is worth as much as it
 * notices of them.
 */
import type { Observation } from "./observation.ts";

export interface Plant {
  name: string;
  plant(seen: Observation[]): Observation[];
  /** Whether the workload cannot notice and only an exact count does. */
  needsCount?: true;
}

const each =
  (change: (o: Observation, i: number, all: Observation[]) => Partial<Observation>) => (seen: Observation[]) =>
    seen.map((o, i) => ({ ...o, ...change(o, i, seen) }));

/** The nearest sample before it in the same profile that is another in these respects, or itself. */
function before(
  o: Observation,
  i: number,
  all: Observation[],
  ...differs: ("span" | "root" | "thread")[]
): Observation {
  const other = all.slice(0, i).findLast((b) => b.profile === o.profile && differs.every((key) => b[key] !== o[key]));
  return other ?? o;
}

/** The same on its own thread, as if the context had been switched too late. */
function late(o: Observation, i: number, all: Observation[]): Observation {
  const same = (b: Observation) => b.profile === o.profile && b.thread === o.thread && b.span !== "0";
  return all.slice(0, i).findLast((b) => same(b) && b.span !== o.span) ?? o;
}

/** Applies to every tenth observation with a span, 0..9 saying which. */
const tenth = (change: (o: Observation, i: number, all: Observation[]) => Partial<Observation>) =>
  each((o, i, all) => (i % 10 === 7 && o.span !== "0" ? change(o, i, all) : {}));

const latin1 = (text: string) => Array.from(new TextEncoder().encode(text), (b) => String.fromCharCode(b)).join("");
const rounded = (id: string) => String(BigInt.asUintN(64, BigInt(Number(id))));
const topBit = (id: string) => BigInt(id) >> 63n === 1n;

export const PLANTS: Plant[] = [
  { name: "span and root are swapped", plant: each(({ span, root }) => ({ span: root, root: span })) },
  { name: "the root is taken for the span", plant: each(({ root }) => ({ span: root })) },
  {
    name: "ids go through a 64-bit float",
    plant: each(({ span, root }) => ({ span: rounded(span), root: rounded(root) })),
  },
  { name: "ids with the top bit are lost", plant: each(({ span }) => (topBit(span) ? { span: "0", root: "0" } : {})) },
  {
    name: "a tenth bears a span of another thread",
    plant: tenth((o, i, all) => pick(before(o, i, all, "span", "thread"), "span", "root")),
  },
  {
    name: "a tenth bears the span before, its ids only",
    plant: tenth((o, i, all) => pick(late(o, i, all), "span", "root")),
  },
  {
    name: "a tenth bears the span before, with all of it",
    plant: tenth((o, i, all) => pick(late(o, i, all), "span", "root", "attributes")),
  },
  { name: "a tenth bears the root of another", plant: tenth((o, i, all) => pick(before(o, i, all, "root"), "root")) },
  {
    name: "a tenth bears the name of another thread",
    plant: tenth((o, i, all) => pick(before(o, i, all, "thread"), "thread")),
  },
  {
    name: "a tenth bears the attributes of another span",
    plant: tenth((o, i, all) => pick(before(o, i, all, "span"), "attributes")),
  },
  {
    name: "stacks are those of the sample before",
    plant: each((o, i, all) => pick(before(o, i, all, "span"), "frames")),
  },
  { name: "a tenth loses its attributes", plant: tenth(() => ({ attributes: {} })) },
  {
    name: "two attributes are swapped",
    plant: each(({ attributes: { tenant = "", ...rest } }) => ({
      attributes: { ...rest, tenant: rest["http.route"] ?? "", "http.route": tenant },
    })),
  },
  {
    name: "an absent attribute is an empty one",
    plant: each(({ span, attributes }) => (span === "0" ? {} : { attributes: { tenant: "", ...attributes } })),
  },
  {
    name: "UTF-8 is read as Latin-1",
    plant: each(({ attributes }) => ({
      attributes: Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, latin1(value)])),
    })),
  },
  {
    name: "samples without a span go on with the one before",
    plant: (seen) => {
      let last: Observation | undefined;
      return seen.map((o) => {
        if (o.span !== "0") last = o;
        return last?.profile === o.profile ? { ...o, ...pick(last, "span", "root", "attributes") } : o;
      });
    },
  },
  { name: "the housekeeping is lost", plant: (seen) => seen.filter(({ thread }) => thread !== "housekeeping") },
  {
    name: "a quarter of the roots is lost",
    plant: (seen) => {
      const roots = [...new Set(seen.map(({ root }) => root))].sort();
      return seen.filter(({ root }) => root === "0" || roots.indexOf(root) % 4 !== 1);
    },
  },
  {
    name: "samples of native code are lost",
    plant: (seen) => seen.filter(({ frames }) => frames[0]?.includes(".") === true && !frames[0].startsWith("[")),
  },
  {
    name: "everything counts twice",
    plant: each(({ samples, value }) => ({ samples: 2 * samples, value: 2 * value })),
  },
  {
    name: "allocations are worth half",
    plant: each((o) => (o.profile === "alloc-samples" ? { value: o.value / 2 } : {})),
  },
  {
    name: "CPU and wall are exchanged",
    plant: each(({ profile }) => ({ profile: { cpu: "wall", wall: "cpu" }[profile] ?? profile })),
  },
  { name: "a tenth of the samples is lost", plant: (seen) => seen.filter((_, i) => i % 10 !== 7), needsCount: true },
  { name: "one sample is lost", plant: (seen) => seen.slice(1), needsCount: true },
  { name: "one sample is there twice", plant: (seen) => [...seen, ...seen.slice(0, 1)], needsCount: true },
];

function pick<K extends keyof Observation>(o: Observation, ...keys: K[]): Pick<Observation, K> {
  return Object.fromEntries(keys.map((key) => [key, o[key]])) as Pick<Observation, K>;
}
