/** Shows the question in a tree of its own, so that any part of the page can ask, whatever it shows itself. */
import { createRoot } from "react-dom/client";
import { ConsentDialog } from "./ConsentDialog.tsx";
import { allowHost, type Question } from "./consent.ts";

/** Whether the user allows it. No answer is needed any more when the signal aborts. */
export function askUser(question: Question, signal: AbortSignal): Promise<boolean> {
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place);
  return new Promise<boolean>((resolve) => {
    const answer = (isAllowed: boolean, isKept = false) => {
      if (isAllowed && isKept) allowHost(question.origin);
      resolve(isAllowed);
    };
    if (signal.aborted) return resolve(false);
    signal.addEventListener("abort", () => resolve(false), { once: true });
    root.render(<ConsentDialog question={question} onAnswer={answer} />);
  }).finally(() => {
    root.unmount();
    place.remove();
  });
}
