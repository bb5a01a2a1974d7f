/** Packages that may be the reader's own, where the page recognises none. */
import type { Look } from "../query/look.ts";
import { namePartsOf } from "../words/short-name.ts";
import { classAt, classOf } from "./frame-classes.ts";
import { heaviest, type LegendFrames } from "./legend.ts";
import { presetOf } from "./prefix.ts";

/** Packages offered as the reader's own. */
const MOST_LIKELY = 3;
/** Parts of a package's name that say whose it is: `com.acme.shop`. */
const TELLING_PARTS = 3;

/**
 * Packages that may be the reader's own, where no frame is of the application: those of libraries that are no server,
 * framework or pool, the widest first. Empty where the packages are named or some are recognised.
 */
export function likelyOwn(frames: LegendFrames, look: Look): string[] {
  if (look.own !== "" || look.colouring === "kind") return [];
  const colour = classOf(look);
  const widest = new Map<string, number>();
  for (let row = 0; row < frames.name.length; row++) {
    const { family } = classAt(frames, row, colour);
    if (family === "application") return [];
    const name = frames.names[frames.name[row]] ?? "";
    if (family !== "library" || presetOf(name) !== undefined) continue;
    const home = namePartsOf(name)
      .home.split(".")
      .filter((part) => part !== "");
    const of = home.slice(0, TELLING_PARTS).join(".");
    if (of !== "") widest.set(of, Math.max(widest.get(of) ?? 0, frames.total[row]));
  }
  return heaviest(widest).slice(0, MOST_LIKELY);
}
