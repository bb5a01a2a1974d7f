/** The colours of the parts of a time for a canvas: those of the table of parts (TimeBar.module.css). */
import { BREAKDOWN, type BreakdownName } from "../../../model/span-time/breakdown.ts";
import "./TimeBar.module.css";

const COLOUR = /(?:rgb|oklch|color)a?\([^()]*\)/;

/** As an element at this place has them; of a hatched part the first one. */
export function partColours(near: Element): Record<BreakdownName, string> {
  const probe = near.ownerDocument.createElement("span");
  probe.style.background = "var(--part)";
  probe.hidden = true;
  near.after(probe);
  const found = BREAKDOWN.map((part): [BreakdownName, string] => {
    probe.dataset.part = part;
    const { backgroundColor, backgroundImage } = getComputedStyle(probe);
    return [part, COLOUR.exec(backgroundImage)?.[0] ?? backgroundColor];
  });
  probe.remove();
  return Object.fromEntries(found) as Record<BreakdownName, string>;
}
