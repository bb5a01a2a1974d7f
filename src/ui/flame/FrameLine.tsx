import type { FrameDetail } from "../../model/detail.ts";
import { detailParts } from "../../model/detail.ts";
import css from "./FrameLine.module.css";

interface Props {
  detail: FrameDetail;
  /** Announced when it changes: not for the pointer, which passes over many frames. */
  live: boolean;
}

/** One frame in full. */
export function FrameLine({ detail, live }: Props) {
  return (
    <div className={css.line} data-testid="frame-detail" role="status" aria-live={live ? "polite" : "off"}>
      <bdi className={css.name} title={detail.name}>
        {detail.name}
      </bdi>
      <span className={css.parts}>{detailParts(detail).join(" · ")}</span>
    </div>
  );
}
