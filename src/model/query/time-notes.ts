/** Notes on the timeline: a text about a range of time. A link has them as `note=FROM-TO~text`, and so has a report. */
import type { TimeRange } from "../../core/types.ts";

export interface TimeNote extends TimeRange {
  text: string;
}

export const LONGEST_NOTE = 200;
/** A hostile address gets no further. */
const MOST_NOTES = 30;

export function noteText({ from, to, text }: TimeNote): string {
  return `${from}-${to}~${text}`;
}

/** Those that can be read, in the order of time. */
export function readNotes(texts: readonly string[]): TimeNote[] {
  const notes = texts.flatMap((each): TimeNote[] => {
    const [, from = "", to = "", text = ""] = /^(\d{1,19})-(\d{1,19})~(.+)$/s.exec(each) ?? [];
    return text.trim() === "" || BigInt(to) <= BigInt(from)
      ? []
      : [{ from: BigInt(from), to: BigInt(to), text: text.trim().slice(0, LONGEST_NOTE) }];
  });
  return notes.sort((a, b) => Number(a.from - b.from)).slice(0, MOST_NOTES);
}

/** The notes with `note` in place of `old`; an empty text takes it away. */
export function withNote(notes: readonly TimeNote[], old: TimeNote | null, note: TimeNote): TimeNote[] {
  const others = notes.filter((each) => each !== old);
  return readNotes([...others, note].map(noteText));
}

/**
 * The ranges around the one that is selected now, the outermost first: those before it that go beyond both of its ends.
 * A range of which one end was moved is not around it.
 */
export function outerRanges(before: readonly TimeRange[], range: TimeRange | null): TimeRange[] {
  if (range === null) return [];
  return before.filter(({ from, to }) => from < range.from && to > range.to);
}
