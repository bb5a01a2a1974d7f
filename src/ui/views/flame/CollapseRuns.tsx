import { useId, useState } from "react";
import type { QueryAction } from "../../../model/query/query.ts";
import { LONGEST_NAME, PRESET_NAMES, presetRule, RUN_PRESETS, type RunRule } from "../../../model/query/run-rules.ts";
import { PatternForm } from "./PatternForm.tsx";
import css from "./ViewSettings.module.css";

interface Props {
  runs: readonly RunRule[];
  act: (action: QueryAction) => void;
}

/** Rules for runs of frames that are one frame: presets to switch on, and the user's rules to add. */
export function CollapseRuns({ runs, act }: Props) {
  return (
    <>
      <span className={css.label}>Collapse runs</span>
      <fieldset className={css.presets} aria-label="Collapse runs">
        {PRESET_NAMES.filter((preset) => preset !== "profiler").map((preset) => (
          <Preset key={preset} preset={preset} runs={runs} act={act} />
        ))}
      </fieldset>
      <OwnRule act={act} />
    </>
  );
}

function Preset({ preset, runs, act }: Props & { preset: string }) {
  const rule = presetRule(preset)!;
  const current = runs.find(({ name }) => name === rule.name);
  const { name, about, border } = RUN_PRESETS.get(preset)!;
  const what = border
    ? `Leave out the frames of ${about}`
    : `Neighbouring frames of ${about} are one frame, which a click opens`;
  return (
    <label title={what}>
      <input
        type="checkbox"
        data-testid={`collapse-${preset}`}
        checked={current !== undefined}
        onChange={() =>
          act({ kind: current === undefined ? "add" : "remove", chip: { kind: "run", ...(current ?? rule) } })
        }
      />{" "}
      {name}
    </label>
  );
}

function OwnRule({ act }: Pick<Props, "act">) {
  const id = useId();
  const [name, setName] = useState("");
  return (
    <>
      <label className={css.label} htmlFor={id}>
        Own rule
      </label>
      <PatternForm
        id={`${id}-pattern`}
        testId="rule-pattern"
        label="Pattern of the rule"
        title="Regular expression: adjacent frames that match become one frame"
        placeholder="/…/"
        button="Add"
        isReady={name.trim() !== ""}
        onPattern={(pattern) => {
          act({ kind: "add", chip: { kind: "run", name: name.trim(), pattern } });
          setName("");
        }}
      >
        <input
          id={id}
          className={css.own}
          data-testid="rule-name"
          placeholder="name"
          maxLength={LONGEST_NAME}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </PatternForm>
    </>
  );
}
