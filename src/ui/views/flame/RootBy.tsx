import { type ComponentProps, useId } from "react";
import type { QueryAction } from "../../../model/query/query.ts";
import {
  attributeRoot,
  hasLevel,
  ROOT_NAMES,
  type RootLevel,
  rootLabel,
  rootLevel,
} from "../../../model/query/root-by.ts";
import type { Measured } from "../../../model/words/measure.ts";
import { Select } from "../../primitives/field/Select.tsx";
import css from "./ViewSettings.module.css";

interface Props {
  profile: Measured;
  roots: readonly RootLevel[];
  act: (action: QueryAction) => void;
}

/** The attribute, or two, that stacks have for their first frames. */
export function RootBy({ profile, roots, act }: Props) {
  const id = useId();
  const [outer, inner] = roots;
  const set = (...names: string[]) => act({ kind: "roots", roots: names.flatMap((name) => rootLevel(name) ?? []) });
  return (
    <>
      <label className={css.label} htmlFor={id}>
        Root by
      </label>
      <span className={css.levels}>
        <Level
          id={id}
          testId="root-by"
          title="Add a frame above each stack for its endpoint, thread or another attribute"
          none="None"
          value={outer?.by ?? ""}
          names={namesFor(profile, outer)}
          onChange={(by) => set(...(by === "" ? [] : [by, inner !== undefined && inner.by !== by ? inner.by : ""]))}
        />
        {outer !== undefined && (
          <Level
            testId="root-by-then"
            aria-label="Root by, second level"
            title="Add a second frame below the first"
            none="No second level"
            value={inner?.by ?? ""}
            names={namesFor(profile, inner).filter((by) => by !== outer.by)}
            onChange={(by) => set(outer.by, by)}
          />
        )}
      </span>
    </>
  );
}

/** Levels that the profile has samples for, and the current one. */
function namesFor(profile: Measured, current: RootLevel | undefined): string[] {
  const known = ROOT_NAMES.filter((by) => hasLevel(rootLevel(by)!, profile));
  const attributes = Object.keys(profile.samplesWithAttribute).map(attributeRoot);
  return [...new Set([...known, ...attributes, ...(current === undefined ? [] : [current.by])])];
}

interface LevelProps extends Omit<ComponentProps<typeof Select>, "options"> {
  /** Words for no level. */
  none: string;
  names: readonly string[];
}

function Level({ none, names, ...props }: LevelProps) {
  return (
    <Select
      {...props}
      className={css.level}
      options={[["", none], ...names.map((by) => [by, rootLabel(by)] as const)]}
    />
  );
}
