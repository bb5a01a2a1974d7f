import { useEffect } from "react";
import type { QueryAction, QueryState } from "../../model/query.ts";
import type { Failure } from "../../worker/api.ts";
import { useLoaded } from "../dialog/use-loaded.ts";
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
  const { loaded, show } = useLoaded(() => import("./ViewSettings.tsx"), props.onFailure);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the panel opens
  useEffect(show, []);
  return loaded && <loaded.ViewSettings {...props} />;
}
