/** Classes of frames, which decide their colours: the family of code, its package root, and the frame type. */
import { LIBRARY_CODE, PROGRAM_CODE, UNKNOWN_CODE } from "../../core/tables/code-owners.ts";
import type { FrameColumns } from "../../core/types.ts";
import { type Colouring, type Look, ownPrefixes } from "../query/look.ts";
import { isProfiler } from "../query/run-rules.ts";
import { namePartsOf } from "../words/short-name.ts";
import {
  APPLICATION,
  APPLICATION_TONES,
  JDK,
  JDK_TONES,
  KERNEL,
  LIBRARY,
  LIBRARY_TONES,
  NATIVE,
  type Tone,
  UNKNOWN,
} from "./colour.ts";
import { FRAME_TYPES, type FrameTypeName, LANGUAGES } from "./frame-types.ts";
import { isLibraryName } from "./library-packages.ts";
import { hashOf, hueOf, type PackageRoot, rootGeneration, rootOf } from "./package-roots.ts";

/** In the order of the legend. */
export const FAMILY_WORDS = {
  application: "Application",
  library: "Libraries",
  jdk: "JDK",
  java: "Java",
  ...LANGUAGES,
  native: "Native",
  kernel: "Kernel",
  profiler: "Profiler",
  other: "Other",
};
export type Family = keyof typeof FAMILY_WORDS;
export const FAMILIES = Object.keys(FAMILY_WORDS) as Family[];

/** What a colour means. */
export interface FrameClass {
  family: Family;
  /** Package root of application code, "" for other code. */
  root: string;
  tone: Tone;
}

const NO_PACKAGE = "no package";

const IN_JDK = /^(java|javax|jdk|sun|com\.sun)(\.|$)/;
const JDK_RUN = /^JDK( · \d+)?$/;
const PROFILER_RUN = /^Profiler( · \d+)?$/;
/**
 * Symbols of native code whose type the recording does not know: `libc-2.31.so.epoll_ctl`, but not the package of
 * `com.acme.so.Cart.total`; `clock_gettime@@GLIBC_2.17`, with ELF's version of a symbol.
 */
const NATIVE_NAME =
  /::|\.(so|dylib|dll)(\.\d+)*\b(?!\.[\w$]+\.)|\+0x[0-9a-f]+$|^\.?(itable|vtable) stub$|^\w+@@?[A-Z][\w.]*$/;

/** Types that such symbols have. */
const NATIVE_KINDS: ReadonlySet<FrameTypeName> = new Set(["", "cuda", "go", "rust"]);

const PROFILERS: FrameClass = { family: "profiler", root: "", tone: UNKNOWN };
/** Frames of a profiler that are drawn as one. */
export const FOLDED_PROFILERS: FrameClass = { ...PROFILERS };
const OTHER: FrameClass = { family: "other", root: "", tone: UNKNOWN };
/** Java has the first hue, as an application has. */
const [, ...LANGUAGE_TONES] = [0, 1, 2].flatMap((shade) => APPLICATION_TONES.map((tones) => tones[shade]));
const LANGUAGE_CLASSES = (Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[]).map(
  (family, i): [string, FrameClass] => [family, { family, root: "", tone: LANGUAGE_TONES[i] }],
);
const TYPES: Record<FrameTypeName, FrameClass> = {
  ...(Object.fromEntries(LANGUAGE_CLASSES) as Record<keyof typeof LANGUAGES, FrameClass>),
  jvm: { family: "java", root: "", tone: APPLICATION },
  native: { family: "native", root: "", tone: NATIVE },
  kernel: { family: "kernel", root: "", tone: KERNEL },
  root: OTHER,
  run: { family: "library", root: "", tone: LIBRARY },
  "": OTHER,
};
/** One tone for each family. */
const FLAT: Partial<Record<Family, Tone>> = { application: APPLICATION, library: LIBRARY, jdk: JDK };

/** `owner`: whose code it is, by its file (core/answers/library-paths.ts); `handle`: the core's number of the name. */
export type ClassOf = (name: string, kind: FrameTypeName, owner?: number, handle?: number) => FrameClass;

/** Columns of rows that have classes. */
export type ClassedFrames = Pick<FrameColumns, "names" | "name" | "frameType" | "library"> &
  Partial<Pick<FrameColumns, "nameIds">>;

/** The class of a row of frames. */
export function classAt(frames: ClassedFrames, row: number, classOfFrame: ClassOf): FrameClass {
  return classOfName(frames, frames.name[row], frames.frameType[row], classOfFrame);
}

/** The class of a name by its index, for frames of one type. */
export function classOfName(
  { names, library, nameIds }: ClassedFrames,
  at: number,
  type: number,
  classOfFrame: ClassOf,
): FrameClass {
  return classOfFrame(names[at] ?? "", FRAME_TYPES[type] ?? "", library?.[at], nameIds?.[at]);
}

/** The classes that were asked for last: drawings that follow each other have mostly the same names. */
let kept: { look: string; generation: number; of: ClassOf } | null = null;

/** The class of a frame; each name is looked up once in a recording. */
export function classOf(look: Look): ClassOf {
  const own = ownPrefixes(look);
  const key = [look.colouring, ...own].join(" ");
  if (kept?.look !== key || kept.generation !== rootGeneration) {
    kept = { look: key, generation: rootGeneration, of: newClasses(look, own) };
  }
  return kept.of;
}

interface Known {
  name: string;
  kind: FrameTypeName;
  owner: number;
  of: FrameClass;
}

function newClasses(look: Look, own: readonly string[]): ClassOf {
  const byOwner = [UNKNOWN_CODE, LIBRARY_CODE, PROGRAM_CODE].map(newKinds);
  const packages = new Packages();
  // Each answer has new strings for its names. Comparing one with the last name of its handle is faster than a hash.
  const byHandle = new Map<number, Known>();
  return (name, kind, owner = UNKNOWN_CODE, handle) => {
    const last = handle === undefined ? undefined : byHandle.get(handle);
    if (last?.name === name && last.kind === kind && last.owner === owner) return last.of;
    const classes = (byOwner[owner] ?? newKinds())[kind];
    let known = classes.get(name);
    if (known === undefined) {
      known = CLASSES[look.colouring](name, kind, { own, packages, owner });
      classes.set(name, known);
    }
    if (handle !== undefined) byHandle.set(handle, { name, kind, owner, of: known });
    return known;
  };
}

function newKinds(): Record<FrameTypeName, Map<string, FrameClass>> {
  return Object.fromEntries(Object.keys(TYPES).map((kind) => [kind, new Map()])) as ReturnType<typeof newKinds>;
}

interface Package extends PackageRoot {
  isJdk: boolean;
  isLibrary: boolean;
}

/** What the names of packages tell. A recording has several functions in each of them. */
class Packages {
  private readonly known = new Map<string, Package>();

  of(path: string): Package {
    let known = this.known.get(path);
    if (known === undefined) {
      // Raw names may have the JVM's own form, `java/lang/Thread.run`.
      const home = path.replaceAll("/", ".");
      known = { ...rootOf(path), isJdk: IN_JDK.test(home), isLibrary: isLibraryName(home) };
      this.known.set(path, known);
    }
    return known;
  }
}

interface Around {
  /** Prefixes of the user's packages. */
  own: readonly string[];
  packages: Packages;
  owner: number;
}

type Classify = (name: string, kind: FrameTypeName, around: Around) => FrameClass;

const CLASSES: Record<Colouring, Classify> = {
  package: byPackage,
  kind: (_, kind) => TYPES[kind],
  origin: (name, kind, around) => {
    const { family, tone } = byPackage(name, kind, around);
    return { family, root: "", tone: FLAT[family] ?? tone };
  },
};

function byPackage(name: string, kind: FrameTypeName, { own, packages, owner: code }: Around): FrameClass {
  if (kind === "root") return TYPES.root;
  // The preset for the JDK; the frames of other runs are mostly of libraries.
  if (kind === "run" && PROFILER_RUN.test(name)) return FOLDED_PROFILERS;
  if (kind === "run") return JDK_RUN.test(name) ? { family: "jdk", root: "", tone: JDK } : TYPES.run;
  const isOwn = own.some((prefix) => name.startsWith(prefix));
  if (!isOwn && isProfiler(name)) return PROFILERS;
  if (!isOwn && code === LIBRARY_CODE && kind !== "kernel") {
    const home = packages.of(namePartsOf(name).home);
    if (!home.isJdk) return libraryAt(home, name);
  }
  if (!isOwn && (kind === "native" || kind === "kernel")) return TYPES[kind];
  const isProgram = own.length === 0 && code === PROGRAM_CODE;
  if (!isOwn && !isProgram && NATIVE_KINDS.has(kind) && NATIVE_NAME.test(name)) return TYPES.native;
  const { home: path, owner } = namePartsOf(name);
  if (!isOwn && !isProgram && path === "" && owner === "") return OTHER;
  const home = packages.of(path);
  const { root, below, isJdk, isLibrary } = home;
  // Classes below one root differ a little; an inner class is as its outer one.
  const place = `${below}.${owner.split(/[$.:#]/, 1)[0]}`;
  if (!isOwn && !isProgram && isJdk) return { family: "jdk", root: "", tone: shadeOf(JDK_TONES, place) };
  // With packages named, everything outside of them is a library.
  if (!isOwn && !isProgram && (own.length > 0 || isLibrary)) return libraryAt(home, place);
  const of = root === "" ? NO_PACKAGE : root;
  return { family: "application", root: of, tone: shadeOf(APPLICATION_TONES[hueOf(of)], place) };
}

function libraryAt({ root }: PackageRoot, place: string): FrameClass {
  return { family: "library", root: "", tone: shadeOf(LIBRARY_TONES[hashOf(root) % LIBRARY_TONES.length], place) };
}

function shadeOf(tones: readonly Tone[], place: string): Tone {
  return tones[hashOf(place) % tones.length];
}
