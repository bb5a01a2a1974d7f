import { useMemo } from "react";
import type { ChartColumns } from "../../../model/chart/columns.ts";
import { stackOf, suspensionOf } from "../../../model/chart/steps.ts";
import { boxFigures } from "../../../model/chart/words.ts";
import { formatNanos } from "../../../model/words/format.ts";
import { isCutAtCrossing, visible } from "../../../model/words/text.ts";
import type { CallFrames } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { useSurroundings } from "../../parts/answers/surroundings.ts";
import { MethodFacts } from "../../parts/frame-details/MethodFacts.tsx";
import { ValueText } from "../../parts/frame-details/ValueText.tsx";
import { Button } from "../../primitives/icon/Icon.tsx";
import css from "./InvocationPanel.module.css";

interface Props {
  frames: CallFrames;
  columns: ChartColumns;
  box: number;
}

/** Characters of a parameter's name. */
const NAME_ROOM = 120;

/** One invocation of a method: its times, the method, and its parameters. */
export function InvocationPanel({ frames, columns, box }: Props) {
  const { openDetails } = useSurroundings();
  const tags = useMemo(() => tagsOf(frames, columns.id[box]), [frames, columns, box]);
  const { text } = frames.methods[frames.method[columns.id[box]]];
  return (
    <>
      <dl className={css.figures} data-testid="invocation-figures">
        {figuresOf(columns, box).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <MethodFacts methods={[text]} />
      <h3 className={css.caption}>{tags.length === 0 ? "No parameters" : "Parameters"}</h3>
      {tags.length > 0 && (
        <dl className={css.tags} data-testid="invocation-tags">
          {tags.map(({ tag, name, value }) => (
            <div key={tag}>
              <dt>
                <bdi>{visible(name, NAME_ROOM)}</bdi>
              </dt>
              <dd>
                <ValueText
                  key={`${box} ${tag}`}
                  text={value}
                  isCut={isCutAtCrossing(value)}
                  length={null}
                  readWhole={() => viewer.ofCalls("frameValue", frames.call, tag)}
                />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {openDetails !== null && openDetails !== undefined && (
        <Button
          className={css.all}
          testId="invocation-all"
          tip="Invocations, parameters and SQL of all frames with this stack, in the selected calls"
          onClick={() => openDetails({ names: stackOf(columns, box).reverse(), rooted: true })}
        >
          All frames with this stack
        </Button>
      )}
    </>
  );
}

function figuresOf(columns: ChartColumns, box: number): [label: string, value: string][] {
  const suspended = suspensionOf(columns, box);
  return [
    ...boxFigures(columns, box),
    ["Suspended", formatNanos(suspended)],
    ["Net of suspension", formatNanos(columns.duration[box] - suspended)],
  ];
}

/** Parameters of a frame; the rows of tags ascend by frame. */
function tagsOf({ tags }: CallFrames, frame: number): { tag: number; name: string; value: string }[] {
  const { frame: of, name, names, value, values } = tags;
  let [low, high] = [0, of.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (of[middle] < frame) low = middle + 1;
    else high = middle;
  }
  const found: { tag: number; name: string; value: string }[] = [];
  for (let tag = low; tag < of.length && of[tag] === frame; tag++)
    found.push({ tag, name: names[name[tag]], value: values[value[tag]] });
  return found;
}
