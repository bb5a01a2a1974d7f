/**
 * The core's bindings as the page's worker loads them. asc writes a function for each export, 190 functions of four
 * lines that differ in a name; here the names are lists, one for each conversion. Arguments need no conversion, because
 * callers pass all of them, in the types of the bindings.
 */
import { fileURLToPath } from "node:url";
import { normalizePath, type Plugin } from "vite";

const BINDINGS = normalizePath(fileURLToPath(new URL("../build/core.js", import.meta.url)));
const METHOD =
  /^ {4}(\w+)\(([^\n]*)\) \{\n *\/\/[^\n]*\n(?: *\w+ = \w+ (?:\|\| 0n|\? 1 : 0);\n)* *([^\n]*)\n {4}\},?\n/gm;
const VALUE =
  /^ {4}(\w+): \{\n *\/\/[^\n]*\n *valueOf\(\) [^\n]*\n *get value\(\) \{\n *([^\n]*)\n *\}(?:,\n *set value\(value\) \{\n[^\n]*\n *\})?\n {4}\},?\n/gm;
/** What asc returns of a raw answer, written here as `raw`, and how. */
const CONVERSIONS: Record<string, string> = {
  "return raw >>> 0;": "(raw) => raw >>> 0",
  "return raw != 0;": "(raw) => raw != 0",
  "return BigInt.asUintN(64, raw);": "(raw) => BigInt.asUintN(64, raw)",
};
/** The raw answer is right, or there is none. */
const AS_IS = ["raw;", "return raw;"];
const BEGIN = "Object.setPrototypeOf({";
const END = "  }, exports);";

/** Throws where asc writes a form that is not known here. */
export function leanBindings(code: string): string {
  const [before = "", members = ""] = code.split(BEGIN);
  const [body = "", after = ""] = members.split(END);
  const calls = new Map<string, string[]>();
  const values = new Map<string, string[]>();
  const listed = (lists: typeof calls, name: string, how: string) => {
    if (AS_IS.includes(how)) return;
    if (CONVERSIONS[how] === undefined) throw new Error(`bindings of an unknown form: ${name}: ${how}`);
    lists.set(how, [...(lists.get(how) ?? []), name]);
  };
  const rest = body
    .replace(METHOD, (_, name, given, how) => {
      listed(calls, name, how.replace(`exports.${name}(${given})`, "raw"));
      return "";
    })
    .replace(VALUE, (_, name, how) => {
      listed(values, name, how.replace(`exports.${name}.value`, "raw"));
      return "";
    });
  if (after === "" || rest.trim() !== "") throw new Error(`bindings of an unknown form: ${rest.slice(0, 200)}`);
  const lines = (lists: typeof calls, by: string) =>
    [...lists].map(([how, names]) => `  ${by}("${names.join(" ")}", ${CONVERSIONS[how]});\n`).join("");
  return `${before}{};${HELPERS}${lines(calls, "calls")}${lines(values, "values")}${LAST}${after}`;
}

/** A part of the core has some of the names (split-core.mjs). */
const HELPERS = `
  const each = (names, make) => {
    for (const name of names.split(" ")) {
      const raw = exports[name];
      if (raw !== undefined) adaptedExports[name] = make(raw);
    }
  };
  const calls = (names, of) => each(names, (raw) => (...given) => of(raw(...given)));
  const values = (names, of) => each(names, (raw) => ({
    valueOf() { return this.value; },
    get value() { return of(raw.value); },
    set value(value) { raw.value = value; },
  }));
`;

/** Exports cannot be replaced, so the conversions are in an object before them. */
const LAST = "  Object.setPrototypeOf(adaptedExports, exports);";

export function lean(): Plugin {
  return {
    name: "spanflame:lean-bindings",
    apply: "build",
    enforce: "pre",
    transform: (code, id) => (normalizePath(id) === BINDINGS ? { code: leanBindings(code), map: null } : null),
  };
}
