/** Source files that the user has, and which of them a frame is in. */
import { formatCounted } from "../words/format.ts";

/** Recordings name classes, so that the language of their file is not known. */
const JVM = /\.(?:java|kts?|scala|groovy)$/i;

/** Paths with the same key are the same file to a recording. */
export function sourceKey(path: string): string {
  return path.replace(JVM, ".java");
}

/** Indices of the files that a path leads to. */
export interface FoundSource {
  files: number[];
  /** The folder in the path is not among theirs: only the name of the file tells. */
  byName: boolean;
}

/**
 * The files with the longest common end of their paths. The package of a class has to be the end of the folder, as far
 * as the file has folders; other recordings have paths of the machine that built the program, whose beginning differs.
 */
export function findSource(paths: readonly string[], path: string): FoundSource {
  const wanted = partsOf(sourceKey(path));
  let most = 0;
  let files: number[] = [];
  for (const [i, each] of paths.entries()) {
    const parts = partsOf(sourceKey(each));
    const common = commonEnd(parts, wanted);
    const isWhole = common === Math.min(parts.length, wanted.length);
    if (common === 0 || common < most || !(isWhole || (common > 1 && !JVM.test(path)))) continue;
    if (common > most) files = [];
    most = common;
    files.push(i);
  }
  return { files, byName: most === 1 && wanted.length > 1 };
}

/** Without the scheme of `file:///a.js` and `webpack://app/./a.ts`. */
function partsOf(path: string): string[] {
  const bare = path.replace(/^[a-z][a-z-]*:\/\/[^/\\]*/i, "");
  return bare.split(/[\\/]+/).filter((part) => part !== "" && part !== ".");
}

function commonEnd(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < Math.min(a.length, b.length) && a[a.length - 1 - count] === b[b.length - 1 - count]) count++;
  return count;
}

/** Values of a line in the stacks of a selection. A stack counts once in `total`, however often it has the line. */
export interface SourceLine {
  /** From 1 on; 0: the recording does not state the line. */
  line: number;
  self: number;
  total: number;
}

/** Lines of a file with values, ascending, and the values of the file and of the whole selection. */
export interface SourceLines {
  lines: SourceLine[];
  self: number;
  total: number;
  whole: number;
}

/** Lines to go to, the hottest first: by self, then by total. */
export function hotLines({ lines }: SourceLines): number[] {
  const known = lines.filter(({ line }) => line > 0);
  return known.sort((a, b) => b.self - a.self || b.total - a.total || a.line - b.line).map(({ line }) => line);
}

/** What the text and the recording contradict each other in; "" for nothing. */
export function sourceDoubts(lines: readonly SourceLine[], text: readonly string[]): string {
  const isCode = (line: number) => line === 0 || (text[line - 1] ?? "").trim() !== "";
  const wrong = lines.filter(({ line }) => !isCode(line)).length;
  if (wrong === 0) return "";
  const words = formatCounted(wrong, "sampled line");
  return `${words} of ${lines.length} ${wrong === 1 ? "is" : "are"} empty or after the end: this may be another version of the file.`;
}
