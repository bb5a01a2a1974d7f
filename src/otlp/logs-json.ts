/**
 * Profiles in OTLP/JSON logs: one message, or a message on each line, as the Collector's file exporter writes them. A
 * ResourceLogs is held as a whole. After damage the next line that begins with { is read.
 */
import type { ByteSource } from "../bytes/byte-source.ts";
import { Broken, drive, type Steps, Window } from "../bytes/window.ts";
import { CLOSE_ARRAY, CLOSE_OBJECT, COLON, JsonText, OPEN_ARRAY, OPEN_OBJECT } from "./json-text.ts";
import { addRecord, noLogs, type ResourceLogs } from "./logs.ts";

const RESOURCE_LOGS = ["resourceLogs", "resource_logs"];
/** Longer than the keys above. */
const KEY_BYTES = 32;

const DECODER = new TextDecoder();
const ENCODER = new TextEncoder();

/** The ResourceLogs of all messages; faults are passed to `note`. */
export async function* jsonLogs(source: ByteSource, note: (fault: Broken) => void): AsyncGenerator<ResourceLogs> {
  const text = new JsonText(new Window(source));
  const run = <T>(steps: Steps<T>) => drive(steps, text.window);
  await run(text.passMark());
  for (let more = true; more; ) {
    try {
      more = (await run(text.next())) >= 0;
      if (more) yield* message(text);
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      note(error);
      more = await run(text.nextObjectLine());
    }
  }
}

async function* message(text: JsonText): AsyncGenerator<ResourceLogs> {
  const run = <T>(steps: Steps<T>) => drive(steps, text.window);
  if (text.peek() !== OPEN_OBJECT) return run(text.pass());
  text.window.at++;
  await run(text.next());
  if (text.take(CLOSE_OBJECT)) return;
  do {
    await run(text.next());
    text.expect(0x22);
    const key = await run(text.prefix(KEY_BYTES));
    await run(text.next());
    text.expect(COLON);
    if (RESOURCE_LOGS.includes(key) && (await run(text.next())) === OPEN_ARRAY) yield* items(text);
    else await run(text.pass());
    await run(text.next());
  } while (text.goesOn(CLOSE_OBJECT));
}

async function* items(text: JsonText): AsyncGenerator<ResourceLogs> {
  const run = <T>(steps: Steps<T>) => drive(steps, text.window);
  text.expect(OPEN_ARRAY);
  await run(text.next());
  if (text.take(CLOSE_ARRAY)) return;
  do {
    await run(text.next());
    await run(text.whole());
    const { window } = text;
    const start = window.at;
    text.skip();
    yield resourceLogs(parsed(window.bytes.subarray(start, window.at), window.offset(start)));
    await run(text.next());
  } while (text.goesOn(CLOSE_ARRAY));
}

function parsed(bytes: Uint8Array, offset: number): unknown {
  try {
    return JSON.parse(DECODER.decode(bytes));
  } catch (error) {
    throw new Broken("JSON", error instanceof Error ? error.message : String(error), offset);
  }
}

function resourceLogs(value: unknown): ResourceLogs {
  const logs = noLogs(Object.fromEntries(attributesOf(member(member(value, "resource"), "attributes"))));
  for (const scope of listOf(member(value, "scopeLogs", "scope_logs"))) {
    for (const record of listOf(member(scope, "logRecords", "log_records"))) {
      const text = member(member(record, "body"), "stringValue", "string_value", "bytesValue", "bytes_value");
      const body = typeof text === "string" ? ENCODER.encode(text) : null;
      addRecord(logs, { attributes: attributesOf(member(record, "attributes")), body });
    }
  }
  return logs;
}

/** Member of an object, under its first name that there is. */
function member(value: unknown, ...names: string[]): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  const name = names.find((each) => Object.hasOwn(value, each));
  return name === undefined ? undefined : (value as Record<string, unknown>)[name];
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** KeyValues with their values as texts. The first one of a key counts. */
function attributesOf(list: unknown): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const pair of listOf(list)) {
    const key = member(pair, "key");
    const text = textOf(member(pair, "value"));
    if (typeof key === "string" && !attributes.has(key)) attributes.set(key, text);
  }
  return attributes;
}

/** An AnyValue as a text: it has one member. */
function textOf(value: unknown): string {
  const [content] = typeof value === "object" && value !== null ? Object.values(value) : [];
  if (typeof content !== "object" || content === null) return content === undefined ? "" : String(content);
  const values = listOf(member(content, "values"));
  const isMap = values.length > 0 && typeof member(values[0], "key") === "string";
  return JSON.stringify(isMap ? Object.fromEntries(attributesOf(values)) : values.map(textOf));
}
