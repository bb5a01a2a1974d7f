import { ChevronDown } from "lucide-react";
import { type ComponentProps, memo, type ReactNode, useEffect, useRef } from "react";
import { Button, Icon } from "../../primitives/icon/Icon.tsx";
import { Lazy, useLazy } from "../../primitives/lazy/lazy.ts";
import { useStored } from "../../primitives/panes/use-stored.ts";
import type { CallTimeline } from "./CallTimeline.tsx";
import css from "./Timeline.module.css";
import { Timeline } from "./Timeline.tsx";

type Shown = "onHide" | "focused";

const CALL_TIMELINE = new Lazy(() => import("./CallTimeline.tsx").then(({ CallTimeline }) => CallTimeline));

/** The timeline of samples. */
export const TimelinePane = memo(function TimelinePane(props: Omit<ComponentProps<typeof Timeline>, Shown>) {
  const { timeline } = props.query;
  return <Hideable timeline={timeline}>{(shown) => <Timeline {...props} {...shown} />}</Hideable>;
});

/** The timeline of calls of dumps. */
export const CallTimelinePane = memo(function CallTimelinePane(
  props: Omit<ComponentProps<typeof CallTimeline>, Shown>,
) {
  const Loaded = useLazy(CALL_TIMELINE);
  return <Hideable timeline="strip">{(shown) => Loaded !== null && <Loaded {...props} {...shown} />}</Hideable>;
});

interface HideableProps {
  /** What a timeline shows: another kind brings it back. */
  timeline: string;
  children: (shown: { focused: boolean; onHide: () => void }) => ReactNode;
}

/** There a line is all that it takes until it is asked for. */
const PHONE = "(max-width: 600px)";

/** A timeline, or a line that brings it back; this browser remembers which. */
function Hideable({ timeline, children }: HideableProps) {
  const [open, setOpen] = useStored("timeline", !matchMedia(PHONE).matches);
  /** The focus is on the button that was pressed, not where it was. */
  const toggled = useRef(false);
  const before = useRef(timeline);
  useEffect(() => {
    // A command or a link asks for the lanes or the heat map.
    if (timeline !== before.current && timeline !== "strip") setOpen(true);
    before.current = timeline;
  }, [timeline, setOpen]);
  useEffect(() => {
    toggled.current = false;
  });
  const toggle = (next: boolean) => {
    toggled.current = true;
    setOpen(next);
  };
  if (open) return children({ focused: toggled.current, onHide: () => toggle(false) });
  return (
    <div className={css.hidden}>
      <Button
        ref={(button) => {
          if (toggled.current) button?.focus();
        }}
        look="quiet"
        aria-expanded="false"
        testId="timeline-show"
        onClick={() => toggle(true)}
      >
        <Icon of={ChevronDown} size={14} />
        Timeline
      </Button>
    </div>
  );
}
