/** Source of a frame: file and line in words, and the path that a link to it needs. */
import type { NamePlace } from "../../core/view-types.ts";
import { functionOf } from "../query/shape.ts";
import { visible } from "../words/text.ts";

export interface SourcePlace {
  /** Of the package and the outermost class, or the path that the recording has. */
  path: string;
  /** 0 where it is not known. */
  line: number;
  /** File, colon, first and last line. */
  words: string;
  /** Name and version of its library; "" where they are not known. */
  library: string;
}

/** `name`: of the frame, which ends with a line where frames are split by line. Null where nothing is known. */
export function sourcePlace(
  { file, first, last, library = "" }: NamePlace,
  name: string,
  isJava: boolean,
  lines: boolean,
): SourcePlace | null {
  const own = lines ? Number(/:(\d+)$/.exec(name)?.[1] ?? 0) : 0;
  const path = sourcePath(file, functionOf(name, lines), isJava);
  const short = path.split(/[\\/]/).at(-1) ?? "";
  if (short === "") return null;
  const line = own || first;
  const range = own > 0 || first === last ? `${line}` : `${first}–${last}`;
  return { path, line, words: visible(line === 0 ? short : `${short}:${range}`, 200), library: visible(library, 120) };
}

/** Path of the file of a function; "" where it is unknown. Many formats name the file of a class without its folder. */
export function sourcePath(file: string, method: string, isJava: boolean): string {
  if (!isJava || /[\\/]/.test(file)) return file;
  const path = javaPath(method);
  return file === "" || path === "" ? file || path : path.replace(/[^/]*$/, () => file);
}

/**
 * Recordings name classes, not their files: a class is usually in the file of its outermost class, and what Kotlin
 * declares outside of classes is in a class that ends in Kt.
 */
function javaPath(method: string): string {
  const names = method.split(".").slice(0, -1);
  const [outer = ""] = (names.pop() ?? "").split("$");
  // Generated classes have no source, and neither have functions without a class.
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(outer)) return "";
  const isKotlin = outer.length > 2 && outer.endsWith("Kt");
  return [...names, isKotlin ? `${outer.slice(0, -2)}.kt` : `${outer}.java`].join("/");
}
