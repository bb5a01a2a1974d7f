#!/usr/bin/env node
/**
 * node bench/record.mjs [ROUNDS [REQUESTS]]: processor time of a request with the recorder, beside the same without it.
 * Each variant is three processes, each a server and its clients; a request has a dozen awaits and does nothing else,
 * so that the difference is not lost in it. In each of the rounds (16) every process serves so many requests (200)
 * alone, and its fastest tenth counts: a machine that is busy with other things only makes turns longer. Of the three,
 * the middle one counts: what V8 inlines differs by up to 10 µs. Run it with each version of Node.
 *
 *   nothing     no AsyncLocalStorage in the process
 *   storage     each request in one, as a program with a tracer has it
 *   profiler    that, and V8's profiler at 99 Hz
 *   log         that of storage, and the recorder's log of contexts without a profiler
 *   recorder    the recorder
 *   again       as storage: how much two equal processes differ
 *
 * The last column is the share of a request of 400 µs, which is one with 0.3 ms of work.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, createServer, get } from "node:http";
import { Session } from "node:inspector";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SwitchLog } from "../dist-lib/record/switches.js";
import { context, start, stop } from "../dist-lib/record.js";

const CLIENTS = 6;
const PROCESSES = 3;
const WARM = 4000;
const WHOLE_US = 400;

const storage = new AsyncLocalStorage();
const within = (value, fn) => storage.run({ ...value }, fn);

/** Begins what a variant measures; returns how a request runs. */
const VARIANTS = {
  nothing: () => (_, fn) => fn(),
  storage: () => within,
  profiler: () => {
    const session = new Session();
    session.connect();
    session.post("Profiler.enable");
    session.post("Profiler.setSamplingInterval", { interval: 10_101 });
    session.post("Profiler.start");
    return within;
  },
  log: () => {
    new SwitchLog().start();
    return context.with;
  },
  recorder: async () => {
    await start({ every: 0, attributes: ["http.route"], file: join(tmpdir(), "spanflame-bench.pb") });
    return context.with;
  },
  again: () => within,
};

/** Answers each number of its parent with the µs of processor time for each of so many requests. */
async function child(variant) {
  const run = await VARIANTS[variant]();
  const turn = () => new Promise((done) => setImmediate(done));
  const text = "text".repeat(500);
  let id = 1n;
  const server = createServer((_, response) => {
    run({ span: id, localRoot: id++, attributes: { "http.route": "/load" } }, async () => {
      for (let i = 0; i < 6; i++) {
        await null;
        await turn();
      }
      response.end(text);
    });
  }).listen(0, "127.0.0.1");
  server.keepAliveTimeout = 0;
  await once(server, "listening");
  const to = { host: "127.0.0.1", port: server.address().port, agent: new Agent({ keepAlive: true }) };
  const ask = () => new Promise((done) => get(to, (answer) => answer.resume().on("end", done)));
  process.on("message", async (requests) => {
    const before = process.cpuUsage();
    let left = requests;
    const client = async () => {
      while (left-- > 0) await ask();
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    const { user, system } = process.cpuUsage(before);
    process.send((user + system) / requests);
  });
  process.on("disconnect", async () => {
    if (variant === "recorder") await stop();
    process.exit();
  });
  process.send(0);
}

/** The value at that share of the sorted ones. */
const ranked = (values, share) => values.toSorted((a, b) => a - b)[Math.floor(values.length * share)];

async function parent(rounds, requests) {
  const names = Object.keys(VARIANTS);
  const children = [];
  for (const name of Array(PROCESSES).fill(names).flat()) {
    const process = fork(fileURLToPath(import.meta.url), [name]);
    await once(process, "message");
    children.push({ name, process, times: [] });
  }
  const serve = async ({ process }, n) => {
    process.send(n);
    return (await once(process, "message"))[0];
  };
  for (const each of children) await serve(each, WARM);
  for (let round = 0; round < rounds; round++)
    for (const each of round % 2 === 0 ? children : children.toReversed()) each.times.push(await serve(each, requests));
  for (const { process } of children) process.disconnect();
  const fastest = (wanted) =>
    children
      .filter(({ name }) => name === wanted)
      .map(({ times }) => ranked(times, 0.1))
      .sort((a, b) => a - b);
  const [, least] = fastest("storage");
  const head = `| Node ${process.version} | µs for each request | the three | beside storage | of ${WHOLE_US} µs |`;
  console.log(`${head}\n|---|---:|---:|---:|---:|`);
  for (const name of names) {
    const all = fastest(name);
    const more = all[1] - least;
    const shown = [all[1].toFixed(1), all.map((each) => each.toFixed(0)).join(", "), `${more.toFixed(1)} µs`];
    console.log(`| ${[name, ...shown, `${((100 * more) / WHOLE_US).toFixed(1)} %`].join(" | ")} |`);
  }
}

const [first = 16, second = 200] = process.argv.slice(2);
if (process.send === undefined) await parent(Number(first), Number(second));
else await child(first);
