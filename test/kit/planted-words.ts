/** How a sentence of `why` says the cause that a recording of fixtures/planted was made with. */
export const CAUSE_WORDS = {
  cpu: /on CPU|running/,
  lock: /blocked|lock/,
  park: /parked/,
  sleep: /asleep/,
  socket: /reading or writing|network|socket/,
  file: /reading or writing|file/,
  gc: /GC|collect/,
  "off-thread": /on no thread/,
};

/** The first part that a sentence names: "84 % blocked in Taxes.rateOf". */
const firstPart = (sentence: string) => sentence.replace(/^[^%]*: /, "").split(/, \d/)[0] ?? "";

/** Whether the first part of a sentence has the cause and its function. */
export function isNamedIn(sentence: string, { cause, function: name }: { cause: string; function: string | null }) {
  const part = firstPart(sentence);
  const words = CAUSE_WORDS[cause as keyof typeof CAUSE_WORDS];
  return words.test(part) && part.includes(name ?? "");
}
