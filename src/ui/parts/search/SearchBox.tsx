import { ChevronDown, ChevronUp, Filter, FilterX, type LucideIcon, Merge, Search as SearchIcon } from "lucide-react";
import { useEffect, useRef } from "react";
import type { Chip } from "../../../model/query/chips.ts";
import { formatCounted, formatPercent } from "../../../model/words/format.ts";
import { useDebouncedText } from "../../primitives/debounce/use-debounced-text.ts";
import { Button, Icon, IconButton } from "../../primitives/icon/Icon.tsx";
import { useSurroundings } from "../answers/surroundings.ts";
import type { ViewProps } from "../answers/view-props.ts";
import css from "./SearchBox.module.css";
import type { Search } from "./use-search.ts";

interface Props extends Pick<ViewProps, "act"> {
  pattern: string;
  search: Search;
  /** To the next (1) or the one before (-1); absent where nothing is walked through. */
  onWalk?: (step: number) => void;
  /** Matches are only walked through: they are no samples to filter by. */
  isWalked?: boolean;
}

/** Actions for the matches. */
const USES: { name: string; icon: LucideIcon; label: string; tip: string; chip: (pattern: string) => Chip }[] = [
  {
    name: "only",
    icon: Filter,
    label: "Keep",
    tip: "Keep only stacks with matching frames (Enter)",
    chip: (pattern) => ({ kind: "frame", pattern }),
  },
  {
    name: "without",
    icon: FilterX,
    label: "Exclude",
    tip: "Exclude stacks with matching frames",
    chip: (pattern) => ({ kind: "frame", pattern, exclude: true }),
  },
  {
    name: "merge",
    icon: Merge,
    label: "Merge",
    tip: "Merge matching frames into their callers, which get their self value",
    chip: (pattern) => ({ kind: "merged", pattern }),
  },
];

const ENTER_KEEPS = "Enter keeps only stacks with matching frames.";
const ENTER_WALKS = "Enter goes to the next match.";
/** Typing waits so long for the next letter. */
const PAUSE_MS = 40;

/**
 * Search for frames: matches are highlighted, counted and walked through. The key `/` leads here. The answer is below
 * the field while that has the focus or the pointer.
 */
export function SearchBox({ pattern, search, act, onWalk, isWalked = false }: Props) {
  const [text, setText] = useDebouncedText(pattern, PAUSE_MS, (typed) => act({ kind: "search", pattern: typed }));
  const input = useRef<HTMLInputElement>(null);
  const { keys } = useSurroundings();

  useEffect(() => {
    const onSlash = (event: Event) => {
      const at = event.target instanceof HTMLElement ? event.target : null;
      if (
        !(event instanceof KeyboardEvent) ||
        event.key !== "/" ||
        event.ctrlKey ||
        event.metaKey ||
        at?.matches("input, textarea, select")
      )
        return;
      event.preventDefault();
      input.current?.focus();
    };
    keys.addEventListener("keydown", onSlash);
    return () => keys.removeEventListener("keydown", onSlash);
  }, [keys]);

  const found = search.answer;
  const use = (of: string, { chip }: (typeof USES)[number]) => {
    // The buttons disappear with the matches, so the focus returns to the input.
    input.current?.focus();
    act({ kind: "add", chip: chip(of) });
  };
  return (
    <search className={css.box} part="search">
      <div className={css.field}>
        <input
          ref={input}
          className={css.input}
          data-testid="search"
          type="search"
          aria-label={`Find frames by a regular expression. ${isWalked ? ENTER_WALKS : ENTER_KEEPS}`}
          placeholder="Find frames (/)"
          spellCheck={false}
          autoComplete="off"
          value={text}
          aria-invalid={search.error !== null}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && text !== "" && search.error === null)
              isWalked ? onWalk?.(1) : use(text, USES[0]);
            if (event.key === "Escape") setText("");
          }}
        />
        <Icon of={SearchIcon} size={14} className={css.icon} />
        {pattern !== "" && search.error === null && found !== null && (
          <span className={css.short} aria-hidden="true">
            {formatPercent(Number(found.value), search.total)}
          </span>
        )}
      </div>
      {pattern !== "" && (
        <Matches {...{ search, onWalk }} uses={isWalked ? [] : USES} onUse={(each) => use(pattern, each)} />
      )}
    </search>
  );
}

interface MatchesProps extends Pick<Props, "search"> {
  onWalk: Props["onWalk"] | undefined;
  uses: typeof USES;
  onUse: (use: (typeof USES)[number]) => void;
}

/** How much is found, and what can be done with it. */
function Matches({ search, onWalk, uses, onUse }: MatchesProps) {
  const found = search.answer;
  return (
    <div className={css.panel}>
      <span
        role="status"
        className={search.error === null ? undefined : css.error}
        data-testid="search-found"
        data-exact={found?.value.toString()}
      >
        {search.error ?? (found === null ? "…" : foundWords(found.frames, found.value, search.total))}
      </span>
      {found !== null && found.frames > 0 && (
        <div className={css.uses}>
          {onWalk !== undefined && <WalkButtons onWalk={onWalk} />}
          {uses.map((each) => (
            <Button
              key={each.name}
              look="quiet"
              tip={each.tip}
              testId={`search-${each.name}`}
              onClick={() => onUse(each)}
            >
              <Icon of={each.icon} size={14} /> {each.label}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}

function WalkButtons({ onWalk }: { onWalk: (step: number) => void }) {
  return (
    <>
      <IconButton icon={ChevronUp} label="Previous match" tip="Previous match (Shift+N)" onClick={() => onWalk(-1)} />
      <IconButton icon={ChevronDown} label="Next match" tip="Next match (N)" onClick={() => onWalk(1)} />
    </>
  );
}

function foundWords(frames: number, value: bigint, total: number): string {
  if (frames === 0) return "No match";
  return `${formatCounted(frames, "match", "matches")} · ${formatPercent(Number(value), total)} of total`;
}
