/** Spans of Jaeger's query API, `{data: [{spans, processes}]}`, and of its store; times in µs, ids in hex. */
import type { Json, JsonObject } from "./json-value.ts";
import { processOf } from "./otlp-json.ts";
import type { Process } from "./rows.ts";
import { hexId, hexTrace, listOf, micros, microsLong, objectOf, type ParsedSpan, plainText, textOf } from "./span.ts";

const U64 = (1n << 64n) - 1n;

/** A span; its process is in the trace. */
export function jaegerSpan(span: JsonObject): ParsedSpan {
  const trace = hexTrace(span.get("traceID"), "traceID");
  const tags = tagsOf(span.get("tags"));
  return {
    trace,
    id: hexId(span.get("spanID"), "spanID"),
    parent: parentOf(span, trace),
    name: textOf(span.get("operationName")),
    service: "",
    resource: null,
    kind: plainText(tags.get("span.kind")).toLowerCase(),
    status: statusOf(tags),
    start: micros(span.get("startTime"), "startTime"),
    duration: microsLong(span.get("duration"), "duration"),
    instance: "",
    attributes: tags,
  };
}

/** A span as Jaeger stores it in Elasticsearch: with its process, and with tags as an object too. */
export function storedSpan(span: JsonObject): ParsedSpan {
  const parsed = jaegerSpan(span);
  const tags = new Map(parsed.attributes);
  for (const [key, value] of objectOf(span.get("tag")) ?? []) tags.set(key.replaceAll("@", "."), value);
  const { service, instance } = described(span.get("process"));
  const kind = plainText(tags.get("span.kind")).toLowerCase();
  return { ...parsed, service, instance, kind, status: statusOf(tags), attributes: tags };
}

/** The first CHILD_OF reference within the trace, else the first within it, else the older field. */
function parentOf(span: JsonObject, trace: bigint): bigint {
  const within = listOf(span.get("references"))
    .map(objectOf)
    .filter((each) => each !== undefined)
    .filter((each) => (hexTrace(each.get("traceID"), "references.traceID") & U64) === (trace & U64));
  const parent = within.find((each) => each.get("refType") === "CHILD_OF") ?? within[0];
  if (parent !== undefined) return hexId(parent.get("spanID"), "references.spanID");
  return hexId(span.get("parentSpanID"), "parentSpanID");
}

function statusOf(tags: ReadonlyMap<string, Json>): number {
  const error = tags.get("error");
  if (error === true || error === "true" || tags.get("otel.status_code") === "ERROR") return 2;
  return tags.get("otel.status_code") === "OK" ? 1 : 0;
}

/** Tags as a list of {key, value}. */
function tagsOf(list: Json | undefined): Map<string, Json> {
  const tags = new Map<string, Json>();
  for (const item of listOf(list)) {
    const tag = objectOf(item);
    if (tag !== undefined) tags.set(textOf(tag.get("key")), tag.get("value") ?? null);
  }
  return tags;
}

/** Processes of a trace by their name in it. */
export class Processes {
  /** Number 0 is of spans without a process. */
  readonly list: Process[] = [{ service: "", instance: "" }];
  private readonly numbers = new Map<string, number>();

  /** Number of the process of a span: one of the trace, or that in the span. */
  numberOf(span: JsonObject): number {
    const name = textOf(span.get("processID"));
    if (name === "") return this.add(span.get("process"));
    const known = this.numbers.get(name) ?? this.add(undefined);
    this.numbers.set(name, known);
    return known;
  }

  private add(process: Json | undefined): number {
    return this.list.push(described(process)) - 1;
  }

  /** Takes in the member `processes` of a trace. */
  describe(processes: Json): void {
    for (const [name, process] of objectOf(processes) ?? []) {
      const number = this.numbers.get(name) ?? this.add(undefined);
      this.numbers.set(name, number);
      this.list[number] = described(process);
    }
  }
}

function described(process: Json | undefined): Process {
  const members = objectOf(process);
  const { instance } = processOf(tagsOf(members?.get("tags")));
  return { service: textOf(members?.get("serviceName")), instance };
}
