/**
 * Classes of frames with their colours and words: package, frame type, or origin. Loaded with colours other than by
 * package.
 */

import { type Colouring, type Look, ownPrefixes } from "../query/look.ts";
import { withoutHiddenAddress } from "../words/text.ts";
import {
  APPLICATION,
  IN_JDK,
  JAVA,
  JDK,
  KERNEL,
  LIBRARY,
  NATIVE,
  packageOf,
  type Tone,
  toneOf,
  UNKNOWN,
} from "./colour.ts";
import type { FrameTypeName } from "./frame-types.ts";
import { isLibraryName } from "./library-packages.ts";

/** What a colour stands for: all frames with one label have one tone. */
export interface FrameClass {
  /** "" where there is nothing to say. */
  label: string;
  tone: Tone;
}

const KINDS: Record<FrameTypeName, FrameClass> = {
  jvm: { label: "Java", tone: JAVA },
  native: { label: "native", tone: NATIVE },
  kernel: { label: "kernel", tone: KERNEL },
  "": { label: "not said", tone: UNKNOWN },
};
const JDK_CLASS: FrameClass = { label: "JDK", tone: JDK };

/** The class of a frame, which decides its colour. */
export function classOf(look: Look): (name: string, kind: FrameTypeName) => FrameClass {
  const own = ownPrefixes(look);
  return (name, kind) => CLASSES[look.colouring](name, kind, own);
}

type ClassOf = (name: string, kind: FrameTypeName, own: readonly string[]) => FrameClass;

const CLASSES: Record<Colouring, ClassOf> = {
  package: (name, kind) => {
    if (kind === "native" || kind === "kernel") return KINDS[kind];
    const home = packageOf(name);
    if (home === "") return { label: "no package", tone: UNKNOWN };
    if (IN_JDK.test(home)) return JDK_CLASS;
    return { label: home, tone: toneOf(name, kind) };
  },
  kind: (_, kind) => KINDS[kind],
  origin: (name, kind, own) => {
    if (own.some((prefix) => name.startsWith(prefix))) return { label: "application code", tone: APPLICATION };
    if (kind === "native" || kind === "kernel") return KINDS[kind];
    const path = withoutHiddenAddress(name).split("(", 1)[0];
    if (!path.includes(".")) return KINDS[""];
    if (IN_JDK.test(path)) return JDK_CLASS;
    // With packages named, everything outside of them is a library.
    const isLibrary = own.length > 0 || isLibraryName(path);
    return isLibrary ? { label: "library", tone: LIBRARY } : { label: "application code", tone: APPLICATION };
  },
};
