import { expect, test } from "vitest";
import { isTraceMessage, isTraceText } from "./sniff-trace.ts";

const text = (words: string) => isTraceText(new TextEncoder().encode(words));
test("JSON with spans of OTLP, Jaeger, Zipkin and Datadog is a trace", () => {
  expect(text('{"resourceSpans":[]}')).toBe(true);
  expect(text('\n {"data":[{"traceID":"1"')).toBe(true);
  expect(text('[{"traceId":"1"')).toBe(true);
  expect(text('[[{"service":"a","trace_id":1')).toBe(true);
});

test("other JSON and other text is no trace", () => {
  expect(text('{"resourceProfiles":[{"traceId":"1"')).toBe(false);
  expect(text('{"name":"traceId"}')).toBe(false);
  expect(text('main;run "traceId": 3')).toBe(false);
});

test("records of a log that name a span are no trace", () => {
  const ids = '"trace_id":"4bf92f3577b34da6a3ce929d0e0e4736","span_id":"00f067aa0ba902b7"}';
  expect(text(`{"ts":1,"level":"info","msg":"paid",${ids}\n{"level":"info",${ids}\n`)).toBe(false);
  expect(text(`{"@timestamp":"2026-12-01T10:00:00Z","message":"paid","traceId":"1","spanId":"2"}`)).toBe(false);
  // A message deeper in a span is that of its status or tag.
  expect(text('{"trace_id":1,"span_id":2,"start":3,"meta":{"message":"x","level":"y"}}')).toBe(true);
});

test("a message of spans is a trace, bare or after its length", () => {
  const span = [0x0a, 16, ...new Array(16).fill(1), 0x12, 8, ...new Array(8).fill(2)];
  const scope = [0x0a, 2, 0x0a, 0, 0x12, span.length, ...span];
  const resource = [0x0a, 2, 0x10, 1, 0x12, scope.length, ...scope];
  const message = [0x0a, resource.length, ...resource];
  expect(isTraceMessage(Uint8Array.from(message))).toBe(true);
  expect(isTraceMessage(Uint8Array.from([0, 0, 0, message.length, ...message]))).toBe(true);
  for (let cut = 0; cut < message.length - 10; cut++) {
    expect(isTraceMessage(Uint8Array.from(message.slice(0, cut)))).toBe(false);
  }
});

test("a message of profiles is no trace: its third message begins with a sample type", () => {
  const profile = [0x0a, 4, 0x08, 1, 0x10, 2, 0x12, 0];
  const scope = [0x12, profile.length, ...profile];
  const resource = [0x12, scope.length, ...scope];
  expect(isTraceMessage(Uint8Array.from([0x0a, resource.length, ...resource]))).toBe(false);
});
