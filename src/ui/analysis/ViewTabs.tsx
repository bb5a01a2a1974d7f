import type { ViewName } from "../../model/query/query.ts";
import { Tabs } from "../tabs/Tabs.tsx";
import { viewsOf } from "../views.ts";

interface Props {
  view: ViewName;
  hasCalls: boolean;
  onView: (view: ViewName) => void;
  controls: string;
}

const tabs = (hasCalls: boolean) =>
  viewsOf(hasCalls).map(({ id, label, about }) => ({ id, label, tip: about, testId: `view-${id}` }));
const TABS = tabs(false);
const TABS_OF_CALLS = tabs(true);

/** The views of one selection. */
export function ViewTabs({ view, hasCalls, onView, controls }: Props) {
  return (
    <Tabs
      label="Views"
      look="underlined"
      tabs={hasCalls ? TABS_OF_CALLS : TABS}
      selected={view}
      onSelect={(id) => onView(id as ViewName)}
      controls={controls}
    />
  );
}
