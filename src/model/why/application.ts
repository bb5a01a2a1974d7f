/** Functions of the application, by the table of the frames' colours: neither the JDK's, nor a library's. */
import { classOf } from "../flame/frame-classes.ts";
import { LOOK } from "../query/look.ts";

type Accepts = (name: string) => boolean;

export interface Code {
  application: Accepts;
  /** Functions of the application and of libraries. */
  outsideJdk: Accepts;
}

/** Functions for each list of prefixes, because the core caches results by function. */
const kept = new Map<string, Code>();
const MOST_KEPT = 20;

/** `own`: prefixes of the user's packages, as in the view settings; "" leaves it to the table of libraries. */
export function codeOf(own = ""): Code {
  const known = kept.get(own);
  if (known !== undefined) return known;
  if (kept.size === MOST_KEPT) kept.clear();
  const classify = classOf({ ...LOOK, own });
  // Without a frame type, names of native code are recognised.
  const family = (name: string) => classify(name, "").family;
  const code: Code = {
    application: (name) => family(name) === "application",
    outsideJdk: (name) => family(name) === "application" || family(name) === "library",
  };
  kept.set(own, code);
  return code;
}
