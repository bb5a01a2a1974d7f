import { Info } from "lucide-react";
import { memo, useMemo } from "react";
import type { Chipped } from "../../../model/query/chips.ts";
import { hasChip } from "../../../model/query/chips.ts";
import { signalWords } from "../../../model/recording/contention.ts";
import { coverageRows, coverageWords } from "../../../model/recording/coverage.ts";
import { settingSentences } from "../../../model/recording/setting-words.ts";
import { formatCount, formatPercent } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import { viewer } from "../../../worker/client.ts";
import { Button, Icon } from "../../primitives/icon/Icon.tsx";
import { Popover } from "../../primitives/popover/Popover.tsx";
import { useAnswer } from "../answers/use-answer.ts";
import type { ViewProps } from "../answers/view-props.ts";
import css from "./ProfileNote.module.css";

interface Props extends Pick<ViewProps, "profile" | "act"> {
  label: string;
  about: string;
  query: Chipped;
  /** Takes the place of the legend of the timeline's marks while it is there. */
  marks: (place: Element | null) => void;
}

/** What the recorder left out, and how many samples can be found by a span or an attribute. */
export const ProfileNote = memo(function ProfileNote({ profile, marks, ...props }: Props) {
  const carried = profile.exact ? "Marks on the timeline" : coverageWords(profile);
  const words = profile.loss === undefined ? carried : `Totals are at least · ${carried}`;
  return (
    <div className={css.note}>
      <Popover
        label={
          <>
            <Icon of={Info} size={14} /> <span className={css.words}>{words}</span>
          </>
        }
        name={words}
        title={profile.exact ? words : `What the samples of ${visible(props.label, 60)} carry: ${words}`}
        testId="coverage"
        look="quiet"
        className={css.open}
      >
        {() => (
          <>
            <div ref={marks} />
            {/* Calls of dumps have their ids as parameters. */}
            {!profile.exact && <Samples profile={profile} {...props} />}
          </>
        )}
      </Popover>
    </div>
  );
});

function Samples({ profile, about, query, act }: Omit<Props, "marks" | "label">) {
  const sentences = [...signalWords(profile), ...settingSentences(profile)].join(" ");
  const rows = coverageRows(profile);
  return (
    <>
      <p>{visible(about)}</p>
      {sentences !== "" && <p data-testid="settings">{visible(sentences)}</p>}
      <p>{coverageWords(profile)}.</p>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">carried by samples</th>
            <th scope="col">of {formatCount(profile.samples)}</th>
            <th scope="col">share</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, samples }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an attribute may be called like an id
            <tr key={index}>
              <th scope="row">
                <bdi>{visible(name, 80)}</bdi>
              </th>
              <td>{formatCount(samples)}</td>
              <td>{formatPercent(samples, profile.samples)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <WithoutSpan profile={profile} query={query} act={act} />
    </>
  );
}

const CHIP = { kind: "no-span" } as const;

/** Filters by the samples without a span, and counts those of the whole profile. */
function WithoutSpan({ profile, query, act }: Pick<ViewProps, "profile" | "act"> & { query: Chipped }) {
  const { id, samples } = profile;
  const question = useMemo(() => ({ profile: id, measure: 0, filter: { noSpan: true } }), [id]);
  const answered = useAnswer(question, (asked) => viewer.totals(asked), true);
  const totals = answered?.question === question ? answered.answer : undefined;
  const chosen = hasChip(query, CHIP);
  // Without any there is nothing to choose, but a filter that a link brought can be removed.
  if (totals?.samples === 0 && !chosen) return null;
  const count = totals && `: ${formatCount(totals.samples)}, ${formatPercent(totals.samples, samples)}`;
  return (
    <Button
      className={css.choice}
      testId="no-span"
      aria-pressed={chosen}
      title="They carry neither a span id nor the id of a request"
      onClick={() => act({ kind: chosen ? "remove" : "add", chip: CHIP })}
    >
      Only samples without a span{count}
    </Button>
  );
}
