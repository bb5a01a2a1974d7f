import { ArrowDownWideNarrow, ArrowUpNarrowWide } from "lucide-react";
import { type ReactNode, useId } from "react";
import type { RankBy, RankSort } from "../../../core/types.ts";
import { attributeHint, type ExplorerTab } from "../../../model/lists/explorer.ts";
import { sortsOf, sortWord } from "../../../model/lists/sort-words.ts";
import { visible } from "../../../model/words/text.ts";
import { useDebouncedText } from "../../primitives/debounce/use-debounced-text.ts";
import { Select } from "../../primitives/field/Select.tsx";
import { IconButton } from "../../primitives/icon/Icon.tsx";
import type { ViewProps } from "../answers/view-props.ts";
import css from "./Explorer.module.css";
import type { ListQuery } from "./use-rank.ts";

interface Props extends Pick<ViewProps, "act"> {
  tabs: ExplorerTab[];
  chosen: ExplorerTab;
  /** The tab is one of those above. */
  named: boolean;
  attributeKeys: string[];
  query: ListQuery;
  sort: RankSort;
  /** Of calls of dumps. */
  ofCalls: boolean;
  /** The error of the typed text. */
  error: string | null;
  /** The last of the tools. */
  children: ReactNode;
}

/** Typing waits so long for the next letter. */
const PAUSE_MS = 150;

/** What else can be listed, what narrows the list and puts it in order. */
export function ExplorerTools({ children, ...props }: Props) {
  const { tabs, chosen, named, attributeKeys, query, sort, ofCalls, error, act } = props;
  const { by } = chosen;
  const id = useId();
  const { reversed, rows } = query;
  const [text, setText] = useDebouncedText(rows, PAUSE_MS, (typed) => act({ kind: "rows", rows: typed }));

  const isIds = by.kind !== "attribute";
  return (
    <div className={css.tools}>
      <AttributeChoice
        {...{ tabs, by, named, attributeKeys }}
        onKey={(key) => act({ kind: "explore", by: `key:${key}` })}
      />
      <input
        className={css.find}
        data-testid="rows"
        type="search"
        aria-label={isIds ? "Filter by id" : "Filter by name, or by /regex/"}
        placeholder={isIds ? "Filter by id" : "Name or /regex/"}
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
      <Select
        className={css.order}
        testId="rank-sort"
        aria-label="Order of the rows"
        title="Order of the rows"
        value={sort}
        options={sortsOf(by, ofCalls).map((each) => [each, sortWord(each, by)] as const)}
        onChange={(value) => act({ kind: "sort", sort: value as RankSort, reversed: false })}
      />
      <IconButton
        icon={reversed ? ArrowUpNarrowWide : ArrowDownWideNarrow}
        label="Reverse the order"
        testId="rank-reversed"
        aria-pressed={reversed}
        onClick={() => act({ kind: "sort", sort, reversed: !reversed })}
      />
      {children}
      {error !== null && (
        <p id={id} role="alert" className={css.error}>
          {error}
        </p>
      )}
    </div>
  );
}

interface AttributeProps extends Pick<Props, "tabs" | "named" | "attributeKeys"> {
  by: RankBy;
  onKey: (key: string) => void;
}

function AttributeChoice({ tabs, by, named, attributeKeys, onKey }: AttributeProps) {
  const key = by.kind === "attribute" ? by.key : "";
  // The key in use stays, though this profile may have nothing for it: a change of profile would take the choice away.
  const keys = named || attributeKeys.includes(key) ? attributeKeys : [...attributeKeys, key];
  if (keys.length === 0) return null;
  return (
    <select
      className={css.keys}
      aria-label="Attribute to list by"
      title="List by the values of any attribute"
      data-testid="attribute-key"
      data-chosen={!named || undefined}
      value={named ? "" : key}
      onChange={(event) => onKey(event.currentTarget.value)}
    >
      {named && (
        <option value="" disabled>
          Attribute
        </option>
      )}
      {keys.map((each) => (
        <option key={each} value={each}>
          {withHint(each, tabs)}
        </option>
      ))}
    </select>
  );
}

function withHint(key: string, tabs: ExplorerTab[]): string {
  const hint = attributeHint(key, tabs);
  return hint === "" ? visible(key, 60) : `${visible(key, 60)} (${hint})`;
}
