/** Frame types of the core's answers, by name and in words. */
import * as FrameType from "../../../assembly/abi/frame-type.ts";
import type { FrameColumns } from "../../core/types.ts";

/** Name of a frame type; "" where the recording does not have it, "root" and "run" for frames that views add. */
export type FrameTypeName =
  | ("" | "jvm" | "native" | "kernel" | "root" | "run")
  | ("beam" | "cpython" | "cuda" | "dotnet" | "go" | "luajit" | "perl" | "php" | "ruby" | "rust" | "v8js");

/** Types of code in other languages, as people call them. */
export const LANGUAGES = {
  beam: "Erlang",
  cpython: "Python",
  cuda: "CUDA",
  dotnet: ".NET",
  go: "Go",
  luajit: "Lua",
  perl: "Perl",
  php: "PHP",
  ruby: "Ruby",
  rust: "Rust",
  v8js: "JavaScript",
} as const satisfies Partial<Record<FrameTypeName, string>>;

/** As in the OTLP attribute `profile.frame.type`, but for frames that are not in the recording. */
const NAMES = {
  [FrameType.None]: "",
  [FrameType.Jvm]: "jvm",
  [FrameType.Native]: "native",
  [FrameType.Kernel]: "kernel",
  [FrameType.Beam]: "beam",
  [FrameType.Cpython]: "cpython",
  [FrameType.Cuda]: "cuda",
  [FrameType.Dotnet]: "dotnet",
  [FrameType.Go]: "go",
  [FrameType.Luajit]: "luajit",
  [FrameType.Perl]: "perl",
  [FrameType.Php]: "php",
  [FrameType.Ruby]: "ruby",
  [FrameType.Rust]: "rust",
  [FrameType.V8js]: "v8js",
  [FrameType.Root]: "root",
  [FrameType.Run]: "run",
} as const satisfies Record<(typeof FrameType)[keyof typeof FrameType], FrameTypeName>;

/** Names of frame types by the number that a row has: `FRAME_TYPES[frames.frameType[row]]`. */
export const FRAME_TYPES: Readonly<Record<number, FrameTypeName>> = NAMES;
/** Room for the number of any frame type. */
export const TYPE_COUNT = Math.max(...Object.keys(NAMES).map(Number)) + 1;

const WORDS: Record<FrameTypeName, string> = {
  "": "",
  jvm: "Java",
  native: "native",
  kernel: "kernel",
  ...LANGUAGES,
  root: "",
  run: "",
};

/** By the numbers of `inlined` in rows and columns. */
const INLINED_WORDS = ["", "partly inlined", "inlined"];

/** `inlined`, `partly inlined` for a function that is inlined at some addresses, or "". */
export function inlinedWord(inlined = 0): string {
  return INLINED_WORDS[inlined] ?? "";
}

/** Words about the frame type of a row: `native, inlined`. */
export function kindWords(
  { frameType, name, inlined }: Pick<FrameColumns, "frameType" | "name" | "inlined">,
  row: number,
): string {
  const words = [frameTypeWord(FRAME_TYPES[frameType[row]] ?? ""), inlinedWord(inlined?.[name[row] ?? 0])];
  return words.filter((word) => word !== "").join(", ");
}

/** How a frame type is called on screen, "" where there is nothing to say. */
export function frameTypeWord(kind: FrameTypeName): string {
  return WORDS[kind];
}
