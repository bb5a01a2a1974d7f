/** The tabs of the explorer: what each lists of a profile's samples, and its words. */

import { LIBRARY_KEY } from "../../core/tables/library-keys.ts";
import type { ProfileSummary, RankBy } from "../../core/types.ts";
import type { Profiled } from "../words/measure.ts";
import { visible } from "../words/text.ts";
import { ENDPOINT_KEYS, OPERATION_KEYS, ROOT_OPERATION } from "./request-keys.ts";

/** Fewer samples than this say little of a row by itself. */
export const FEW = 5;

const THREAD_KEY = "thread.name";

export interface ExplorerTab {
  /** Name of the list in the query. */
  name: string;
  label: string;
  by: RankBy;
  /** One sentence: what a row is. */
  about: string;
  /** Why there is no row; "" where there are some. */
  absence: string;
}

const NO_SPANS =
  "No sample of this profile carries a span id. Span ids come from a tracer that works with the profiler, such as dd-trace-java.";
const NO_IDS =
  "None of these calls has the parameters brave.trace_id and brave.span_id, which are the ids of its span.";

/** The tabs of a profile. Operations and endpoints only where a tracer named them. */
export function explorerTabs({
  threads,
  samplesWithSpan,
  samplesWithRoot,
  inferredSpan = 0,
  inferredRoot = 0,
  exact,
  ...profile
}: Profiled): ExplorerTab[] {
  const noSpans = exact === "calls" ? NO_IDS : NO_SPANS;
  const noThreads = `No ${exact === "calls" ? "call" : "sample"} of this profile has a thread.`;
  const { endpoint, operation } = namingOf((key) => Object.hasOwn(profile.samplesWithAttribute, key));
  const named = (name: string, label: string, key: string | undefined, about: string): ExplorerTab[] =>
    key === undefined
      ? []
      : [{ name, label, by: { kind: "attribute", key }, about: `${about} (${visible(key, 60)})`, absence: "" }];
  return [
    ...named("endpoint", "Endpoints", endpoint, "Routes, each with all its requests"),
    ...named("operation", "Operations", operation, "Span names, each with all its samples"),
    {
      name: "root",
      label: "Requests",
      by: { kind: "local-root" },
      about: "Single requests in this process: the service's entry span with everything below it",
      absence: samplesWithRoot + inferredRoot > 0 ? "" : noSpans,
    },
    {
      name: "span",
      label: "Spans",
      by: { kind: "span" },
      about: "Single spans without their children",
      absence: samplesWithSpan + inferredSpan > 0 ? "" : noSpans,
    },
    ...named(
      "library",
      "Libraries",
      Object.hasOwn(profile.samplesWithAttribute, LIBRARY_KEY) ? LIBRARY_KEY : undefined,
      "Libraries of the functions that were running",
    ),
    {
      name: "thread",
      label: "Threads",
      by: { kind: "attribute", key: THREAD_KEY },
      about: "Threads by id, with their names; threads without a name share a row",
      absence: threads > 0 ? "" : noThreads,
    },
  ];
}

/** What a row of a list is, as a noun. */
export function rowWord(by: RankBy): string {
  if (by.kind !== "attribute") return by.kind === "span" ? "span" : "request";
  if (ENDPOINT_KEYS.includes(by.key)) return "endpoint";
  if (OPERATION_KEYS.includes(by.key)) return "operation";
  return by.key === THREAD_KEY ? "thread" : "value";
}

/** Other attributes that samples of the profile carry, and the event where there is more than one. */
export function attributeChoices(keys: readonly string[], { samplesWithAttribute, events }: ProfileSummary): string[] {
  const carried = keys.filter((key) => Object.hasOwn(samplesWithAttribute, key));
  return Object.keys(events).length > 1 ? [...carried, "jfr.event"] : carried;
}

/** Keys that a tracer gives to a span beside those of its root. */
const SPAN_KEYS = ["_dd.trace.operation", "_dd.trace.resource"];

/** What distinguishes a key from others with the same values: the tab that lists it, or the span that it describes. */
export function attributeHint(key: string, tabs: readonly ExplorerTab[]): string {
  const tab = tabs.find(({ by }) => by.kind === "attribute" && by.key === key);
  if (tab !== undefined) return tab.label;
  if (SPAN_KEYS.includes(key)) return "of the span";
  return key === ROOT_OPERATION || key === ENDPOINT_KEYS[0] ? "of the root" : "";
}

/** The tab of this name; without one the most useful that has rows. */
export function chooseTab(tabs: ExplorerTab[], name: string): ExplorerTab {
  if (name.startsWith("key:")) {
    const key = name.slice(4);
    const known = tabs.find(({ by }) => by.kind === "attribute" && by.key === key);
    return known ?? { name, label: key, by: { kind: "attribute", key }, about: "Values of an attribute", absence: "" };
  }
  const named = tabs.find((tab) => tab.name === name);
  if (named !== undefined) return named;
  const useful = ["endpoint", "operation", "root", "span", "thread"].flatMap(
    (wanted) => tabs.find((tab) => tab.name === wanted && tab.absence === "") ?? [],
  );
  return useful[0] ?? (tabs.find((tab) => tab.name === "root") as ExplorerTab);
}

/** Why a list has no row. */
export function emptyWords({ by, absence }: ExplorerTab, rows: string): string {
  if (absence !== "") return absence;
  if (rows !== "") return `No row matches ${visible(rows, 60)}.`;
  if (by.kind === "attribute") return `No sample here has a value for ${visible(by.key, 60)}.`;
  return `No sample under the current filters belongs to a ${rowWord(by)}.`;
}

/** The tab that groups roots or spans: roots by endpoint, spans by operation. */
export function groupTab(by: RankBy, tabs: ExplorerTab[]): ExplorerTab | null {
  if (by.kind === "attribute") return null;
  const find = (name: string) => tabs.find((tab) => tab.name === name);
  const [first, second] = by.kind === "span" ? ["operation", "endpoint"] : ["endpoint", "operation"];
  return find(first!) ?? find(second!) ?? null;
}

/** The keys by which samples are named: of each list the first that any of them has, so that names are of one kind. */
export function namingOf(has: (key: string) => boolean): {
  endpoint: string | undefined;
  operation: string | undefined;
} {
  return { endpoint: ENDPOINT_KEYS.find(has), operation: OPERATION_KEYS.find(has) };
}
