import { type MouseEvent, memo } from "react";
import type { RankBy, RankRow, Requests } from "../../../core/types.ts";
import { type ExplorerTab, FEW } from "../../../model/lists/explorer.ts";
import type { Chip } from "../../../model/query/chips.ts";
import { samplesWithInferred } from "../../../model/trace/coverage.ts";
import { rowTime } from "../../../model/trace/row-time.ts";
import {
  formatCount,
  formatCounted,
  formatEach,
  formatFigure,
  formatPercent,
  formatProfileValue,
} from "../../../model/words/format.ts";
import { decimalId, hexId, idWord, shortId } from "../../../model/words/ids.ts";
import type { Measured } from "../../../model/words/measure.ts";
import type { Zeros } from "../../../model/words/moments.ts";
import { isCutAtCrossing, visible } from "../../../model/words/text.ts";
import { MiddleText } from "../grid/FrameName.tsx";
import { InferredPart } from "../inferred/InferredNote.tsx";
import type { EndpointNote } from "./endpoint-notes.tsx";
import css from "./RankList.module.css";

interface Props {
  id: string;
  /** Undefined until its page is there. */
  row: RankRow | undefined;
  by: RankBy;
  profile: Measured;
  /** Where times count from. */
  zeros: Zeros;
  /** Value of the heaviest row: a full bar. */
  heaviest: number;
  top: number;
  position: number;
  count: number;
  /** How long the requests of the row's endpoint took; null for rows that are no endpoints, and until it is known. */
  note: EndpointNote | null;
  active: boolean;
  selected: boolean;
  /** The tab that shows a row of few samples together with others like it; null for other rows. */
  group: ExplorerTab | null;
  /** `also`: with Ctrl. */
  onPick: (index: number, also: boolean) => void;
}

export const RankRowView = memo(function RankRowView(props: Props) {
  const { row, by, profile, zeros, heaviest, group, note } = props;
  const isSingle =
    by.kind === "attribute" && (profile.exact === "calls" || (profile.exact === "spans" && note === null));
  const width = row === undefined || heaviest <= 0 ? 0 : Math.max(0, (100 * Number(row.value)) / heaviest);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list box handles the keys for its active option
    <div
      id={props.id}
      role="option"
      tabIndex={-1}
      aria-selected={props.selected}
      aria-disabled={(row !== undefined && isCutAtCrossing(row.label)) || undefined}
      aria-setsize={props.count}
      aria-posinset={props.position}
      className={css.row}
      data-testid="rank-row"
      data-active={props.active || undefined}
      data-few={(row !== undefined && isFew(row, profile)) || undefined}
      data-single={isSingle || undefined}
      data-id={row?.id.toString()}
      title={row === undefined ? undefined : titleOf(row, by, profile, zeros, note)}
      style={{ transform: `translateY(${props.top}px)` }}
      onClick={({ ctrlKey, metaKey }: MouseEvent) => props.onPick(props.position - 1, ctrlKey || metaKey)}
    >
      {row === undefined ? (
        <span className={css.pending}>…</span>
      ) : (
        <>
          <span className={css.bar} style={{ width: `${width}%` }}>
            <InferredPart inferred={row.inferred} of={row.samples} />
          </span>
          <span className={css.name}>
            {by.kind === "attribute" ? <MiddleText text={labelOf(row, by)} /> : <RequestName row={row} by={by} />}
            {group !== null && (
              <span className={css.few} data-testid="rank-few" title={fewWords(group)}>
                <span className="visually-hidden">{fewWords(group)}</span>
              </span>
            )}
          </span>
          {by.kind !== "attribute" && (
            <span className={css.figure} data-testid="rank-duration">
              {rowTime(row, zeros)?.duration ?? ""}
            </span>
          )}
          <span className={css.figure} data-testid="rank-value">
            {formatFigure(row.value, profile)}
          </span>
          {by.kind === "attribute" && (
            <span className={css.figure} data-testid="rank-share">
              {formatPercent(row.value, profile.value)}
            </span>
          )}
          <span className={css.note} hidden={isSingle} data-testid="rank-note">
            {row.requests === null ? startWords(row, zeros) : <RequestsNote requests={row.requests} note={note} />}
            {!profile.exact && (
              <span
                className={row.requests === null ? undefined : "visually-hidden"}
                data-testid="rank-samples"
                data-exact={row.samples}
              >
                {formatCounted(row.samples, "sample")}
              </span>
            )}
            {row.inferred > 0 && (
              <span data-testid="rank-inferred" data-exact={row.inferred}>
                {` · ${formatCount(row.inferred)} inferred`}
              </span>
            )}
          </span>
        </>
      )}
    </div>
  );
});

/** Too few samples to tell a row from noise. */
export function isFew({ samples }: RankRow, { exact }: Measured): boolean {
  return !exact && samples < FEW;
}

export function chipOf(row: RankRow, by: RankBy): Chip {
  if (by.kind === "attribute") return { kind: "attribute", key: by.key, value: row.label };
  return { kind: by.kind, id: row.id };
}

/** What a request asked for, before its id, which means less to a person. */
function RequestName({ row, by }: { row: RankRow; by: RankBy }) {
  if (row.about === "") return <bdi>{labelOf(row, by)}</bdi>;
  return (
    <>
      <MiddleText text={visible(row.about, 120)} />
      <bdi className={css.id}>{labelOf(row, by)}</bdi>
    </>
  );
}

/** Requests with samples here, and how long all requests of the endpoint took. */
function RequestsNote({ requests: { count }, note }: { requests: Requests; note: EndpointNote | null }) {
  return (
    <span className={css.requests} data-testid="rank-requests">
      {note?.note ?? <span>{formatCounted(count, "request")}</span>}
    </span>
  );
}

function fewWords({ name }: ExplorerTab): string {
  return `Fewer than ${FEW} samples are noise. Press G to see the whole ${name}.`;
}

function startWords(row: RankRow, zeros: Zeros): string {
  const start = rowTime(row, zeros)?.start;
  return start === undefined ? "" : `${start} · `;
}

function labelOf(row: RankRow, by: RankBy): string {
  if (by.kind !== "attribute") return shortId(row.id);
  return row.label === "" ? "(empty)" : visible(row.label, 120);
}

function titleOf(row: RankRow, by: RankBy, profile: Measured, zeros: Zeros, note: EndpointNote | null): string {
  const time = rowTime(row, zeros);
  const lines = [
    `${formatProfileValue(row.value, profile)}, ${formatPercent(row.value, profile.value)} of the profile`,
    ...(time === null ? [] : [time.sentence]),
    ...(row.requests === null ? [] : (note?.lines ?? [`${formatCounted(row.requests.count, "request")} with samples`])),
    ...(note === null ? [] : [`${formatEach(row.value, note.requests, profile)} for each request`]),
    ...(row.inferred === 0 ? [] : [samplesWithInferred(row.samples, row.inferred)]),
  ];
  if (by.kind === "attribute") {
    if (isCutAtCrossing(row.label)) lines.push("too long to filter by");
    return [`${visible(by.key)} = ${visible(row.label)}`, ...lines].join("\n");
  }
  const whole = (kind: "span" | "local-root", id: bigint) => `${idWord(kind, id)} ${decimalId(id)} (0x${hexId(id)})`;
  const root = by.kind === "span" && row.root !== 0n ? [whole("local-root", row.root)] : [];
  const about = row.about === "" ? [] : [visible(row.about)];
  return [whole(by.kind, row.id), ...root, ...about, ...lines].join("\n");
}
