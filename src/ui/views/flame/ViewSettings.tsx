import { useId } from "react";
import type { Colouring } from "../../../model/query/look.ts";
import type { QueryState } from "../../../model/query/query.ts";
import type { Recursion } from "../../../model/query/shape.ts";
import { type Truncated, truncatedOf } from "../../../model/query/truncated.ts";
import type { ViewSettingsProps } from "../../parts/answers/surroundings.ts";
import { Choice } from "../../primitives/choice/Choice.tsx";
import { useDebouncedText } from "../../primitives/debounce/use-debounced-text.ts";
import { CollapseRuns } from "./CollapseRuns.tsx";
import { PatternForm } from "./PatternForm.tsx";
import { RootBy } from "./RootBy.tsx";
import css from "./ViewSettings.module.css";

const DIRECTIONS = [
  { value: "down", label: "Icicle", title: "Root at the top, callees below" },
  { value: "up", label: "Flame", title: "Root at the bottom, callees above" },
];
const RECURSIONS: { value: Recursion; label: string; title: string }[] = [
  { value: "kept", label: "Show", title: "Show a frame for every call" },
  { value: "direct", label: "Collapse direct", title: "Collapse direct calls of a function to itself into one frame" },
  { value: "all", label: "Collapse all", title: "Fold recursive calls into the outermost frame of the function" },
];
const COLOURINGS: { value: Colouring; label: string; title: string }[] = [
  { value: "package", label: "Package", title: "One hue for each family of code and each package of your application" },
  { value: "kind", label: "Frame type", title: "Java, native or kernel, as recorded" },
  { value: "origin", label: "Application code", title: "Your application, libraries and the JDK" },
];

const TRUNCATED: { value: Truncated; label: string; title: string }[] = [
  { value: "shown", label: "Separate", title: "Show them under a [truncated] frame, last in the graph" },
  { value: "left-out", label: "Exclude", title: "Show only complete stacks" },
  { value: "at-root", label: "At the root", title: "Start them at the root, without their missing callers" },
];

/** Typing waits so long for the next letter. */
const PAUSE_MS = 300;

/** Settings of the graph, in the view menu. */
export function ViewSettings(props: ViewSettingsProps) {
  const { profile, query, isGraph = true, grouping, act } = props;
  const { look, shape } = query;
  const merge = useId();
  return (
    <div className={css.settings}>
      {grouping !== undefined && (
        <>
          <span className={css.label}>Frames by</span>
          {grouping}
        </>
      )}
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
      <Folds look={look} act={act} />
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
        about="show line numbers, with a frame for each line"
        testId="lines"
        checked={shape.lines}
        onCheck={(lines) => act({ kind: "lines", lines })}
      />
      <Check
        label="Raw names"
        about="show numbers and addresses in generated names"
        testId="raw-names"
        checked={look.rawNames}
        onCheck={(rawNames) => act({ kind: "look", look: { rawNames } })}
      />
      <label className={css.label} htmlFor={merge}>
        Merge
      </label>
      <PatternForm
        id={merge}
        testId="merge"
        title="Regular expression: matching frames are removed and their self value moves to the caller"
        button="Merge"
        onPattern={(pattern) => act({ kind: "add", chip: { kind: "merged", pattern } })}
      />
      {isGraph && <Colours look={look} act={act} />}
    </div>
  );
}

/** Frames that are one unless the user wants to see them. */
function Folds({ look, act }: Pick<ViewSettingsProps, "act"> & Pick<QueryState, "look">) {
  return (
    <>
      <Check
        label="Prefix"
        about="show the servers and thread pools that nearly all samples begin with as one frame"
        testId="folded-prefix"
        checked={look.folded}
        onCheck={(folded) => act({ kind: "look", look: { folded } })}
      />
      <Check
        label="Profiler"
        about="show signal handlers and threads of profilers and agents as one frame in graphs and the tree"
        testId="folded-profiler"
        checked={!look.profiler}
        onCheck={(folded) => act({ kind: "look", look: { profiler: !folded } })}
      />
    </>
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

/** A setting that is on or off: label, check box and description. */
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

function OwnField({ id, value, onChange }: { id: string; value: string; onChange: (value: string) => void }) {
  const [text, setText] = useDebouncedText(value, PAUSE_MS, onChange);
  return (
    <input
      id={id}
      className={css.own}
      data-testid="own"
      placeholder="com.acme, shop."
      title="Name prefixes, separated by commas; by default everything outside the JDK and known libraries"
      maxLength={500}
      spellCheck={false}
      autoComplete="off"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}
