/** Reads files of other viewers and profilers: their samples become messages of OTLP profiles, which the core reads. */

import { startsWith } from "../../bytes/byte-order-mark.ts";
import { available, type ByteSource, fill } from "../../bytes/byte-source.ts";
import type { Message } from "../../otlp/framed-messages.ts";
import { readMessages } from "../read-messages.ts";
import type { KnownFile, Reading } from "../reading.ts";
import { type MadeSample, messageOf, messagesOfSamples } from "./batch.ts";
import type { OtherFormat } from "./detect.ts";
import { Faults, type NoteOther } from "./faults.ts";
import { firefoxSamples, unreadOf } from "./firefox.ts";
import { JSLB_MAGIC, parseJslb } from "./jslb.ts";
import { type Node, nodeOf, type ParsedJson, parseJson } from "./parsed.ts";
import { PerfScript, perfTexts } from "./perf-script.ts";
import { speedscopeSamples } from "./speedscope.ts";
import { v8Samples } from "./v8.ts";

/** A larger file does not become one text in all browsers. */
const MOST_BYTES = 2 ** 28;

const CONVERTERS: Record<Exclude<OtherFormat, "perf">, (file: Node, faults: Faults) => Iterable<MadeSample>> = {
  speedscope: speedscopeSamples,
  firefox: firefoxSamples,
  cpuprofile: v8Samples,
};

/** Formats whose clocks count from an unknown moment. */
const UNKNOWN_CLOCK: readonly OtherFormat[] = ["speedscope", "cpuprofile", "perf"];

export async function readOther(reading: Reading, file: KnownFile, format: OtherFormat): Promise<boolean> {
  const { name, source, layer } = file;
  const counted = reading.counted(source, layer);
  const note: NoteOther = (code, severity, message, offset) =>
    reading.core.note({ code, severity, message, file: name, chunk: null, offset });
  const faults = new Faults();
  let hasTimes = false;
  const watched = function* (samples: Iterable<MadeSample>) {
    for (const sample of samples) {
      hasTimes ||= sample.time !== null;
      yield sample;
    }
  };
  const made =
    format === "perf"
      ? perfMessages(counted, faults, note, watched)
      : jsonMessages(counted, format, note, (value) => messagesOfSamples(watched(CONVERTERS[format](value, faults))));
  let offset = 0;
  const { readable, going } = await readMessages(reading.core, {
    ...{ name, format, independent: true },
    messages: () => inMemory(made, (at) => (offset = at)),
    bytes: () => source.byteLength,
    breath: () => reading.breathe(offset),
  });
  if (readable) {
    reading.foundReadable();
    if (hasTimes && UNKNOWN_CLOCK.includes(format))
      note("other.clock", "info", `${format}: times count from an unknown moment, not from 1970`, null);
  }
  faults.report(format, note);
  return going;
}

interface Made {
  bytes: Uint8Array;
  /** How far the file was read. */
  offset: number;
}

async function* inMemory(made: AsyncIterable<Made>, at: (offset: number) => void): AsyncGenerator<Message> {
  for await (const { bytes, offset } of made) {
    at(offset);
    yield messageOf(bytes);
  }
}

async function* jsonMessages(
  source: ByteSource,
  format: OtherFormat,
  note: NoteOther,
  messages: (file: Node) => Iterable<Uint8Array>,
): AsyncGenerator<Made> {
  const length = await available(source, 0, MOST_BYTES + 1);
  if (length > MOST_BYTES) {
    const size = MOST_BYTES / 2 ** 20;
    note("other.large", "error", `${format}: a file of more than ${size} MiB is not read; record a shorter time`, 0);
    return;
  }
  const bytes = new Uint8Array(length);
  const { value, fault } = parsed(bytes.subarray(0, await fill(source, 0, bytes)));
  const file = nodeOf(value);
  let count = 0;
  for (const message of messages(file)) {
    count++;
    yield { bytes: message, offset: length };
  }
  if (fault !== null) {
    const read = count > 0 ? "; the samples before that were read" : "";
    note("other.damaged", "error", `${format}: ${fault.message} (offset ${fault.at})${read}`, fault.at);
  } else if (count === 0) note("other.damaged", "error", `${format}: the file has no samples`, 0);
  const unread = format === "firefox" ? unreadOf(file) : "";
  if (unread !== "") note("other.unread", "info", `${format}: not read: ${unread}`, null);
}

function parsed(bytes: Uint8Array): ParsedJson {
  return startsWith(bytes, JSLB_MAGIC) ? parseJslb(bytes) : parseJson(new TextDecoder().decode(bytes));
}

async function* perfMessages(
  source: ByteSource,
  faults: Faults,
  note: NoteOther,
  watched: (samples: Iterable<MadeSample>) => Iterable<MadeSample>,
): AsyncGenerator<Made> {
  const script = new PerfScript(faults);
  const noteLong = (_: string, severity: "error" | "warning" | "info", message: string, offset: number) =>
    note("other.damaged", severity, message.replace(/^collapsed/, "perf"), offset);
  for await (const { text, offset } of perfTexts(source, noteLong)) {
    for (const bytes of messagesOfSamples(watched(script.samplesOf(text)))) yield { bytes, offset };
    script.forget();
  }
  for (const bytes of messagesOfSamples(watched(script.close()))) yield { bytes, offset: source.byteLength };
}
