/** Messages where the selected samples have nothing to draw or list: the reason, and where to look instead. */

import { formatCounted } from "../../../model/words/format.ts";
import { type Measured, measureWord } from "../../../model/words/measure.ts";
import { visible } from "../../../model/words/text.ts";
import { Button } from "../../primitives/icon/Icon.tsx";
import { useSurroundings } from "../answers/surroundings.ts";
import type { ViewProps } from "../answers/view-props.ts";
import css from "./NoSamples.module.css";

/** Message where no sample has a stack. */
export function NoStacks({ samples }: { samples: number }) {
  const { isPage } = useSurroundings();
  return (
    <section className={css.empty} data-testid="no-stacks" role="status">
      <h2>No stack was recorded for {samples === 1 ? "this sample" : `these ${formatCounted(samples, "sample")}`}</h2>
      {isPage && <p>Their times, threads and attributes are known: see the timeline, the list and Overview.</p>}
    </section>
  );
}

/** Message where all samples have the value 0 by the chosen measure. */
export function NoWeight({ samples, profile, act }: Pick<ViewProps, "profile" | "act"> & { samples: number }) {
  const others = profile.measures.flatMap(({ name, value }, index) =>
    value > 0n && index !== profile.measure ? [{ name, word: visible(measureWord(profile, index), 24) }] : [],
  );
  return (
    <section className={css.empty} data-testid="no-weight" role="status">
      <h2>{emptySum(samples, profile)}</h2>
      <p>
        There is nothing to draw.{" "}
        {profile.exact
          ? "Frames shorter than 1 ms have no time; Invocations counts them."
          : "The list shows their traces and threads; Overview has the rest."}
      </p>
      <div className={css.others}>
        {others.map(({ name, word }) => (
          <Button key={name} onClick={() => act({ kind: "measure", measure: name })}>
            Weigh by {word}
          </Button>
        ))}
        {profile.exact ? (
          <Button onClick={() => act({ kind: "type", type: "invocations" })}>Invocations</Button>
        ) : (
          <Button onClick={() => act({ kind: "view", view: "overview" })}>Overview</Button>
        )}
      </div>
    </section>
  );
}

function emptySum(samples: number, { exact, unit }: Measured): string {
  if (exact) return unit === "nanoseconds" ? "The selected calls have 0 ms here" : "The selected calls have no frame";
  return `${samples === 1 ? "This sample adds" : "These samples add"} up to 0`;
}
