/** Conditions on calls of dumps as chips and as parameters of the URL: `call-min=100&call-text=checkout`. */
import type { CallPart, CallPartName, Filter } from "../../core/types.ts";
import { formatCounted } from "../words/format.ts";
import { MOST_FILTERS } from "../words/hash-text.ts";
import { visible } from "../words/text.ts";

/** Most calls that are picked one by one: an address has their ids. */
export const MOST_IDS = 200;
/** Between ids in an address: labels of runs have no line breaks. */
const BETWEEN = "\n";

interface PartRow {
  label: string;
  /** One of them is in force. */
  single: boolean;
  value?: (text: string) => string;
}

const PARTS: Readonly<Record<CallPartName, PartRow>> = {
  min: { label: "duration ≥", single: true, value: milliseconds },
  max: { label: "duration <", single: true, value: milliseconds },
  text: { label: "calls with", single: true },
  roots: { label: "calls", single: true },
  run: { label: "run", single: false },
  server: { label: "server", single: false },
  method: { label: "calls of", single: false },
  param: { label: "parameter", single: false },
  "not-param": { label: "without parameter", single: false },
  "not-id": { label: "without call", single: false },
  slowest: { label: "slowest", single: true, value: (text) => formatCounted(Number(text), "call") },
  "slowest-percent": { label: "slowest", single: true, value: (text) => `${text} % of the calls` },
};

const NAMES = Object.keys(PARTS) as CallPartName[];
const NUMBERS: readonly CallPartName[] = ["min", "max", "slowest", "slowest-percent"];
const SLOWEST: readonly string[] = ["slowest", "slowest-percent"];

function milliseconds(text: string): string {
  const ms = Number(text);
  return ms >= 1000 ? `${ms / 1000} s` : `${ms} ms`;
}

/** Whether a condition gives way to another. */
export function givesWay(old: CallPart, by: CallPart): boolean {
  if (SLOWEST.includes(by.part)) return SLOWEST.includes(old.part);
  return old.part === by.part && (by.part === "ids" || PARTS[by.part].single);
}

export function printPart(part: CallPart): [parameter: string, text: string] {
  return part.part === "ids" ? ["call", part.ids.join(BETWEEN)] : [`call-${part.part}`, part.text];
}

export function parseParts(hash: URLSearchParams): CallPart[] {
  const ids = (hash.get("call") ?? "").split(BETWEEN).filter((id) => id !== "");
  const picked: CallPart[] = ids.length === 0 ? [] : [{ part: "ids", ids: [...new Set(ids)].slice(0, MOST_IDS) }];
  const parts = NAMES.flatMap((part) =>
    [...new Set(hash.getAll(`call-${part}`))]
      .filter((text) => text !== "" && (!NUMBERS.includes(part) || /^\d{1,15}$/.test(text)))
      .slice(0, PARTS[part].single ? 1 : MOST_FILTERS)
      .map((text): CallPart => ({ part, text })),
  );
  return [...picked, ...parts];
}

export function partWords(part: CallPart): { label: string; value: string; full: string } {
  if (part.part !== "ids") {
    const { label, value = (text: string) => visible(text, 80) } = PARTS[part.part];
    return { label, value: value(part.text), full: `${label} ${visible(part.text)}` };
  }
  const [first = "", ...others] = part.ids;
  const full = part.ids.map((id) => visible(id)).join(", ");
  if (others.length === 0) return { label: "call", value: visible(first, 80), full };
  return { label: "selected", value: `${part.ids.length} calls`, full };
}

export function partFileName(part: CallPart): string {
  return part.part === "ids" ? `call-${part.ids[0] ?? ""}` : `${part.part}-${part.text}`;
}

/** Attribute of the filter for threads. */
const THREAD = "thread.name";

/** The conditions of a filter on calls, as a request for a list of them takes them; `file` is a run. */
export function callConditions({ calls = [], attributes = [], time, file }: Filter) {
  const threads = attributes.filter(({ key, exclude }) => key === THREAD && exclude !== true).map(({ value }) => value);
  const ofFile: CallPart[] = file === undefined ? [] : [{ part: "run", text: file }];
  return { parts: [...calls, ...ofFile], threads, time: time ?? null };
}

/** Those that the list of calls shows: the others select among its rows. */
export function listedParts(parts: readonly CallPart[]): CallPart[] {
  return parts.filter(({ part }) => part !== "ids" && !SLOWEST.includes(part));
}
