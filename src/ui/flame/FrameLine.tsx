import type { MouseEvent } from "react";
import type { FrameDetail } from "../../model/flame/detail.ts";
import { detailParts } from "../../model/flame/detail.ts";
import css from "./FrameLine.module.css";

interface Props {
  detail: FrameDetail;
  /** The menu of the frame that keys have in hand. */
  onMenu: (event: MouseEvent) => void;
}

/** One frame in full, and the way to what can be done with it for who has neither a second button nor keys. */
export function FrameLine({ detail, onMenu }: Props) {
  return (
    <div className={css.line}>
      <div className={css.words} data-testid="frame-detail">
        <bdi className={css.name} title={detail.name}>
          {detail.name}
        </bdi>
        <span className={css.parts}>{detailParts(detail).join(" · ")}</span>
      </div>
      <button
        type="button"
        className={css.menu}
        data-testid="frame-menu-open"
        aria-label="Frame menu"
        aria-haspopup="menu"
        title="What can be done with the frame (Shift+F10, or a right click on it)"
        onClick={onMenu}
      >
        ⋯
      </button>
    </div>
  );
}
