/** The current frame beside its graph: whole name, figures, callers and callees, source, and a menu of actions. */
import { Copy, Ellipsis, X } from "lucide-react";
import type { ReactNode } from "react";
import type { FramesAnswer } from "../../../../core/types.ts";
import { frameName } from "../../../../model/flame/flame.ts";
import { formatPercent } from "../../../../model/words/format.ts";
import { visible } from "../../../../model/words/text.ts";
import type { Query } from "../../../../worker/api.ts";
import { type ShownFrame, useSurroundings } from "../../../parts/answers/surroundings.ts";
import { useAnswer, useSame } from "../../../parts/answers/use-answer.ts";
import { FrameName } from "../../../parts/grid/FrameName.tsx";
import { Share } from "../../../parts/grid/Share.tsx";
import { copyText } from "../../../primitives/clipboard/copy-text.ts";
import { Button, IconButton } from "../../../primitives/icon/Icon.tsx";
import { MenuButton } from "../../../primitives/menu/MenuButton.tsx";
import css from "./FrameDrawer.module.css";
import { actionsOf, type FrameActions } from "./FrameMenu.tsx";

interface Props extends FrameActions {
  figures: Pick<ShownFrame, "total" | "self" | "whole">;
  /** The samples of the graph; null where the worker has other ones. */
  samples: Query | null;
  onClose: () => void;
}

/** Callers and callees are those that a graph of this width would draw. */
const WIDTH_PX = 1000;
const MOST = 8;

export function FrameDrawer(props: Props) {
  const { title, name, detail, place, source, figures, samples, act, onClose } = props;
  const { total, self, whole } = figures;
  return (
    <aside
      className={css.drawer}
      aria-label={`Frame ${visible(title, 80)}`}
      data-testid="frame-drawer"
      onKeyDown={(event) => {
        // Another Escape closes the menu.
        if (event.key !== "Escape" || event.currentTarget.querySelector(":popover-open") !== null) return;
        event.stopPropagation();
        onClose();
      }}
    >
      <div className={css.head}>
        <h2 className={css.name}>
          <bdi>{visible(title)}</bdi>
        </h2>
        {name !== "" && <IconButton icon={Copy} label="Copy name" onClick={() => void copyText(name)} />}
        <MenuButton icon={Ellipsis} label="Actions" testId="frame-actions" groups={actionsOf(props)} />
        <IconButton icon={X} label="Close" tip="Close (Escape)" testId="frame-drawer-close" onClick={onClose} />
      </div>
      <p className={css.facts}>
        {[detail.kind, detail.inferred, detail.hidden].filter((part) => part !== undefined && part !== "").join(" · ")}
        {place !== null && source !== null && (
          <Button className={css.source} onClick={() => source.visit(place)}>
            {visible(place.words)}
          </Button>
        )}
        {place !== null && source === null && <span>{visible(place.words)}</span>}
      </p>
      <dl className={css.figures}>
        <Figure name="Total" value={total} whole={whole} words={`${detail.value} · ${formatPercent(total, whole)}`} />
        {detail.self !== "" && (
          <Figure name="Self" value={self} whole={whole} words={detail.self.replace("self ", "")} />
        )}
      </dl>
      <p className={css.facts}>{detail.ofParent}</p>
      {name !== "" && samples !== null && <Neighbours {...{ name, samples, act }} />}
    </aside>
  );
}

function Figure({ name, value, whole, words }: { name: string; value: number; whole: number; words: string }) {
  return (
    <div className={css.figure}>
      <dt>{name}</dt>
      <dd className={css.bar}>
        <Share value={value} whole={whole} text={words} />
      </dd>
    </div>
  );
}

/** The functions directly above and below all calls of a function. */
function Neighbours({ name, samples, act }: Pick<Props, "name" | "act"> & { samples: Query }) {
  const { viewer } = useSurroundings();
  const question = useSame({ name, samples });
  const answered = useAnswer(question, (of) => viewer.sandwich(of.samples, of.name, WIDTH_PX), true);
  const sides = answered?.question === question ? answered.answer : null;
  if (sides === null) return null;
  const choose = (chosen: string) => act({ kind: "function", name: chosen });
  return (
    <>
      <Side title="Callers" answer={sides["callers-of"]} onChoose={choose} />
      <Side title="Callees" answer={sides["callees-of"]} onChoose={choose} />
    </>
  );
}

interface SideProps {
  title: string;
  answer: FramesAnswer;
  onChoose: (name: string) => void;
}

function Side({ title, answer, onChoose }: SideProps): ReactNode {
  const { frames } = answer;
  const next = [...frames.parent.keys()].filter((row) => row > 0 && frames.parent[row] === 0);
  if (next.length === 0) return null;
  const rows = next.sort((a, b) => frames.total[b] - frames.total[a]).slice(0, MOST);
  const rest = next.length - rows.length;
  return (
    <section>
      <h3 className={css.title}>
        {title}
        {rest > 0 && (
          <span className={css.rest}>
            {" "}
            {MOST} of {next.length}
          </span>
        )}
      </h3>
      <ul className={css.rows}>
        {rows.map((row) => (
          <li key={row}>
            <Button
              className={css.row}
              tip="Show its callers and callees"
              onClick={() => onChoose(frames.names[frames.name[row]] ?? "")}
            >
              <FrameName text={frameName(frames, row, "all")} />
              <span className={css.bar}>
                <Share
                  value={frames.total[row]}
                  whole={frames.total[0]}
                  text={formatPercent(frames.total[row], frames.total[0])}
                />
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
