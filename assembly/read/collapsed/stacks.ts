/**
 * Reader of collapsed stacks: each line is a stack, root first, its frames separated by `;`, and its weight after the
 * last blank.
 *
 *   [main tid=7];java/lang/Thread.run_[j];Shop.pay_[0];sys_read_[k] 42
 *
 * The profile is `samples` in `count`: the format has neither the unit of the counts nor times. async-profiler writes
 * the thread as the first frame and the type of a frame at the end of its name; the reader takes both off. Line numbers
 * stay in the name.
 *
 * Lines that are no stacks:
 *
 *   # mode: wall      a comment, also after two slashes; `#<Class:Shop>#pay 5` is a stack of Ruby
 *   duration: 383010  a setting: the text ends in `:`, `,`, or in `=` and has no `;`
 *   Total 45          the sum of the other lines, at the end or before them
 *
 * A file whose lines all end in two numbers has two profiles, as difffolded.pl writes it: before and after. A line ends
 * in a line feed, a carriage return, or both.
 */
import * as Diagnostic from "../../abi/formats/collapsed";
import * as FrameType from "../../abi/frame-type";
import { Buffer, ownBuffer } from "../../memory/buffer";
import { decimal, digitsEnd, isTooLarge } from "../../memory/digits";
import { onReset } from "../../memory/resets";
import { diagnose } from "../../store/diagnostics";
import { eventOf, NO_ROW, profileOf } from "../../store/profile-lookup";
import { Shape } from "../../store/profiles";
import { appendTimeless, rowOf } from "../../store/samples";
import { internFunction, internPlainLocation, internText } from "../../store/tables";
import { bracketedThread, isNameRepaired, MARK, markedType } from "../async-profiler";
import { countSample } from "../counter";
import { internPlainStack } from "../kept-stack";
import { internUtf8, repaired } from "../text";

const LINE_FEED: u8 = 0x0a;
const CARRIAGE_RETURN: u8 = 0x0d;
const SEMICOLON: u8 = 0x3b;
const COLON: u8 = 0x3a;
const COMMA: u8 = 0x2c;
const EQUALS: u8 = 0x3d;
const HASH: u8 = 0x23;
const SLASH: u8 = 0x2f;
const LESS: u8 = 0x3c;
/** Texts before a sum, in lower case. */
const TOTALS: StaticArray<string> = ["total", "total samples", "samples", "sum"];
/** Lines that decide how many numbers a line of the file has. */
const DECIDING: u32 = 1000;

let start: usize = 0;
let at: usize = 0;
let end: usize = 0;
let event: u32 = 0;
/** The event of second numbers. */
let secondEvent: u32 = 0;
/** Locations of a stack, leaf first. */
const packed: Buffer = ownBuffer(1 << 10);
/** For the current line. */
let weight: i64 = 0;
let thread: u32 = 0;
let isRepaired: bool = false;
/** Numbers at the end of each line of the file; 0 before its first stack. */
let numbers: u32 = 0;
/** For the file so far. */
let sum: i64 = 0;
let line: u32 = 0;
/** A line before the stacks that may have their sum: its weight, its stack + 1, its offset and its number. */
let firstTotal: i64 = 0;
let firstStack: u32 = 0;
let firstOffset: u32 = 0;
let firstNumber: u32 = 0;

onReset((): void => {
  beginLinesOfFile();
});

function beginLinesOfFile(): void {
  numbers = 0;
  sum = 0;
  line = 0;
  firstStack = 0;
}

/** The file ends: a first line with the sum of the others is no stack, another one is. */
export function endCollapsed(): void {
  if (firstStack !== 0) {
    if (firstTotal === sum) diagnose(Diagnostic.NoStack, firstOffset, firstNumber);
    else appendTimeless(rowOf(event, firstStack - 1, 0, 0, 0), firstTotal, 0);
  }
  beginLinesOfFile();
}

/** Opens the lines of `n` bytes at `p`; false where the store has no room for their profile. */
export function openCollapsed(p: usize, n: u32): bool {
  start = p;
  at = p;
  end = p + n;
  if (numbers === 0) {
    numbers = numbersOfLines();
    if (numbers === 2) diagnose(column, 0, 0);
  }
  event = eventNamed(numbers === 2 ? "samples:before" : "samples");
  secondEvent = numbers === 2 ? eventNamed("samples:after") : 0;
  if (event !== NO_ROW && secondEvent !== NO_ROW) return true;
  diagnose(Diagnostic.NoProfile, 0, 0);
  at = end;
  return false;
}

function eventNamed(type: string): u32 {
  const profile = profileOf(internText(type), internText("count"), 0, 0, 0, 0, 0);
  return profile === NO_ROW ? NO_ROW : eventOf(profile, 0, Shape.Values, true);
}

/** What is known of the second number of all lines: a code. */
let column: u32 = 0;

/**
 * 2 if all of the first lines with a number have a second one before it, else 1; 0 if no line has a number. Names may
 * end in numbers, too (`worker 1`), but then no line has the weight 0, as stacks of one of two files only have.
 */
function numbersOfLines(): u32 {
  let lines: u32 = 0;
  let third: u32 = 0;
  column = Diagnostic.MaybeTwoWeights;
  for (let p = start; p < end && lines < DECIDING; ) {
    const last = lineEnd(p);
    const text = endWithoutBlanks(p, last);
    if (!isComment(p, text)) {
      const second = wordStart(p, text);
      if (second > p && takeWeight(second, text) !== Diagnostic.NoWeight) {
        const before = endWithoutBlanks(p, second);
        if (weight === 0) column = Diagnostic.TwoWeights;
        if (isWeightAt(p, before)) {
          lines++;
          third += u32(isWeightAt(p, endWithoutBlanks(p, wordStart(p, before))));
        } else if (!isSetting(p, before) && !isTotal(p, before)) return 1;
      }
    }
    p = afterLine(last);
  }
  if (third === lines) column = Diagnostic.ManyWeights;
  return lines === 0 ? 0 : 2;
}

/** Goes on for about `budget` bytes. True while there is more. */
export function stepCollapsed(budget: u32): bool {
  const stop = budget < <u32>(end - at) ? at + budget : end;
  while (at < stop) {
    const last = lineEnd(at);
    line++;
    readLine(at, last);
    at = afterLine(last);
  }
  return at < end;
}

export function collapsedBytesLeft(): u32 {
  return <u32>(end - at);
}

export function closeCollapsed(): void {
  at = end;
}

/** Whether the text [p, last) ends in digits after a blank, a sign or a point. Names are longer than their digits. */
function mayEndInNumber(p: usize, last: usize): bool {
  const to = last;
  while (last > p && load<u8>(last - 1) - 0x30 <= 9) last--;
  return last < to && last > p && load<u8>(last - 1) <= 0x2e;
}

function isBlank(c: u8): bool {
  return c === 0x20 || c === 0x09 || c === 0x0d;
}

function lineEnd(p: usize): usize {
  while (p < end) {
    // Eight bytes, none of which is below 14.
    if (p + 8 <= end && ((load<u64>(p) - 0x0e0e_0e0e_0e0e_0e0e) & ~load<u64>(p) & 0x8080_8080_8080_8080) === 0) {
      p += 8;
      continue;
    }
    const c = load<u8>(p);
    if (c === LINE_FEED || c === CARRIAGE_RETURN) break;
    p++;
  }
  return p;
}

/** The start of the line after the one that ends at `last`. */
function afterLine(last: usize): usize {
  if (last + 1 < end && load<u8>(last) === CARRIAGE_RETURN && load<u8>(last + 1) === LINE_FEED) return last + 2;
  return min(last + 1, end);
}

function endWithoutBlanks(p: usize, last: usize): usize {
  while (last > p && isBlank(load<u8>(last - 1))) last--;
  return last;
}

function wordStart(p: usize, last: usize): usize {
  while (last > p && !isBlank(load<u8>(last - 1))) last--;
  return last;
}

function isComment(p: usize, last: usize): bool {
  while (p < last && isBlank(load<u8>(p))) p++;
  if (p === last) return true;
  const c = load<u8>(p);
  const next: u8 = p + 1 < last ? load<u8>(p + 1) : 0;
  return c === HASH ? next !== LESS : c === SLASH && next === SLASH;
}

/** Whether the text [p, last) before a number is that of a setting. */
function isSetting(p: usize, last: usize): bool {
  if (p === last) return false;
  const c = load<u8>(last - 1);
  if (c === COLON || c === COMMA) return true;
  if (c !== EQUALS) return false;
  while (p < last && load<u8>(p) !== SEMICOLON) p++;
  return p === last;
}

/** Whether the text [p, last) is one that a sum follows. */
function isTotal(p: usize, last: usize): bool {
  for (let i = 0; i < TOTALS.length; i++) {
    const text = TOTALS[i];
    if (last - p !== <usize>text.length) continue;
    let j = 0;
    while (j < text.length && (load<u8>(p + j) | 0x20) === text.charCodeAt(j)) j++;
    if (j === text.length) return true;
  }
  return false;
}

/** Reads the line [p, last). An empty line and a comment are ignored. */
function readLine(p: usize, last: usize): void {
  last = endWithoutBlanks(p, last);
  if (isComment(p, last)) return;
  let number = wordStart(p, last);
  let code = number === p ? <u32>Diagnostic.NoWeight : takeWeight(number, last);
  const second = weight;
  if (code !== Diagnostic.NoWeight && numbers === 2 && !isSetting(p, endWithoutBlanks(p, number))) {
    last = endWithoutBlanks(p, number);
    number = wordStart(p, last);
    const first = number === p ? <u32>Diagnostic.NoWeight : takeWeight(number, last);
    if (first === Diagnostic.NoWeight) code = Diagnostic.OneWeight;
    else if (code === 0 || first === Diagnostic.LargeWeight) code = first;
  }
  const text = endWithoutBlanks(p, number);
  if (code !== Diagnostic.NoWeight && isSetting(p, text)) code = Diagnostic.NoStack;
  const mayBeTotal = numbers !== 2 && isTotal(p, text);
  if (mayBeTotal && code === 0 && weight === sum && sum !== 0) code = Diagnostic.NoStack;
  if (code !== 0) diagnose(code, p - start, line);
  if (code !== 0 && code !== Diagnostic.Fraction) return;
  if (numbers !== 2 && mayEndInNumber(p, text)) {
    const kept = weight;
    if (isWeightAt(p, text)) diagnose(Diagnostic.SecondWeight, p - start, line);
    weight = kept;
  }
  isRepaired = false;
  takeStack(p, number - 1);
  if (isRepaired) diagnose(Diagnostic.Text, p - start, line);
  const stack = internPlainStack(packed, Diagnostic.StackDeep, p - start);
  countSample();
  if (mayBeTotal && sum === 0 && firstStack === 0) {
    firstTotal = weight;
    firstStack = stack + 1;
    firstOffset = <u32>(p - start);
    firstNumber = line;
    return;
  }
  sum += weight;
  appendTimeless(rowOf(event, stack, 0, thread, 0), weight, 0);
  if (numbers === 2) appendTimeless(rowOf(secondEvent, stack, 0, thread, 0), second, 0);
}

/** Whether the text [p, last) ends in a number after a blank; sets `weight` to it. */
function isWeightAt(p: usize, last: usize): bool {
  const number = wordStart(p, last);
  return number !== p && takeWeight(number, last) !== Diagnostic.NoWeight;
}

/** Sets `weight` to the number [p, last): a sign, digits, decimals. Returns the code of a diagnostic, or 0. */
function takeWeight(p: usize, last: usize): u32 {
  const minus = load<u8>(p) === 0x2d;
  const most = minus ? <u64>i64.MIN_VALUE : <u64>i64.MAX_VALUE;
  const digits = minus ? p + 1 : p;
  let n = decimal(digits, last, most);
  if (digitsEnd === digits) return Diagnostic.NoWeight;
  let isLarge = isTooLarge;
  let code: u32 = 0;
  if (digitsEnd < last) {
    const point = digitsEnd;
    if (load<u8>(point) !== 0x2e) return Diagnostic.NoWeight;
    decimal(point + 1, last, most);
    if (digitsEnd < last) return Diagnostic.NoWeight;
    code = Diagnostic.Fraction;
    if (point + 1 < last && load<u8>(point + 1) >= 0x35) {
      isLarge = isLarge || n === most;
      n++;
    }
  }
  weight = minus ? -(<i64>n) : <i64>n;
  return isLarge ? <u32>Diagnostic.LargeWeight : code;
}

/** Puts the frames of [p, last) into `packed`, and the thread into `thread`. */
function takeStack(p: usize, last: usize): void {
  packed.size = 0;
  thread = 0;
  if (p === last) return;
  let from = last;
  while (true) {
    const to = from;
    while (from > p && load<u8>(from - 1) !== SEMICOLON) from--;
    if (from === p) {
      if (!takeThread(p, to)) packed.varint(locationOf(p, to));
      return;
    }
    packed.varint(locationOf(from, to));
    from--;
  }
}

function nameOf(p: usize, to: usize): u32 {
  const name = internUtf8(p, <u32>(to - p));
  isRepaired = isRepaired || repaired;
  return name;
}

/** The frame [p, to), with its type where its name ends in one. */
function locationOf(p: usize, to: usize): u32 {
  const type = markedType(p, to);
  if (type !== <u32>FrameType.None) to -= MARK;
  return internPlainLocation(internFunction(nameOf(p, to), 0, 0, 0), 0, type);
}

/** Takes the frame [p, to) as the thread if it is one. */
function takeThread(p: usize, to: usize): bool {
  thread = bracketedThread(p, to);
  isRepaired = isRepaired || isNameRepaired;
  return thread !== 0;
}
