/** Suggestions of the search box: actions for a text, in groups. */
import type { TopRow } from "../../core/types.ts";
import type { Suggestions } from "../../core/view-types.ts";
import { ENDPOINT_KEYS, OPERATION_KEYS } from "../lists/request-keys.ts";
import { chipWords } from "../query/chip-words.ts";
import type { Chip } from "../query/chips.ts";
import { type Find, parseFind } from "../query/find.ts";
import { decimalId, hexId, idWord, isTrace } from "../words/ids.ts";
import type { PastedIds } from "../words/pasted-ids.ts";

/** A command of the page. */
export interface Command {
  id: string;
  label: string;
  /** A key that does the same, or another name. */
  keys?: string;
  run: () => void;
}

export type Choice =
  | { kind: "find"; find: Find }
  | { kind: "function"; name: string }
  | { kind: "command"; command: Command };

export interface Suggestion {
  label: string;
  /** Key of an attribute, endpoint of a root, keys of a command. */
  note: string;
  /** Samples in all profiles, or of a function its value in the selection; null where nothing is counted. */
  count: number | bigint | null;
  choice: Choice;
}

export interface SuggestionGroup {
  name: string;
  /** Its counts are values of the profile on screen. */
  weighed: boolean;
  items: Suggestion[];
}

/** What the worker found for a text. */
export interface Found {
  suggestions: Suggestions;
  functions: TopRow[];
  /** What is known of the id that the text is; "" for another text. */
  card: string;
}

/** Rows of a group of names; others and commands have a few more. */
const MOST = 5;
const MOST_OTHERS = 8;

/** What the text itself is: an id, with what is known of it, or a filter. */
export function readGroups(text: string, card = ""): SuggestionGroup[] {
  const find = parseFind(text);
  if (find === null) return [];
  const items = find.kind === "ids" ? [idItem(find.pasted, card)] : [chipItem(find.chip)];
  return [{ name: find.kind === "ids" ? "Trace or span" : "Filter", weighed: false, items }];
}

/** The groups of the second list that have no id of the first one. */
export function without(first: SuggestionGroup[], second: SuggestionGroup[]): SuggestionGroup[] {
  const idsOf = ({ choice }: Suggestion) => {
    if (choice.kind !== "find" || choice.find.kind !== "ids") return [];
    const { ids, trace, span } = choice.find.pasted;
    return ids.length > 1 && (trace !== null || span !== null) ? [] : ids;
  };
  const known = new Set(first.flatMap(({ items }) => items.flatMap(idsOf)));
  return second.filter(({ items }) => !items.flatMap(idsOf).some((id) => known.has(id)));
}

/** What of the recording has the text. */
export function foundGroups({ suggestions: { values, roots }, functions }: Omit<Found, "card">): SuggestionGroup[] {
  const isOther = (key: string) => ![...ENDPOINT_KEYS, ...OPERATION_KEYS, THREAD].includes(key);
  return [
    group(
      "Requests",
      roots.map(({ id, samples, about }) => ({
        label: isTrace(id) ? hexId(id) : decimalId(id),
        note: about,
        count: samples,
        choice: { kind: "find", find: { kind: "ids", pasted: known(id) } },
      })),
    ),
    group("Endpoints", named(values, ENDPOINT_KEYS)),
    group("Operations", named(values, OPERATION_KEYS)),
    group("Threads", named(values, [THREAD])),
    group(
      "Attributes",
      values
        .filter(({ key }) => isOther(key))
        .sort((a, b) => b.samples - a.samples)
        .slice(0, MOST_OTHERS)
        .map(valueItem),
    ),
    {
      ...group(
        "Functions",
        functions.map(({ name, total }) => ({
          label: name,
          note: "",
          count: total,
          choice: { kind: "function", name },
        })),
      ),
      weighed: true,
    },
  ].filter(({ items }) => items.length > 0);
}

/** Commands that have all words of the text; all of them without one. */
export function commandGroups(text: string, commands: readonly Command[]): SuggestionGroup[] {
  const words = text.trim().toLowerCase().split(/\s+/);
  const items = commands
    .filter(({ label, keys = "" }) => words.every((word) => `${label} ${keys}`.toLowerCase().includes(word)))
    .map((command): Suggestion => {
      return { label: command.label, note: command.keys ?? "", count: null, choice: { kind: "command", command } };
    });
  return items.length === 0 ? [] : [group("Commands", words[0] === "" ? items : items.slice(0, MOST_OTHERS))];
}

const THREAD = "thread.name";

function group(name: string, items: Suggestion[]): SuggestionGroup {
  return { name, weighed: false, items };
}

function chosen(chip: Chip): Choice {
  return { kind: "find", find: { kind: "chip", chip } };
}

function valueItem({ key, value, samples }: Suggestions["values"][number]): Suggestion {
  return { label: value, note: key, count: samples, choice: chosen({ kind: "attribute", key, value }) };
}

/** As if the id were pasted. */
function known(id: bigint): PastedIds {
  const trace = isTrace(id) ? id : null;
  return { form: "id", ids: [id], trace, span: null, wholeTrace: false, labelled: true };
}

/** Values of the first of these keys that has them: tracers write one name under several keys. */
function named(values: Suggestions["values"], keys: readonly string[]): Suggestion[] {
  const seen = new Set<string>();
  const items = keys.flatMap((key) => values.filter((each) => each.key === key));
  return items
    .filter(({ value }) => !seen.has(value) && seen.add(value))
    .slice(0, MOST)
    .map(valueItem);
}

function idItem(pasted: PastedIds, card: string): Suggestion {
  const id = pasted.trace ?? pasted.ids[0]!;
  const word = pasted.trace !== null ? idWord("local-root", id) : "id";
  return {
    label: `Open ${word} ${isTrace(id) ? hexId(id) : decimalId(id)}`,
    note: card || (pasted.form === word || pasted.form === "trace id" ? "" : pasted.form),
    count: null,
    choice: { kind: "find", find: { kind: "ids", pasted } },
  };
}

function chipItem(chip: Chip): Suggestion {
  const { label, value } = chipWords(chip, []);
  return { label: `${label} ${value}`, note: "", count: null, choice: chosen(chip) };
}
