#!/usr/bin/env node
/**
 * node bench/service.mjs [ROUNDS [REQUESTS [HOGS]]]: processor time of a service with the recorder, beside the same
 * without it. Each variant is a process; this one has the clients. In each of the rounds (100) every variant serves so
 * many requests (100) alone, in turns. The result is the ratio of the means of the faster halves, with 95 % of what
 * other draws of the rounds would give. So many hogs (0) compete for the processors. Run it with each version of Node.
 *
 *   storage     each request in one AsyncLocalStorage, as a program with a tracer has it
 *   again       the same: how much two equal processes differ
 *   profiler    that, and V8's profiler at 99 Hz
 *   recorder    that, and the recorder
 *
 * A request is one of Express: middlewares that wait, a body of JSON, `awaits` of a handler in functions within each
 * other, a third of them for the event loop, and an answer of 2 KB.
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
import { start } from "../dist-lib/record.js";

const CLIENTS = 6;
const WARM = 3000;
const SHAPES = [10, 60];

/** Begins what is measured. */
const VARIANTS = {
  storage: () => {},
  again: () => {},
  profiler: () => {
    const session = new Session();
    session.connect();
    session.post("Profiler.enable");
    session.post("Profiler.setSamplingInterval", { interval: 10_101 });
    session.post("Profiler.start");
  },
  recorder: () => start({ every: 0, file: join(tmpdir(), "spanflame-bench.pb") }),
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

/** Answers each message of its parent with the µs of processor time so far. */
async function child(variant, awaits) {
  await VARIANTS[variant]();
  const server = service(Number(awaits)).listen(0, "127.0.0.1");
  server.keepAliveTimeout = 0;
  await once(server, "listening");
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send(user + system);
  });
  process.on("disconnect", () => process.exit());
  process.send(server.address().port);
}

const BODY = JSON.stringify({ lines: Array.from({ length: 20 }, (_, i) => ({ i, name: `line ${i}` })) });

async function begun(variant, awaits) {
  const process = fork(fileURLToPath(import.meta.url), [variant, awaits]);
  const [port] = await once(process, "message");
  const headers = { "content-type": "application/json" };
  const to = { host: "127.0.0.1", port, method: "POST", headers, agent: new Agent({ keepAlive: true }) };
  const ask = (i) =>
    new Promise((done) => {
      request({ ...to, path: `/orders/${i}` }, (answer) => answer.resume().on("end", done)).end(BODY);
    });
  const used = async () => {
    process.send("used");
    return (await once(process, "message"))[0];
  };
  /** µs of processor time of a request. */
  const serve = async (requests) => {
    const before = await used();
    let left = requests;
    const client = async () => {
      while (left-- > 0) await ask(left);
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    return ((await used()) - before) / requests;
  };
  return { variant, process, serve, times: [] };
}

/** The mean of the faster half: other programs only make rounds longer. */
function fastest(times) {
  const half = times.toSorted((a, b) => a - b).slice(0, Math.ceil(times.length / 2));
  return half.reduce((all, each) => all + each, 0) / half.length;
}

async function parent(rounds, requests, hogs) {
  const others = Array.from({ length: hogs }, () => fork(fileURLToPath(import.meta.url), ["hog"]));
  console.log(`| Node ${process.version}, ${hogs} hogs | µs of a request | more | 95 % |\n|---|---:|---:|---:|`);
  for (const awaits of SHAPES) {
    const all = [];
    for (const variant of Object.keys(VARIANTS)) all.push(await begun(variant, awaits));
    for (const { serve } of all) await serve(WARM);
    for (let i = 0; i < rounds; i++)
      for (const { serve, times } of i % 2 === 0 ? all : all.toReversed()) times.push(await serve(requests));
    for (const each of all) each.process.disconnect();
    const base = all[0].times;
    for (const { variant, times } of all) {
      const more = (draw) => 100 * (fastest(draw.map((i) => times[i])) / fastest(draw.map((i) => base[i])) - 1);
      const draws = Array.from({ length: 1000 }, () => more(times.map(() => Math.floor(Math.random() * rounds))));
      const [low, high] = [25, 975].map((i) => `${draws.sort((a, b) => a - b)[i].toFixed(1)} %`);
      const cells = [
        `${variant}, ${awaits} awaits`,
        fastest(times).toFixed(0),
        `${more([...times.keys()]).toFixed(1)} %`,
      ];
      console.log(`| ${cells.join(" | ")} | ${low} to ${high} |`);
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
} else await child(first, second);
