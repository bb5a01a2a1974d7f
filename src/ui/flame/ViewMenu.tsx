import type { QueryAction, QueryState } from "../../model/query/query.ts";
import type { Failure } from "../../worker/api.ts";
import { VIEW_SETTINGS } from "../part/parts.ts";
import { usePart } from "../part/use-part.ts";
import { Popover } from "../popover/Popover.tsx";
import type { Drawing } from "./use-frames.ts";

export interface ViewMenuProps {
  query: QueryState;
  act: (action: QueryAction) => void;
  drawing: Drawing | null;
  dark: boolean;
  onFailure: (failure: Failure) => void;
}

/** How the graph is drawn, and what its colours say. */
export function ViewMenu(props: ViewMenuProps) {
  return (
    <Popover label="View ▾" title="How the graph is drawn" testId="view-menu">
      {() => <Settings {...props} />}
    </Popover>
  );
}

function Settings(props: ViewMenuProps) {
  const ViewSettings = usePart(VIEW_SETTINGS, props.onFailure);
  return ViewSettings !== null && <ViewSettings {...props} />;
}
