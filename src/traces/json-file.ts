/**
 * Trace files in JSON: one value, or a value on each line. The outer arrays and objects are read member by member as
 * bytes arrive; a span is held as a whole. The members decide the format:
 *
 *   { "resourceSpans": [ { "resource", "scopeSpans": [ { "spans": [ span ] } ] } ] }     OTLP
 *   { "batches": [ … ] }, { "trace": { "resourceSpans" } }                               the same of Tempo
 *   { "result": { "resourceSpans" } }                                                    the same of Jaeger 2
 *   { "data": [ { "spans": [ span ], "processes": {} } ] }                               Jaeger
 *   { "hits": { "hits": [ { "_source": span } ] } }                                      its store in Elasticsearch
 *   [ span ], or a span on each line                                                     Zipkin, Datadog
 *   [ [ span ] ]                                                                         Datadog
 *   { "resource", "scopeSpans" }                                                         OTLP, as Java logs it
 *   spans, one after another, or in a log with other lines                               printed (printed.ts)
 *
 * Older versions of OTLP have `instrumentationLibrarySpans` in place of `scopeSpans`. An array may have any of these as
 * its items.
 */
import { Broken, type Steps } from "../bytes/window.ts";
import { CLOSE_ARRAY, CLOSE_OBJECT, COLON, type JsonText, OPEN_ARRAY, OPEN_OBJECT } from "../otlp/json-text.ts";
import { isLogRecord } from "../otlp/sniff-trace.ts";
import { datadogSpan, statedTrace } from "./datadog.ts";
import { type Findings, FORMAT_NAMES, type TraceFormat } from "./findings.ts";
import { jaegerSpan, Processes, storedSpan } from "./jaeger.ts";
import { type JsonObject, jsonString, jsonValue } from "./json-value.ts";
import { nextInLog, nodeObject } from "./log.ts";
import { keyValues, otlpSpan, processOf } from "./otlp-json.ts";
import { goSpan, nodeSpan, pythonSpan } from "./printed.ts";
import { LEFT_OUT, type Process, type SpanRows } from "./rows.ts";
import { NO_ID, objectOf, type ParsedSpan, SpanFault } from "./span.ts";
import { zipkinSpans } from "./zipkin.ts";

/** Bytes of the longest word of JSON, `false`: an error in one that the file cuts is at its start. */
const LONGEST_WORD = 5;

/** Members with ResourceSpans, and objects around them. */
const RESOURCES = new Set(["resourceSpans", "resource_spans", "batches"]);
const WRAPPERS = new Set(["trace", "result", "data", "hits"]);
const SCOPES = new Set(["scopeSpans", "scope_spans", "instrumentationLibrarySpans", "instrumentation_library_spans"]);

/** Bytes at the beginning of an object that tell what it is. */
const HEAD_BYTES = 512;
const ENVELOPE = /"(?:resource_?spans|batches|trace|result|data|hits|_source)"\s*:\s*[[{]/i;
const JAEGER_TRACE = /"spans"\s*:\s*\[|"processes"\s*:\s*\{/;
const ID = /"(?:trace_?id|span_?id)"\s*:/i;
const RESOURCE = /^\{\s*"(?:resource"\s*:\s*\{|scopeSpans"\s*:\s*\[)/;
const DECODER = new TextDecoder();

/** Spans without an object around them, by their members. */
const FLAT: readonly [TraceFormat, of: string, and: string, (span: JsonObject) => ParsedSpan | ParsedSpan[]][] = [
  ["datadog", "span_id", "span_id", datadogSpan],
  ["jaeger", "operationName", "process", storedSpan],
  ["python", "context", "start_time", pythonSpan],
  ["go", "SpanContext", "StartTime", goSpan],
  ["zipkin", "traceId", "traceId", zipkinSpans],
];
/** Formats that programs print between other lines. */
const PRINTED: readonly (TraceFormat | null)[] = ["python", "go"];

type Members = (key: string) => Steps<boolean>;

export class JsonFile {
  /** Null as long as nothing of a format was found. */
  format: TraceFormat | null = null;
  private readonly text: JsonText;
  private readonly rows: SpanRows;
  private readonly findings: Findings;
  /** Lines between values are no damage. */
  private isLog: boolean;

  constructor(text: JsonText, rows: SpanRows, findings: Findings, isLog = false) {
    this.text = text;
    this.rows = rows;
    this.findings = findings;
    this.isLog = isLog;
  }

  /** Reads all values. After damage it goes on at the next line that begins with {, or in a log at the next span. */
  *read(): Steps {
    const { text, findings, rows } = this;
    yield* text.passMark();
    for (;;) {
      try {
        while ((yield* text.next()) >= 0) {
          rows.visit();
          if (!this.isLog) yield* this.document();
          else if (!(yield* this.logged())) return;
        }
        return;
      } catch (error) {
        if (!(error instanceof Broken)) throw error;
        rows.flush();
        const { window } = text;
        const isCut = window.complete && window.offset(window.end) - error.offset < LONGEST_WORD;
        const message = `JSON: ${error.message}; ${rows.count} spans before were read`;
        findings.note(isCut ? "trace.cut" : "trace.damaged", message, error.offset);
        if (!(yield* this.isLog ? window.skip(1) : text.nextObjectLine())) return;
      }
    }
  }

  private *document(): Steps {
    const { text } = this;
    const first = yield* text.next();
    if (first === OPEN_ARRAY) yield* this.items(() => this.listed());
    else if (first === OPEN_OBJECT) yield* this.object(false);
    else if (this.format === null) this.isLog = true;
    else yield* text.pass();
    this.isLog ||= PRINTED.includes(this.format);
  }

  /** The next span of a log; false if there is none. */
  private *logged(): Steps<boolean> {
    const { text, rows, findings } = this;
    const found = yield* nextInLog(text.window);
    if (found === null) return false;
    const offset = text.window.offset();
    if (found.kind === "json") yield* this.object(false);
    else if (found.kind === "node") {
      const value = yield* nodeObject(text.window);
      this.format ??= "node";
      this.add(value, nodeSpan, offset);
    } else {
      if (this.format === null) {
        findings.note("trace.time.missing", `${FORMAT_NAMES.java} prints no times and no parents: its spans are names`);
      }
      this.format ??= "java";
      rows.add(found.span);
    }
    return true;
  }

  /** The next object, by the members at its beginning. In an array it is a span if nothing tells otherwise. */
  private *object(isListed: boolean): Steps {
    const { text } = this;
    const { window } = text;
    yield* window.need(HEAD_BYTES);
    const head = DECODER.decode(window.bytes.subarray(window.at, Math.min(window.end, window.at + HEAD_BYTES)));
    const around = head.search(ENVELOPE);
    const id = head.search(ID);
    const spans = head.search(JAEGER_TRACE);
    const isFirst = (at: number, ...others: number[]) => at >= 0 && others.every((other) => other < 0 || at < other);
    if (RESOURCE.test(head)) yield* this.resource();
    else if (isFirst(around, id, spans)) yield* this.envelope();
    else if (spans >= 0) yield* this.trace();
    else if (isListed || id >= 0) yield* this.span((span) => this.flatSpan(span));
    else yield* this.envelope();
  }

  private *envelope(): Steps {
    const { text } = this;
    yield* this.members((key) => {
      const isObject = text.peek() === OPEN_OBJECT;
      if (RESOURCES.has(key)) return this.list("otlp-json", () => this.resource());
      if (key === "data" && !isObject) return this.list("jaeger", () => this.trace());
      if (key === "hits" && text.peek() === OPEN_ARRAY) return done(this.items(() => this.listed()));
      if (key === "_source" && isObject) return done(this.flat());
      return WRAPPERS.has(key) && isObject ? done(this.envelope()) : none();
    });
  }

  // ---- OTLP ----

  /** A ResourceSpans: its spans wait for its Resource, which may be its last member. */
  private *resource(): Steps {
    const { rows } = this;
    let process: Process = { service: "", instance: "" };
    rows.hold();
    try {
      yield* this.members((key) => {
        if (SCOPES.has(key)) return this.list("otlp-json", () => this.scope());
        return key === "resource"
          ? this.whole((value) => (process = processOf(keyValues(value.get("attributes")))))
          : none();
      });
    } finally {
      rows.release([process]);
    }
  }

  private *scope(): Steps {
    yield* this.members((key) => (key === "spans" ? this.list("otlp-json", () => this.span(otlpSpan)) : none()));
  }

  // ---- Jaeger ----

  /** A trace: its spans wait for its processes. */
  private *trace(): Steps {
    const processes = new Processes();
    this.rows.hold();
    try {
      yield* this.members((key) => {
        if (key === "spans") {
          return this.list("jaeger", () => this.span(jaegerSpan, (span) => processes.numberOf(span)));
        }
        return key === "processes" ? this.whole((value) => processes.describe(value)) : none();
      });
    } finally {
      this.rows.release(processes.list);
    }
  }

  // ---- Zipkin, Datadog ----

  /** An item of the outer array: a span, or an array of Datadog's spans. */
  private *listed(): Steps {
    const { text } = this;
    if (text.peek() === OPEN_ARRAY) yield* this.items(() => this.flat());
    else if (text.peek() === OPEN_OBJECT) yield* this.object(true);
    else yield* text.pass();
  }

  private *flat(): Steps {
    if ((yield* this.text.next()) !== OPEN_OBJECT) yield* this.text.pass();
    else yield* this.span((span) => this.flatSpan(span));
  }

  private flatSpan(span: JsonObject): ParsedSpan | ParsedSpan[] {
    if (isLogRecord((key) => span.has(key))) return [];
    const row = FLAT.find(([, of, and]) => span.has(of) && span.has(and));
    if (row === undefined) return zipkinSpans(span);
    const [format, , , parse] = row;
    this.format ??= format;
    return parse(span);
  }

  // ---- values ----

  private *span(
    parse: (span: JsonObject) => ParsedSpan | ParsedSpan[],
    processOf?: (span: JsonObject) => number,
  ): Steps {
    const { text } = this;
    yield* text.whole();
    const offset = text.window.offset();
    const value = objectOf(jsonValue(text));
    if (value !== undefined) this.add(value, parse, offset, processOf);
  }

  private add(
    value: JsonObject,
    parse: (span: JsonObject) => ParsedSpan | ParsedSpan[],
    offset: number,
    processOf?: (span: JsonObject) => number,
  ): void {
    const { rows, findings } = this;
    try {
      const spans = parse(value);
      // An array of other objects is no trace file.
      if (this.format === null) return;
      for (const span of Array.isArray(spans) ? spans : [spans]) {
        if (span.id === 0n) throw new SpanFault(NO_ID);
        const fault = rows.add(span, processOf?.(value) ?? 0);
        if (fault !== null) findings.note(fault.code, `${this.name}: ${fault.message}`, offset);
      }
    } catch (error) {
      if (!(error instanceof SpanFault)) throw error;
      rows.visit(LEFT_OUT);
      // The upper half of the id of its trace may be in no other span.
      if (this.format === "datadog") rows.addTraceId(statedTrace(value));
      findings.note("trace.span", `${this.name}: ${error.message}; the span was left out`, offset);
    }
  }

  private get name(): string {
    return this.format === null ? "JSON" : FORMAT_NAMES[this.format];
  }

  /** A member that is an array of a format's objects. */
  private *list(format: TraceFormat, item: () => Steps): Steps<boolean> {
    if (this.text.peek() !== OPEN_ARRAY) return false;
    this.format ??= format;
    const { text } = this;
    yield* this.items(function* () {
      if (text.peek() === OPEN_OBJECT) yield* item();
      else yield* text.pass();
    });
    return true;
  }

  /** A member that is held as a whole. */
  private *whole(take: (value: JsonObject) => void): Steps<boolean> {
    const { text } = this;
    yield* text.whole();
    const value = objectOf(jsonValue(text));
    if (value !== undefined) take(value);
    return true;
  }

  /** The next array, item by item. */
  private *items(item: () => Steps): Steps {
    const { rows, text } = this;
    text.window.at++;
    yield* text.next();
    if (text.take(CLOSE_ARRAY)) return;
    do {
      rows.visit();
      yield* text.next();
      yield* item();
      yield* text.next();
    } while (text.goesOn(CLOSE_ARRAY));
  }

  /** The next object, member by member; a value that `member` does not read is passed. */
  private *members(member: Members): Steps {
    const { rows, text } = this;
    text.window.at++;
    yield* text.next();
    if (text.take(CLOSE_OBJECT)) return;
    do {
      rows.visit();
      yield* text.next();
      yield* text.whole();
      const key = jsonString(text);
      yield* text.next();
      text.expect(COLON);
      yield* text.next();
      if (!(yield* member(key))) yield* text.pass();
      yield* text.next();
    } while (text.goesOn(CLOSE_OBJECT));
  }
}

function* done(steps: Steps): Steps<boolean> {
  yield* steps;
  return true;
}

// biome-ignore lint/correctness/useYield: a member that is not read needs no bytes
function* none(): Steps<boolean> {
  return false;
}
