import type { ReactNode } from "react";
import { Group, Panel, Separator, useDefaultLayout } from "react-resizable-panels";
import { likelySoon } from "../lazy/lazy.ts";
import { useLazy } from "../lazy/use-lazy.ts";
import { toastFailure } from "../toast/toasts.ts";
import css from "./Panes.module.css";
import type { ListPane } from "./use-list-pane.ts";
import { storage } from "./use-stored.ts";

const SHEET = likelySoon(() => import("./Sheet.tsx").then(({ Sheet }) => Sheet));

export const LIST_TITLE = "Traces & filters";

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
            defaultSize={374}
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
