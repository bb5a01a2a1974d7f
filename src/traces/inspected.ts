/** Values as Node's console.dir prints them: what JSON has, with other quotes and bare keys. */
import { Broken } from "../bytes/window.ts";
import type { Json, JsonObject } from "./json-value.ts";

const TOKEN = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\\n]|\\.)*`|[{}[\],:+]|[^\s'"`{}[\],:+]+/gs;
const ESCAPE = /\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))/gs;
const ESCAPED = new Map(Object.entries({ n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v" }));
/** Deeper than console.dir goes for a span. */
const DEEPEST = 16;

/** The object of a text; `offset`: of the text in its file. Throws Broken. */
export function inspected(text: string, offset: number): JsonObject {
  const tokens = text.match(TOKEN) ?? [];
  let at = 0;
  const broken = () => new Broken("JSON", "an object as console.dir prints it is damaged", offset);
  const take = (token: string) => tokens[at] === token && ++at > 0;
  const expect = (token: string) => {
    if (!take(token)) throw broken();
  };

  const word = (): string => {
    const token = tokens[at++];
    if (token === undefined || /^[{}[\],:+]$/.test(token)) throw broken();
    return token;
  };
  /** A text with line feeds is printed as several, with + between them. */
  const quoted = (): string => {
    const part = unquoted(word());
    return take("+") ? part + quoted() : part;
  };
  const object = (depth: number): JsonObject => {
    const members: JsonObject = new Map();
    while (!take("}")) {
      const key = unquoted(word());
      expect(":");
      members.set(key, value(depth + 1));
      if (tokens[at] !== "}") expect(",");
    }
    return members;
  };
  const items = (depth: number): Json => {
    // [Object] and [Array] are deeper than was printed.
    if (/^(?:Object|Array|Circular)$/.test(tokens[at] ?? "")) {
      while (!take("]")) if (at++ >= tokens.length) throw broken();
      return null;
    }
    const list: Json[] = [];
    while (!take("]")) {
      if (tokens[at] === "...") while (at < tokens.length && tokens[at] !== "]") at++;
      else list.push(value(depth + 1));
      if (tokens[at] !== "]") expect(",");
    }
    return list;
  };
  const value = (depth: number): Json => {
    if (depth > DEEPEST) throw broken();
    if (take("{")) return object(depth);
    if (take("[")) return items(depth);
    return /^['"`]/.test(tokens[at] ?? "") ? quoted() : bare(word());
  };

  expect("{");
  return object(0);
}

function bare(word: string): Json {
  if (word === "true" || word === "false") return word === "true";
  if (/^-?\d+n$/.test(word)) return BigInt(word.slice(0, -1));
  const number = Number(word);
  return Number.isNaN(number) ? null : number;
}

function unquoted(token: string): string {
  if (!/^['"`]/.test(token)) return token;
  return token.slice(1, -1).replace(ESCAPE, (_, point?: string, unit?: string, byte?: string, char = "") => {
    const code = Number.parseInt(point ?? unit ?? byte ?? "", 16);
    if (Number.isNaN(code)) return ESCAPED.get(char) ?? char;
    return code > 0x10_ffff ? "\ufffd" : String.fromCodePoint(code);
  });
}
