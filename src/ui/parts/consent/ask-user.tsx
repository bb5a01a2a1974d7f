/** Shows the question in a separate React tree, so that any part of the page can ask at any time. */

import { useEffect, useId, useMemo, useState } from "react";
import { createRoot } from "react-dom/client";
import { visible } from "../../../model/words/text.ts";
import { Dialog } from "../../primitives/dialog/Dialog.tsx";
import { Button } from "../../primitives/icon/Icon.tsx";
import css from "./ConsentDialog.module.css";
import { allowHost, hostOf, type Question } from "./hosts.ts";

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

/** Lines of what is read. */
const MOST_LINES = 8;
const LONGEST = 300;

interface Props {
  question: Question;
  onAnswer: (isAllowed: boolean, isKept?: boolean) => void;
}

/** Which host, what and how much. The focus is on No: keys that were meant for the page allow nothing. */
function ConsentDialog({ question, onAnswer }: Props) {
  const { origin, what, amount, sent, size } = question;
  const about = useId();
  const [isKept, setKept] = useState(true);
  const host = visible(hostOf(origin), LONGEST);
  const left = what.length - MOST_LINES;
  return (
    <Dialog open onClose={() => onAnswer(false)} title="Read from another host?" testId="consent">
      <div className={css.words} id={about}>
        <p>
          The page is about to read from another host than its own:{" "}
          <strong className={css.host} data-testid="consent-host">
            <bdi>{host}</bdi>
          </strong>
        </p>
        <dl className={css.facts}>
          <dt>What</dt>
          <dd>
            <ul className={css.what}>
              {what.slice(0, MOST_LINES).map((line) => (
                <li key={line}>
                  <bdi>{visible(line, LONGEST)}</bdi>
                </li>
              ))}
              {left > 0 && <li>and {left} more</li>}
            </ul>
          </dd>
          <dt>How much</dt>
          <dd>
            {amount} {size !== undefined && <AskForSize ask={size} />}
          </dd>
          <dt>What it learns</dt>
          <dd>
            The address of this machine and {sent}. No cookies, no recording. It may pass the request on to another
            host.
          </dd>
        </dl>
      </div>
      <div className={css.foot}>
        <label className={css.keep}>
          <input
            type="checkbox"
            data-testid="consent-keep"
            checked={isKept}
            onChange={(event) => setKept(event.currentTarget.checked)}
          />
          Do not ask again for this host
        </label>
        <Button data-first testId="consent-no" onClick={() => onAnswer(false)}>
          Do not read
        </Button>
        <Button look="primary" testId="consent-yes" aria-describedby={about} onClick={() => onAnswer(true, isKept)}>
          Read from this host
        </Button>
      </div>
    </Dialog>
  );
}

/** The size is a question to the host as well. */
function AskForSize({ ask }: { ask: NonNullable<Question["size"]> }) {
  const abort = useMemo(() => new AbortController(), []);
  const [words, setWords] = useState("");
  useEffect(() => () => abort.abort(), [abort]);
  const start = async () => {
    setWords("Asking…");
    setWords(await ask(abort.signal).catch((error: unknown) => String(error instanceof Error ? error.message : error)));
  };
  return (
    <>
      <Button className={css.size} testId="consent-size" onClick={() => void start()}>
        Ask the host for the size
      </Button>
      <span role="status"> {visible(words, LONGEST)}</span>
    </>
  );
}
