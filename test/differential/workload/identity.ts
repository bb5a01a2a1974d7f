/** Is every sample one that the workload can have caused: its span, root, thread, attributes, and its stack? */
import type { Observation } from "./observation.ts";
import { CLOCKS } from "./shares.ts";
import {
  attributesOf,
  HOUSEKEEPING,
  OPERATION,
  operationOf,
  RESOURCE,
  type SpanTruth,
  type WorkloadTruth,
} from "./truth.ts";

/**
 * Profilers write ids and attributes in separate steps. A sample taken between the two bears the ids of one span and
 * an attribute of the previous span, or no attribute: about one in a thousand of ours. One in a hundred is allowed, but
 * not for ids, roots or threads, and only a value that the previous span of the thread can have left.
 */
const SLIPS = 0.01;

/**
 * The outermost class of the workload on a stack determines the operation of the thread, independent of the context.
 * Recordings of test/producers contain this table (`classes` of byOperation).
 */
const CLASSES: Record<string, string[]> = {
  "pricing.compute": ["demo.Ops$Pricing"],
  "inventory.reserve": ["demo.Ops$Inventory"],
  "inventory.check": ["demo.Ops$Inventory"],
  "db.query": ["demo.Ops$Db"],
  // Nat: where it has a native library.
  "index.lookup": ["demo.Ops$Search", "demo.Nat"],
  "rank.score": ["demo.Ops$Rank"],
  "cache.get": ["demo.Ops$Net"],
  "json.render": ["demo.Ops$Json", "demo.Ops$Cache"],
  "email.render": ["demo.Ops$Rank", "demo.Ops$Json"],
  "servlet.request": ["demo.Ops$Pricing", "demo.Ops$Checks"],
  // It sleeps in Db between two rounds.
  "": ["demo.Ops$Idle", "demo.Ops$Db"],
};
const WORKLOAD_CLASS = /^((?:demo\.Ops|market\.Work)\$\w+|demo\.Nat\b)/;

/** The class by which a stack tells its operation; null where it holds no code of the workload. */
export function classOf(frames: string[]): string | null {
  return frames.findLast((name) => WORKLOAD_CLASS.test(name))?.match(WORKLOAD_CLASS)?.[1] ?? null;
}

export function classesOf(truth: WorkloadTruth): Record<string, string[]> {
  return truth.classes ?? CLASSES;
}

export function identityFaults(seen: Observation[], truth: WorkloadTruth): string[] {
  const spans = new Map(truth.spans.map((span) => [span.spanId, span]));
  const roots = new Set(truth.spans.map(({ localRootSpanId }) => localRootSpanId));
  const left = leftovers(truth.spans);
  const context = contextOf(truth);
  const faults: string[] = [];
  let linked = 0;
  let slips = 0;
  for (const o of seen) {
    if (o.root !== "0" && !roots.has(o.root)) faults.push(`${o.profile}: no local root ${o.root}`);
    const root = spans.get(o.root);
    if (o.endpoint !== "" && (root === undefined || o.endpoint !== operationOf(root)))
      faults.push(`${o.profile}: root ${o.root} has the endpoint ${o.endpoint}`);
    if (o.span === "0") {
      if (o.thread === HOUSEKEEPING && o.root !== "0") faults.push(`${o.profile}: ${HOUSEKEEPING} in root ${o.root}`);
      for (const [key, value] of Object.entries(context(o))) {
        if (!left(o.thread, key, value)) faults.push(`${o.profile}: ${o.thread} has ${key} ${value} and no span`);
      }
      continue;
    }
    const span = spans.get(o.span);
    if (span === undefined) {
      faults.push(`${o.profile}: no span ${o.span}`);
      continue;
    }
    linked += o.samples;
    if (o.root !== span.localRootSpanId) faults.push(`${o.profile}: span ${o.span} in root ${o.root}`);
    if (o.thread !== span.thread) faults.push(`${o.profile}: span ${o.span} on ${o.thread}, ran on ${span.thread}`);
    const wrong = attributeFaults(context(o), o, span);
    if (wrong.length === 0) continue;
    if (wrong.every(({ key, value }) => value === undefined || left(o.thread, key, value))) slips += o.samples;
    else faults.push(`${o.profile}: span ${o.span} has ${wrong.map(({ key, value }) => `${key} ${value}`).join()}`);
  }
  if (linked === 0) faults.push("no sample has a span");
  if (slips > Math.max(2, SLIPS * linked)) faults.push(`${slips} of ${linked} samples bear another span's attributes`);
  return faults;
}

function attributeFaults(found: Record<string, string>, { profile }: Observation, span: SpanTruth): Difference[] {
  // Exceptions are the JDK's own events, which bear ids only.
  if (!(profile in CLOCKS) && Object.keys(found).length === 0) return [];
  const wanted = attributesOf(span);
  const keys = new Set([...Object.keys(wanted), ...Object.keys(found)]);
  return [...keys].flatMap((key) => (found[key] === wanted[key] ? [] : [{ key, value: found[key] }]));
}

interface Difference {
  key: string;
  value: string | undefined;
}

/** The attributes of the context: all attributes of plain samples. Other events have further ones. */
function contextOf(truth: WorkloadTruth): (o: Observation) => Record<string, string> {
  const known = [...truth.attributes, OPERATION, RESOURCE];
  return ({ profile, attributes }) =>
    profile in CLOCKS
      ? attributes
      : Object.fromEntries(Object.entries(attributes).filter(([key]) => known.includes(key)));
}

/** Whether a span of this thread, or the parent it took its context from, can have left this value there. */
function leftovers(spans: SpanTruth[]): (thread: string, key: string, value: string) => boolean {
  const known = new Set<string>();
  for (const span of spans) {
    for (const [key, value] of Object.entries(attributesOf(span))) known.add(JSON.stringify([span.thread, key, value]));
  }
  return (thread, key, value) => known.has(JSON.stringify([thread, key, value]));
}

/**
 * The stack against the span: a sample bearing pricing.compute must not be in Ops$Db. This holds the two halves of
 * a sample together, which the sums over either half cannot see. Stacks without code of the workload say nothing.
 */
export function stackFaults(seen: Observation[], truth: WorkloadTruth): string[] {
  const operations = new Map(truth.spans.map((span) => [span.spanId, span.operation]));
  const classes = classesOf(truth);
  const faults: string[] = [];
  let told = 0;
  let slips = 0;
  for (const o of seen) {
    const found = classOf(o.frames);
    const operation = operations.get(o.span) ?? "";
    // Workers without a span are between two spans: their samples do not belong to the housekeeping.
    if (found === null || (operation === "" && o.thread !== HOUSEKEEPING)) continue;
    told += o.samples;
    if (classes[operation]?.includes(found)) continue;
    // The context is switched a moment before or after the call.
    slips += o.samples;
    faults.push(`${o.profile}: ${operation || "no span"} stands in ${found} on ${o.thread}`);
  }
  if (told === 0) return ["no stack holds code of the workload"];
  return slips > Math.max(2, SLIPS * told) ? faults : [];
}
