/**
 * Short forms of names. A function's name loses its arguments, then its package, then its class, and keeps its method
 * to the last: `com.acme.shop.Cart.total`, `c.a.s.Cart.total`, `Cart.total`, `total`. Names of threads, routes and
 * files lose their middle.
 *
 * A short form is a list of pieces that together are the whole name; those that are not shown stay in the page's text,
 * for search, for copying and for assistive technology.
 */

export interface Piece {
  text: string;
  shown: boolean;
  /** Package, namespace or folder: muted. */
  home: boolean;
  /** An ellipsis replaces the hidden part. */
  more: boolean;
}

/** Pixels of a text. */
export type WidthOf = (text: string) => number;

/** The parts of a function's name; in their order they are the name. */
export interface NameParts {
  /** Return type, package, namespace or path, with the separator at its end. */
  home: string;
  /** Class or type, with the separator at its end. */
  owner: string;
  method: string;
  /** Arguments and what follows them. */
  args: string;
  /** `:12`, where frames are split by line. */
  line: string;
}

export const MORE = "…";
/** Letters that are left of a class on either side of the ellipsis. */
const LEAST_OF_CLASS = 3;
/** The end of a thread or a route tells more than its beginning. */
const TAIL_SHARE = 0.55;

/** Names whose widths are kept. */
const MOST_KNOWN = 20_000;

const OPENING = "(<[{";
const CLOSING = ")>]}";
/** `libjvm.so+0x1a2b`, `[vdso]+0xbe1`, `/usr/lib/libc.so.6`. */
const LIBRARY = /\.(so|dylib|dll|exe)([.\d]*)(\+0x[0-9a-f]+)?( \(deleted\))?$|\+0x[0-9a-f]+$/i;
/** Of a library whose name is not known: `[97da31b249941f25ff26a6126471221bb579d67f]+0x50ebf7`. */
const BUILD_ID = /^\[[0-9a-f]{12,}\](?=\+)/;
/** Addresses and hashes of generated classes, and the hash at the end of a Rust symbol. */
const NOISE = /[./+]0x[0-9a-f]{8,16}([./]\d+)?(?=\.)|::h[0-9a-f]{16}$/;
/** Operators of C++ whose signs are no brackets. */
const OPERATOR = /\boperator *(\(\)|\[\]|<=>|->\*?|<<=?|>>=?|[<>]=?)/g;

/** `cart: GET /items`: a span by its service and operation (src/model/trace/span-words.ts). */
const SPAN = /^([\w.-]+: )([^\s:]+ )?(?=\S)/;

/** Java, Kotlin, Scala, C++, Rust, Go and native symbols, and spans. */
export function namePartsOf(name: string): NameParts {
  const [span, service = "", word = ""] = SPAN.exec(name) ?? [];
  if (span !== undefined) return { home: service, owner: word, method: name.slice(span.length), args: "", line: "" };
  if (LIBRARY.test(name)) {
    const end = name.lastIndexOf("/") + 1;
    const id = BUILD_ID.exec(name)?.[0] ?? "";
    return { home: name.slice(0, end), owner: id, method: name.slice(end + id.length), args: "", line: "" };
  }
  const line = /:\d+$/.exec(name)?.[0] ?? "";
  const whole = name.slice(0, name.length - line.length);
  const rust = /::h[0-9a-f]{16}$/.exec(whole)?.index ?? whole.length;
  const { ends, args } = separatorsOf(masked(whole.slice(0, rust)));
  const cut = (from: number, to: number) => whole.slice(from, to);
  const method = ends.at(-1) ?? 0;
  const owner = ends.at(-2) ?? 0;
  return { home: cut(0, owner), owner: cut(owner, method), method: cut(method, args), args: whole.slice(args), line };
}

/** The name with the same length, and letters where separators and brackets mean something else. */
function masked(name: string): string {
  const letters = (found: string) => "_".repeat(found.length);
  return name.replace(NOISE, letters).replace(OPERATOR, letters).replaceAll("->", "__");
}

/** The end of each separator outside of brackets, and the start of the arguments. */
function separatorsOf(name: string): { ends: number[]; args: number } {
  const ends: number[] = [];
  let depth = 0;
  let args = name.length;
  for (let at = 0; at < name.length; at++) {
    const c = name[at];
    if (OPENING.includes(c)) {
      // `(*Server).Serve` and `(anonymous namespace)::run` begin a part; arguments follow one.
      const starts = at === 0 || at === ends.at(-1) || name[at - 1] === " ";
      if (c === "(" && depth === 0 && !starts) {
        args = at;
        break;
      }
      depth++;
    } else if (CLOSING.includes(c)) depth = Math.max(0, depth - 1);
    else if (depth > 0) continue;
    else if (c === ":" && name[at + 1] === ":") ends.push(++at + 1);
    else if ((c === "." || c === "/" || c === "#") && at > 0) ends.push(at + 1);
  }
  // A bracket that is never closed is no bracket.
  if (depth > 0 && ends.length === 0) return { ends: plainEnds(name), args: name.length };
  return { ends: ends.filter((end) => end < args), args };
}

function plainEnds(name: string): number[] {
  return [...name.matchAll(/[./](?=.)/g)].map(({ index }) => index + 1);
}

const shown = (text: string, home = false): Piece => ({ text, shown: true, home, more: false });
const hidden = (text: string, more = false): Piece => ({ text, shown: false, home: false, more });

/** `com.acme.`: `c`, `.`, `a`, `.` are shown. Return types are not. */
function initials(home: string): Piece[] {
  const start = home.lastIndexOf(" ") + 1;
  const pieces = [hidden(home.slice(0, start))];
  for (const [part, separator] of home.slice(start).matchAll(/(::|[./#])|(?:(?!::|[./#]).)+/gsu)) {
    const first = String.fromCodePoint(part.codePointAt(0) ?? 0);
    if (separator !== undefined) pieces.push(shown(part, true));
    // A part in brackets has no first letter.
    else if (OPENING.includes(first)) pieces.push(hidden(part));
    else pieces.push(shown(first, true), hidden(part.slice(first.length)));
  }
  return pieces;
}

/** Type arguments become an ellipsis: `vector<…>::`. `<init>` is a name. */
function withoutTypes(text: string): Piece[] {
  const from = text.indexOf("<");
  const to = text.lastIndexOf(">");
  if (from < 1 || to - from < 3 || /operator/.test(text)) return [shown(text)];
  return [shown(text.slice(0, from + 1)), hidden(text.slice(from + 1, to), true), shown(text.slice(to))];
}

/** `(…)`, without what follows them. */
function briefArgs(args: string): Piece[] {
  const close = args.lastIndexOf(")");
  if (close < 3) return [hidden(args)];
  return [shown("("), hidden(args.slice(1, close), true), shown(")"), hidden(args.slice(close + 1))];
}

function withoutNoise(text: string): Piece[] {
  const { index = text.length, 0: noise = "" } = NOISE.exec(text) ?? {};
  return [shown(text.slice(0, index)), hidden(noise), shown(text.slice(index + noise.length))];
}

function wholeForm({ home, owner, method, args, line }: NameParts): Piece[] {
  return [shown(home, true), shown(owner + method + args + line)].filter(({ text }) => text !== "");
}

/** The forms of a function's name, each shorter than the one before; the last is the method. */
export function formsOf(name: string): Piece[][] {
  const parts = namePartsOf(name);
  const { home, owner, method, args, line } = parts;
  const end = withoutTypes(method);
  const tail = [hidden(args), shown(line)];
  const type = withoutNoise(owner).flatMap((piece) => (piece.shown ? withoutTypes(piece.text) : [piece]));
  const forms = [
    wholeForm(parts),
    ...(args === "" ? [] : [[shown(home, true), shown(owner + method), ...briefArgs(args), shown(line)]]),
    [shown(home, true), ...type, ...end, ...tail],
    ...(home === ""
      ? []
      : [
          [...initials(home), ...type, ...end, ...tail],
          [hidden(home), ...type, ...end, ...tail],
        ]),
    [hidden(home + owner), ...end, ...tail],
  ];
  return forms.map((form) => form.filter(({ text }) => text !== ""));
}

/** What is seen of it. */
export function shownText(pieces: readonly Piece[]): string {
  return pieces.map(({ text, shown, more }) => (shown ? text : (more && MORE) || "")).join("");
}

/** The beginning of a text, with an ellipsis; "" where not one letter of it has room. */
export function fitEnd(text: string, room: number, widthOf: WidthOf): string {
  const more = widthOf(MORE);
  let used = 0;
  /** Of the longest beginning that leaves room for the ellipsis. */
  let kept = 0;
  for (let at = 0; at < text.length; ) {
    const letter = String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (used + more <= room) kept = at;
    used += widthOf(letter);
    if (used > room) return kept === 0 ? "" : text.slice(0, kept) + MORE;
    at += letter.length;
  }
  return text;
}

/** Labels of a drawing in one font. What a name's forms take is measured once. */
export class NameLabels {
  private readonly widthOf: WidthOf;
  private readonly known = new Map<string, { texts: string[]; widths: number[]; last: Piece[]; parts: NameParts }>();

  constructor(widthOf: WidthOf) {
    this.widthOf = widthOf;
  }

  /** The longest short form that has room, or the beginning of the method; "" where that says nothing. */
  fit(name: string, room: number): string {
    const { texts, widths, last, parts } = this.formsOf(name);
    const at = widths.findIndex((width) => width <= room);
    if (at >= 0 && at < texts.length - 1) return texts[at];
    const pieces = shortest(parts, last, room, this.widthOf);
    return fitEnd(shownText(pieces), room, this.widthOf);
  }

  /** Both ends of a name that is no function's. */
  fitMiddle(text: string, room: number): string {
    return fitEnd(shownText(fitMiddle(text, room, this.widthOf)), room, this.widthOf);
  }

  private formsOf(name: string) {
    let forms = this.known.get(name);
    if (forms === undefined) {
      if (this.known.size >= MOST_KNOWN) this.known.clear();
      const all = formsOf(name);
      const texts = all.map(shownText);
      forms = { texts, widths: texts.map(this.widthOf), last: all.at(-1) ?? [], parts: namePartsOf(name) };
      this.known.set(name, forms);
    }
    return forms;
  }
}

/** The longest form that has room; from the middle of the class on, as much of it as there is room for. */
export function fitName(name: string, room: number, widthOf: WidthOf): Piece[] {
  if (widthOf(name) <= room) return wholeForm(namePartsOf(name));
  const forms = formsOf(name);
  const fits = forms.find((form) => widthOf(shownText(form)) <= room);
  const last = forms.at(-1) ?? [];
  if (fits !== undefined && fits !== last) return fits;
  return shortest(namePartsOf(name), last, room, widthOf);
}

/** The last form, with as much of the class as there is room for. */
function shortest({ home, owner }: NameParts, last: Piece[], room: number, widthOf: WidthOf): Piece[] {
  return withinClass(home, owner, last.slice(1), room, widthOf) ?? last;
}

/** The method with the two ends of its class; null where there is no room for them. */
function withinClass(home: string, owner: string, end: Piece[], room: number, widthOf: WidthOf): Piece[] | null {
  const separator = /(::|[./#])$/.exec(owner)?.[0] ?? "";
  const type = owner.slice(0, owner.length - separator.length);
  const left = room - widthOf(shownText(end)) - widthOf(separator);
  const middle = middleOf(type, left, widthOf, 0.5, LEAST_OF_CLASS);
  return middle === null ? null : [hidden(home), ...middle, shown(separator), ...end].filter(({ text }) => text !== "");
}

/** A thread, a route or a file without its middle: `http-nio-8080-…-exec-12`. */
export function fitMiddle(text: string, room: number, widthOf: WidthOf): Piece[] {
  if (widthOf(text) <= room) return [shown(text)];
  return middleOf(text, room, widthOf, TAIL_SHARE, 1) ?? [shown(text)];
}

/** Both ends of a text, `share` of the room for its tail; null where fewer than `least` letters of each have room. */
function middleOf(text: string, room: number, widthOf: WidthOf, share: number, least: number): Piece[] | null {
  const letters = [...text];
  if (letters.length < 2 * least + 1) return null;
  const free = room - widthOf(MORE);
  let head = 0;
  let tail = 0;
  let used = [0, 0];
  for (;;) {
    // The side that has less of its share gets the next letter.
    const side = used[0] * share <= used[1] * (1 - share) ? 0 : 1;
    const width = widthOf(side === 0 ? letters[head] : letters[letters.length - 1 - tail]);
    if (used[0] + used[1] + width > free || head + tail + 1 >= letters.length) break;
    used = side === 0 ? [used[0] + width, used[1]] : [used[0], used[1] + width];
    if (side === 0) head++;
    else tail++;
  }
  if (Math.min(head, tail) < least) return null;
  const [from, to] = [letters.slice(0, head).join("").length, letters.slice(0, letters.length - tail).join("").length];
  return [shown(text.slice(0, from)), hidden(text.slice(from, to), true), shown(text.slice(to))];
}
