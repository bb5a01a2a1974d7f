/** Encoding of answers for the page: texts shortened, columns transferred. */

import type { Views } from "../core/answers/views.ts";
import type { FramesAnswer, RankPage } from "../core/types.ts";
import type { DiffAnswer, Marks, NamePlace } from "../core/view-types.ts";
import { CROSSING_CAP, cut } from "../model/words/text.ts";
import type { Pause, SandwichAnswer } from "./api.ts";

/** Limit for a pause's cause, because there may be a hundred thousand pauses. */
const CAUSE_CAP = 200;

/** Rows of a table with names no longer than may cross. */
export function withCutNames<T extends { name: string; baseName?: string }>(rows: T[]): T[] {
  for (const row of rows) {
    row.name = cut(row.name, CROSSING_CAP);
    if (row.baseName !== undefined) row.baseName = cut(row.baseName, CROSSING_CAP);
  }
  return rows;
}

export function withCutRows<T extends { rows: { name: string }[] }>(page: T): T {
  withCutNames(page.rows);
  return page;
}

export function withCutFile(place: NamePlace): NamePlace {
  const { file, library } = place;
  return {
    ...place,
    file: cut(file, CROSSING_CAP),
    ...(library !== undefined && { library: cut(library, CROSSING_CAP) }),
  };
}

export function withCutLabels(page: RankPage): RankPage {
  for (const row of page.rows) {
    row.label = cut(row.label, CROSSING_CAP);
    row.about = cut(row.about, CROSSING_CAP);
  }
  return page;
}

export function withCutCauses(marks: Marks): Marks {
  return { ...marks, texts: marks.texts.map((text) => cut(text, CAUSE_CAP)) };
}

export function withCutTexts(pauses: Pause[]): Pause[] {
  return pauses.map((pause) => ({
    ...pause,
    source: cut(pause.source, CROSSING_CAP),
    cause: cut(pause.cause, CAUSE_CAP),
  }));
}

/** The answer with names no longer than may cross. */
export function withShortNames(answer: FramesAnswer): FramesAnswer {
  const { frames, path } = answer;
  frames.names = frames.names.map((name) => cut(name, CROSSING_CAP));
  for (const frame of path) frame.name = cut(frame.name, CROSSING_CAP);
  return answer;
}

export function withShortChange(answer: DiffAnswer): DiffAnswer {
  withShortNames(answer.frames);
  return { ...answer, baseNames: new Map([...answer.baseNames].map(([row, name]) => [row, cut(name, CROSSING_CAP)])) };
}

export function frameBuffers({ frames }: FramesAnswer): Transferable[] {
  const columns = [
    frames.node,
    frames.parent,
    frames.name,
    frames.frameType,
    frames.total,
    frames.self,
    frames.hiddenFrames,
    frames.hiddenValue,
    frames.nameIds,
  ];
  // Columns may be views of one buffer, which is transferred once.
  return [...new Set(columns.map((column) => column.buffer as ArrayBuffer))];
}

/** Callers and callees of the function `name`, or of the one with most self time where it is "". */
export function sandwichOf(views: Views, name: string, width: number): SandwichAnswer | null {
  const shown = name === "" ? (views.top("self", 0, 1).rows[0]?.name ?? "") : name;
  if (shown === "") return null;
  const side = (kind: "callers-of" | "callees-of") =>
    withShortNames(views.regroup({ grouping: { kind, name: shown }, path: [], width }));
  return { name: cut(shown, CROSSING_CAP), "callers-of": side("callers-of"), "callees-of": side("callees-of") };
}

export function sandwichBuffers(answer: SandwichAnswer | null): Transferable[] {
  if (answer === null) return [];
  return [...frameBuffers(answer["callers-of"]), ...frameBuffers(answer["callees-of"])];
}

/** The typed arrays of an answer, and of the records in it. */
export function columnBuffers(answer: unknown): Transferable[] {
  if (ArrayBuffer.isView(answer)) return [answer.buffer as ArrayBuffer];
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return [];
  return [...new Set(Object.values(answer).flatMap(columnBuffers))];
}
