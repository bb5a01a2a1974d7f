import { ChevronDown, SlidersHorizontal } from "lucide-react";
import { Icon } from "../icon/Icon.tsx";
import { likelySoon, useLazy } from "../lazy/lazy.ts";
import { Popover } from "../popover/Popover.tsx";
import type { ViewSettingsProps } from "../surroundings.ts";

const VIEW_SETTINGS = likelySoon(() => import("./ViewSettings.tsx").then(({ ViewSettings }) => ViewSettings));

const LABEL = (
  <>
    <Icon of={SlidersHorizontal} size={14} /> View <Icon of={ChevronDown} size={14} />
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
  const ViewSettings = useLazy(VIEW_SETTINGS, props.onFailure);
  return ViewSettings !== null && <ViewSettings {...props} />;
}
