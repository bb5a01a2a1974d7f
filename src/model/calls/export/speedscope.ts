/**
 * Calls as a speedscope file: an "evented" profile for each call, with every invocation in its order and with its
 * duration. (Of samples there are "sampled" profiles: assembly/write/viewers/speedscope.ts.)
 *
 *   { $schema, exporter, profiles: [{ type: "evented", name, unit: "milliseconds", startValue: 0, endValue,
 *     events: [{ type: "O" | "C", frame, at }] }], activeProfileIndex: 0, shared: { frames: [{ name, file?, line? }]
 * } }
 *
 * Rules of speedscope: `at` never descends, and a frame is closed by the event that belongs to the one opened last.
 * Frames come last, because the events number them.
 */
import { Numbered } from "../../../bytes/numbered.ts";
import { methodParts } from "../method.ts";
import { callTitle, frameText, inParts, jsonRows, type ListedCall, stepsOf, type WordOf } from "./listed-call.ts";

interface SpeedscopeFrame {
  name: string;
  file?: string;
  line?: number;
}

/** The file in parts. `exporter`: name and version of the program. */
export function speedscopeCalls(calls: Iterable<ListedCall>, wordOf: WordOf, exporter: string): Generator<string> {
  return inParts(fileParts(calls, wordOf, exporter));
}

function* fileParts(calls: Iterable<ListedCall>, wordOf: WordOf, exporter: string): Generator<string> {
  const frames = new Numbered<string, SpeedscopeFrame>();
  yield '{"$schema":"https://www.speedscope.app/file-format-schema.json",\n';
  yield `"exporter":${JSON.stringify(exporter)},\n"profiles":[`;
  let separator = "\n";
  for (const listed of calls) {
    yield separator;
    yield* profileParts(listed, wordOf, frames);
    separator = ",\n";
  }
  yield '],\n"activeProfileIndex":0,\n"shared":{"frames":[';
  yield* jsonRows(frames.list);
  yield "]}}\n";
}

function* profileParts(
  { call, frames: listed }: ListedCall,
  wordOf: WordOf,
  frames: Numbered<string, SpeedscopeFrame>,
): Generator<string> {
  const numbers = listed.map(({ method }) => {
    const text = frameText(call.runNumber, method, wordOf);
    return frames.of(text, () => frameOf(text));
  });
  yield `{"type":"evented","name":${JSON.stringify(callTitle(call))},"unit":"milliseconds","startValue":0,"events":[`;
  let end = 0;
  let separator = "\n";
  for (const { at, frame, enters } of stepsOf(listed)) {
    end = at;
    yield `${separator}{"type":"${enters ? "O" : "C"}","frame":${numbers[frame]},"at":${at}}`;
    separator = ",\n";
  }
  yield `],"endValue":${end}}`;
}

function frameOf(text: string): SpeedscopeFrame {
  const { name, file, line } = methodParts(text);
  return { name, ...(file !== "" && { file }), ...(line > 0 && { line }) };
}
