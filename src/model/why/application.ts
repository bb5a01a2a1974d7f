/** Functions of the application, by the table of the frames' colours: neither the JDK's, nor a library's. */
import type { Accepts } from "../../core/answers/function-names.ts";
import { classOf } from "../flame/frame-classes.ts";
import { LOOK } from "../query/look.ts";

export interface Code {
  application: Accepts;
  /** Functions of the application and of libraries. */
  outsideJdk: Accepts;
  /** Functions with a name: languages without packages and files have no others. */
  named: Accepts;
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
  const family = (name: string, owner?: number) => classify(name, "", owner).family;
  const code: Code = {
    application: (name, owner) => family(name, owner) === "application",
    outsideJdk: (name, owner) => ["application", "library"].includes(family(name, owner)),
    named: (name) => !/^[[(<]/.test(name),
  };
  kept.set(own, code);
  return code;
}
