/** The legend of a report or a picture, with the colours that the page has. */
import type { FramesAnswer } from "../core/types.ts";
import type { Tone } from "../model/flame/colour.ts";
import { legendOf, shareWords } from "../model/flame/legend.ts";
import { ownPrefixes } from "../model/query/look.ts";
import { visible } from "../model/words/text.ts";
import type { Subject } from "./subject.ts";

export interface Legend {
  title: string;
  rows: { label: string; tones: readonly Tone[]; share: string }[];
}

/** Percentages are of the drawn frames. */
export function legendFor({ drawing: { look, grouping } }: Subject, { frames }: FramesAnswer): Legend {
  const own = ownPrefixes(look).join(", ");
  const named = own === "" ? "" : ` (application: ${visible(own, 60)})`;
  const by = { package: `package${named}`, kind: "frame type", origin: `origin of the code${named}` };
  const rows = legendOf(frames, look, grouping === "callers").map((row) => ({
    label: visible(row.label, 120),
    tones: row.tones,
    share: shareWords(row, frames.total[0]),
  }));
  return { title: `Coloured by ${by[look.colouring]}`, rows };
}
