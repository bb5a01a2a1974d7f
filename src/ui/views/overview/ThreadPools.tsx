import type { WhyWords } from "../../../model/why/why-text.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { TimeBar } from "../../parts/drawing/TimeBar.tsx";
import { MiddleText } from "../../parts/grid/FrameName.tsx";
import { Button } from "../../primitives/icon/Icon.tsx";
import view from "./OverviewView.module.css";
import css from "./SlowRequests.module.css";

interface Props extends Pick<ViewProps, "act"> {
  pools: NonNullable<WhyWords["pools"]>;
}

/** The time of thread pools, where samples have no ids of requests. A pool opens its own overview. */
export function ThreadPools({ pools: { rows, idle }, act }: Props) {
  return (
    <section className={css.section} aria-labelledby="thread-pools" data-testid="thread-pools">
      <h2 id="thread-pools" className={css.title}>
        Thread pools
      </h2>
      <ol className={css.list}>
        {rows.map(({ pool, name, threads, time, cause, width }) => (
          <li key={pool.name}>
            <Button
              className={css.row}
              testId="thread-pool"
              data-id={pool.name}
              onClick={() => act({ kind: "add", chip: { kind: "root-frame", by: "thread-pool", name: pool.name } })}
            >
              <span className={css.name}>
                <MiddleText text={name} />
              </span>
              <span className={css.duration}>{time}</span>
              <span className={css.picture}>
                <TimeBar breakdown={pool.parts} width={width} />
              </span>
              <span className={css.cause}>{cause}</span>
              <span className={css.alike}>{threads}</span>
            </Button>
          </li>
        ))}
      </ol>
      {idle !== "" && <p className={view.quiet}>{idle}</p>}
    </section>
  );
}
