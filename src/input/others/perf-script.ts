/**
 * The text of `perf script`: a head for each sample, its frames leaf first, and an empty line.
 *
 *   node  4591/4592 [001] 14391.238862:   10101010 cpu-clock:
 *           1176284 v8::internal::Checksum+0x24 (/usr/bin/node)
 *
 * The thread's name precedes its ids; process, processor and period may be missing. Lines of the source may follow.
 */
import type { ByteSource } from "../../bytes/byte-source.ts";
import type { MadeFrame } from "../../otlp/dictionary.ts";
import type { NoteFault } from "../../otlp/framed-messages.ts";
import { blocksOf } from "../collapsed.ts";
import type { MadeSample, Series } from "./batch.ts";
import { type Faults, frameTypeOf, MOST_DEEP } from "./faults.ts";

const HEAD =
  /^(?<name>\S.*?|) +(?:(?<pid>-?\d{1,15})\/)?(?<tid>-?\d{1,15}) +(?:\[(?<core>\d+)\] +)?(?:\S*[.dhN]\S* +)?(?<seconds>\d{1,12})\.(?<part>\d{1,9}): +(?:(?<period>\d{1,18}) +)?(?<event>[\w.\-:/=,]+?):(?:[ukhpPGHSDWe]*:)? *$/;
const FRAME = /^\s+([0-9a-f]+) (.+) \(([^()]*(?:\([^()]*\))?[^()]*)\)\s*$/;
const SOURCE = /^\s+(\S[^:]*):(\d+)\s*$/;
/** Events whose periods are nanoseconds. */
const CPU = { type: "cpu" };
const CLOCKS = /^(?:cpu-clock|task-clock)$/;

export function isPerfHead(line: string): boolean {
  return HEAD.test(line);
}

export function isPerfFrame(line: string): boolean {
  return FRAME.test(line);
}

/** Numbers for frames, by their texts. */
class Frames {
  readonly list: MadeFrame[] = [];
  private readonly numbers = new Map<string, number>();

  of(line: string, make: () => MadeFrame): number {
    const known = this.numbers.get(line);
    if (known !== undefined) return known;
    this.numbers.set(line, this.list.length);
    return this.list.push(make()) - 1;
  }
}

interface Open {
  series: Series;
  attributes: Record<string, string | bigint>;
  value: bigint;
  time: bigint;
  frames: number[];
  isCut: boolean;
}

/** Reads blocks of whole lines one after the other, so memory grows with the number of stacks only. */
export class PerfScript {
  private readonly faults: Faults;
  private frames = new Frames();
  private readonly series = new Map<string, Series>();
  private readonly threads = new Map<string, Record<string, string | bigint>>();
  private stacks: number[][] = [];
  private stackNumbers = new Map<string, number>();
  private open: Open | null = null;
  private of = this.stacksNow();
  private line = 0;

  constructor(faults: Faults) {
    this.faults = faults;
  }

  private stacksNow(): MadeSample["of"] {
    const { stacks, frames } = this;
    return { framesOf: (stack) => stacks[stack] ?? [], frameOf: (frame) => frames.list[frame] ?? { name: "" } };
  }

  /** Forgets stacks and frames, which messages so far contain. */
  forget(): void {
    const begun = this.open?.frames.map((frame) => this.frames.list[frame] ?? { name: "" }) ?? [];
    this.frames = new Frames();
    if (this.open !== null) this.open.frames = begun.map((frame, i) => this.frames.of(`begun ${i}`, () => frame));
    this.stacks = [];
    this.stackNumbers = new Map();
    this.of = this.stacksNow();
  }

  *samplesOf(text: string): Generator<MadeSample> {
    const lines = text.split(/\r?\n/);
    // Blocks end with a line.
    if (lines.at(-1) === "") lines.pop();
    for (const line of lines) {
      this.line++;
      if (line === "" || line.startsWith("#")) {
        yield* this.close();
        continue;
      }
      if (/^\s/.test(line) && this.open !== null) this.takeFrame(this.open, line);
      else {
        yield* this.close();
        this.begin(line);
      }
    }
  }

  *close(): Generator<MadeSample> {
    const { open, of } = this;
    this.open = null;
    if (open === null) return;
    const { series, attributes, value, time } = open;
    const key = open.frames.join(" ");
    let stack = open.frames.length === 0 ? -1 : (this.stackNumbers.get(key) ?? this.stacks.length);
    if (stack === this.stacks.length) {
      this.stackNumbers.set(key, stack);
      stack = this.stacks.push(open.frames) - 1;
    }
    if (open.isCut)
      this.faults.add(`deeper than ${MOST_DEEP} frames, whose callers were left out`, `line ${this.line}`);
    yield { series, of, stack, attributes, value, time };
  }

  private begin(line: string): void {
    const fields = HEAD.exec(line)?.groups;
    if (fields === undefined) {
      this.faults.add("that is no head of a sample and no frame; left out", `line ${this.line}`);
      return;
    }
    const { name = "", pid, tid = "0", seconds = "0", part = "", period, event = "" } = fields;
    const key = `${name} ${pid} ${tid}`;
    const attributes = this.threads.get(key) ?? {
      "thread.name": name.trim(),
      "thread.id": BigInt(tid),
      ...(pid !== undefined && { "process.pid": BigInt(pid) }),
    };
    this.threads.set(key, attributes);
    const value = period === undefined ? 1n : BigInt(period);
    const time = BigInt(seconds) * 1_000_000_000n + BigInt(part.padEnd(9, "0"));
    this.open = { series: this.seriesOf(event, period), attributes, value, time, frames: [], isCut: false };
  }

  private seriesOf(event: string, period: string | undefined): Series {
    const [name = event] = event.split(":", 1);
    const isClock = CLOCKS.test(name) && period !== undefined;
    const key = isClock ? `${name} ${period}` : `${name} ${period === undefined}`;
    const known = this.series.get(key);
    if (known !== undefined) return known;
    const nanos = { unit: "nanoseconds", value: BigInt(period ?? 0) };
    // The name of a tracepoint has a colon, that of another event its modifiers after it.
    const type = event.includes(":") && !/:[ukhpPGHSDWe]*$/.test(event) ? event : name;
    const made = isClock ? { ...CPU, unit: "nanoseconds", period: nanos } : { type, unit: "count" };
    if (CLOCKS.test(name)) made.type = CPU.type;
    this.series.set(key, made);
    return made;
  }

  private takeFrame(open: Open, line: string): void {
    const [, , symbol, library] = FRAME.exec(line) ?? [];
    if (symbol === undefined || library === undefined) {
      const [, file = "", at = ""] = SOURCE.exec(line) ?? [];
      const last = open.frames.at(-1);
      if (file === "" || last === undefined) this.faults.add("that is no frame; left out", `line ${this.line}`);
      else {
        const frame = this.frames.list[last];
        if (frame !== undefined)
          open.frames[open.frames.length - 1] = this.frames.of(`${last} ${file}:${at}`, () => ({
            ...{ ...frame, file, line: Number(at) },
          }));
      }
      return;
    }
    if (open.frames.length < MOST_DEEP)
      open.frames.push(this.frames.of(`${symbol} ${library}`, () => frameIn(symbol, library)));
    else open.isCut = true;
  }
}

/** A frame by its symbol and its library. Names of JIT compilers state the language. */
function frameIn(symbol: string, library: string): MadeFrame {
  const name = symbol.replace(/\+0x[0-9a-f]+$/, "");
  if (name === "[unknown]")
    return { name: `[${library.replace(/^.*\//, "").replace(/^\[|\]$/g, "")}]`, type: typeIn(library) };
  const [, js, place] = /^(?:JS|LazyCompile|Script|Eval|Function|RegExp):[~*^+]?(\S*) ?(.*)$/.exec(name) ?? [];
  if (js !== undefined) {
    const [, file = place ?? "", line = "0"] = /^(.*?):(\d+)(?::\d+)?$/.exec(place ?? "") ?? [];
    return { name: js === "" ? "(anonymous)" : js, file, startLine: Number(line), type: "v8js" };
  }
  const [, python, file] = /^py::(.+?):(.+)$/.exec(name) ?? [];
  if (python !== undefined) return { name: python, file: file ?? "", type: "cpython" };
  if (/^L?[\w$/]+;::/.test(name))
    return { name: name.replace(/^L?([\w$/]+);::/, (_, of: string) => `${of.replaceAll("/", ".")}.`), type: "jvm" };
  return { name, type: typeIn(library) };
}

function typeIn(library: string): string {
  if (
    /^\[(?:kernel|guest\.kernel)|\.ko(?:\.\w+)?\]?$|^\[[\w-]+\]$/.test(library) &&
    !/^\[(?:vdso|heap|stack|unknown|anon)/.test(library)
  )
    return "kernel";
  return frameTypeOf(library) || "native";
}

/** The blocks of a file as texts. */
export async function* perfTexts(
  source: ByteSource,
  note: NoteFault,
): AsyncGenerator<{ text: string; offset: number }> {
  for await (const { offset, length, fill } of blocksOf(source, note)) {
    const bytes = new Uint8Array(length);
    yield { text: new TextDecoder().decode(bytes.subarray(0, await fill(bytes))), offset };
  }
}
