import { Ellipsis } from "lucide-react";
import type { MouseEvent } from "react";
import type { FrameDetail } from "../../model/flame/detail.ts";
import { detailParts } from "../../model/flame/detail.ts";
import { FrameName } from "../grid/FrameName.tsx";
import { IconButton } from "../icon/IconButton.tsx";
import css from "./FrameLine.module.css";

interface Props {
  detail: FrameDetail;
  /** Opens the menu of the current frame. */
  onMenu: (event: MouseEvent) => void;
}

/**
 * The words about one frame in full, and a button for its menu: for users with neither a second mouse button nor keys.
 */
export function FrameLine({ detail, onMenu }: Props) {
  const parts = detailParts(detail).join(" · ");
  return (
    <div className={css.line} part="detail">
      <div className={css.words} data-testid="frame-detail">
        <span className={css.name} title={detail.name}>
          <FrameName text={detail.name} />
        </span>
        <span className={css.parts} title={parts}>
          {parts}
        </span>
      </div>
      <IconButton
        className={css.menu}
        icon={Ellipsis}
        label="Frame menu"
        tip="Actions for the frame (Shift+F10 or right click)"
        testId="frame-menu-open"
        aria-haspopup="menu"
        onClick={onMenu}
      />
    </div>
  );
}
