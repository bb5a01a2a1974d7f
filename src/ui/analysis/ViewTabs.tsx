import { useMemo } from "react";
import type { ViewName } from "../../model/query/query.ts";
import { Tabs } from "../tabs/Tabs.tsx";
import { type Parts, viewsOf } from "../views.ts";

interface Props {
  view: ViewName;
  parts: Parts;
  onView: (view: ViewName) => void;
  controls: string;
}

const tabs = (parts: Parts) =>
  viewsOf(parts).map(({ id, label, about }) => ({ id, label, tip: about, testId: `view-${id}` }));

/** The views of one selection. */
export function ViewTabs({ view, parts, onView, controls }: Props) {
  const rows = useMemo(() => tabs(parts), [parts]);
  return (
    <Tabs
      label="Views"
      look="underlined"
      tabs={rows}
      selected={view}
      onSelect={(id) => onView(id as ViewName)}
      controls={controls}
    />
  );
}
