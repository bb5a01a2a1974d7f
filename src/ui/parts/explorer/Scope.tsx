import { useMemo, useRef } from "react";
import type { Filter } from "../../../core/types.ts";
import { FEW } from "../../../model/lists/explorer.ts";
import { filterKey } from "../../../model/query/query.ts";
import {
  oneId,
  ownSpan,
  SCOPE_SENTENCES,
  type ScopeChoice,
  type Scopes,
  scopeAbsence,
  withIds,
} from "../../../model/query/scope.ts";
import { formatCount } from "../../../model/words/format.ts";
import type { Measured } from "../../../model/words/measure.ts";
import type { Query, Result } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { Choice } from "../../primitives/choice/Choice.tsx";
import { useAnswer } from "../answers/use-answer.ts";
import type { ViewProps } from "../answers/view-props.ts";
import css from "./Explorer.module.css";
import type { ListQuery } from "./use-rank.ts";

/** A span alone, or the request it is a part of, where that makes a difference. */
export function Scope({ profile, query, act }: Pick<ViewProps, "profile" | "act"> & { query: ListQuery }) {
  const chosen = oneId(query);
  /** The span that the choice of its root came from. */
  const from = useRef<Scopes | null>(null);
  const key = chosen === null ? "" : `${chosen.kind} ${chosen.id} ${filterKey(withIds(query, {}))}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: key stands for the choice and the other filters
  const question = useMemo(
    () => (chosen === null ? null : { chosen, of: (ids: Filter) => queryOf(profile, withIds(query, ids)), key }),
    [key, profile],
  );
  const answered = useAnswer(question, ({ chosen: id, of }) => scopesOf(id, of, from.current), true);
  if (chosen === null || answered === null) return null;
  const scopes = answered.answer;
  // The previous answer stays while the user switches between the two: the control must not vanish under the keys.
  if (answered.question !== question && chosen.id !== scopes.root && chosen.id !== scopes.span) return null;
  if (scopes.ofRoot + scopes.ofSpan === 0) return null;
  const absence = scopeAbsence(scopes);
  if (absence !== "")
    return (
      <p className={css.scope} data-testid="scope-none">
        {absence}
      </p>
    );
  const counted = (samples: number) => (profile.exact === "spans" ? "" : ` ${formatCount(samples)}`);
  const options = [
    { value: "root" as const, label: `Whole request${counted(scopes.ofRoot)}`, title: SCOPE_SENTENCES.root },
    {
      value: "span" as const,
      label: `${scopes.span === scopes.root ? "Entry span only" : "This span only"}${counted(scopes.ofSpan)}`,
      title: SCOPE_SENTENCES.span,
    },
  ];
  const value: ScopeChoice = chosen.kind === "span" ? "span" : "root";
  return (
    <div className={css.scope}>
      <Choice
        legend="Samples of the filter"
        options={options}
        value={value}
        onChange={(to) => {
          from.current = scopes;
          const chip =
            to === "root"
              ? { kind: "local-root" as const, id: scopes.root }
              : { kind: "span" as const, id: scopes.span };
          act({ kind: "only-id", chip });
        }}
        testId="scope"
      />
      <p className={css.sentence}>{SCOPE_SENTENCES[value]}</p>
    </div>
  );
}

function queryOf({ id, measure }: Measured, filter: Filter): Query {
  return { profile: id, measure, filter };
}

type Asked = (ids: Filter) => Query;

/** Of a root that was come to from one of its spans, that span; else the outermost one. */
async function scopesOf(
  { kind, id }: { kind: "span" | "local-root"; id: bigint },
  of: Asked,
  from: Scopes | null,
): Promise<Result<Scopes>> {
  if (kind === "local-root") {
    const span = from?.root === id ? from.span : ownSpan(id);
    return counted(id, span ?? 0n, of);
  }
  const row = await viewer.rank(of({ span: [id] }), { kind: "span" }, 0, 1);
  if (!row.ok) return row;
  return counted(row.value.rows[0]?.root ?? 0n, id, of);
}

async function counted(root: bigint, span: bigint, of: Asked): Promise<Result<Scopes>> {
  const ofRoot = await viewer.totals(of({ localRoot: [root] }));
  const ofSpan = await viewer.totals(of({ span: [span] }));
  if (!ofRoot.ok) return ofRoot;
  if (!ofSpan.ok) return ofSpan;
  return { ok: true, value: { root, span, ofRoot: ofRoot.value.samples, ofSpan: ofSpan.value.samples } };
}

/** Terms of the explorer with their meanings. `ofCalls`: those of dumps. */
export function HelpWords({ ofCalls }: { ofCalls: boolean }) {
  return ofCalls ? (
    <dl className={css.help}>
      <dt>Thread</dt>
      <dd>The thread that the call ran in. Select one to see its calls alone.</dd>
      <dt>Request, span</dt>
      <dd>Ids that a call has as brave.trace_id and brave.span_id. Many dumps have no such ids.</dd>
      <dt>Total, share</dt>
      <dd>The time or the invocations of the calls, and their share of all selected calls.</dd>
    </dl>
  ) : (
    <dl className={css.help}>
      <dt>Trace</dt>
      <dd>All spans of one request, in every process that it reached. Only trace files have it.</dd>
      <dt>Request</dt>
      <dd>The part of a trace in this process: its entry span, the local root, with everything below it.</dd>
      <dt>Span</dt>
      <dd>One step of a request. Its name is its operation.</dd>
      <dt>Endpoint</dt>
      <dd>What requests ask for, such as GET /search.</dd>
      <dt>Sample</dt>
      <dd>The stack of a thread at a moment. It belongs to the innermost span that was active.</dd>
      <dt>Whole request, this span only</dt>
      <dd>
        All samples of the request in this process, or the self time of one span: samples taken while it was the active
        span.
      </dd>
      <dt>Total, share</dt>
      <dd>The total of the samples in time, bytes or counts, and its share of the profile.</dd>
      <dt>Few samples</dt>
      <dd>Fewer than {FEW} samples are noise. Press G to see the whole endpoint or operation.</dd>
    </dl>
  );
}
