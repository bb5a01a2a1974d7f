import { ChartBarStacked, ChartGantt, Check, ChevronDown, ChevronUp, Copy } from "lucide-react";
import { memo, type ReactNode, useEffect, useState } from "react";
import type { TimeRow } from "../../../core/answers/time-rows.ts";
import type { FileSummary } from "../../../core/types.ts";
import type { Outline } from "../../../core/view-types.ts";
import type { Selecting } from "../../../model/query/query.ts";
import { THREAD_ID } from "../../../model/query/root-by.ts";
import { conditionsOf, type Subject, severalOf, subjectOf } from "../../../model/query/subject.ts";
import type { ProfileTab } from "../../../model/recording/profile-tabs.ts";
import { durationWords } from "../../../model/trace/operation-words.ts";
import { areSpansAlone } from "../../../model/trace/shows-trace.ts";
import { formatCount, formatCounted, formatNanos, formatPercent } from "../../../model/words/format.ts";
import { decimalId, hexId, isTrace } from "../../../model/words/ids.ts";
import {
  digitsFor,
  formatClock,
  formatMoment,
  formatOffset,
  type Zeros,
  zeroOf,
} from "../../../model/words/moments.ts";
import { visible } from "../../../model/words/text.ts";
import { copyText } from "../../primitives/clipboard/copy-text.ts";
import { Button, IconButton } from "../../primitives/icon/Icon.tsx";
import { useStored } from "../../primitives/panes/use-stored.ts";
import type { ViewProps } from "../answers/view-props.ts";
import { SplitText } from "../grid/SplitText.tsx";
import { InferredPart } from "../inferred/InferredNote.tsx";
import css from "./SelectionHeader.module.css";
import { currentOutline, type Outlined } from "./use-outline.ts";

interface Props extends Pick<ViewProps, "act" | "tabs"> {
  query: Selecting;
  outlined: Outlined | null;
  /** Type of the profile on screen. */
  type: string;
  zeros: readonly TimeRow[];
  /** There is a flame chart of the selection. */
  hasChart: boolean;
  /** The recording knows requests. */
  hasRequests: boolean;
  /** While nothing is selected there is a line about the recording. */
  tellsRecording: boolean;
  names: readonly string[];
  files: readonly FileSummary[];
  /** How many traces are known; 0 where none is. */
  traces: number;
}

/** What the filters select, such as a request: name, time, threads, ids, and its samples in every profile. */
export const SelectionHeader = memo(function SelectionHeader(props: Props) {
  const { query, outlined, tabs, type, zeros, hasChart, hasRequests, act } = props;
  const [isOpen, setOpen] = useStored("selection", false);
  const subject = shownSubject(query, zeros);
  if (subject === null) return props.tellsRecording && <RecordingLine {...props} />;
  const outline = currentOutline(outlined, query);
  return (
    <section
      className={css.header}
      aria-label="Selection"
      aria-busy={outline === null}
      data-open={isOpen}
      data-testid="selection"
    >
      <div className={css.line}>
        <Title subject={subject} outline={outline} />
        <dl className={css.facts}>
          {subject.kind === "id" ? (
            <RequestFacts outline={outline} zeros={zeros} isSpan={subject.of === "span"} />
          ) : (
            <ValueFacts
              outline={outline}
              tabs={tabs}
              type={type}
              isThread={subject.kind === "value" && subject.key === "thread.name"}
            />
          )}
        </dl>
        {subject.kind === "id" && <Ids id={subject.id} word={subject.word} />}
        {outline !== null && (
          <Profiles
            outline={outline}
            tabs={tabs}
            type={type}
            onType={(chosen) => act({ kind: "type", type: chosen })}
          />
        )}
        <span className={css.more}>
          {hasRequests && <TimeButton subject={subject} outline={outline} act={act} />}
          {hasChart && subject.kind === "id" && (
            <IconButton
              icon={ChartGantt}
              label="Chart"
              tip={`Flame chart of this ${subject.word}`}
              testId="selection-chart"
              onClick={() => act({ kind: "view", view: "chart" })}
            />
          )}
          <IconButton
            icon={isOpen ? ChevronUp : ChevronDown}
            label="Details of the selection"
            tip={isOpen ? "Hide details" : "Show ids, threads and all profiles"}
            testId="selection-more"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          />
        </span>
      </div>
    </section>
  );
});

/** The recording itself: its service or file, when it was made, and its traces. */
function RecordingLine({ names, files, zeros, traces }: Pick<Props, "names" | "files" | "zeros" | "traces">) {
  const service = files.find(({ resource }) => (resource["service.name"] ?? "") !== "")?.resource["service.name"];
  const file = names.length === 1 ? (names[0] ?? "") : formatCounted(names.length, "file");
  const [first] = zeros;
  const last = zeros.at(-1);
  const whole = areSpansAlone(files) ? "spans" : "recording";
  return (
    <section className={css.header} aria-label="Recording" data-testid="recording-line" data-open={false}>
      <div className={css.line}>
        <div className={css.title}>
          <h2 className={css.name} data-tip={visible(service ?? file, 400)}>
            <bdi>{visible(service ?? file, 200)}</bdi>
          </h2>
          <p className={css.about}>
            <bdi>{service === undefined ? whole : visible(file, 200)}</bdi>
          </p>
        </div>
        <dl className={css.facts}>
          {first !== undefined && last !== undefined && (
            <>
              <Fact name="Start">{formatMoment(first.from, 0)}</Fact>
              <Fact name="Length">{formatNanos(last.to - first.from)}</Fact>
            </>
          )}
          {traces > 0 && <Fact name="Traces">{formatCount(traces)}</Fact>}
        </dl>
      </div>
    </section>
  );
}

/** Several requests have a header as well, and the samples that other conditions select. */
type Shown = Subject | { kind: "several"; words: string };

function shownSubject(query: Selecting, zeros: Zeros): Shown | null {
  const several = severalOf(query) ?? conditionsOf(query, zeros);
  return subjectOf(query) ?? (several === null ? null : { kind: "several", words: several });
}

interface TimeProps extends Pick<Props, "act"> {
  subject: Shown;
  outline: Outline | null;
}

/** Opens where the time of the requests of the selection went. */
function TimeButton({ subject, outline, act }: TimeProps) {
  const of = subject.kind === "id" ? `this ${subject.word}` : "these requests";
  return (
    <IconButton
      icon={ChartBarStacked}
      label="Where the time went"
      tip={`Where the time of ${of} went`}
      testId="selection-time"
      disabled={outline === null || outline.roots + outline.spans === 0}
      onClick={() => act({ kind: "request-time" })}
    />
  );
}

function Title({ subject, outline }: { subject: Shown; outline: Outline | null }) {
  const [name, about] = titleOf(subject, outline);
  return (
    <div className={css.title}>
      <h2 className={css.name} data-testid="selection-name" data-tip={visible(name, 400)}>
        <bdi>{visible(name, 200)}</bdi>
      </h2>
      <p className={css.about} data-tip={visible(about, 400)}>
        <bdi>{visible(about, 200)}</bdi>
      </p>
    </div>
  );
}

function titleOf(subject: Shown, outline: Outline | null): [name: string, about: string] {
  if (subject.kind === "several") return [subject.words, "selection"];
  if (subject.kind === "value") {
    const thread = subject.key === THREAD_ID ? outline?.threadNames.get(subject.value) : undefined;
    return [thread || subject.value || "(empty)", `${subject.key}${thread ? ` ${subject.value}` : ""}`];
  }
  const word = subject.word.replace(/^./, (first) => first.toUpperCase());
  const { endpoint = "", operation = "" } = outline ?? {};
  // A span is named by its operation, a request by its endpoint.
  const names = subject.of === "span" ? [operation, endpoint] : [endpoint, operation];
  const [name = word, ...others] = names.filter((each) => each !== "");
  return [name, name === word ? "" : [word, ...others].join(" · ")];
}

function RequestFacts({ outline, zeros, isSpan }: { outline: Outline | null; zeros: Zeros; isSpan: boolean }) {
  const time = outline?.time ?? null;
  const length = time === null ? 0n : time.to - time.from;
  const stated = outline?.stated;
  return (
    <>
      {stated === undefined ? (
        <Fact
          name="Duration"
          tip="From the first to the last sample, or as the recording states it. The request itself may be longer."
        >
          <span data-testid="selection-extent" data-exact={String(length)}>
            {durationWords(length, "roots")}
          </span>
        </Fact>
      ) : (
        <Fact name="Duration" tip="As the trace file states it.">
          <span data-testid="selection-duration" data-exact={String(stated.duration)}>
            {formatNanos(stated.duration)}
          </span>
        </Fact>
      )}
      {stated === undefined && time === null && <Fact name="Start">–</Fact>}
      {stated === undefined && time !== null && (
        <Start from={time.from} length={length} zeros={zeros} of="First sample" />
      )}
      {stated !== undefined && (
        <Start from={stated.start} length={stated.duration} zeros={zeros} of="As the trace file states it" />
      )}
      <Fact name="Threads" tip={outline?.threads.map((name) => visible(name, 120)).join(", ") ?? ""}>
        {threadWords(outline)}
      </Fact>
      {!isSpan && (
        <Fact name="Spans" tip={stated && `${formatCount(outline?.spans ?? 0)} of them have samples`}>
          {outline === null ? "–" : formatCount(stated?.spans ?? outline.spans)}
        </Fact>
      )}
    </>
  );
}

/** As exact as the extent asks for; a span of microseconds does not begin to the nanosecond. */
const MOST_DIGITS = 3;

interface StartProps {
  from: bigint;
  length: bigint;
  zeros: Zeros;
  /** Where the moment is from. */
  of: string;
}

function Start({ from, length, zeros, of }: StartProps) {
  const digits = Math.min(MOST_DIGITS, digitsFor(Number(length) / 100));
  const clock = formatClock(from, digits);
  const zero = zeroOf(zeros, from);
  return (
    <Fact name="Start" tip={`${of}: ${formatMoment(from, digits)}, counted from the start of its file`}>
      {clock} UTC {zero !== null && <span className={css.offset}>{formatOffset(from - zero, digits)}</span>}
    </Fact>
  );
}

function threadWords(outline: Outline | null): ReactNode {
  if (outline === null || outline.threadCount === 0) return "–";
  const others = outline.threadCount - 1;
  return (
    <>
      <SplitText text={visible(outline.threads[0] || "(no name)", 120)} className={css.thread} />
      {others > 0 && <span className={css.others}> +{formatCount(others)}</span>}
      {others > 0 && (
        <span className={css.otherThreads}>
          {outline.threads.slice(1).map((name) => (
            <span key={name}>{visible(name || "(no name)", 120)}</span>
          ))}
          {outline.threads.length < outline.threadCount && (
            <span>and {formatCount(outline.threadCount - outline.threads.length)} more</span>
          )}
        </span>
      )}
    </>
  );
}

interface ValueProps extends Pick<Props, "tabs" | "type"> {
  outline: Outline | null;
  /** The value is a thread itself. */
  isThread: boolean;
}

function ValueFacts({ outline, tabs, type, isThread }: ValueProps) {
  const profile = tabs.find((tab) => tab.type === type)?.profile ?? null;
  const samples = outline?.split.find((each) => each.profile === profile?.id)?.totals.samples ?? 0;
  return (
    <>
      {!profile?.exact && (
        <Fact name="Samples">
          {outline === null || profile === null ? (
            "–"
          ) : (
            <>
              {formatCount(samples)}{" "}
              <span className={css.quiet}>
                of {formatCount(profile.samples)} · {formatPercent(samples, profile.samples)}
              </span>
            </>
          )}
        </Fact>
      )}
      {outline !== null && outline.roots > 0 && <Fact name="Requests">{formatCount(outline.roots)}</Fact>}
      {outline?.medianNanos != null && (
        <Fact name="Duration p50" tip="Median over the requests, each from its first to its last sample.">
          {durationWords(outline.medianNanos, "roots")}
        </Fact>
      )}
      {!isThread && (
        <Fact name="Threads" tip={outline?.threads.map((name) => visible(name, 120)).join(", ") ?? ""}>
          {threadWords(outline)}
        </Fact>
      )}
    </>
  );
}

function Fact({ name, tip = "", children }: { name: string; tip?: string | undefined; children: ReactNode }) {
  return (
    <div className={css.fact} data-of={name} data-tip={tip === "" ? undefined : tip}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Both notations, for logs and for trace viewers; a trace id has only one. */
function Ids({ id, word }: { id: bigint; word: string }) {
  return (
    <ul className={css.ids} aria-label={`Id of the ${word}`}>
      {!isTrace(id) && <CopiedId text={decimalId(id)} what="decimal id" />}
      <CopiedId text={isTrace(id) ? hexId(id) : `0x${hexId(id)}`} what={isTrace(id) ? "trace id" : "hex id"} />
    </ul>
  );
}

const COPIED_MS = 1500;

function CopiedId({ text, what }: { text: string; what: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <li className={css.id}>
      <code>{text}</code>
      <IconButton
        icon={copied ? Check : Copy}
        label={`Copy ${what}`}
        tip={copied ? "Copied" : `Copy ${what}`}
        testId={`copy-${what.replaceAll(" ", "-")}`}
        onClick={() => void copyText(text).then(setCopied)}
      />
      <span role="status" className="visually-hidden">
        {copied ? "Copied" : ""}
      </span>
    </li>
  );
}

interface ProfilesProps {
  outline: Outline;
  tabs: ProfileTab[];
  type: string;
  onType: (type: string) => void;
}

/** A bar for each profile that has samples of the selection: as long as it has samples, of the largest. */
function Profiles({ outline, tabs, type, onType }: ProfilesProps) {
  const most = Math.max(1, ...outline.split.map(({ totals }) => totals.samples));
  // Profiles of dumps have values, no samples.
  const bars = tabs
    .filter(({ profile }) => !profile?.exact)
    .flatMap((tab) => {
      const found = outline.split.find(({ profile }) => profile === tab.profile?.id);
      return found === undefined ? [] : [{ tab, samples: found.totals.samples, inferred: found.inferred ?? 0 }];
    });
  if (bars.length === 0) return null;
  return (
    <ul className={css.profiles} aria-label="Samples in each profile">
      {bars.map(({ tab, samples, inferred }) => (
        <li key={tab.type}>
          <Button
            className={css.profile}
            testId={`split-${tab.type}`}
            aria-pressed={tab.type === type}
            tip={`${tab.label}: ${formatCounted(samples, "sample")} of ${formatCount(tab.profile?.samples ?? 0)}${inferred === 0 ? "" : `; the context of ${formatCount(inferred)} is inferred`}`}
            onClick={() => onType(tab.type)}
          >
            <span className={css.label}>{visible(tab.label, 40)}</span>
            <span className={css.count}>{formatCount(samples)}</span>
            <span className={css.track}>
              <span className={css.bar} style={{ width: `${Math.max(2, (100 * samples) / most)}%` }}>
                <InferredPart inferred={inferred} of={samples} />
                {inferred > 0 && <span className="visually-hidden">, {formatCount(inferred)} of them inferred</span>}
              </span>
            </span>
          </Button>
        </li>
      ))}
    </ul>
  );
}
