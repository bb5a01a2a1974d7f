import type { Ref } from "react";
import type { TimelineName } from "../../../model/query/query.ts";
import { Button } from "../../primitives/icon/Icon.tsx";
import type { ViewProps } from "../answers/view-props.ts";
import css from "./Timeline.module.css";
import type { TimeQuery } from "./time-query.ts";

const TOGGLES: { timeline: TimelineName; label: string; title: string; testId: string }[] = [
  { timeline: "threads", label: "Threads", title: "Show a strip for each thread", testId: "lanes-toggle" },
  {
    timeline: "heat",
    label: "Heat map",
    title: "Show a column for each second, with 50 cells of 20 ms",
    testId: "heat-toggle",
  },
];

interface Props extends Pick<ViewProps, "act"> {
  ref: Ref<HTMLDivElement>;
  query: TimeQuery;
  /** The recordings have measurements of the JVM. */
  hasJvm: boolean;
}

/** What the timeline unfolds into. */
export function Toggles({ ref, query, act, hasJvm }: Props) {
  const { timeline: opened, jvm } = query;
  return (
    <div ref={ref} className={css.toggles}>
      {TOGGLES.map(({ timeline: name, label, title, testId }) => (
        <Toggle
          key={name}
          label={label}
          title={title}
          testId={testId}
          isOpen={opened === name}
          onClick={() => act({ kind: "timeline", timeline: opened === name ? "strip" : name })}
        />
      ))}
      {hasJvm && (
        <Toggle
          label="JVM"
          title="Show CPU, heap, threads and safepoints of the JVM"
          testId="jvm-toggle"
          isOpen={jvm}
          onClick={() => act({ kind: "jvm", jvm: !jvm })}
        />
      )}
    </div>
  );
}

interface ToggleProps {
  label: string;
  title: string;
  testId: string;
  isOpen: boolean;
  onClick: () => void;
}

function Toggle({ label, title, testId, isOpen, onClick }: ToggleProps) {
  return (
    <Button look="quiet" className={css.toggle} aria-expanded={isOpen} testId={testId} tip={title} onClick={onClick}>
      {label}
    </Button>
  );
}
