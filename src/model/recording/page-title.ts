/** Title of the browser's tab: the selection, then the files, so that tabs of one recording differ at their start. */
import type { Outline } from "../../core/view-types.ts";
import type { Subject } from "../query/subject.ts";
import { shownNames } from "../recording/shown-names.ts";
import { hexId } from "../words/ids.ts";
import { visible } from "../words/text.ts";

const BRAND = "Spanflame";
const MOST = 60;
/** Digits of an id that a title has room for. */
const DIGITS = 4;

/** `POST /checkout · 3b2f… · shop.jfr — Spanflame`. */
export function pageTitle(
  subject: Subject | null,
  names: Pick<Outline, "endpoint" | "operation"> | null,
  files: readonly string[],
): string {
  const [first = "", ...others] = shownNames(files);
  const opened = others.length === 0 ? first : `${first} and ${others.length} more`;
  const parts = [...subjectParts(subject, names), opened].filter((part) => part !== "");
  return `${parts.map((part) => visible(part, MOST)).join(" · ")} — ${BRAND}`;
}

/** `POST /checkout`, or another name of the subject. */
export function subjectName(subject: Subject, names: Pick<Outline, "endpoint" | "operation"> | null): string {
  if (subject.kind === "value") return subject.value === "" ? `no ${subject.key}` : subject.value;
  const { endpoint = "", operation = "" } = names ?? {};
  const name = subject.of === "span" ? operation || endpoint : endpoint || operation;
  return name || subject.word;
}

function subjectParts(subject: Subject | null, names: Pick<Outline, "endpoint" | "operation"> | null): string[] {
  if (subject === null) return [];
  const name = subjectName(subject, names);
  return subject.kind === "value" ? [name] : [name, `${hexId(subject.id).slice(0, DIGITS)}…`];
}
