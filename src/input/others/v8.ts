/**
 * CPU profiles and sampling heap profiles of V8, as Node and Chrome write them:
 *
 *   .cpuprofile    { nodes: [{ id, callFrame, children? }], startTime, endTime, samples: [id], timeDeltas }   in µs
 *   .heapprofile   { head: { callFrame, selfSize, children: [ … ] }, samples }
 *   callFrame      { functionName, url, lineNumber, columnNumber }   both numbers from 0 on
 *
 * A sample counts until the next one, as in DevTools. `(idle)` is no use of the processor.
 */
import type { MadeFrame } from "../../otlp/dictionary.ts";
import type { MadeSample, Series } from "./batch.ts";
import { type Faults, MOST_DEEP, StackTree } from "./faults.ts";
import { lineOf, listOf, type Node, nodeOf, numberOf, textOf, wholeOf } from "./parsed.ts";

const CPU: Series = { type: "cpu", unit: "nanoseconds" };
const HEAP: Series = { type: "inuse_space", unit: "bytes" };
const NO_ATTRIBUTES = {};
const MICRO = 1000;

export function v8Samples(file: Node, faults: Faults): Generator<MadeSample> {
  return "head" in file && !("nodes" in file) ? heapSamples(file) : cpuSamples(file, faults);
}

function frameOf(node: Node): MadeFrame {
  const frame = nodeOf(node.callFrame);
  const file = textOf(frame.url);
  const name = textOf(frame.functionName) || "(anonymous)";
  const type = name.startsWith("(") && file === "" ? "native" : "v8js";
  return { name, file, startLine: lineOf((numberOf(frame.lineNumber) ?? -1) + 1), type };
}

function* cpuSamples(file: Node, faults: Faults): Generator<MadeSample> {
  const nodes = listOf(file.nodes);
  const places = new Map<unknown, number>();
  for (let i = 0; i < nodes.length; i++) places.set(nodeOf(nodes[i]).id, i);
  const callers = new Int32Array(nodes.length).fill(-1);
  for (let i = 0; i < nodes.length; i++) {
    const children = listOf(nodeOf(nodes[i]).children);
    for (let k = 0; k < children.length; k++) {
      const child = places.get(children[k]);
      if (child === undefined) faults.add("with a child that does not exist; it was left out", `nodes[${i}]`);
      else callers[child] = i;
    }
  }
  const names = Array.from(nodes, (node) => textOf(nodeOf(nodeOf(node).callFrame).functionName));
  const seen = new Int32Array(nodes.length);
  let walk = 0;
  const framesOf = (node: number) => {
    const frames: number[] = [];
    walk++;
    for (let at = node; at >= 0 && frames.length < MOST_DEEP; at = callers[at] ?? -1) {
      if (seen[at] === walk) {
        faults.add("that is its own caller; the stack ends there", `nodes[${at}]`);
        break;
      }
      seen[at] = walk;
      // The root is in every stack.
      if (names[at] !== "(root)" || (callers[at] ?? -1) >= 0) frames.push(at);
    }
    return frames;
  };
  const of = { framesOf, frameOf: (node: number) => frameOf(nodeOf(nodes[node])) };
  const samples = listOf(file.samples);
  const deltas = listOf(file.timeDeltas);
  let at = numberOf(file.startTime) ?? 0;
  const endTime = numberOf(file.endTime);
  for (let i = 0; i < samples.length; i++) {
    at += numberOf(deltas[i]) ?? 0;
    const stack = places.get(samples[i]);
    const next = i + 1 < samples.length ? numberOf(deltas[i + 1]) : (endTime ?? at) - at;
    const time = wholeOf(at, MICRO);
    if (stack === undefined || next === null || time === null || time < 0n) {
      faults.add("without a node or a time; left out", `samples[${i}]`);
      continue;
    }
    // Clocks of several processors may differ by some microseconds.
    const value = wholeOf(Math.max(0, next), MICRO);
    if (value !== null && names[stack] !== "(idle)")
      yield { series: CPU, of, stack, attributes: NO_ATTRIBUTES, value, time };
  }
}

function* heapSamples(file: Node): Generator<MadeSample> {
  const frames: Node[] = [];
  const tree = new StackTree(2 ** 22);
  const of = { framesOf: tree.framesOf, frameOf: (frame: number) => frameOf(frames[frame] ?? {}) };
  const left: { node: Node; caller: number }[] = [{ node: nodeOf(file.head), caller: -1 }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { node, caller } = next;
    const isRoot = caller < 0 && nodeOf(node.callFrame).functionName === "(root)";
    const stack = isRoot ? -1 : tree.child(caller, frames.push(node) - 1);
    const value = wholeOf(node.selfSize) ?? 0n;
    if (value > 0n) yield { series: HEAP, of, stack, attributes: NO_ATTRIBUTES, value, time: null };
    const children = listOf(node.children);
    for (let i = 0; i < children.length; i++) left.push({ node: nodeOf(children[i]), caller: stack });
  }
}
