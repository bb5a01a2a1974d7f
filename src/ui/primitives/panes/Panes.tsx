import { ListFilter, PanelLeftClose, PanelLeftOpen } from "lucide-react";
import type { ReactNode } from "react";
import { memo } from "react";
import { Group, Panel, Separator, useDefaultLayout } from "react-resizable-panels";
import { Button, Icon, IconButton } from "../icon/Icon.tsx";
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

/** The list beside the rest, as wide as it was made last; in a narrow window a sheet over the rest. */
export function Panes({ pane, list, children }: Props) {
  return pane.narrow ? <Narrow {...{ pane, list, children }} /> : <Wide {...{ pane, list, children }} />;
}

function Narrow({ pane, list, children }: Props) {
  const Sheet = useLazy(pane.open ? SHEET : null, toastFailure);
  return (
    <>
      {children}
      {Sheet !== null && (
        <Sheet title={LIST_TITLE} open={pane.open} onClose={() => pane.setOpen(false)}>
          {list}
        </Sheet>
      )}
    </>
  );
}

function Wide({ pane, list, children }: Props) {
  const panelIds = pane.open ? ["list", "main"] : ["main"];
  const layout = useDefaultLayout({ id: "panes", panelIds, storage, onlySaveAfterUserInteractions: true });
  return (
    <Group className={css.group} {...layout}>
      {pane.open && (
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
  );
}

/** Opens and closes the list: the pane beside the graph, or the sheet over it. */
export const ListToggle = memo(function ListToggle({ narrow, open, setOpen }: ListPane) {
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
      testId="list-toggle"
      aria-expanded={open}
      onClick={() => setOpen(!open)}
    />
  );
});
