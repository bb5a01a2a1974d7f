/** One set of samples in other units, at another time, with other ids; one set of spans in each format of traces. */
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Random } from "../kit/random.ts";
import { buildCli, callCli, ROOT } from "../kit/run-cli.ts";
import { TRACE_WRITERS, type WrittenSpan } from "../kit/trace-writer.ts";
import { IS_WHOLE, randomOf, withFolder } from "./kit.ts";
import { asked, type Subject, some, subjectsOf } from "./questions.ts";

beforeAll(() => buildCli(), 120_000);

// biome-ignore lint/suspicious/noExplicitAny: OTLP/JSON as it was parsed; the tests change some of its members.
type Json = any;

interface Message {
  dictionary: Json;
  profiles: Json[];
}

/** Samples with ids: recordings of Datadog's profiler. */
const RECORDINGS = ["shop", "recorded/dd152-jdk17-all", "recorded/dd122-jdk17-all", "traces/ddctx-jdk17"].map((name) =>
  join(ROOT, "fixtures", `${name}.jfr`),
);
const TYPES = ["cpu", "wall"];

function profilesOf(message: Json): Message {
  const scopes = message.resourceProfiles.flatMap((each: Json) => each.scopeProfiles);
  return { dictionary: message.dictionary, profiles: scopes.flatMap((each: Json) => each.profiles) };
}

const textOf = ({ dictionary }: Message, index: number | undefined) => dictionary.stringTable[index ?? 0];

function indexOf(message: Message, text: string): number {
  const found = message.dictionary.stringTable.indexOf(text);
  return found >= 0 ? found : message.dictionary.stringTable.push(text) - 1;
}

/** Values of each profile with a period as times, in a unit of so many nanoseconds. */
function inUnit(unit: string, nanos: bigint) {
  return (message: Message) => {
    for (const profile of message.profiles) {
      const period = BigInt(profile.period ?? 0);
      // shop.jfr states none: its samples have no time.
      if (period === 0n) continue;
      const by = textOf(message, profile.sampleType.unitStrindex) === "samples" ? period : 1n;
      profile.sampleType.unitStrindex = indexOf(message, unit);
      for (const sample of profile.samples) {
        // A sample without values has one for each time.
        sample.values = (sample.values ?? sample.timestampsUnixNano.map(() => "1")).map((value: Json) =>
          String((BigInt(value) * by) / nanos),
        );
      }
      profile.periodType.unitStrindex = indexOf(message, unit);
      profile.period = String(period / nanos);
    }
  };
}

const YEARS = 20n * 365n * 86_400_000_000_000n;
const FLIP = 0x0f0f_0f0f_0f0f_0f0fn;
const flipped = (hex: string) => (BigInt(`0x${hex}`) ^ FLIP).toString(16).padStart(16, "0");

interface Change {
  name: string;
  change(message: Message, random: Random): void;
  /** An id after the change. */
  id?(decimal: string): string;
}

function shuffle(list: Json[], random: Random): void {
  for (let i = list.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [list[i], list[j]] = [list[j], list[i]];
  }
}

const CHANGES: readonly Change[] = [
  { name: "as nanoseconds", change: inUnit("nanoseconds", 1n) },
  { name: "as microseconds", change: inUnit("microseconds", 1000n) },
  { name: "as milliseconds", change: inUnit("milliseconds", 1_000_000n) },
  {
    name: "twenty years later",
    change: ({ profiles }) => {
      for (const profile of profiles) {
        profile.timeUnixNano = String(BigInt(profile.timeUnixNano) + YEARS);
        for (const sample of profile.samples) {
          sample.timestampsUnixNano = sample.timestampsUnixNano.map((at: Json) => String(BigInt(at) + YEARS));
        }
      }
    },
  },
  {
    name: "with other span ids",
    id: (decimal) => String(BigInt(decimal) ^ FLIP),
    change: ({ dictionary }) => {
      for (const link of dictionary.linkTable.slice(1)) {
        link.spanId = flipped(link.spanId);
        // A local root is a span: its id is the low half.
        link.traceId = link.traceId.slice(0, 16) + flipped(link.traceId.slice(16));
      }
    },
  },
  {
    name: "in another order",
    change: ({ profiles }, random) => {
      for (const profile of profiles) shuffle(profile.samples, random);
    },
  },
  {
    name: "with a Sample for each observation",
    change: ({ profiles }) => {
      for (const profile of profiles) {
        profile.samples = profile.samples.flatMap((sample: Json) =>
          sample.timestampsUnixNano.map((at: Json, i: number) => ({
            ...sample,
            timestampsUnixNano: [at],
            values: [sample.values?.[i] ?? "1"],
          })),
        );
      }
    },
  },
];

/** Times and counts of `why --span`, by span, as the units and the names of ids do not change them. */
async function timesOf(input: string, { span, type }: Subject, id: (decimal: string) => string) {
  const own = span === null ? {} : await asked("why", input, "--span", id(span));
  const spans = await asked("spans", input, "--type", type, "--by", "thread", "--limit", "1000");
  const top = await asked("top", input, "--type", type, "--limit", "1000");
  const total = Number(top.total);
  return {
    refused: [own.refused, spans.refused, top.refused],
    states: own.states,
    cpu: own.cpu,
    duration: (own.time as Json)?.durationNano,
    threads: ((spans.rows ?? []) as Json[]).map(({ key, samples }) => `${key} ${samples}`).sort(),
    shares: ((top.frames ?? []) as Json[])
      .map(({ name, self }) => `${name} ${(Number(self) / total).toFixed(9)}`)
      .sort(),
  };
}

describe.each(CHANGES)("a message $name", ({ name, change, id = (decimal) => decimal }) => {
  const random = randomOf(`message ${name}`);
  const drawn = some(
    random,
    RECORDINGS.flatMap((path) => TYPES.map((type) => [basename(path), type, path] as const)),
    IS_WHOLE ? 100 : 2,
  );
  it.each(drawn)("%s, %s", (_, type, recording) =>
    withFolder(async (folder) => {
      const [out, other] = [join(folder, "own.json"), join(folder, "other.json")];
      const { code, err } = await callCli(["convert", recording, "-o", out, "--type", type, "-q"]);
      expect([code, err]).toEqual([0, ""]);
      const message = JSON.parse(readFileSync(out, "utf8"));
      change(profilesOf(message), random);
      writeFileSync(other, JSON.stringify(message));
      const [subject] = await subjectsOf(out, random, 1);
      expect(subject?.span ?? null).not.toBeNull();
      const answers = [await timesOf(out, subject!, (own) => own), await timesOf(other, subject!, id)];
      expect(answers[1]).toEqual(answers[0]);
    }),
  );
});

describe("one set of spans in every format of traces", () => {
  const random = randomOf("trace formats");
  const START = 1_700_000_000_000_000_000n;
  /** A request, its calls, and a call that both sides state under one span id. */
  const trace = BigInt(`0x${"7".repeat(16)}${random.next().toString(16).padStart(16, "0")}`);
  const spans: WrittenSpan[] = Array.from({ length: 12 }, (_, i) => ({
    trace,
    id: BigInt(1000 + i),
    parent: i === 0 ? 0n : BigInt(1000 + random.below(i)),
    name: `op-${i}`,
    start: START + BigInt(i) * 5_000_000n,
    duration: BigInt(200 - 10 * i) * 1_000_000n,
    thread: `worker-${i % 3}`,
    kind: i === 0 ? "server" : "internal",
  }));
  const last = { ...spans.at(-1)!, id: 2000n, parent: 1000n, name: "get stock" };
  spans.push({ ...last, kind: "client" }, { ...last, kind: "server", start: last.start + 1_000_000n });

  it.each(Object.keys(TRACE_WRITERS))("%s", (format) =>
    withFolder(async (folder) => {
      const tree = async (writer: string) => {
        const path = join(folder, writer);
        writeFileSync(path, TRACE_WRITERS[writer]!(spans));
        const answer = await asked("trace", RECORDINGS[0]!, "--trace", path, "--limit", "1000");
        return ((answer.spans ?? []) as Json[])
          .map((span) => [span.hex ?? span.id, span.operation ?? span.name, span.durationNano, span.selfNano].join(" "))
          .sort();
      };
      const rows = await tree(format);
      expect(rows).toHaveLength(spans.length);
      expect(rows).toEqual(await tree("zipkin"));
    }),
  );
});
