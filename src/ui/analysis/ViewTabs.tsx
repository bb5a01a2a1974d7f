import type { ViewName } from "../../model/query/query.ts";
import { Tabs } from "../tabs/Tabs.tsx";
import { VIEW_ROWS } from "../views.ts";

interface Props {
  view: ViewName;
  onView: (view: ViewName) => void;
  controls: string;
}

const TABS = VIEW_ROWS.map(({ id, label, about }) => ({ id, label, tip: about, testId: `view-${id}` }));

/** The views of one selection. */
export function ViewTabs({ view, onView, controls }: Props) {
  return (
    <Tabs
      label="Views"
      look="underlined"
      tabs={TABS}
      selected={view}
      onSelect={(id) => onView(id as ViewName)}
      controls={controls}
    />
  );
}
