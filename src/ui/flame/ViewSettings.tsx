import { useEffect, useId, useState } from "react";
import type { Colouring } from "../../model/query/look.ts";
import type { QueryAction, QueryState } from "../../model/query/query.ts";
import type { Recursion } from "../../model/query/shape.ts";
import { type Truncated, truncatedOf } from "../../model/query/truncated.ts";
import type { Measured } from "../../model/recording/measure.ts";
import type { Failure } from "../../worker/api.ts";
import { Choice } from "../choice/Choice.tsx";
import { usePattern } from "../search/use-pattern.ts";
import { CollapseRuns } from "./CollapseRuns.tsx";
import { RootBy } from "./RootBy.tsx";
import css from "./ViewSettings.module.css";

export interface ViewSettingsProps {
  profile: Measured;
  query: QueryState;
  /** The view draws a graph: with its direction and its colours. */
  isGraph?: boolean;
  act: (action: QueryAction) => void;
  onFailure: (failure: Failure) => void;
}

const DIRECTIONS = [
  { value: "down", label: "Icicle", title: "The root on top, what it calls below" },
  { value: "up", label: "Flame", title: "The root at the bottom, what it calls above" },
];
const RECURSIONS: { value: Recursion; label: string; title: string }[] = [
  { value: "kept", label: "Kept", title: "Every call is a frame" },
  { value: "direct", label: "Direct", title: "A function that calls itself is one frame" },
  { value: "all", label: "All", title: "A function that comes again below itself goes back to its frame further out" },
];
const COLOURINGS: { value: Colouring; label: string; title: string }[] = [
  { value: "package", label: "Package", title: "Families of code; a hue for each package of your application" },
  { value: "kind", label: "Frame type", title: "Java, native or kernel, as the recording says" },
  { value: "origin", label: "Application code", title: "Your application, libraries, the JDK" },
];

const TRUNCATED: { value: Truncated; label: string; title: string }[] = [
  { value: "shown", label: "Apart", title: "Below a frame [truncated], last in the graph" },
  { value: "left-out", label: "Left out", title: "Only samples with complete stacks" },
  { value: "at-root", label: "At the root", title: "Their known frames begin at the root: outer callers are missing" },
];

/** Typing waits so long for the next letter. */
const PAUSE_MS = 300;

/** Settings of the graph: what the view menu opens. */
export function ViewSettings(props: ViewSettingsProps) {
  const { profile, query, isGraph = true, act } = props;
  const { look, shape } = query;
  const merge = useId();
  return (
    <div className={css.settings}>
      {isGraph && (
        <>
          <span className={css.label}>Direction</span>
          <Choice
            legend="Direction"
            options={DIRECTIONS}
            value={look.up ? "up" : "down"}
            onChange={(value) => act({ kind: "look", look: { up: value === "up" } })}
            testId="direction"
          />
        </>
      )}
      <RootBy profile={profile} roots={shape.roots} act={act} />
      <CollapseRuns runs={shape.runs} act={act} />
      <span className={css.label}>Recursion</span>
      <Choice
        legend="Recursion"
        options={RECURSIONS}
        value={shape.recursion}
        onChange={(recursion) => act({ kind: "recursion", recursion })}
        testId="recursion"
      />
      <span className={css.label}>Truncated stacks</span>
      <Choice
        legend="Truncated stacks"
        options={TRUNCATED}
        value={truncatedOf(query)}
        onChange={(how) => act({ kind: "truncated", how })}
        testId="truncated"
      />
      <Check
        label="Lines"
        about="a frame for each line of a function"
        testId="lines"
        checked={shape.lines}
        onCheck={(lines) => act({ kind: "lines", lines })}
      />
      <Check
        label="Raw names"
        about="numbers and addresses of generated names"
        testId="raw-names"
        checked={look.rawNames}
        onCheck={(rawNames) => act({ kind: "look", look: { rawNames } })}
      />
      <label className={css.label} htmlFor={merge}>
        Merge
      </label>
      <MergeField id={merge} onMerge={(pattern) => act({ kind: "add", chip: { kind: "merged", pattern } })} />
      {isGraph && <Colours look={look} act={act} />}
    </div>
  );
}

function Colours({ look, act }: Pick<ViewSettingsProps, "act"> & Pick<QueryState, "look">) {
  const own = useId();
  return (
    <>
      <span className={css.label}>Colour by</span>
      <Choice
        legend="Colour by"
        options={COLOURINGS}
        value={look.colouring}
        onChange={(colouring) => act({ kind: "look", look: { colouring } })}
        testId="colouring"
      />
      {look.colouring !== "kind" && (
        <>
          <label className={css.label} htmlFor={own}>
            Your packages
          </label>
          <OwnField id={own} value={look.own} onChange={(value) => act({ kind: "look", look: { own: value } })} />
        </>
      )}
    </>
  );
}

interface CheckProps {
  label: string;
  about: string;
  testId: string;
  checked: boolean;
  onCheck: (checked: boolean) => void;
}

/** A setting that is on or off: its label, the box and what it shows. */
function Check({ label, about, testId, checked, onCheck }: CheckProps) {
  const id = useId();
  return (
    <>
      <label className={css.label} htmlFor={id}>
        {label}
      </label>
      <span>
        <input
          id={id}
          type="checkbox"
          data-testid={testId}
          checked={checked}
          onChange={(event) => onCheck(event.currentTarget.checked)}
        />{" "}
        {about}
      </span>
    </>
  );
}

/** Merges whatever a pattern finds; which ones are merged the chips say. */
function MergeField({ id, onMerge }: { id: string; onMerge: (pattern: string) => void }) {
  const [text, setText] = useState("");
  const { expression, error } = usePattern(text);
  return (
    <form
      className={css.merge}
      onSubmit={(event) => {
        event.preventDefault();
        if (expression === null) return;
        onMerge(text);
        setText("");
      }}
    >
      <input
        id={id}
        className={css.own}
        data-testid="merge"
        placeholder="frames matching /…/"
        title="A regular expression: frames it finds are not shown, and what they took is their caller's"
        maxLength={500}
        spellCheck={false}
        autoComplete="off"
        value={text}
        aria-invalid={error !== null}
        aria-describedby={`${id}-error`}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" data-testid="merge-do" disabled={expression === null}>
        Merge
      </button>
      <span id={`${id}-error`} role="status" className={css.error} data-testid="merge-error">
        {error ?? ""}
      </span>
    </form>
  );
}

interface OwnProps {
  id: string;
  value: string;
  onChange: (value: string) => void;
}

function OwnField({ id, value, onChange }: OwnProps) {
  const [text, setText] = useState(value);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return (
    <input
      id={id}
      className={css.own}
      data-testid="own"
      placeholder="com.acme, shop."
      title="Beginnings of names, separated by commas; without one, whatever is neither JDK nor a well-known library"
      maxLength={500}
      spellCheck={false}
      autoComplete="off"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}
