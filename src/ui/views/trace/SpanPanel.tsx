import type { Chip } from "../../../model/query/chips.ts";
import { samplesWithInferred } from "../../../model/trace/coverage.ts";
import { reasonSentence, silenceAt } from "../../../model/trace/span-words.ts";
import { formatNanos, formatPercent } from "../../../model/words/format.ts";
import { hexId } from "../../../model/words/ids.ts";
import { visible } from "../../../model/words/text.ts";
import type { SpanDetail } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer, useSame } from "../../parts/answers/use-answer.ts";
import { Button } from "../../primitives/icon/Icon.tsx";
import css from "./SpanPanel.module.css";
import { type SpanTimeProps, SpanTimeSection } from "./SpanTimeSection.tsx";
import { type Reach, timeChip } from "./span-actions.ts";

interface Props extends Omit<SpanTimeProps, "onRequestChart"> {
  /** The profile on screen. */
  type: string;
  /** The span, or it with its children, is the filter. */
  isSelected: (reach: Reach) => boolean;
  onSelect: (reach: Reach) => void;
  /** Opens the flame chart of the samples of the span, or of the request of a local root; null where it has none. */
  chartOf: (by: "span" | "root") => (() => void) | null;
}

const REACHES: readonly [reach: Reach, testId: string, label: string, tip: string][] = [
  ["span", "span-filter", "This span", "Only samples of this span, in every view"],
  ["below", "span-filter-below", "With its children", "Samples of this span and of all spans below it, in every view"],
];

/** What is known of the active span. */
export function SpanPanel({ trace, place, labels, type, isSelected, onSelect, chartOf, onOpen, onPause }: Props) {
  const question = useSame({ trace: trace.trace, place });
  const answered = useAnswer(question, (asked) => viewer.ofTraces("span", asked.trace, asked.place));
  const detail = answered?.question === question ? answered.answer : null;
  const silence = silenceAt(trace, place);
  const onChart = chartOf("span");
  const reaches = (trace.size[place] ?? 1) > 1 ? REACHES : REACHES.slice(0, 1);
  const [length, self, critical] = [trace.length, trace.self, trace.critical].map((column) => column[place] ?? 0);
  return (
    <aside className={css.panel} aria-label="Span" data-testid="span-panel">
      <h2 className={css.name}>{visible(trace.texts[trace.nameOf[place] ?? 0] ?? "", 300) || "(no name)"}</h2>
      <dl className={css.figures}>
        <Figure label="duration" text={formatNanos(length ?? 0)} />
        <Figure label="self" text={formatNanos(self ?? 0)} />
        <Figure
          label="critical path"
          text={
            (critical ?? 0) === 0
              ? "no"
              : `${formatNanos(critical ?? 0)}, ${formatPercent(critical ?? 0, trace.duration)}`
          }
        />
      </dl>
      {silence === null ? (
        <dl className={css.facts}>
          {trace.profiles
            .filter(({ samples }) => !trace.isAlone && (samples[place] ?? 0) > 0)
            .map(({ type, samples, inferred }) => (
              <Fact
                key={type}
                name={labels.get(type) ?? type}
                text={samplesWithInferred(samples[place] ?? 0, inferred[place] ?? 0)}
              />
            ))}
        </dl>
      ) : (
        <p className={css.reason}>{reasonSentence(silence)}</p>
      )}
      {(silence?.reason === "short" || silence?.reason === "unsampled" || silence?.reason === "no-context") && (
        <AtThatTime
          time={timeChip(trace, place)}
          thread={detail?.thread ?? ""}
          onOpen={(chips) => onOpen(type, chips)}
        />
      )}
      <div className={css.actions}>
        {reaches.map(([reach, testId, label, tip]) => (
          <Button
            key={reach}
            testId={testId}
            tip={tip}
            aria-pressed={isSelected(reach)}
            onClick={() => onSelect(reach)}
          >
            {label}
          </Button>
        ))}
        {onChart !== null && (
          <Button testId="span-chart" tip="Flame chart of this span" onClick={onChart}>
            Chart
          </Button>
        )}
      </div>
      <SpanTimeSection {...{ trace, place, labels, onOpen, onPause }} onRequestChart={chartOf("root")} />
      {detail !== null && <Facts detail={detail} />}
    </aside>
  );
}

/** What the process did while a span without samples was active. */
function AtThatTime({ time, thread, onOpen }: { time: Chip; thread: string; onOpen: (chips: Chip[]) => void }) {
  return (
    <div className={css.actions}>
      {thread !== "" && (
        <Button
          testId="span-then-thread"
          tip="Samples of its thread at the time of this span"
          onClick={() => onOpen([time, { kind: "attribute", key: "thread.name", value: thread }])}
        >
          Its thread then
        </Button>
      )}
      <Button testId="span-then" tip="Samples of all threads at the time of this span" onClick={() => onOpen([time])}>
        All threads then
      </Button>
    </div>
  );
}

function Figure({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{text}</dd>
    </div>
  );
}

function Facts({ detail }: { detail: SpanDetail }) {
  const { id, service, resource, kind, thread, instance, attributes } = detail;
  const rows = { service, resource, kind, thread, instance };
  return (
    <dl className={css.facts}>
      <Fact name="span id" text={`${hexId(id)} (${id})`} />
      {Object.entries(rows).map(([name, text]) => text !== "" && <Fact key={name} name={name} text={text} />)}
      {attributes.map(({ key, value }) => (
        <Fact key={key} name={key} text={value} />
      ))}
    </dl>
  );
}

function Fact({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <dt>{visible(name, 120)}</dt>
      <dd>{visible(text, 500)}</dd>
    </div>
  );
}
