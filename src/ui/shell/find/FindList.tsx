import { type Ref, useEffect, useId, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from "react";
import { parseFind } from "../../../model/query/find.ts";
import { Latest } from "../../../model/query/latest.ts";
import { partPattern } from "../../../model/query/pattern.ts";
import { filterOf } from "../../../model/query/query.ts";
import type { Choice, Found, Suggestion, SuggestionGroup } from "../../../model/query/suggestions.ts";
import { commandGroups, foundGroups, readGroups, without } from "../../../model/query/suggestions.ts";
import { cardWords } from "../../../model/trace/operation-words.ts";
import { formatCounted, formatFigure } from "../../../model/words/format.ts";
import type { Measured } from "../../../model/words/measure.ts";
import type { PastedIds } from "../../../model/words/pasted-ids.ts";
import { visible } from "../../../model/words/text.ts";
import type { Query } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { useSamples } from "../../parts/answers/use-answer.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { FrameName } from "../../parts/grid/FrameName.tsx";
import { SplitText } from "../../parts/grid/SplitText.tsx";
import { askOutline } from "../../parts/selection/use-outline.ts";
import css from "./FindList.module.css";
import { type CommandedPage, pageCommands } from "./page-commands.ts";

/** What the keys of the input do with the list. */
export interface FindListHandle {
  move(step: number): void;
  /** Chooses the active row; false while the rows of the text are not there yet. */
  choose(): boolean;
}

export interface FindListProps extends CommandedPage, Pick<ViewProps, "profile"> {
  ref: Ref<FindListHandle>;
  id: string;
  text: string;
  /** Enter was pressed for this text before its rows were there. */
  enteredFor: string | null;
  input: HTMLInputElement | null;
  onChoose: (choice: Choice) => void;
  /** Id of the active row; undefined without rows. */
  onActive: (id: string | undefined) => void;
}

/** Suggestions below the search box: a listbox that the input controls, so that the focus stays in the input. */
export function FindList(props: FindListProps) {
  const { ref, id, text, enteredFor, input, profile, onChoose, onActive } = props;
  const { groups, settled } = useGroups(props);
  const rows = useMemo(() => groups.flatMap(({ items }) => items), [groups]);
  const [moved, setMoved] = useState({ text: "", row: 0 });
  const isMoved = moved.text === text && moved.row < rows.length;
  const active = isMoved ? moved.row : 0;
  const panel = usePlace(input);
  const rowId = (row: number) => `${id}-${row}`;

  const isReady = settled || isMoved || readGroups(text).length > 0;
  useImperativeHandle(ref, () => ({
    move: (step) => setMoved({ text, row: (active + step + rows.length) % Math.max(1, rows.length) }),
    choose: () => {
      const row = rows[active];
      if (!isReady || row === undefined) return false;
      onChoose(row.choice);
      return true;
    },
  }));

  useEffect(() => onActive(rows.length === 0 ? undefined : `${id}-${active}`), [rows, active, id, onActive]);
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [active, id]);
  const first = rows[0];
  const chosen = useRef(onChoose);
  chosen.current = onChoose;
  useEffect(() => {
    if (settled && enteredFor === text && first !== undefined) chosen.current(first.choice);
  }, [settled, enteredFor, text, first]);

  const isNone = settled && rows.length === 0;
  return (
    <div ref={panel} popover="manual" className={css.panel} data-testid="find-panel">
      {text.trim() === "" && (
        <p className={css.hint}>Paste a span id, a traceparent, a log line or a trace’s address.</p>
      )}
      {rows.length > 0 && (
        <div id={id} role="listbox" aria-label="Suggestions" aria-busy={!settled} className={css.list}>
          {withOffsets(groups).map(({ name, weighed, items, offset }) => (
            <Group key={name} name={name}>
              {items.map((item, i) => (
                <Row
                  key={`${item.label} ${item.note}`}
                  id={rowId(offset + i)}
                  item={item}
                  count={countWords(item, weighed, profile)}
                  isActive={offset + i === active}
                  onPoint={() => setMoved({ text, row: offset + i })}
                  onChoose={() => onChoose(item.choice)}
                />
              ))}
            </Group>
          ))}
        </div>
      )}
      {isNone && (
        <p className={css.none} role={enteredFor === text ? "alert" : undefined} data-testid="find-none">
          No trace, endpoint, function or command matches "{visible(text.trim(), 80)}"
        </p>
      )}
      <p className="visually-hidden" role="status">
        {settled && rows.length > 0 ? `${rows.length} suggestions` : ""}
      </p>
    </div>
  );
}

function useGroups({ text, tabs, profile, query, act, parts, onTheme }: FindListProps) {
  const samples = useSamples(profile, filterOf(query), query);
  const { found, settled } = useSuggestions(text, samples);
  const groups = useMemo(() => {
    const read = readGroups(text, settled ? found?.card : "");
    const ofRecording = without(read, found === null ? [] : foundGroups(found));
    const commands = commandGroups(text, pageCommands({ tabs, query, act, parts, onTheme }));
    return [...read, ...ofRecording, ...commands];
  }, [text, found, settled, tabs, query, act, parts, onTheme]);
  return { groups, settled };
}

function countWords({ count }: Suggestion, weighed: boolean, profile: Measured): string {
  if (count === null) return "";
  if (weighed) return formatFigure(count, profile);
  return profile.exact ? "" : formatCounted(count, "sample");
}

/** Rows of all groups have one numbering. */
function withOffsets(groups: SuggestionGroup[]): (SuggestionGroup & { offset: number })[] {
  let offset = 0;
  return groups.map((group) => {
    const numbered = { ...group, offset };
    offset += group.items.length;
    return numbered;
  });
}

const LEAST_WIDTH = 520;
const MARGIN = 8;

/** Over everything, below the input, and within the window. */
function usePlace(input: HTMLInputElement | null) {
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = panel;
    if (current === null || input === null) return;
    const place = () => {
      const { left, bottom, width } = input.getBoundingClientRect();
      const wide = Math.min(Math.max(width, LEAST_WIDTH), innerWidth - 2 * MARGIN);
      current.style.setProperty("--x", `${Math.max(MARGIN, Math.min(left, innerWidth - MARGIN - wide))}px`);
      current.style.setProperty("--y", `${bottom + 4}px`);
      current.style.setProperty("--w", `${wide}px`);
    };
    place();
    current.showPopover();
    const listening = new AbortController();
    const { signal } = listening;
    addEventListener("resize", place, { signal });
    // The focus stays in the input: a press on the list does not take it.
    current.addEventListener("mousedown", (event) => event.preventDefault(), { signal });
    return () => listening.abort();
  }, [input]);
  return panel;
}

function Group({ name, children }: { name: string; children: React.ReactNode }) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
    <div role="group" aria-labelledby={id}>
      <div id={id} role="presentation" className={css.heading}>
        {name}
      </div>
      {children}
    </div>
  );
}

interface RowProps {
  id: string;
  item: Suggestion;
  count: string;
  isActive: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function Row({ id, item, count, isActive, onPoint, onChoose }: RowProps) {
  const label = item.label === "" ? "(empty)" : visible(item.label, 200);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input, which names the active option
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      className={css.row}
      data-testid="find-row"
      title={label}
      onPointerMove={isActive ? undefined : onPoint}
      onClick={onChoose}
    >
      {item.choice.kind === "function" ? <FrameName text={label} /> : <SplitText text={label} className={css.label} />}
      {item.note !== "" && <bdi className={css.note}>{visible(item.note, 160)}</bdi>}
      {count !== "" && <span className={css.count}>{count}</span>}
    </div>
  );
}

/** Typing waits so long for the next letter. */
const PAUSE_MS = 60;
/** Of each key, and functions. */
const MOST = 6;
/** Shorter texts are in too many function names. */
const SHORTEST_NAME = 2;

interface Answer {
  /** Null before the first text. */
  text: string | null;
  found: Found | null;
}

/**
 * What the recording has for the text of the search box: asked a moment after the last letter, newest text only.
 * `settled` is whether `found` is of this text; until then it is that of a former one.
 */
function useSuggestions(text: string, samples: Query): { found: Found | null; settled: boolean } {
  const [answer, setAnswer] = useState<Answer>({ text: null, found: null });
  const latest = useRef(new Latest());
  const wanted = text.trim();

  useEffect(() => {
    const mine = latest.current;
    if (wanted === "") {
      mine.forget();
      setAnswer({ text: "", found: null });
      return;
    }
    let isNewest = true;
    const timer = setTimeout(() => {
      mine.ask(
        () => found(wanted, samples, () => isNewest),
        (result) => setAnswer({ text: wanted, found: result }),
      );
    }, PAUSE_MS);
    return () => {
      isNewest = false;
      clearTimeout(timer);
    };
  }, [wanted, samples]);

  useEffect(() => {
    const mine = latest.current;
    return () => mine.forget();
  }, []);

  return { found: wanted === "" ? null : answer.found, settled: answer.text === wanted };
}

/** A failure is an empty answer: the box still takes ids, and the view's request reports the failure. */
async function found(text: string, samples: Query, isNewest: () => boolean): Promise<Found> {
  const suggested = await viewer.suggest(text, MOST);
  const suggestions = suggested.ok ? suggested.value : { values: [], roots: [] };
  const find = parseFind(text);
  const card = isNewest() && find?.kind === "ids" ? await cardOf(find.pasted) : "";
  if (!isNewest() || text.length < SHORTEST_NAME) return { suggestions, functions: [], card };
  const top = await viewer.top(samples, "total", 0, MOST, { find: partPattern(text) });
  return { suggestions, functions: top.ok ? top.value.rows : [], card };
}

/** What the files know of an id, or why there is nothing. */
async function cardOf({ ids, wholeTrace }: PastedIds): Promise<string> {
  const carried = await viewer.carried(ids, wholeTrace);
  if (!carried.ok) return "";
  if (carried.value === null) {
    const known = await viewer.uncarried(ids[0]!);
    return known.ok ? known.value.lines.join("; ") : "";
  }
  const { kind, ids: found } = carried.value;
  const outline = await askOutline(kind === "span" ? { span: found } : { localRoot: found });
  return outline.ok ? cardWords(outline.value) : "";
}
