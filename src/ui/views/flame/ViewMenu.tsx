import { ChevronDown, SlidersHorizontal } from "lucide-react";
import type { ViewSettingsProps } from "../../parts/answers/surroundings.ts";
import { Icon } from "../../primitives/icon/Icon.tsx";
import { likelySoon, useLazy } from "../../primitives/lazy/lazy.ts";
import { Popover } from "../../primitives/popover/Popover.tsx";
import css from "./FlameView.module.css";

const VIEW_SETTINGS = likelySoon(() => import("./ViewSettings.tsx").then(({ ViewSettings }) => ViewSettings));

const LABEL = (
  <>
    <Icon of={SlidersHorizontal} size={14} /> <span className={css.word}>View</span> <Icon of={ChevronDown} size={14} />
  </>
);

/** How the graph is drawn, and how it is coloured. */
export function ViewMenu(props: ViewSettingsProps) {
  return (
    <Popover label={LABEL} title="How the graph is drawn" testId="view-menu">
      {() => <Settings {...props} />}
    </Popover>
  );
}

function Settings(props: ViewSettingsProps) {
  const ViewSettings = useLazy(VIEW_SETTINGS);
  return ViewSettings !== null && <ViewSettings {...props} />;
}
