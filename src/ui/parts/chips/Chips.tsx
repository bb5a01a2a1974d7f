import { ChevronUp, Ellipsis, type LucideIcon, Plus, Redo2, Undo2, X } from "lucide-react";
import type { ReactNode, RefObject } from "react";
import { memo, useRef, useState } from "react";
import { type ChipWords, chipWords } from "../../../model/query/chip-words.ts";
import { type Chip, type Chipped, chipKey, chipsOf } from "../../../model/query/chips.ts";
import type { StatedChip } from "../../../model/query/stated-chip.ts";
import type { UndoableAction } from "../../../model/query/undo.ts";
import { formatCounted } from "../../../model/words/format.ts";
import { type Measured, measureWord } from "../../../model/words/measure.ts";
import type { Zeros } from "../../../model/words/moments.ts";
import { visible } from "../../../model/words/text.ts";
import { Choice } from "../../primitives/choice/Choice.tsx";
import { Button, Icon, IconButton } from "../../primitives/icon/Icon.tsx";
import { SplitText } from "../grid/SplitText.tsx";
import css from "./Chips.module.css";

interface Props {
  query: Chipped;
  /** One chip in place of those of several ids. */
  asOne?: StatedChip | null;
  /** Changes that can be taken back, and made again. */
  past: number;
  future: number;
  /** Where times count from. */
  zeros: Zeros;
  /** Names of threads by number. */
  threads?: ReadonlyMap<string, string> | undefined;
  act: (action: UndoableAction) => void;
  /** The text where there is no filter. */
  none?: string;
  /** The samples that pass, in words. */
  passing?: string;
  /** Leads to where another filter is chosen; absent where none can be. */
  onAdd?: () => void;
  /** What else decides the figures, at the end of the row. */
  children?: ReactNode;
}

const NONE = "No filter. Pick a trace or paste a span id.";

/** Every filter in force, each with its way out, and the way back. */
export const Chips = memo(function Chips({
  query,
  asOne = null,
  past,
  future,
  zeros,
  threads,
  act,
  none = NONE,
  passing = "",
  onAdd,
  children,
}: Props) {
  const undo = useRef<HTMLButtonElement>(null);
  const more = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const chips = chipsOf(query);
  const [first, ...also] = asOne?.chips ?? [];
  const same = new Set(asOne?.chips.map(chipKey));
  const hidden = chips.filter((chip) => !same.has(chipKey(chip))).length + (asOne === null ? 0 : 1) - 1;
  /** A hidden button takes no focus. */
  const home = () => (undo.current?.checkVisibility() === true ? undo : more).current?.focus();
  return (
    <section className={css.bar} aria-label="Filters" data-open={isOpen}>
      {chips.length === 0 ? (
        <p className={css.none}>{none}</p>
      ) : (
        <ul className={css.chips} aria-label="Active filters">
          {asOne !== null && first !== undefined && (
            <ChipView
              kind={first.kind}
              words={asOne}
              after={home}
              onRemove={() => act({ kind: "remove", chip: first, also })}
            />
          )}
          {chips.map((chip) => {
            const key = chipKey(chip);
            if (same.has(key)) return null;
            const words = chipWords(chip, zeros, threads);
            return (
              <ChipView
                key={key}
                kind={chip.kind}
                words={words}
                after={home}
                onRemove={() => act({ kind: "remove", chip })}
              />
            );
          })}
        </ul>
      )}
      {onAdd !== undefined && (
        <Button look="quiet" testId="add-filter" onClick={onAdd}>
          <Icon of={Plus} size={14} /> Filter
        </Button>
      )}
      <IconButton
        ref={more}
        className={css.more}
        icon={isOpen ? ChevronUp : Ellipsis}
        label={hidden > 0 ? `${formatCounted(hidden, "more filter")}, undo, redo` : "Undo, redo, context"}
        testId="filters-more"
        aria-expanded={isOpen}
        data-count={hidden > 0 && !isOpen ? `+${hidden}` : undefined}
        onClick={() => setOpen(!isOpen)}
      />
      <div className={css.rest} data-unchanged={past + future === 0 || undefined}>
        {chips.length > 0 && (
          <Button
            look="quiet"
            testId="clear"
            onClick={() => {
              home();
              act({ kind: "clear" });
            }}
          >
            Clear
          </Button>
        )}
        <Step button={undo} name="Undo" keys="Ctrl+Z" icon={Undo2} steps={past} onClick={() => act({ kind: "undo" })} />
        <Step name="Redo" keys="Ctrl+Shift+Z" icon={Redo2} steps={future} onClick={() => act({ kind: "redo" })} />
        {children}
        {passing !== "" && (
          <p className={css.passing} data-testid="passing">
            {passing}
          </p>
        )}
      </div>
    </section>
  );
});

/** Digits of an id that has no room as a whole. */
const LONG_ID = 12;

interface ChipProps {
  kind: Chip["kind"];
  words: ChipWords;
  /** Gets the focus when the last chip goes. */
  after: () => void;
  onRemove: () => void;
}

function ChipView({ kind, words, after, onRemove }: ChipProps) {
  const { label, value, full } = words;
  const item = useRef<HTMLLIElement>(null);
  /** The button is removed with its chip: the focus goes to the next one. */
  const remove = () => {
    const other = item.current?.nextElementSibling ?? item.current?.previousElementSibling;
    const button = other?.querySelector("button");
    if (button?.checkVisibility() === true) button.focus();
    else after();
    onRemove();
  };
  return (
    <li ref={item} className={css.chip} data-testid="chip" data-kind={kind} title={full}>
      <span className={css.label}>{label}</span>
      <SplitText text={value} className={css.value} long={LONG_ID} />
      <Button
        className={css.remove}
        aria-label={`Remove ${label} ${value}`}
        onClick={remove}
        onKeyDown={(event) => {
          if (event.key === "Delete" || event.key === "Backspace") remove();
        }}
      >
        <Icon of={X} size={14} />
      </Button>
    </li>
  );
}

interface StepProps {
  button?: RefObject<HTMLButtonElement | null>;
  name: string;
  keys: string;
  icon: LucideIcon;
  /** How many there are to go. */
  steps: number;
  onClick: () => void;
}

/** Where there is nowhere to go it keeps the focus, which a disabled button would lose. */
function Step({ button, name, keys, icon, steps, onClick }: StepProps) {
  return (
    <IconButton
      ref={button}
      icon={icon}
      label={`${name} filter change`}
      tip={`${name} (${keys})`}
      testId={name.toLowerCase()}
      aria-disabled={steps === 0}
      tabIndex={steps === 0 ? -1 : 0}
      onClick={onClick}
    />
  );
}

/** Bytes or objects, time or contentions: what every figure and every width on the page is of. */
export function MeasureChoice({ profile, onMeasure }: { profile: Measured; onMeasure: (name: string) => void }) {
  if (profile.measures.length < 2) return null;
  const options = profile.measures.map(({ name }, index) => {
    const word = measureWord(profile, index);
    return { value: name, label: visible(word, 24), title: `Weigh samples by ${visible(word, 40)}` };
  });
  const value = profile.measures[profile.measure]?.name ?? "";
  return <Choice legend="Weigh samples by" options={options} value={value} onChange={onMeasure} testId="measure" />;
}
