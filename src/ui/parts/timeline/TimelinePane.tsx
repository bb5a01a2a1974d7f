import { ChevronDown } from "lucide-react";
import { type ComponentProps, memo, type ReactNode, useEffect, useRef, useState } from "react";
import { Button, Icon } from "../../primitives/icon/Icon.tsx";
import { Lazy, useLazy } from "../../primitives/lazy/lazy.ts";
import { useMedia, useStored } from "../../primitives/panes/use-stored.ts";
import type { CallTimeline } from "./CallTimeline.tsx";
import css from "./Timeline.module.css";
import { Timeline } from "./Timeline.tsx";
import type { Shown } from "./ZoomTools.tsx";

const CALL_TIMELINE = new Lazy(() => import("./CallTimeline.tsx").then(({ CallTimeline }) => CallTimeline));

/** The timeline of samples. */
export const TimelinePane = memo(function TimelinePane(props: Omit<ComponentProps<typeof Timeline>, keyof Shown>) {
  const { timeline, jvm } = props.query;
  const opened = `${timeline === "strip" ? "" : timeline}${jvm ? " jvm" : ""}`;
  return <Low opened={opened}>{(shown) => <Timeline {...props} {...shown} />}</Low>;
});

/** The timeline of calls of dumps. */
export const CallTimelinePane = memo(function CallTimelinePane(
  props: Omit<ComponentProps<typeof CallTimeline>, keyof Shown>,
) {
  const Loaded = useLazy(CALL_TIMELINE);
  return <Low opened="">{(shown) => Loaded !== null && <Loaded {...props} {...shown} />}</Low>;
});

interface LowProps {
  /** What the timeline unfolds into: it needs the room. */
  opened: string;
  children: (shown: Shown) => ReactNode;
}

/** There a line without a plot is all that it takes until it is asked for. */
const PHONE = "(max-width: 600px)";

/**
 * A timeline of one low row, which is whole over what is below it while the pointer or the focus is there. It takes the
 * room of all of it once the user wants to keep it open, which this browser remembers.
 */
function Low({ opened, children }: LowProps) {
  const phone = useMedia(PHONE);
  const [kept, setKept] = useStored("timeline", false);
  const [asked, setAsked] = useState(!phone && opened !== "");
  /** The focus is on the button that was pressed, not where it was. */
  const toggled = useRef(false);
  const before = useRef(opened);
  useEffect(() => {
    // A command or a link asks for the lanes or the heat map.
    if (opened !== before.current) setAsked(opened !== "");
    before.current = opened;
  }, [opened]);
  useEffect(() => {
    toggled.current = false;
  });
  const open = kept || asked;
  const onToggle = () => {
    toggled.current = true;
    setKept(!open);
    setAsked(false);
  };
  if (open || !phone) {
    return (
      <div
        className={css.place}
        data-low={!open || undefined}
        onClickCapture={(event) => {
          // A finger does not point first: its tap opens the timeline, and presses nothing in it.
          if (open || (event.nativeEvent as PointerEvent).pointerType !== "touch") return;
          event.stopPropagation();
          onToggle();
        }}
      >
        {children({ low: !open, focused: toggled.current, onToggle })}
      </div>
    );
  }
  return (
    <div className={css.hidden}>
      <Button
        ref={(button) => {
          if (toggled.current) button?.focus();
        }}
        look="quiet"
        aria-expanded="false"
        testId="timeline-show"
        onClick={onToggle}
      >
        <Icon of={ChevronDown} size={14} />
        Timeline
      </Button>
    </div>
  );
}
