import { Copy } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { chipWords, hasThreadId } from "../../../model/query/chip-words.ts";
import { chipsOf } from "../../../model/query/chips.ts";
import { filterKey } from "../../../model/query/query.ts";
import { NO_CAUSES } from "../../../model/why/causes.ts";
import { toldTime } from "../../../model/why/sentence.ts";
import { isOfRequests } from "../../../model/why/story.ts";
import type { WhySummary } from "../../../model/why/summary.ts";
import { listsSlowest, type WhyWords, whyText, whyWords } from "../../../model/why/why-text.ts";
import { visible } from "../../../model/words/text.ts";
import type { ChoiceTime, Failure } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { answerTo } from "../../parts/answers/ahead.ts";
import { useAnswer, useSame } from "../../parts/answers/use-answer.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { whyQuestion } from "../../parts/answers/view-questions.ts";
import { askOutline } from "../../parts/selection/use-outline.ts";
import { Advised } from "../../primitives/clipboard/Advised.tsx";
import { copyText } from "../../primitives/clipboard/copy-text.ts";
import { Button, Icon } from "../../primitives/icon/Icon.tsx";
import { likelySoon, useLazy } from "../../primitives/lazy/lazy.ts";
import { useFailure } from "../../primitives/lazy/on-failure.ts";
import { Store, useStore } from "../../primitives/store/store.ts";
import { CriticalPath } from "./CriticalPath.tsx";
import { EndpointsByCpu } from "./EndpointsByCpu.tsx";
import { Findings } from "./Findings.tsx";
import { JvmSection, measuredRow } from "./JvmSection.tsx";
import css from "./OverviewView.module.css";
import { NextSteps, RequestBars, WhereTimeWent } from "./RequestTime.tsx";
import { Sections } from "./Sections.tsx";
import { SlowRequests } from "./SlowRequests.tsx";
import { ThreadPools } from "./ThreadPools.tsx";
import { WhoBlocks } from "./WhoBlocks.tsx";

const OF_CALLS = likelySoon(() => import("./CallsOverview.tsx").then(({ CallsOverview }) => CallsOverview));

export function OverviewView(props: ViewProps) {
  return props.calls === null ? <OfSamples {...props} /> : <OfCalls {...props} />;
}

function OfCalls(props: ViewProps) {
  const Loaded = useLazy(OF_CALLS);
  return Loaded !== null && <Loaded {...props} />;
}

const UNTOLD = { story: null, causes: NO_CAUSES, waited: null, blocked: [] };
const UNFOUND = { findings: [], pools: null };

/**
 * Where the time of the selection goes: a bar of it where the selection is of requests, a sentence, the slowest
 * requests, then the figures and what differs from others.
 */
function OfSamples(props: ViewProps) {
  const { profile, tabs, zeros, samples, traces, query, act } = props;
  const { rules, error, setFile, refuse } = useRules();
  const { own } = query.look;
  const question = useSame({ samples, profile });
  const answered = useAnswer(question, (asked) => answerTo(whyQuestion(asked.samples)));
  // The story takes some selections more, so the figures do not wait for it; findings take as long again.
  const asked = useSame({ ...question, own });
  const told = useAnswer(asked, ({ samples, own }) => viewer.sentence(samples, own), true);
  const isTold = told !== null && told.question.samples === answered?.question.samples;
  const onError = useRefusal(refuse);
  const whole = useSame(told?.question === asked ? { ...asked, rules } : null);
  const found = useAnswer(whole, ({ samples, own, rules }) => viewer.story(samples, own, rules), true, onError);
  const isFound =
    isTold && found?.question.samples === told.question.samples && found.question.own === told.question.own;
  // Of whole requests the sentence has their time.
  const timed = useMemo(() => (isOfRequests(samples.filter) ? { filter: samples.filter } : null), [samples]);
  const time = useAnswer(timed, (asked) => viewer.ofTraces("choiceTime", {}, asked.filter));
  const isTimed = timed === null || time?.question === timed;
  const answer = useMemo((): WhySummary | null => {
    if (answered === null) return null;
    if (isFound) return found.answer;
    return { ...(isTold ? told.answer : { ...answered.answer, ...UNTOLD }), ...UNFOUND };
  }, [answered, told, isTold, found, isFound]);
  const requests = isTimed ? (time?.answer ?? null) : null;
  const words = useMemo(
    () => answer && answered && whyWords(answer, answered.question.profile, tabs, toldTime(samples.filter, requests)),
    [answer, answered, tabs, samples, requests],
  );
  const complete = answer !== null && words !== null && isFound && isTimed ? { answer, words } : null;
  const kept = useKept(`${profile.type} ${filterKey(samples.filter)}`, complete);
  if (answer === null || words === null) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys have to reach that
    <section className={css.why} data-testid="why" tabIndex={0} aria-label="Why the selection takes its time">
      {timed !== null && <RequestBars time={requests} />}
      <Sentence isBusy={told?.question !== asked || !isTimed} text={isTold && isTimed ? words.sentence : null} />
      <Head {...{ answer, words, zeros, query, act, profile, requests }} isWhole={complete !== null} />
      {words.missing !== null && (
        <p className={css.quiet} data-testid="why-ids">
          <Advised {...words.missing} />
        </p>
      )}
      {words.pools !== null && <ThreadPools pools={words.pools} act={act} />}
      {told !== null && (
        <Lists
          {...{ profile, tabs, samples, query, act, zeros }}
          isMany={timed === null || (time !== null && listsSlowest(requests))}
          everything={answer.everything}
        />
      )}
      <div className={css.sections}>
        {requests && <WhereTimeWent {...{ time: requests, profile, tabs, act }} />}
        {/* Until then the parts have the width that they keep. */}
        {kept === null && <div />}
        {kept !== null && (
          <Sections
            words={kept.words}
            threadCount={kept.answer.threadCount}
            inLibraries={kept.answer.story?.inLibraries === true}
            everything={kept.answer.everything}
            isTimed={requests !== null}
          >
            {answer.blocked.length > 0 && <WhoBlocks {...{ blocked: answer.blocked, profile, tabs, act }} />}
            {traces !== null && requests?.requests === 1 && <CriticalPath {...{ query, act }} />}
            <Findings
              findings={kept.words.findings}
              tabs={tabs}
              act={act}
              error={error}
              onFile={setFile}
              hasRules={rules !== ""}
            />
          </Sections>
        )}
      </div>
    </section>
  );
}

/** Read aloud once it is counted, because the focus stays where it is. */
function Sentence({ isBusy, text }: { isBusy: boolean; text: string | null }) {
  return (
    <p className={css.sentence} role="status" data-testid="why-sentence" aria-busy={isBusy}>
      {text ?? "Counting samples…"}
    </p>
  );
}

interface ListsProps extends Pick<ViewProps, "profile" | "tabs" | "samples" | "query" | "act" | "zeros"> {
  /** The selection is of several requests. */
  isMany: boolean;
  everything: boolean;
}

/** After the first sentence, since they take as long. */
function Lists({ zeros, isMany, everything, ...props }: ListsProps) {
  const jvm = useMemo(() => measuredRow(zeros), [zeros]);
  return (
    <>
      {isMany && <SlowRequests {...props} />}
      {everything && (
        <div className={css.sections}>
          <EndpointsByCpu {...props} />
          {jvm !== null && <JvmSection row={jvm} />}
        </div>
      )}
    </>
  );
}

/** What was told of a selection last: while a recording grows, its buttons stay under the hands that use them. */
function useKept<T>(key: string, told: T | null): T | null {
  const last = useRef<{ key: string; told: T } | null>(null);
  if (told !== null) last.current = { key, told };
  return last.current?.key === key ? last.current.told : null;
}

interface HeadProps extends Pick<ViewProps, "zeros" | "query" | "act" | "profile"> {
  answer: WhySummary;
  words: WhyWords;
  requests: ChoiceTime | null;
  /** Findings are among the words. */
  isWhole: boolean;
}

/** How much is selected, and what to do next. */
function Head({ answer, words, zeros, query, act, profile, requests, isWhole }: HeadProps) {
  const { story, everything, threadCount } = answer;
  const [copied, setCopied] = useState(false);
  const { filter } = query;
  const ofThread = useSame(hasThreadId(filter) ? { filter } : null);
  const named = useAnswer(ofThread, (asked) => askOutline(asked.filter), true);
  const copy = async () => {
    const what = chipsOf(query).map((chip) => chipWords(chip, zeros, named?.answer.threadNames).full);
    setCopied(await copyText(whyText(words, what, threadCount)));
  };
  const compare = story?.peers ?? null;
  return (
    <div className={css.head}>
      <p className={css.quiet} data-testid="why-headline">
        {words.headline}. {words.confidence}
      </p>
      <NextSteps
        {...{ act, profile }}
        hottest={story?.parts[0]?.name ?? ""}
        hasTimes={zeros.length > 0}
        isAll={everything}
        time={requests}
      />
      {compare !== null && (
        <Button
          testId="why-compare"
          onClick={() =>
            act({ kind: "group", by: query.by, chip: { kind: "attribute", key: compare.key, value: compare.value } })
          }
        >
          All {visible(compare.value, 40)} requests
        </Button>
      )}
      <Button testId="why-copy" disabled={!isWhole} onClick={() => void copy()}>
        <Icon of={Copy} size={14} /> Copy as text
      </Button>
      <span role="status" className={css.quiet}>
        {copied ? "Copied" : ""}
      </span>
    </div>
  );
}

/** What is done with a failure: a file of rules is refused. */
function useRefusal(refuse: (message: string) => void) {
  const onFailure = useFailure();
  return (failure: Failure) => (failure.code === "rules" ? refuse(failure.message) : onFailure(failure));
}

/** Text of the user's file of rules; it stays while the page is open, whichever view is shown. */
const RULES = new Store("");

/** A larger file is no list of rules. */
const MOST_BYTES = 1 << 20;

/** The user's rules for findings. After a file with an error there are no user rules. */
function useRules() {
  const rules = useStore(RULES);
  const [error, setError] = useState("");
  const setFile = (file: File | null) => {
    setError("");
    if (file === null) RULES.set("");
    else if (file.size > MOST_BYTES) setError(`${file.name} is larger than 1 MB: it is not a rules file.`);
    else void file.text().then(RULES.set, () => setError(`${file.name} could not be read.`));
  };
  const refuse = (message: string) => {
    RULES.set("");
    setError(`The rules were not added: ${message}.`);
  };
  return { rules, error, setFile, refuse };
}
