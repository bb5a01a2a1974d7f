import { typeOfTrace } from "../../../model/query/find.ts";
import { SLOWEST, slowWords } from "../../../model/why/why-text.ts";
import { formatMoment } from "../../../model/words/moments.ts";
import type { SlowRequest } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer, useSame } from "../../parts/answers/use-answer.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { TimeBar } from "../../parts/drawing/TimeBar.tsx";
import { MiddleText } from "../../parts/grid/FrameName.tsx";
import { askOutline } from "../../parts/selection/use-outline.ts";
import { Button } from "../../primitives/icon/Icon.tsx";
import { useFailure } from "../../primitives/lazy/on-failure.ts";
import css from "./SlowRequests.module.css";

type Props = Pick<ViewProps, "profile" | "tabs" | "samples" | "query" | "act">;

/** The slowest requests of the selection: how long each took, and on what. One opens its own overview. */
export function SlowRequests({ profile, tabs, samples, query, act }: Props) {
  const onFailure = useFailure();
  const { filter } = samples;
  const question = useSame({ filter, own: query.look.own });
  const answered = useAnswer(question, (asked) => viewer.ofTraces("slowRequests", asked.filter, SLOWEST, asked.own));
  if (answered === null || answered.answer.length === 0) return null;
  const rows = answered.answer;
  const most = rows[0]?.duration ?? 0;
  const open = async ({ id, by }: SlowRequest) => {
    // The header of the selection asks the same.
    const found = await askOutline(by === "root" ? { localRoot: [id] } : { span: [id] });
    if (!found.ok) return onFailure(found.error);
    const profiles = tabs.flatMap((tab) => tab.profile ?? []);
    const carrying = found.value.split.map((row) => row.profile);
    const type = typeOfTrace(profiles, carrying, profile.type);
    act({ kind: "only-id", chip: { kind: by === "root" ? "local-root" : "span", id }, type });
  };
  return (
    <section className={css.section} aria-labelledby="slow-requests" data-testid="slow-requests">
      <h2 id="slow-requests" className={css.title}>
        Slowest requests
      </h2>
      <ol className={css.list}>
        {rows
          .map((row) => [row, slowWords(row)] as const)
          .map(([row, words]) => (
            <li key={`${row.trace} ${row.id}`}>
              <Button className={css.row} testId="slow-request" data-id={row.id} onClick={() => void open(row)}>
                <span className={css.name}>
                  <MiddleText text={words.name} />
                </span>
                <span className={css.duration}>{words.duration}</span>
                <span className={css.picture} data-tip={words.alike}>
                  <TimeBar breakdown={row.breakdown} width={most === 0 ? 0 : row.duration / most} />
                  {row.alike.p95 < row.duration && (
                    <span
                      className={css.mark}
                      style={{ left: `${(100 * row.alike.p95) / most}%` }}
                      aria-hidden="true"
                    />
                  )}
                </span>
                <span className={css.cause}>{words.cause}</span>
                <span className="visually-hidden">{words.alike}</span>
                <span className={css.when} data-tip={formatMoment(row.start, 6)}>
                  <span>{words.clock}</span> <span className={css.id}>{words.id}</span>
                </span>
              </Button>
            </li>
          ))}
      </ol>
    </section>
  );
}
