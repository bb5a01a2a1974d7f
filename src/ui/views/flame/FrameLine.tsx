import { Ellipsis } from "lucide-react";
import type { ReactNode } from "react";
import type { FrameDetail } from "../../../model/flame/detail.ts";
import { detailParts } from "../../../model/flame/detail.ts";
import { FrameName } from "../../parts/grid/FrameName.tsx";
import { Button, IconButton } from "../../primitives/icon/Icon.tsx";
import css from "./FrameLine.module.css";

interface Props {
  detail: FrameDetail;
  /** Shows the current frame beside the graph, or no more. */
  onDrawer: () => void;
  isDrawn: boolean;
  /** The details of the current frame, of calls of dumps; null elsewhere. */
  onDetails: (() => void) | null;
}

/**
 * The words about one frame, and a button for all of them: for users with neither a second mouse button nor keys.
 */
export function FrameLine({ detail, onDrawer, isDrawn, onDetails }: Props) {
  return (
    <DetailLine name={detail.name} parts={detailParts(detail)}>
      {onDetails !== null && (
        <Button
          className={css.menu}
          tip="Invocations, parameters and SQL of the current frame (D)"
          testId="frame-details-open"
          onClick={onDetails}
        >
          Details
        </Button>
      )}
      <IconButton
        className={css.menu}
        icon={Ellipsis}
        label="Frame"
        tip="Callers, callees and actions of the frame (P)"
        testId="frame-drawer-open"
        aria-expanded={isDrawn}
        onClick={onDrawer}
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

/** A frame's name, and facts about it behind. */
export function DetailLine({ name, parts, children }: LineProps) {
  const facts = parts.join(" · ");
  return (
    <div className={css.line} part="detail">
      <div className={css.words} data-testid="frame-detail" data-tip={`${name}: ${facts}`}>
        <span className={css.name}>
          <FrameName text={name} />
        </span>
        <span className={css.parts}>{facts}</span>
      </div>
      {children}
    </div>
  );
}
