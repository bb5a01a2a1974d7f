import { type ReactNode, useState } from "react";
import { topAbout, type WhyLine, type WhyWords } from "../../../model/why/why-text.ts";
import { FrameName } from "../../parts/grid/FrameName.tsx";
import css from "./OverviewView.module.css";

interface Props {
  words: WhyWords;
  threadCount: number;
  inLibraries: boolean;
  everything: boolean;
  /** Where the time of requests went is there; it takes the place of the states of samples. */
  isTimed: boolean;
  /** The findings. */
  children: ReactNode;
}

/** The figures under the sentence, the most telling first. */
export function Sections({ words, threadCount, inLibraries, everything, isTimed, children }: Props) {
  // Without requests they are the answer. While a recording grows they stay where they are.
  const [isFirst] = useState(words.pools !== null);
  return (
    <>
      {isFirst && children}
      {!isTimed && words.states.length > 0 && (
        <Section title="Thread states" about="of wall samples" lines={words.states} testId="why-states" />
      )}
      {words.paths.length > 0 && (
        <Section
          title={inLibraries ? "Hot paths in libraries" : "Hot paths in application code"}
          about="with the time of the JDK, libraries and native code that they call"
          lines={words.paths}
          testId="why-paths"
        />
      )}
      <Section title="Hottest functions" about={topAbout(words)} lines={words.top} ofFunctions testId="why-top" />
      {!isFirst && children}
      {!everything && (
        <Section
          title="Attributes that differ"
          about={`from ${words.comparedWith} (p < 0.05)`}
          lines={words.standingOut}
          testId="why-standing-out"
        />
      )}
      {words.split.length > 0 && (
        <Section
          title="This selection in every profile"
          about="with its share of the profile"
          lines={words.split}
          testId="why-split"
        />
      )}
      <Section title={`Threads (${threadCount})`} about="by samples" lines={words.threads} testId="why-threads" />
      {words.time.length > 0 && (
        <Section
          title="Time and garbage collection"
          about="over all profiles of the selection"
          lines={words.time}
          testId="why-time"
        />
      )}
      {words.settings.length > 0 && (
        <section className={css.section} data-testid="why-settings">
          <h2 className={css.title}>Settings</h2>
          <p className={css.quiet}>{words.settings.join(" ")}</p>
        </section>
      )}
    </>
  );
}

interface SectionProps {
  title: string;
  about: string;
  lines: WhyLine[];
  /** Names are those of functions: their packages give way first. */
  ofFunctions?: boolean;
  testId: string;
}

/** A list of names with a figure and a bar each. */
function Section({ title, about, lines, ofFunctions = false, testId }: SectionProps) {
  return (
    <section className={css.section} data-testid={testId}>
      <h2 className={css.title}>{title}</h2>
      <p className={css.quiet}>{about}</p>
      {lines.length === 0 ? (
        <p className={css.quiet}>None</p>
      ) : (
        <ul className={css.lines}>
          {lines.map(({ name, figure, share }) => (
            <li key={`${name} ${figure}`} className={css.line} data-id={name} data-function={ofFunctions || undefined}>
              {share !== null && <span className={css.bar} style={{ width: `${100 * Math.min(1, share)}%` }} />}
              <bdi className={css.name} title={name}>
                {ofFunctions ? <FrameName text={name} /> : name}
              </bdi>
              <span className={css.figure}>{figure}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
