import type { Measured } from "../../model/recording/measure.ts";
import { shownNames } from "../../model/recording/shown-names.ts";
import { visible } from "../../model/words/text.ts";
import css from "./PrintHead.module.css";

interface Props {
  names: string[];
  profile: Measured;
  search: string;
}

/** The text of the page's bars, for paper. */
export function PrintHead({ names, profile, search }: Props) {
  return (
    <div className={css.head} data-testid="print-head">
      <p className={css.title}>
        {visible(profile.type, 80)} ·{" "}
        <bdi>
          {shownNames(names)
            .map((name) => visible(name, 120))
            .join(", ")
            .slice(0, 400)}
        </bdi>
      </p>
      {search !== "" && <p>Search: /{visible(search, 120)}/</p>}
    </div>
  );
}
