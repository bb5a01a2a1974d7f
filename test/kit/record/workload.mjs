/**
 * A program whose slices of work know their span, for the tests of src/record/. Tasks overlap on one thread; all of
 * their work is in `slice`. Prints the slices as JSON: begin and end in ns since 1970, span, and step of the span.
 */
import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { EventEmitter } from "node:events";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { context } from "spanflame/record";

/** Of processor time: a busy machine takes no samples from it. */
const MS = 2000;
const origin = BigInt(Math.round(performance.timeOrigin * 1e3)) * 1000n;
const unix = (ms) => String(origin + BigInt(Math.round(ms * 1e6)));
const slices = [];

/** Works for some ms on behalf of a span. */
function slice(span, step = "", ms = 3) {
  const begin = performance.now();
  while (performance.now() < begin + ms) for (let i = 0; i < 2000; i++) Math.sqrt(i);
  slices.push([unix(begin), unix(performance.now()), String(span), step]);
}

/** Jobs that a timer of nobody runs. */
const jobs = [];
const worker = setInterval(() => {
  slice(0);
  for (const job of jobs.splice(0)) job();
}, 7);
const queue = (job) => new Promise((done) => jobs.push(() => done(job())));

/** Each does its work in another of Node's ways to go on later. */
const WAYS = {
  async promises(span) {
    for (let i = 0; i < 3; i++) {
      slice(span);
      await null;
    }
  },
  async timers(span) {
    await sleep(2);
    slice(span);
    await turn();
    slice(span);
  },
  async events(span) {
    const bus = new EventEmitter();
    bus.on("work", () => slice(span));
    await new Promise((done) => {
      process.nextTick(() => bus.emit("work"));
      queueMicrotask(() => slice(span));
      setTimeout(() => done(bus.emit("work")), 1);
    });
  },
  async bound(span) {
    await queue(AsyncResource.bind(() => slice(span)));
    await queue(AsyncLocalStorage.bind(() => slice(span)));
    const inside = AsyncLocalStorage.snapshot();
    await queue(() => inside(() => slice(span)));
    await queue(context.bind(() => slice(span)));
  },
  async nested(span) {
    slice(span);
    context.with({ span: span + 1n, attributes: { step: "inner" } }, () => slice(span + 1n, "inner"));
    slice(span);
    await context.with({ attributes: { step: "outer" } }, async () => {
      await turn();
      slice(span, "outer");
    });
    context.with({ span: null }, () => slice(0));
  },
  async labels(span) {
    context.set("step", "read");
    slice(span, "read");
    await turn();
    slice(span, "read");
    context.clear("step");
    slice(span);
  },
};

function used() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
const end = used() + MS;
async function task(n) {
  for (let i = 0; used() < end; i++) {
    const span = BigInt(n * 10_000_000 + i * 10 + 1);
    const [name, way] = Object.entries(WAYS)[(i + n) % 6];
    await context.with({ span, localRoot: span, trace: (7n << 64n) | span, attributes: { way: name } }, way, span);
  }
}
await Promise.all([1, 2, 3].map(task));
clearInterval(worker);
console.log(JSON.stringify(slices));
