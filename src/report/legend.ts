/** The legend of a report or a picture, where colours are not those of packages: as the page was set. */
import type { FramesAnswer } from "../core/types.ts";
import type { Tone } from "../model/flame/colour.ts";
import { legendOf } from "../model/flame/legend.ts";
import { ownPrefixes } from "../model/query/look.ts";
import { formatPercent } from "../model/words/format.ts";
import { visible } from "../model/words/text.ts";
import type { Subject } from "./subject.ts";

export interface Legend {
  title: string;
  rows: { label: string; tone: Tone | null; share: string }[];
}

/** Null where a package's colour says no more than its name. Shares are of what is drawn, by the frames themselves. */
export function legendFor({ drawing: { look, grouping } }: Subject, { frames }: FramesAnswer): Legend | null {
  if (look.colouring === "package") return null;
  const own = ownPrefixes(look).join(", ");
  const by = {
    kind: "frame type",
    origin: `whose code it is${own === "" ? "" : ` (application: ${visible(own, 60)})`}`,
  };
  const rows = legendOf(frames, look, grouping === "callers").map(({ label, tone, value }) => ({
    label,
    tone,
    share: formatPercent(value, frames.total[0]),
  }));
  return { title: `Coloured by ${by[look.colouring]}`, rows };
}
