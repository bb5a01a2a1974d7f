/** The page's questions, asked of a recording in the same thread: by the command line and the library. */
import { repeated } from "../asking.ts";
import { OpenRecording } from "../open-recording.ts";
import type { Asked } from "./graph.ts";
import { PAGE } from "./page.ts";

type Read = Pick<OpenRecording["read"], "held" | "calls" | "spans" | "profiles">;

/** A question by its name, with what it is given. */
export function directly(read: Read): (name: keyof typeof PAGE, ...given: unknown[]) => Promise<never> {
  const opened = new OpenRecording({ ...read, files: [], kinds: [], choice: { extra: [], inferred: false } });
  const asked: Asked = { opened, newCore: () => Promise.reject(new TypeError("the files are not read again")) };
  type Question = (asked: Asked, ...given: unknown[]) => never;
  return (name, ...given) => repeated(() => (PAGE as unknown as Record<string, Question>)[name]!(asked, ...given));
}
