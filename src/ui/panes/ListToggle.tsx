import { ListFilter, PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { memo } from "react";
import { Icon } from "../icon/Icon.tsx";
import { IconButton } from "../icon/IconButton.tsx";
import css from "./Panes.module.css";
import { LIST_TITLE } from "./Panes.tsx";
import type { ListPane } from "./use-list-pane.ts";

/** Opens and closes the list: the pane beside the graph, or the sheet over it. */
export const ListToggle = memo(function ListToggle({ narrow, open, setOpen }: ListPane) {
  if (narrow) {
    return (
      <button
        type="button"
        className={css.toggle}
        aria-label={LIST_TITLE}
        data-testid="drawer"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon of={ListFilter} /> <span className={css.label}>{LIST_TITLE}</span>
      </button>
    );
  }
  return (
    <IconButton
      icon={open ? PanelLeftClose : PanelLeftOpen}
      label={`${LIST_TITLE}: ${open ? "hide" : "show"}`}
      testId="list-toggle"
      aria-expanded={open}
      onClick={() => setOpen(!open)}
    />
  );
});
