import type { QueryAction, TracePart } from "../../model/query/query.ts";
import { formatCounted } from "../../model/words/format.ts";
import { ViewTools } from "../analysis/ViewTools.tsx";
import { useDebouncedText } from "../debounce/use-debounced-text.ts";
import css from "./TraceView.module.css";

interface Props {
  part: TracePart;
  /** Spans that the search found; null without an answer. */
  found: number | null;
  /** There is no other trace. */
  isOne: boolean;
  act: (action: QueryAction) => void;
  onWalk: (step: 1 | -1) => void;
}

const PAUSE_MS = 150;

/** The way back to the list, and the search of spans. */
export function TraceTools({ part, found, isOne, act, onWalk }: Props) {
  const [search, setSearch] = useDebouncedText(part.search, PAUSE_MS, (text) =>
    act({ kind: "trace", trace: { search: text } }),
  );
  return (
    <ViewTools>
      {!isOne && (
        <button
          type="button"
          data-testid="all-traces"
          onClick={() => act({ kind: "trace", trace: { id: "all", search: "" } })}
        >
          All traces
        </button>
      )}
      <input
        type="search"
        className={css.search}
        aria-label="Search spans by name, service, attribute or id"
        placeholder="Search spans"
        data-testid="spans-search"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") onWalk(event.shiftKey ? -1 : 1);
        }}
      />
      {part.search.trim() !== "" && found !== null && (
        <span className={css.count} role="status" data-testid="spans-found">
          {formatCounted(found, "span")}
        </span>
      )}
    </ViewTools>
  );
}
