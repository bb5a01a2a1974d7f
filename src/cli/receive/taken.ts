/** Checks a body as the page's readers will read it, and counts what is in it. Throws Refused for a damaged one. */

import { bytesSource } from "../../bytes/byte-source.ts";
import { Broken, run, Window } from "../../bytes/window.ts";
import { jsonLogs } from "../../otlp/logs-json.ts";
import { protobufLogs } from "../../otlp/logs-protobuf.ts";
import { walkMessages } from "../../otlp/messages.ts";
import type { Field } from "../../otlp/schema.ts";
import type { EncodingCode, Sink } from "../../otlp/sink.ts";
import { readTraceFile } from "../../traces/read.ts";
import { firstService, type SpanStore } from "../../traces/rows.ts";
import { Refused } from "./answers.ts";

/** What a request contained. */
export interface Content {
  /** Counts by their nouns: profiles, samples, spans. */
  counts: Record<string, number>;
  service: string;
  /** What was left out, and why; "" if nothing was. */
  rejected: number;
  warning: string;
}

const OLD_LAYOUT =
  "the samples have the layout of OTLP 1.8 and 1.9: current receivers refuse it or read other values from it";
const SERVICE = "service.name";
const DECODER = new TextDecoder();

/** Attributes of resources whose keys are looked up. */
const MOST_ATTRIBUTES = 256;

class Counter implements Sink {
  profiles = 0;
  samples = 0;
  isOld = false;
  /** Keys and values: texts, or places in the table of strings, which follows the resources. */
  private readonly pairs: [key: string | number, value: string | number][] = [];
  private readonly texts = new Map<number, string>();
  private strings = 0;

  open({ name, owner }: Field): void {
    if (name === "profiles" && owner.name === "ScopeProfiles") this.profiles++;
    if (name === "samples" && owner.name === "Profile") this.samples++;
    if (name === "attributes" && this.pairs.length < MOST_ATTRIBUTES) this.pairs.push(["", ""]);
  }

  close(): void {}

  number({ name }: Field, low: number): void {
    if (name === "key_strindex") this.put(0, low);
    if (name === "string_value_strindex") this.put(1, low);
  }

  text({ name, owner }: Field, bytes: Uint8Array, start: number, end: number): void {
    const text = () => DECODER.decode(bytes.subarray(start, end));
    if (name === "string_table") {
      const place = this.strings++;
      if (this.pairs.some((pair) => pair.includes(place))) this.texts.set(place, text());
    } else if (name === "key" && owner.name === "KeyValue") this.put(0, text());
    else if (name === "string_value") this.put(1, text());
  }

  private put(side: 0 | 1, word: string | number): void {
    const last = this.pairs.at(-1);
    if (last !== undefined && last[side] === "") last[side] = word;
  }

  /** Name of the first service that is stated; "" without one. */
  get service(): string {
    const textOf = (word: string | number) => (typeof word === "string" ? word : (this.texts.get(word) ?? ""));
    return textOf(this.pairs.find(([key]) => textOf(key) === SERVICE)?.[1] ?? "");
  }

  payload(): void {}

  note(code: EncodingCode): void {
    this.isOld ||= code === "old-layout";
  }
}

/** OTLP profiles. */
export function profilesIn(body: Uint8Array, isJson: boolean): Content {
  const counter = new Counter();
  if (body.length > 0) broken(() => run(walkMessages(new Window(body), isJson ? "json" : "protobuf", () => counter)));
  const { profiles, samples, service, isOld } = counter;
  return { counts: { profiles, samples }, service, rejected: 0, warning: isOld ? OLD_LAYOUT : "" };
}

function broken(read: () => void): void {
  try {
    read();
  } catch (error) {
    if (error instanceof Broken) throw new Refused(400, `${error.message} (byte ${error.offset})`);
    throw error;
  }
}

/** OTLP logs: only records that are pprof profiles are of use. */
export async function logsIn(body: Uint8Array, isJson: boolean): Promise<Content> {
  const faults: Broken[] = [];
  const note = (fault: Broken) => void faults.push(fault);
  const source = bytesSource(body);
  let [profiles, others, service] = [0, 0, ""];
  if (body.length > 0)
    for await (const logs of isJson ? jsonLogs(source, note) : protobufLogs(source, "protobuf", note)) {
      profiles += logs.profiles.length;
      others += logs.others;
      service ||= logs.resource["service.name"] ?? "";
    }
  for (const fault of faults) broken(() => throws(fault));
  const warning = others === 0 ? "" : "only log records that are pprof profiles are kept";
  return { counts: { profiles }, service, rejected: others, warning };
}

function throws(fault: Error): never {
  throw fault;
}

/** Findings of a trace file that are about the file as a whole. */
const DAMAGED = new Set(["trace.format", "trace.cut", "trace.damaged", "trace.unreadable", "trace.full"]);

/** Counts the spans of a file, and keeps nothing. */
class SpanCounter implements SpanStore {
  service = "";
  private readonly texts: string[] = [""];
  text = (text: string) => this.texts.push(text) - 1;
  attribute = () => 0;
  set = () => 0;
  add = (rows: Uint8Array) => {
    this.service ||= this.texts[firstService(rows)] ?? "";
    return true;
  };
}

/** Spans of any format that trace files have. */
export async function spansIn(body: Uint8Array): Promise<Content> {
  if (body.length === 0) return { counts: { spans: 0 }, service: "", rejected: 0, warning: "" };
  const store = new SpanCounter();
  const { spans, diagnostics } = await readTraceFile("body", bytesSource(body), store, 1);
  const fault = diagnostics.find(({ code }) => DAMAGED.has(code));
  if (fault !== undefined) throw new Refused(400, fault.message);
  const left = diagnostics.filter(({ code }) => code === "trace.span");
  return { counts: { spans }, service: store.service, rejected: left.length, warning: left[0]?.message ?? "" };
}
