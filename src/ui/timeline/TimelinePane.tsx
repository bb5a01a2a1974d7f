import { ChevronDown } from "lucide-react";
import { type ComponentProps, memo, useEffect, useRef } from "react";
import { Icon } from "../icon/Icon.tsx";
import { useStored } from "../panes/use-stored.ts";
import css from "./Timeline.module.css";
import { Timeline } from "./Timeline.tsx";

/** The timeline, or a line that brings it back; this browser remembers which. */
export const TimelinePane = memo(function TimelinePane(
  props: Omit<ComponentProps<typeof Timeline>, "onHide" | "focused">,
) {
  const [open, setOpen] = useStored("timeline", true);
  /** The focus is on the button that was pressed, not where it was. */
  const toggled = useRef(false);
  const { timeline } = props.query;
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
  if (open) return <Timeline {...props} focused={toggled.current} onHide={() => toggle(false)} />;
  return (
    <div className={css.hidden}>
      <button
        ref={(button) => {
          if (toggled.current) button?.focus();
        }}
        type="button"
        data-look="quiet"
        aria-expanded="false"
        data-testid="timeline-show"
        onClick={() => toggle(true)}
      >
        <Icon of={ChevronDown} size={14} />
        Timeline
      </button>
    </div>
  );
});
