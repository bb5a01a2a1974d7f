import { useMemo, useState } from "react";
import { chipWords } from "../../model/query/chip-words.ts";
import { chipsOf } from "../../model/query/chips.ts";
import { type WhyLine, whyText, whyWords } from "../../model/words/why-text.ts";
import { viewer } from "../../worker/client.ts";
import { useAnswer } from "../analysis/use-answer.ts";
import { copyText } from "../clipboard/copy-text.ts";
import { FrameName } from "../grid/FrameName.tsx";
import { MiddleText } from "../grid/MiddleText.tsx";
import type { ViewProps } from "../view-props.ts";
import css from "./WhyView.module.css";

/** What the selection is about, in figures and words, to read and to pass on. */
export function WhyView({ profile, tabs, zeros, samples, query, onFailure }: ViewProps) {
  const question = useMemo(() => ({ samples, profile }), [samples, profile]);
  const answered = useAnswer(question, (asked) => viewer.why(asked.samples), onFailure);
  const words = useMemo(() => answered && whyWords(answered.answer, answered.question.profile, tabs), [answered, tabs]);
  const [copied, setCopied] = useState(false);
  if (answered === null || words === null) return null;
  const { threadCount } = answered.answer;
  const copy = async () => {
    const what = chipsOf(query).map((chip) => chipWords(chip, zeros).full);
    setCopied(await copyText(whyText(words, what, threadCount)));
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys have to reach that
    <section className={css.why} data-testid="why" tabIndex={0} aria-label="What the selection is about">
      <div className={css.head}>
        <div>
          <p className={css.headline} data-testid="why-headline">
            {words.headline}
          </p>
          <p className={css.quiet}>{words.confidence}</p>
        </div>
        <button type="button" data-testid="why-copy" onClick={() => void copy()}>
          Copy as text
        </button>
        <span role="status" className={css.quiet}>
          {copied ? "copied" : ""}
        </span>
      </div>
      <div className={css.sections}>
        <Section
          title="Functions by self value"
          about="callees left out, with the range in which the true share lies 95 times of 100"
          lines={words.top}
          testId="why-top"
        />
        <Section
          title="In each profile"
          about="the same filters, and how much of the profile that is"
          lines={words.split}
          testId="why-split"
        />
        {words.states.length > 0 && (
          <Section
            title="What threads were doing"
            about="of the samples that say it: running, or waiting for what"
            lines={words.states}
            testId="why-states"
          />
        )}
        {words.time.length > 0 && (
          <Section
            title="In time"
            about="from its first to its last sample; few recorders take any in a pause"
            lines={words.time}
            testId="why-time"
          />
        )}
        <Section
          title="What stands out"
          about="values that the selection has more or less often than the rest, beyond chance"
          lines={words.standingOut}
          testId="why-standing-out"
        />
        <Section title={`Threads (${threadCount})`} about="by samples" lines={words.threads} testId="why-threads" />
      </div>
    </section>
  );
}

interface SectionProps {
  title: string;
  about: string;
  lines: WhyLine[];
  testId: string;
}

function Section({ title, about, lines, testId }: SectionProps) {
  return (
    <section className={css.section} data-testid={testId}>
      <h2 className={css.title}>{title}</h2>
      <p className={css.quiet}>{about}</p>
      {lines.length === 0 ? (
        <p className={css.quiet}>nothing</p>
      ) : (
        <ul>
          {lines.map(({ name, figure, share }) => (
            <li key={name} className={css.line} data-id={name}>
              {share !== null && <span className={css.bar} style={{ width: `${100 * Math.min(1, share)}%` }} />}
              <span className={css.name} title={name}>
                {testId === "why-top" ? <FrameName text={name} /> : <MiddleText text={name} />}
              </span>
              <span className={css.figure}>{figure}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
