#!/usr/bin/env node
/**
 * node bench/record.mjs [PAIRS [REQUESTS [HOGS]]]: processor time of a service with the recorder, beside the same
 * process without it. This process has the clients. In each of the pairs (100) the service serves so many requests (100)
 * without and with what is measured, in either order; starts and stops are not counted. The result is the ratio of the
 * sums, with 95 % of what other draws of the pairs would give. So many hogs (0) compete for the processors. Run it with
 * each version of Node.
 *
 *   nothing     twice the same: how far from 0 a result may be
 *   profiler    V8's profiler at 99 Hz
 *   recorder    the recorder
 *
 * A request is one of Express in an AsyncLocalStorage, as a program with a tracer has it: middlewares that wait, a body
 * of JSON, `awaits` of a handler in functions within each other, a third of them for the event loop, and an answer of
 * 2 KB.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { Session } from "node:inspector";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import express from "express";
import { start, stop } from "../dist-lib/record.js";

const CLIENTS = 6;
const WARM = 4000;
const SHAPES = [10, 60];

/** Begins what is measured; returns how to end it. */
const VARIANTS = {
  nothing: () => () => {},
  profiler: () => {
    const session = new Session();
    session.connect();
    session.post("Profiler.enable");
    session.post("Profiler.setSamplingInterval", { interval: 10_101 });
    session.post("Profiler.start");
    return () => session.disconnect();
  },
  recorder: async () => {
    await start({ every: 0, file: join(tmpdir(), "spanflame-bench.pb") });
    return stop;
  },
};

function service(awaits) {
  const storage = new AsyncLocalStorage();
  const turn = () => new Promise((done) => setImmediate(done));
  const row = async (i) => {
    await null;
    if (i % 3 === 0) await turn();
    return { i, text: `row ${i}` };
  };
  const rows = async () => {
    const all = [];
    for (let i = 0; i < awaits / 2; i++) all.push(await row(i));
    return all;
  };
  const app = express();
  app.use((_, __, next) => storage.run({}, next));
  app.use(express.json());
  app.use(async (_, __, next) => {
    await null;
    next();
  });
  app.post("/orders/:order", async ({ params, body }, response) => {
    response.json({ order: params.order, lines: body.lines.length, rows: await rows(), text: "x".repeat(1000) });
  });
  return app;
}

/** Answers each message of its parent with the µs of processor time so far; one of a variant begins or ends it. */
async function child(awaits) {
  const server = service(Number(awaits)).listen(0, "127.0.0.1");
  server.keepAliveTimeout = 0;
  await once(server, "listening");
  let end = null;
  process.on("message", async (variant) => {
    if (variant !== "used" && end === null) end = await VARIANTS[variant]();
    else if (variant !== "used") end = void (await end()) ?? null;
    const { user, system } = process.cpuUsage();
    process.send(user + system);
  });
  process.on("disconnect", () => process.exit());
  process.send(server.address().port);
}

const BODY = JSON.stringify({ lines: Array.from({ length: 20 }, (_, i) => ({ i, name: `line ${i}` })) });

async function begun(awaits) {
  const process = fork(fileURLToPath(import.meta.url), [awaits]);
  const [port] = await once(process, "message");
  const headers = { "content-type": "application/json" };
  const to = { host: "127.0.0.1", port, method: "POST", headers, agent: new Agent({ keepAlive: true }) };
  const ask = (i) =>
    new Promise((done) => {
      request({ ...to, path: `/orders/${i}` }, (answer) => answer.resume().on("end", done)).end(BODY);
    });
  const say = async (word) => {
    process.send(word);
    return (await once(process, "message"))[0];
  };
  /** µs of processor time of a request. */
  const serve = async (requests) => {
    const before = await say("used");
    let left = requests;
    const client = async () => {
      while (left-- > 0) await ask(left);
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    return ((await say("used")) - before) / requests;
  };
  return { process, say, serve };
}

const sum = (values) => values.reduce((all, each) => all + each, 0);
const more = (pairs) => 100 * (sum(pairs.map(([, on]) => on)) / sum(pairs.map(([off]) => off)) - 1);

async function parent(pairs, requests, hogs) {
  const others = Array.from({ length: hogs }, () => fork(fileURLToPath(import.meta.url), ["hog"]));
  console.log(`| Node ${process.version}, ${hogs} hogs | µs of a request | more | 95 % |\n|---|---:|---:|---:|`);
  for (const awaits of SHAPES) {
    const { process, say, serve } = await begun(awaits);
    await serve(WARM);
    const all = Object.fromEntries(Object.keys(VARIANTS).map((variant) => [variant, []]));
    for (let i = 0; i < pairs; i++) {
      for (const variant of Object.keys(VARIANTS)) {
        const first = i % 2 === 0 ? await serve(requests) : null;
        await say(variant);
        await serve(10);
        const on = await serve(requests);
        await say(variant);
        await serve(10);
        all[variant].push([first ?? (await serve(requests)), on]);
      }
    }
    process.disconnect();
    for (const [variant, found] of Object.entries(all)) {
      const draws = Array.from({ length: 1000 }, () => more(found.map(() => found[Math.floor(Math.random() * pairs)])));
      const [low, high] = [25, 975].map((i) => `${draws.sort((a, b) => a - b)[i].toFixed(1)} %`);
      const cells = [`${variant}, ${awaits} awaits`, (sum(found.map(([off]) => off)) / pairs).toFixed(0)];
      console.log(`| ${[...cells, `${more(found).toFixed(1)} %`, `${low} to ${high}`].join(" | ")} |`);
    }
  }
  for (const each of others) each.disconnect();
}

const [first = 100, second = 100, third = 0] = process.argv.slice(2);
if (process.send === undefined) await parent(Number(first), Number(second), Number(third));
else if (first === "hog") {
  const work = () => {
    for (let i = 0; i < 1e6; i++) Math.sqrt(i);
    setImmediate(work);
  };
  process.on("disconnect", () => process.exit());
  work();
} else await child(first);
