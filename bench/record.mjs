#!/usr/bin/env node
/**
 * node bench/record.mjs [ROUNDS [MS]]: processor time of a request with the recorder, beside the same without it. One
 * process is a server and its clients, whose requests are six pieces of work and a dozen awaits; in each of the
 * rounds (100) every variant has a turn of so many ms (400), after as many that do not count. So a machine that is busy
 * with other things disturbs all alike. Run it with each version of Node.
 *
 *   nothing     no AsyncLocalStorage in the process
 *   storage     each request in one, as a program with a tracer has it
 *   profiler    that, and V8's profiler at 99 Hz
 *   log         that of storage, and the recorder's log of contexts without a profiler
 *   recorder    the recorder
 *   again       as storage: how much two equal turns differ
 *
 * The table has the median of the ratios to `storage` of the same round, and its interval at 95 %.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { Agent, createServer, get } from "node:http";
import { Session } from "node:inspector";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storage as recorded } from "../dist-lib/record/context.js";
import { SwitchLog } from "../dist-lib/record/switches.js";
import { context, start, stop } from "../dist-lib/record.js";

const [rounds = 100, ms = 400] = process.argv.slice(2).map(Number);
const CLIENTS = 6;

const storage = new AsyncLocalStorage();
const within = (value, fn) => storage.run({ ...value }, fn);
const session = new Session();
session.connect();
let log = null;
const none = () => {};

/** How a request runs, and how a turn begins and ends. */
const VARIANTS = {
  nothing: {
    run: (_, fn) => fn(),
    begin: () => {
      storage.disable();
      recorded.disable();
    },
    end: none,
  },
  storage: { run: within, begin: none, end: none },
  profiler: {
    run: within,
    begin: () => {
      session.post("Profiler.enable");
      session.post("Profiler.setSamplingInterval", { interval: 10_101 });
      session.post("Profiler.start");
    },
    end: () => {
      session.post("Profiler.stop", none);
      session.post("Profiler.disable");
    },
  },
  log: {
    run: context.with,
    begin: () => {
      log = new SwitchLog();
      log.start();
    },
    end: () => log.stop(),
  },
  recorder: {
    run: context.with,
    begin: () => start({ every: 0, attributes: ["http.route"], file: join(tmpdir(), "spanflame-bench.pb") }),
    end: stop,
  },
  again: { run: within, begin: none, end: none },
};

const text = JSON.stringify(Array.from({ length: 60 }, (_, id) => ({ id, name: `item ${id}`, tags: ["a", "b"] })));
const numbers = Float64Array.from({ length: 600 }, (_, i) => (i * 7919) % 601);
let sink = 0;
const kinds = [
  function sumSquares() {
    let sum = 0;
    for (let i = 0; i < 20_000; i++) sum += Math.sqrt(i ^ 21);
    sink += sum;
  },
  function sortNumbers() {
    sink += [...numbers].sort((a, b) => b - a)[0];
  },
];
const turn = () => new Promise((done) => setImmediate(done));

let run = within;
let id = 1n;
const server = createServer((_, response) => {
  run({ span: id, localRoot: id++, attributes: { "http.route": "/load" } }, async () => {
    for (let i = 0; i < 6; i++) {
      kinds[i & 1]();
      await null;
      await turn();
    }
    response.end(text);
  });
}).listen(0, "127.0.0.1");
await once(server, "listening");
const to = { host: "127.0.0.1", port: server.address().port, agent: new Agent({ keepAlive: true }) };
const ask = () => new Promise((done) => get(to, (answer) => answer.resume().on("end", done)));

/** µs of processor time for each request. */
async function serve() {
  let requests = 0;
  const before = process.cpuUsage();
  const end = performance.now() + ms;
  const client = async () => {
    for (; performance.now() < end; requests++) await ask();
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / requests;
}

const names = Object.keys(VARIANTS);
const times = Object.fromEntries(names.map((name) => [name, []]));
for (let round = -2; round < rounds; round++) {
  for (const name of round % 2 === 0 ? names : names.toReversed()) {
    const variant = VARIANTS[name];
    await variant.begin();
    run = variant.run;
    await serve();
    const time = await serve();
    await variant.end();
    if (round >= 0) times[name].push(time);
  }
}

/** The value of that rank, of sorted ones. */
const ranked = (values, rank) => values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.max(0, rank))];
const percent = (ratio) => `${(100 * (ratio - 1)).toFixed(1)} %`;
const half = 0.98 * Math.sqrt(rounds);
console.log(`| Node ${process.version} | µs for each request | beside storage | 95 % |\n|---|---:|---:|---:|`);
for (const name of names) {
  const ratios = times[name].map((time, i) => time / times.storage[i]);
  const [low, middle, high] = [-half, 0, half].map((by) => percent(ranked(ratios, Math.round(rounds / 2 + by))));
  console.log(`| ${name} | ${ranked(times[name], rounds >> 1).toFixed(0)} | ${middle} | ${low} to ${high} |`);
}
process.exit(sink === 1 ? 1 : 0);
