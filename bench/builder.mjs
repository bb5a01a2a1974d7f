#!/usr/bin/env node
/**
 * node bench/builder.mjs [SAMPLES [DEPTH [STACKS]]]: makes an OTLP message of as many samples (1,000,000) with stacks
 * of that depth (50), of which so many differ (20,000), three ways: by columns, by single calls, and by protobufjs with
 * maps for the tables. With PPROF_FORMAT=FOLDER, where `npm install pprof-format` was run, also a pprof message of the
 * same samples by that package: without times, which the format lacks. Prints seconds of processor time in turns, the
 * best of three.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import protobuf from "protobufjs";
import { ProfileBuilder } from "../dist-lib/index.js";

const [samples = 1_000_000, depth = 50, different = 20_000] = process.argv.slice(2).map(Number);
const FUNCTIONS = 5000;
const START = 1_700_000_000_000_000_000n;

/** Functions of the different stacks, leaf first. */
const shapes = Array.from({ length: different }, (_, i) =>
  Array.from({ length: depth }, (_, k) => (i * 7919 + k * (k + (i >> 12))) % FUNCTIONS),
);

const locationsOf = (builder) =>
  Array.from({ length: FUNCTIONS }, (_, i) =>
    builder.location({ lines: [{ function: builder.function({ name: `com.shop.Class.method${i}` }), line: i }] }),
  );

async function columns() {
  const builder = await ProfileBuilder.create();
  const locations = locationsOf(builder);
  const offsets = new Uint32Array(samples + 1);
  const items = new Uint32Array(samples * depth);
  const time = new BigUint64Array(samples);
  for (let i = 0; i < samples; i++) {
    for (let k = 0; k < depth; k++) items[i * depth + k] = locations[shapes[i % different][k]];
    offsets[i + 1] = (i + 1) * depth;
    time[i] = START + BigInt(i) * 1000n;
  }
  return measured(builder, () => {
    const stack = builder.stacks({ offsets, items });
    builder.profile({ type: "cpu", unit: "nanoseconds" }).addSamples({ rows: samples, stack, time });
  });
}

async function singles() {
  const builder = await ProfileBuilder.create();
  const locations = locationsOf(builder);
  const stacks = shapes.map((shape) => shape.map((i) => locations[i]));
  return measured(builder, () => {
    const profile = builder.profile({ type: "cpu", unit: "nanoseconds" });
    for (let i = 0; i < samples; i++)
      profile.add({ stack: builder.stack(stacks[i % different]), time: START + BigInt(i) * 1000n });
  });
}

function measured(builder, add) {
  const [, adding] = timed(add);
  const [message, writing] = timed(() => builder.write("otlp"));
  builder.close();
  return { adding, writing, bytes: message.size };
}

const SCHEMA = {
  Data: { resourceProfiles: [1, "ResourceProfiles", true], dictionary: [2, "Dictionary"] },
  ResourceProfiles: { scopeProfiles: [2, "ScopeProfiles", true] },
  ScopeProfiles: { profiles: [2, "Profile", true] },
  Profile: { sampleType: [1, "ValueType"], samples: [2, "Sample", true] },
  ValueType: { type: [1, "int32"], unit: [2, "int32"] },
  Sample: { stackIndex: [1, "int32"], values: [4, "int64", true], times: [5, "fixed64", true] },
  Dictionary: {
    locationTable: [2, "Location", true],
    functionTable: [3, "Function", true],
    stringTable: [5, "string", true],
    stackTable: [7, "Stack", true],
  },
  Stack: { locations: [1, "int32", true] },
  Location: { lines: [3, "Line", true] },
  Line: { function: [1, "int32"], line: [2, "int64"] },
  Function: { name: [1, "int32"] },
};
const nested = Object.fromEntries(
  Object.entries(SCHEMA).map(([type, fields]) => [
    type,
    {
      fields: Object.fromEntries(
        Object.entries(fields).map(([name, [id, kind, repeated]]) => [
          name,
          { id, type: kind, ...(repeated ? { rule: "repeated", options: { packed: true } } : {}) },
        ]),
      ),
    },
  ]),
);
const Data = protobuf.Root.fromJSON({ nested }).lookupType("Data");
const { Long } = protobuf.util;

function peer() {
  const dictionary = {
    stringTable: ["", "cpu", "nanoseconds"],
    functionTable: [{}],
    locationTable: [{}],
    stackTable: [{}],
  };
  for (let i = 1; i <= FUNCTIONS; i++) {
    dictionary.stringTable.push(`com.shop.Class.method${i}`);
    dictionary.functionTable.push({ name: i + 2 });
    dictionary.locationTable.push({ lines: [{ function: i, line: i }] });
  }
  const stacks = shapes.map((shape) => shape.map((i) => i + 1));
  const bySample = new Map();
  const [, adding] = timed(() => {
    for (let i = 0; i < samples; i++) {
      const locations = stacks[i % different];
      const key = locations.join();
      let sample = bySample.get(key);
      if (sample === undefined) {
        sample = { stackIndex: dictionary.stackTable.push({ locations }) - 1, values: [], times: [] };
        bySample.set(key, sample);
      }
      const time = START + BigInt(i) * 1000n;
      sample.values.push(1);
      sample.times.push(Long === null ? Number(time) : Long.fromString(String(time), true));
    }
  });
  const [bytes, writing] = timed(() => {
    const profile = { sampleType: { type: 1, unit: 2 }, samples: [...bySample.values()] };
    const resourceProfiles = [{ scopeProfiles: [{ profiles: [profile] }] }];
    return Data.encode({ resourceProfiles, dictionary }).finish();
  });
  return { adding, writing, bytes: bytes.length };
}

function pprof({ Function: Fn, Line, Location, Profile, Sample, StringTable, ValueType }) {
  const stringTable = new StringTable();
  const type = new ValueType({ type: stringTable.dedup("cpu"), unit: stringTable.dedup("nanoseconds") });
  const functions = Array.from(
    { length: FUNCTIONS },
    (_, i) => new Fn({ id: i + 1, name: stringTable.dedup(`com.shop.Class.method${i}`) }),
  );
  const locations = functions.map(({ id }, i) => new Location({ id, line: [new Line({ functionId: id, line: i })] }));
  const stacks = shapes.map((shape) => shape.map((i) => i + 1));
  const bySample = new Map();
  const [, adding] = timed(() => {
    for (let i = 0; i < samples; i++) {
      const locationId = stacks[i % different];
      const key = locationId.join();
      const sample = bySample.get(key);
      if (sample === undefined) bySample.set(key, new Sample({ locationId, value: [1], label: [] }));
      else sample.value[0]++;
    }
  });
  const [bytes, writing] = timed(() =>
    new Profile({
      ...{ sampleType: [type], sample: [...bySample.values()], mapping: [], location: locations },
      ...{ function: functions, stringTable },
    }).encode(),
  );
  return { adding, writing, bytes: bytes.length };
}

function timed(work) {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return [result, (user + system) / 1e6];
}

const WAYS = { columns, "single calls": singles, protobufjs: peer };
if (process.env.PPROF_FORMAT) {
  const load = createRequire(join(process.env.PPROF_FORMAT, "package.json"));
  WAYS["pprof-format"] = () => pprof(load("pprof-format"));
}
const best = {};
for (let round = 0; round < 3; round++) {
  for (const [way, run] of Object.entries(WAYS)) {
    const result = await run();
    const sum = result.adding + result.writing;
    if (best[way] === undefined || sum < best[way].adding + best[way].writing) best[way] = result;
  }
}
console.log(`${samples} samples, stacks of ${depth} frames, ${different} different ones`);
for (const [way, { adding, writing, bytes }] of Object.entries(best))
  console.log(`${way}: ${adding.toFixed(2)} s, writing ${writing.toFixed(2)} s, ${bytes} bytes`);
