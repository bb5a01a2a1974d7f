/** Answers on their way to the page: texts shortened, columns transferred. */
import { CROSSING_CAP, cut } from "../model/words/text.ts";

/** A copy of an answer whose texts are no longer than may cross. */
export function shortened<T>(answer: T): T;
export function shortened(answer: unknown): unknown {
  if (typeof answer === "string") return cut(answer, CROSSING_CAP);
  if (Array.isArray(answer)) return answer.map(shortened);
  if (answer instanceof Map) return new Map(Array.from(answer, ([key, value]) => [key, shortened(value)]));
  if (Object.prototype.toString.call(answer) !== "[object Object]") return answer;
  return Object.fromEntries(Object.entries(answer as object).map(([name, value]) => [name, shortened(value)]));
}

/** The buffers of the typed arrays of an answer, and of the records in it. Several may be views of one buffer. */
export function columnBuffers(answer: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(answer)) return [answer.buffer as ArrayBuffer];
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return [];
  return [...new Set(Object.values(answer).flatMap(columnBuffers))];
}
