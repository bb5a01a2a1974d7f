import { useId, useState } from "react";
import { type FrameFigures, netOfFrames, type Param, type ParamGroup } from "../../../model/calls/params/params.ts";
import { formatCount, formatCounted, formatNanos } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import { viewer } from "../../../worker/client.ts";
import { Button } from "../../primitives/icon/Icon.tsx";
import { Share } from "../grid/Share.tsx";
import css from "./FrameDetailsDialog.module.css";
import { ValueText } from "./ValueText.tsx";

/** Groups of a parameter that are shown at first, and characters of a name and of a signature. */
const FIRST = 8;
const NAME_ROOM = 120;
const SIGNATURE_ROOM = 600;

/** A parameter: a table of its signatures, which open to their values. */
export function ParamSection({ param, whole }: { param: Param; whole: number }) {
  const title = useId();
  const [isAll, setAll] = useState(false);
  const { groups, signatures, other } = param;
  const shown = isAll ? groups : groups.slice(0, FIRST);
  return (
    <div className={css.param} data-testid="param" data-name={visible(param.name, NAME_ROOM)}>
      <h5 className={css.paramName} id={title}>
        <bdi>{visible(param.name, NAME_ROOM)}</bdi>
        <span className={css.paramFacts}>
          {`${formatNanos(param.total)} · ${formatCounted(param.invocations, "frame")} · ${formatCounted(param.count, "value")}`}
        </span>
      </h5>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, which the keyboard must be able to do */}
      <section className={css.box} tabIndex={0} aria-labelledby={title}>
        <table className={css.table} aria-labelledby={title}>
          <thead>
            <tr>
              <th scope="col" data-figure>
                total
              </th>
              <th scope="col" data-figure data-spare>
                self
              </th>
              <th scope="col" data-figure data-spare>
                net
              </th>
              <th scope="col" data-figure>
                frames
              </th>
              <th scope="col">value</th>
            </tr>
          </thead>
          {shown.map((group) => (
            <Group key={group.signature} group={group} whole={whole} />
          ))}
          {other !== null && (
            <tbody>
              <tr>
                <Figures of={other} whole={whole} />
                <th scope="row">further values, which are not kept apart</th>
              </tr>
            </tbody>
          )}
        </table>
      </section>
      {groups.length > shown.length && (
        <Button testId="param-more" onClick={() => setAll(true)}>
          {`Show ${formatCount(groups.length - shown.length)} more`}
        </Button>
      )}
      {isAll && signatures > groups.length && (
        <p className={css.scope}>and {formatCount(signatures - groups.length)} more, with less time</p>
      )}
    </div>
  );
}

/** A single value, or a signature that opens to its values. */
function Group({ group, whole }: { group: ParamGroup; whole: number }) {
  const [isOpen, setOpen] = useState(false);
  const { signature, count, values } = group;
  const [only] = values;
  if (count === 1 && only !== undefined) {
    return (
      <tbody>
        <ValueRow of={only} whole={whole} />
      </tbody>
    );
  }
  return (
    <tbody>
      <tr data-testid="param-group">
        <Figures of={group} whole={whole} />
        <th scope="row">
          <Button className={css.signature} look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <bdi className={css.code}>{visible(signature, SIGNATURE_ROOM)}</bdi>
            <span className={css.paramFacts}>{formatCounted(count, "value")}</span>
          </Button>
        </th>
      </tr>
      {isOpen && values.map((value) => <ValueRow key={value.id} of={value} whole={whole} isInner />)}
      {isOpen && count > values.length && (
        <tr>
          <td colSpan={5} className={css.inner}>
            and {formatCount(count - values.length)} more values, with less time
          </td>
        </tr>
      )}
    </tbody>
  );
}

function ValueRow({ of, whole, isInner }: { of: ParamGroup["values"][number]; whole: number; isInner?: boolean }) {
  return (
    <tr data-testid="param-value">
      <Figures of={of} whole={whole} />
      <th scope="row" className={isInner ? css.inner : undefined}>
        <ValueText
          text={of.text}
          isCut={of.length > of.text.length}
          length={of.length}
          readWhole={() => viewer.ofCalls("paramValue", of.id)}
        />
      </th>
    </tr>
  );
}

function Figures({ of, whole }: { of: FrameFigures; whole: number }) {
  return (
    <>
      <td data-figure className={css.share}>
        <Share value={Number(of.total)} whole={whole} text={formatNanos(of.total)} />
      </td>
      <td data-figure data-spare>
        {formatNanos(of.self)}
      </td>
      <td data-figure data-spare>
        {formatNanos(netOfFrames(of))}
      </td>
      <td data-figure>{formatCount(of.invocations)}</td>
    </>
  );
}
