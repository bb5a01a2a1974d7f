import { useMemo } from "react";
import { ENDPOINTS_SHOWN, listedEndpoints, MOST_FIRST } from "../../../model/lists/endpoints.ts";
import { durationWords } from "../../../model/trace/operation-words.ts";
import { figureName, formatCount, formatFigure, formatPercent } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer, useSamples } from "../../parts/answers/use-answer.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { RangeRail, railOfAll } from "../../parts/drawing/RangeRail.tsx";
import { useEndpointTimes } from "../../parts/explorer/use-endpoint-times.ts";
import { MiddleText } from "../../parts/grid/FrameName.tsx";
import { Button } from "../../primitives/icon/Icon.tsx";
import view from "./OverviewView.module.css";
import css from "./Rows.module.css";

/** A row for each endpoint; a click selects it. */
export function EndpointsByCpu({ profile: current, tabs, samples: { filter }, act }: EndpointsProps) {
  const { profile, key, title } = useMemo(
    () =>
      listedEndpoints(
        tabs.flatMap((tab) => tab.profile ?? []),
        current,
      ),
    [tabs, current],
  );
  const samples = useSamples(profile, filter);
  const question = useMemo(
    () => (key === undefined ? null : { samples, by: { kind: "attribute" as const, key } }),
    [samples, key],
  );
  const answered = useAnswer(
    question,
    (asked) => viewer.rank(asked.samples, asked.by, 0, ENDPOINTS_SHOWN, MOST_FIRST),
    true,
  );
  const known = useEndpointTimes(question?.by ?? null, profile);
  const rail = useMemo(() => railOfAll(known ?? []), [known]);
  const rows = answered?.answer.rows ?? [];
  if (key === undefined || rows.length === 0) return null;
  return (
    <section className={view.section} data-testid="overview-endpoints">
      <h2 className={view.title}>{title}</h2>
      <p className={`${css.row} ${css.endpoint} ${css.heads}`} aria-hidden="true">
        <span className={css.name}>endpoint</span>
        <span>{figureName(profile)}</span>
        <span>share</span>
        <span>requests</span>
        <span data-tip="p50 to p95 as a bar, then a line to the longest">p50–p95</span>
        <span>max</span>
      </p>
      <ol>
        {rows.map(({ label, value }) => {
          const times = known?.find(({ endpoint }) => endpoint === label);
          return (
            <li key={label}>
              <Button
                className={`${css.row} ${css.endpoint}`}
                testId="overview-endpoint"
                data-id={label}
                onClick={() => act({ kind: "add", chip: { kind: "attribute", key, value: label } })}
              >
                <span className={view.bar} style={{ width: `${barOf(value, rows[0]?.value)}%` }} />
                <span className={css.name}>
                  <MiddleText text={visible(label, 120)} />
                </span>
                <span>{formatFigure(value, profile)}</span>
                <span>{formatPercent(value, profile.value)}</span>
                <span>{times && formatCount(times.requests)}</span>
                {times ? <RangeRail of={times} rail={rail} isSmall /> : <span />}
                <span>{times && durationWords(times.max, times.source)}</span>
              </Button>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

type EndpointsProps = Pick<ViewProps, "profile" | "tabs" | "samples" | "act">;

function barOf(value: bigint, most = 0n): number {
  return most <= 0n ? 0 : (100 * Number(value)) / Number(most);
}
