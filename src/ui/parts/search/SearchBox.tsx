import { ChevronDown, ChevronUp, Filter, FilterX, type LucideIcon, Merge } from "lucide-react";
import { useEffect, useRef } from "react";
import type { Chip } from "../../../model/query/chips.ts";
import { formatCount, formatCounted, formatPercent } from "../../../model/words/format.ts";
import { useDebouncedText } from "../../primitives/debounce/use-debounced-text.ts";
import { IconButton } from "../../primitives/icon/Icon.tsx";
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
    label: "Merge into callers",
    tip: "Merge matching frames into their callers, which get their self value",
    chip: (pattern) => ({ kind: "merged", pattern }),
  },
];

const ENTER_KEEPS = "Enter keeps only stacks with matching frames.";
const ENTER_WALKS = "Enter goes to the next match.";
/** Typing waits so long for the next letter. */
const PAUSE_MS = 40;

/** Search for frames: matches are highlighted, counted and walked through. The key `/` leads here. */
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
      <input
        ref={input}
        className={css.input}
        data-testid="search"
        type="search"
        aria-label={`Find frames by a regular expression. ${isWalked ? ENTER_WALKS : ENTER_KEEPS}`}
        placeholder="find frames /"
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
      {pattern !== "" && (
        <>
          <span
            role="status"
            className={search.error === null ? css.found : css.error}
            data-testid="search-found"
            data-exact={found?.value.toString()}
          >
            {search.error ?? (found === null ? "…" : <Found {...found} total={search.total} />)}
          </span>
          {found !== null && found.frames > 0 && (
            <>
              {onWalk !== undefined && <WalkButtons onWalk={onWalk} />}
              {(isWalked ? [] : USES).map((each) => (
                <IconButton
                  key={each.name}
                  icon={each.icon}
                  label={each.label}
                  tip={each.tip}
                  testId={`search-${each.name}`}
                  onClick={() => use(pattern, each)}
                />
              ))}
            </>
          )}
        </>
      )}
    </search>
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

/** Short, because the box keeps its width; whole in the tooltip and for assistive technology. */
function Found({ frames, value, total }: { frames: number; value: bigint; total: number }) {
  if (frames === 0) return "No match";
  const share = formatPercent(Number(value), total);
  const words = `${formatCounted(frames, "match", "matches")} · ${share} of total`;
  return (
    <span data-tip={words}>
      <span aria-hidden="true">
        {formatCount(frames)} · {share}
      </span>
      <span className="visually-hidden">{words}</span>
    </span>
  );
}
