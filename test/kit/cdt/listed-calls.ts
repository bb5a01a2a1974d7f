/** Calls of dumps with their frames, made from plain trees without a core. */
import fc from "fast-check";
import type { ListedFrame } from "../../../src/core/dumps/dump.ts";
import type { Call } from "../../../src/model/calls/call.ts";
import { methodName } from "../../../src/model/calls/method.ts";

export interface PlainFrame {
  /** Id in WORDS. */
  method: number;
  /** ms between the event before it and its enter, and between its last child and its exit. */
  before: number;
  after: number;
  suspended: number;
  params: Record<string, string[]>;
  children: PlainFrame[];
}

/** Texts of the dictionary by id. */
export const WORDS = [
  "void shop.Cart.add(int,java.lang.String) (Cart.java:14) [shop.jar]",
  "java.util.List shop.Cart.items() (Cart.java:30) [shop.jar]",
  "int db.Statement.execute(java.lang.String) (<generated>:0)",
  "weird </script> text",
];

export const wordOf = (_run: number, id: number) => WORDS[id] ?? `#${id}`;

export function plainFrames(levels: number): fc.Arbitrary<PlainFrame> {
  return fc.record({
    method: fc.nat(WORDS.length - 1),
    before: fc.nat(30),
    after: fc.nat(30),
    suspended: fc.nat(30),
    params: fc.dictionary(
      fc.constantFrom("sql", "url", "__proto__"),
      fc.array(fc.constantFrom("select 1", "select 22", "/a", ""), { minLength: 1, maxLength: 2 }),
      { maxKeys: 2 },
    ),
    children: levels === 1 ? fc.constant([]) : fc.array(plainFrames(levels - 1), { maxLength: 3 }),
  });
}

/** Frames in the order of entering, the root at `start`. */
export function listed(root: PlainFrame, start = 1000n): ListedFrame[] {
  const frames: ListedFrame[] = [];
  let now = start - BigInt(root.before);
  const walk = (frame: PlainFrame, depth: number): bigint => {
    now += BigInt(frame.before);
    const from = now;
    const row: ListedFrame = {
      call: 1,
      depth,
      method: frame.method,
      start: from,
      total: 0n,
      self: 0n,
      suspended: 0n,
      params: frame.params,
    };
    frames.push(row);
    const inner = frame.children.reduce((sum, child) => sum + walk(child, depth + 1), 0n);
    now += BigInt(frame.after);
    row.total = now - from;
    row.self = row.total - inner;
    row.suspended = row.self < BigInt(frame.suspended) ? row.self : BigInt(frame.suspended);
    return row.total;
  };
  walk(root, 0);
  return frames;
}

/** A call of these frames. */
export function callOfFrames(frames: readonly ListedFrame[], more: Partial<Call> = {}): Call {
  const [root] = frames;
  const method = wordOf(0, root?.method ?? 0);
  return {
    number: 1,
    id: "web:1:8:0",
    runNumber: 0,
    run: "web",
    file: 1,
    offset: 8,
    ordinal: 0,
    twin: 1,
    method,
    name: methodName(method),
    recorded: true,
    tree: "whole",
    thread: "http-1",
    threadId: 1n,
    start: root?.start ?? 0n,
    duration: root?.total ?? 0n,
    suspension: frames.reduce((sum, { suspended }) => sum + suspended, 0n),
    treeWall: root?.total ?? 0n,
    enters: frames.length,
    cpu: null,
    wait: null,
    queue: null,
    transactions: null,
    memory: null,
    fileRead: null,
    fileWritten: null,
    netRead: null,
    netWritten: null,
    logsGenerated: null,
    logsWritten: null,
    link: 0,
    params: {},
    ...more,
  };
}
