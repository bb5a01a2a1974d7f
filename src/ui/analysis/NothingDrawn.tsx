/** Samples are selected, but nothing of them can be drawn or listed: why, and what is left to look at. */

import type { QueryAction } from "../../model/query/query.ts";
import { type Measured, measureWord } from "../../model/recording/measure.ts";
import { formatCounted } from "../../model/words/format.ts";
import { visible } from "../../model/words/text.ts";
import css from "./NoSamples.module.css";

/** Message where no sample has a stack. */
export function NoStacks({ samples }: { samples: number }) {
  return (
    <section className={css.empty} data-testid="no-stacks" role="status">
      <h2>No function is known of {samples === 1 ? "this sample" : `these ${formatCounted(samples, "sample")}`}</h2>
      <p>They were recorded without a stack. When they were taken, and what they belong to, is known all the same.</p>
    </section>
  );
}

interface Props {
  samples: number;
  profile: Measured;
  act: (action: QueryAction) => void;
}

/** Message where all samples have the value 0 by the chosen measure. */
export function NoWeight({ samples, profile, act }: Props) {
  const others = profile.measures.flatMap(({ name, value }, index) =>
    value > 0n && index !== profile.measure ? [{ name, word: visible(measureWord(profile, index), 24) }] : [],
  );
  return (
    <section className={css.empty} data-testid="no-weight" role="status">
      <h2>{samples === 1 ? "One sample that weighs" : `${formatCounted(samples, "sample")} that weigh`} nothing</h2>
      <p>A width of nothing cannot be drawn. What the samples belong to is in the list, and Why tells the rest.</p>
      <div className={css.others}>
        {others.map(({ name, word }) => (
          <button key={name} type="button" onClick={() => act({ kind: "measure", measure: name })}>
            Weigh by {word}
          </button>
        ))}
        <button type="button" onClick={() => act({ kind: "view", view: "why" })}>
          Why
        </button>
      </div>
    </section>
  );
}
