/** Method texts of a CDT dictionary in parts: `void a.B.run(int,java.lang.String) (B.java:12) [lib/b.jar]`. */

/** Name of a frame for time that a call reports beyond its tree. */
export const REACTIVE = "[reactive]";

export interface MethodParts {
  /** `a.B.run`; the whole text if it has another form. */
  name: string;
  /** "" where the text has another form. */
  returnType: string;
  /** Types of its arguments; null where the text has another form. */
  args: string[] | null;
  file: string;
  /** Of the method's declaration; 0 is unknown. */
  line: number;
  /** Archive of its class. */
  jar: string;
}

const METHOD = /^(\S+) ([^\s(]+)\(([^)]*)\)(?: \(([^()]*)\))?(?: \[(.*)\])?$/s;
/** The number after the last colon, if nothing follows it. */
const PLACE = /^(.+):(-?\d+)$/s;
const MOST_LINE = 2 ** 31 - 1;

export function methodParts(text: string): MethodParts {
  const match = METHOD.exec(text);
  if (match === null) return { name: text, returnType: "", args: null, file: "", line: 0, jar: "" };
  const [, returnType = "", name = "", args = "", source = "", jar = ""] = match;
  const [, file = source, number = "0"] = PLACE.exec(source) ?? [];
  const line = Number(number);
  return {
    name,
    returnType,
    args: args === "" ? [] : args.split(",").map((each) => each.trim()),
    file,
    line: line > 0 && line <= MOST_LINE ? line : 0,
    jar,
  };
}

/** `pkg.Class.method` of a dictionary text; the whole text if it has another form. */
export function methodName(text: string): string {
  return methodParts(text).name;
}
