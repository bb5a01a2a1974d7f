import { Share2 } from "lucide-react";
import { Icon } from "../icon/Icon.tsx";
import { Popover } from "../popover/Popover.tsx";
import { SharePanel, type SharePanelProps } from "./SharePanel.tsx";

/** The button "Share" and its panel. */
export function Share(props: SharePanelProps) {
  return (
    <Popover label={<Icon of={Share2} />} look="icon" name="Share" title="Share" testId="share">
      {() => <SharePanel {...props} />}
    </Popover>
  );
}
