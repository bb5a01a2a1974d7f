import { useEffect, useState } from "react";
import { netOfFrames } from "../../../model/calls/params/params.ts";
import { formatCount, formatCounted, formatNanos } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import type { Failure, FrameParamsAnswer } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { Dialog, type DialogProps } from "../../primitives/dialog/Dialog.tsx";
import type { AskedFrames } from "../answers/surroundings.ts";
import css from "./FrameDetailsDialog.module.css";
import { MethodFacts } from "./MethodFacts.tsx";
import { ParamSection } from "./ParamSection.tsx";

/** Characters of a function name. */
const NAME_ROOM = 1000;

/** Figures, methods and parameters of the frames of selected calls: of a path, of a function, or of all frames. */
export function FrameDetailsDialog({ open, onClose, asked }: DialogProps & { asked: AskedFrames | null }) {
  return (
    <Dialog open={open} onClose={onClose} title="Frame details" testId="frame-details" wide keeps>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must be able to do */}
      <div className={css.body} tabIndex={0} data-first>
        {open && asked !== null && <Answered key={keyOf(asked)} asked={asked} />}
      </div>
    </Dialog>
  );
}

function keyOf({ names, rooted }: AskedFrames): string {
  return JSON.stringify([names, rooted]);
}

function Answered({ asked }: { asked: AskedFrames }) {
  const answer = useAnswer(asked);
  const { names, rooted } = asked;
  return (
    <>
      <h3 className={css.name} data-testid="frame-details-name">
        {names.length === 0 ? "All frames of the selected calls" : <bdi>{visible(names.at(-1) ?? "", NAME_ROOM)}</bdi>}
      </h3>
      <p className={css.scope}>{scopeWords(asked, rooted)}</p>
      {answer === null && <p role="status">Reading frames…</p>}
      {answer !== null && "code" in answer && <p role="alert">{answer.message}</p>}
      {answer !== null && "params" in answer && <Answer answer={answer} />}
    </>
  );
}

function scopeWords({ names, filter }: AskedFrames, rooted: boolean): string {
  const one = rooted ? "Frames with this stack of callers" : "Frames of this function, whatever calls it";
  const which = names.length === 0 ? "Every frame" : one;
  // Conditions on stacks select samples, which the sums here are not made of.
  return `${which}, in the selected calls${filter.frames === undefined ? "" : "; filters by function do not apply here"}.`;
}

/** The answer, or why there is none; null until one of them is known. */
function useAnswer({ names, rooted, filter }: AskedFrames): FrameParamsAnswer | Failure | null {
  const [answer, setAnswer] = useState<FrameParamsAnswer | Failure | null>(null);
  useEffect(() => {
    let isWanted = true;
    const frames = names.length === 0 ? null : { names, rooted };
    viewer.ofCalls("params", { filter, frames }).then((result) => {
      if (isWanted) setAnswer(result.ok ? (result.value as FrameParamsAnswer) : result.error);
    });
    return () => {
      isWanted = false;
      void viewer.ofCalls("endParams");
    };
  }, [names, rooted, filter]);
  return answer;
}

function Answer({ answer: { frames, params, methods, calls } }: { answer: FrameParamsAnswer }) {
  const facts: [label: string, value: string][] = [
    ["Invocations", formatCount(frames.invocations)],
    ["Total", formatNanos(frames.total)],
    ["Self", formatNanos(frames.self)],
    ["Self in pauses", formatNanos(frames.suspended)],
    ["Self net of pauses", formatNanos(netOfFrames(frames))],
    ["Selected calls", formatCount(calls)],
  ];
  return (
    <>
      <dl className={css.figures} data-testid="frame-details-figures">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <MethodFacts methods={methods} />
      <h4 className={css.caption}>
        {params.length === 0 ? "No parameters" : formatCounted(params.length, "parameter")}
      </h4>
      {params.length > 0 && (
        <p className={css.scope}>
          Total is the time of frames that have the value; frames inside each other count once. Literals are replaced by
          ? to group values.
        </p>
      )}
      {params.map((param) => (
        <ParamSection key={param.name} param={param} whole={Number(frames.total)} />
      ))}
    </>
  );
}
