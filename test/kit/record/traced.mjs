/**
 * A service with Express and the SDK of OpenTelemetry, whose sampler drops half of the traces. Each kind of span has a
 * function of its own. Prints the spans that it keeps, as JSON: trace and function by id.
 */
import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { context, ROOT_CONTEXT, SpanKind, trace } from "@opentelemetry/api";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { NodeTracerProvider, ParentBasedSampler, TraceIdRatioBasedSampler } from "@opentelemetry/sdk-trace-node";
import express from "express";

/** Of processor time: a busy machine takes no samples from it. */
const MS = 1500;
const used = () => process.cpuUsage().user / 1000;
function burn(ms) {
  for (const end = used() + ms; used() < end; ) Math.sqrt(end);
}
function keptWork() {
  burn(3);
}
function droppedWork() {
  burn(3);
}
function queryWork() {
  burn(3);
}
function jobWork() {
  burn(3);
}

const sampler = new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(0.5) });
const resource = resourceFromAttributes({ "service.name": "shop", "service.version": "1.2.3" });
new NodeTracerProvider({ resource, sampler }).register();
const tracer = trace.getTracer("test");
const kept = {};
const keep = (span, work) => {
  const { spanId, traceId } = span.spanContext();
  if (span.isRecording()) kept[spanId] = [traceId, work];
};

const app = express();
// As the instrumentation of http does it: route and name are set at the end.
app.use((request, response, next) => {
  const span = tracer.startSpan(request.method, { kind: SpanKind.SERVER }, ROOT_CONTEXT);
  keep(span, "keptWork");
  response.on("finish", () => {
    const { path } = request.route;
    span.setAttribute("http.route", path).updateName(`GET ${path}`).end();
  });
  context.with(trace.setSpan(ROOT_CONTEXT, span), next);
});
app.get("/users/:id", async (_, response) => {
  const isKept = trace.getActiveSpan().isRecording();
  const work = isKept ? keptWork : droppedWork;
  work();
  await sleep(2);
  await tracer.startActiveSpan("query", async (span) => {
    keep(span, "queryWork");
    if (isKept) queryWork();
    await sleep(2);
    if (isKept) queryWork();
    span.updateName("SELECT users").setAttribute("tenant", "eu").end();
  });
  work();
  response.send("done");
});

const server = http.createServer(app);
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const { port } = server.address();
const ask = (path) =>
  new Promise((done) => {
    http.get({ host: "127.0.0.1", port, path }, (answer) => answer.resume().on("end", done));
  });
const end = used() + MS;
async function client(n) {
  for (let i = 0; used() < end || i < 20; i++) await ask(`/users/${n}${i}`);
}
async function jobs() {
  for (let i = 0; used() < end || i < 20; i++)
    await tracer.startActiveSpan("job", { root: true }, async (span) => {
      keep(span, "jobWork");
      if (span.isRecording()) jobWork();
      await sleep(5);
      if (span.isRecording()) jobWork();
      span.updateName("nightly").end();
    });
}
await Promise.all([1, 2, 3, 4].map(client).concat(jobs()));
server.close();
server.closeAllConnections();
console.log(JSON.stringify(kept));
