import { Ellipsis } from "lucide-react";
import type { MouseEvent, ReactNode } from "react";
import type { FrameDetail } from "../../../model/flame/detail.ts";
import { detailParts } from "../../../model/flame/detail.ts";
import { FrameName } from "../../parts/grid/FrameName.tsx";
import { IconButton } from "../../primitives/icon/Icon.tsx";
import css from "./FrameLine.module.css";

interface Props {
  detail: FrameDetail;
  /** Opens the menu of the current frame. */
  onMenu: (event: MouseEvent) => void;
  /** The details of the current frame, of calls of dumps; null elsewhere. */
  onDetails: (() => void) | null;
}

/**
 * The words about one frame in full, and a button for its menu: for users with neither a second mouse button nor keys.
 */
export function FrameLine({ detail, onMenu, onDetails }: Props) {
  return (
    <DetailLine name={detail.name} parts={detailParts(detail)}>
      {onDetails !== null && (
        <button
          type="button"
          className={css.menu}
          data-tip="Invocations, parameters and SQL of the current frame (D)"
          data-testid="frame-details-open"
          onClick={onDetails}
        >
          Details
        </button>
      )}
      <IconButton
        className={css.menu}
        icon={Ellipsis}
        label="Frame menu"
        tip="Actions for the frame (Shift+F10 or right click)"
        testId="frame-menu-open"
        aria-haspopup="menu"
        onClick={onMenu}
      />
    </DetailLine>
  );
}

interface LineProps {
  name: string;
  parts: readonly string[];
  /** A button at the end, with the class `buttonOfLine`. */
  children?: ReactNode;
}

export const buttonOfLine = css.menu;

/** A frame's name, and facts about it below. */
export function DetailLine({ name, parts, children }: LineProps) {
  const facts = parts.join(" · ");
  return (
    <div className={css.line} part="detail">
      <div className={css.words} data-testid="frame-detail">
        <span className={css.name} title={name}>
          <FrameName text={name} />
        </span>
        <span className={css.parts} title={facts}>
          {facts}
        </span>
      </div>
      {children}
    </div>
  );
}
