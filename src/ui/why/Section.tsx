import type { WhyLine } from "../../model/words/why-text.ts";
import { FrameName } from "../grid/FrameName.tsx";
import css from "./WhyView.module.css";

interface Props {
  title: string;
  about: string;
  lines: WhyLine[];
  /** Names are those of functions: their packages give way first. */
  ofFunctions?: boolean;
  testId: string;
}

/** A list of names with a figure and a bar each. */
export function Section({ title, about, lines, ofFunctions = false, testId }: Props) {
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
