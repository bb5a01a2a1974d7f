import { useEffect, useId, useState } from "react";
import type { TopRow } from "../../../core/types.ts";
import { isFound } from "../../../model/query/shape.ts";
import { figureName, formatFigure } from "../../../model/words/format.ts";
import type { Measured } from "../../../model/words/measure.ts";
import { visible } from "../../../model/words/text.ts";
import { whenPainted } from "../../parts/answers/after-paint.ts";
import { useSurroundings } from "../../parts/answers/surroundings.ts";
import { useSame } from "../../parts/answers/use-answer.ts";
import { usePages } from "../../parts/answers/use-pages.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { FrameName } from "../../parts/grid/FrameName.tsx";
import { Share } from "../../parts/grid/Share.tsx";
import { type GridRow, VirtualGrid } from "../../parts/grid/VirtualGrid.tsx";
import { usePattern } from "../../parts/search/use-pattern.ts";
import { useDebouncedText } from "../../primitives/debounce/use-debounced-text.ts";
import css from "./SandwichView.module.css";

const COLUMNS = "80px 84px minmax(0, 1fr)";
const NARROW = "80px minmax(0, 1fr)";
const PAUSE_MS = 120;

interface Props extends Pick<ViewProps, "profile" | "samples"> {
  /** Value of the selection: a full bar. */
  whole: number;
  /** The function on screen. */
  name: string;
  /** A function was chosen, or is the first that has the typed text. */
  onPick: (name: string) => void;
}

/** The functions of the selection, by self time; typing shows the first one that has the text. */
export function FunctionPicker({ profile, samples, whole, name, onPick }: Props) {
  const id = useId();
  const { viewer } = useSurroundings();
  const [typed, setTyped] = useState("");
  const [text, setText] = useDebouncedText(typed, PAUSE_MS, setTyped);
  const { expression, error } = usePattern(typed);
  const find = expression === null ? "" : typed;
  const asked = useSame({ samples, find });
  const { count, question, rowAt, need } = usePages(asked, async (of, offset, limit) => {
    // The user sees the graphs first.
    await new Promise<void>(whenPainted);
    return viewer.top(of.samples, "self", offset, limit, of.find === "" ? {} : { find: of.find });
  });
  const [active, setActive] = useState(0);
  const first = rowAt(0)?.name ?? "";
  // What was typed is a choice: its first function is shown. Other samples or another text begin at the top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answer decides
  useEffect(() => {
    setActive(0);
    if (question.find !== "" && first !== "") onPick(first);
  }, [question, first]);

  const pick = (index: number) => {
    setActive(index);
    const wanted = rowAt(index)?.name ?? "";
    if (wanted !== "") onPick(wanted);
  };
  return (
    <div className={css.picker}>
      <input
        type="search"
        className={css.find}
        data-testid="function-find"
        aria-label="Find a function"
        placeholder="Find a function"
        spellCheck={false}
        autoComplete="off"
        value={text}
        aria-invalid={error !== null}
        aria-describedby={error === null ? undefined : id}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") setText("");
        }}
      />
      {error !== null && (
        <p id={id} role="alert" className={css.error}>
          {error}
        </p>
      )}
      {count === 0 && <p className={css.none}>No function matches {visible(typed, 60)}.</p>}
      <VirtualGrid
        role="grid"
        label="Functions of the selection. Enter shows the callers and callees of one."
        testId="pick"
        columns={COLUMNS}
        narrow={NARROW}
        heads={[
          { label: `self ${figureName(profile)}`, sort: "descending" },
          { label: `total ${figureName(profile)}`, spare: true },
          { label: <span className={css.name}>function</span> },
        ]}
        count={count ?? 0}
        active={active}
        onActive={pick}
        onOpen={pick}
        onView={need}
        row={(index) => pickRow(rowAt(index), profile, whole, name, typed === "" ? null : expression)}
      />
    </div>
  );
}

function pickRow(
  at: TopRow | undefined,
  profile: Measured,
  whole: number,
  shown: string,
  expression: Parameters<typeof isFound>[0],
): GridRow {
  if (at === undefined) return { id: "", cells: ["…"] };
  const text = at.name === "" ? "(no name)" : visible(at.name);
  const share = (value: number) => (
    <Share value={value} whole={whole} text={value === 0 ? "" : formatFigure(value, profile)} />
  );
  return {
    id: at.name,
    title: text,
    "aria-current": at.name === shown || undefined,
    cells: [
      share(Number(at.self)),
      share(Number(at.total)),
      <FrameName key="name" text={text} found={isFound(expression, at.name)} alone />,
    ],
  };
}
