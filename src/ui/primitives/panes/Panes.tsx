import { ListFilter, PanelLeftClose, PanelLeftOpen } from "lucide-react";
import type { ReactNode } from "react";
import { memo, useCallback } from "react";
import { Group, Panel, Separator, useDefaultLayout } from "react-resizable-panels";
import { Button, Icon, IconButton } from "../icon/Icon.tsx";
import { useKeys } from "../keys/use-keys.ts";
import { likelySoon, useLazy } from "../lazy/lazy.ts";
import { toastFailure } from "../toast/toasts.ts";
import css from "./Panes.module.css";
import type { ListPane } from "./use-list-pane.ts";
import { storage } from "./use-stored.ts";

const SHEET = likelySoon(() => import("./Sheet.tsx").then(({ Sheet }) => Sheet));

const LIST_TITLE = "Traces & filters";
/** The list until the user chooses a width: so wide, but no greater part of the window. */
const LIST_PX = 374;
const LIST_SHARE = 0.3;

interface Props {
  pane: ListPane;
  list: ReactNode;
  children: ReactNode;
}

/**
 * The list beside the rest, as wide as it was made last; in a narrow window a sheet over the rest. The rest keeps its
 * place in the tree, so it keeps what the user opened in it while the window becomes narrow or wide.
 */
export function Panes({ pane: { narrow, open, setOpen }, list, children }: Props) {
  const isBeside = open && !narrow;
  const panelIds = isBeside ? ["list", "main"] : ["main"];
  const layout = useDefaultLayout({ id: "panes", panelIds, storage, onlySaveAfterUserInteractions: true });
  const Sheet = useLazy(open && narrow ? SHEET : null, toastFailure);
  return (
    <>
      <Group className={css.group} {...layout}>
        {isBeside && (
          <>
            <Panel
              id="list"
              className={css.pane}
              defaultSize={Math.round(Math.min(LIST_PX, LIST_SHARE * innerWidth))}
              minSize={260}
              maxSize="50%"
              groupResizeBehavior="preserve-pixel-size"
            >
              {list}
            </Panel>
            <Separator className={css.separator} aria-label={`Width of ${LIST_TITLE}`} />
          </>
        )}
        <Panel id="main" className={css.pane} minSize={320}>
          {children}
        </Panel>
      </Group>
      {Sheet !== null && narrow && (
        <Sheet title={LIST_TITLE} open={open} onClose={() => setOpen(false)}>
          {list}
        </Sheet>
      )}
    </>
  );
}

/** Opens and closes the list: the pane beside the graph, or the sheet over it. */
export const ListToggle = memo(function ListToggle({ narrow, open, setOpen }: ListPane) {
  const onKey = useCallback(
    ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      if (key.toLowerCase() !== "e" || ctrlKey || metaKey || altKey) return false;
      setOpen(!open);
      return true;
    },
    [open, setOpen],
  );
  useKeys(onKey);
  if (narrow) {
    return (
      <Button
        className={css.toggle}
        aria-label={LIST_TITLE}
        testId="drawer"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon of={ListFilter} /> <span className={css.label}>{LIST_TITLE}</span>
      </Button>
    );
  }
  return (
    <IconButton
      icon={open ? PanelLeftClose : PanelLeftOpen}
      label={`${LIST_TITLE}: ${open ? "hide" : "show"}`}
      aria-keyshortcuts="E"
      testId="list-toggle"
      aria-expanded={open}
      onClick={() => setOpen(!open)}
    />
  );
});
