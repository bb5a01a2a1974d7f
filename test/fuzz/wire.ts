/**
 * Damage to protobuf messages at their fields: a message becomes a tree by the field numbers of its .proto, the tree is
 * changed, and what is written again has true lengths. So a reader meets unknown fields, wrong wire types, absurd
 * numbers and nested values in every position, where blind damage meets a broken length first.
 */
import { type MessageType, TYPES } from "../../src/otlp/schema.ts";
import type { Random } from "../kit/random.ts";

/** Messages by the numbers of the fields that hold them; the name is for `isAnyValue` only. */
interface Shape {
  name: string;
  messages: Map<number, Shape>;
}

interface Node {
  number: number;
  wire: number;
  /** Of wire types 0, 1 and 5. */
  value: bigint;
  /** Of wire type 2: bytes, or the fields of a message. */
  bytes: Uint8Array;
  fields: Message | null;
}

interface Message {
  shape: Shape;
  nodes: Node[];
}

function shapesOfOtlp(): Map<MessageType, Shape> {
  const shapes = new Map<MessageType, Shape>();
  for (const type of Object.values(TYPES)) shapes.set(type, { name: type.name, messages: new Map() });
  for (const [type, shape] of shapes) {
    for (const { number, message } of type.fields) {
      const inner = message === null ? undefined : shapes.get(message);
      if (inner !== undefined) shape.messages.set(number, inner);
    }
  }
  return shapes;
}

const leaf = (name: string): Shape => ({ name, messages: new Map() });
const VALUE_TYPE = leaf("ValueType");

export const OTLP_SHAPE = shapesOfOtlp().get(TYPES.ProfilesData) ?? leaf("ProfilesData");
/** google/pprof/proto/profile.proto. */
export const PPROF_SHAPE: Shape = {
  name: "Profile",
  messages: new Map([
    [1, VALUE_TYPE],
    [2, { name: "Sample", messages: new Map([[3, leaf("Label")]]) }],
    [3, leaf("Mapping")],
    [4, { name: "Location", messages: new Map([[4, leaf("Line")]]) }],
    [5, leaf("Function")],
    [11, VALUE_TYPE],
  ]),
};

class Broken extends Error {}

function parse(bytes: Uint8Array, shape: Shape): Message {
  const nodes: Node[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) break;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw new Broken();
  };
  const fixed = (width: number): bigint => {
    if (at + width > bytes.length) throw new Broken();
    let value = 0n;
    for (let i = width - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[at + i] ?? 0);
    at += width;
    return value;
  };
  while (at < bytes.length) {
    const tag = varint();
    const node: Node = { number: Number(tag >> 3n), wire: Number(tag & 7n), value: 0n, bytes: NOTHING, fields: null };
    if (node.wire === 0) node.value = varint();
    else if (node.wire === 1) node.value = fixed(8);
    else if (node.wire === 5) node.value = fixed(4);
    else if (node.wire === 2) {
      const length = Number(varint());
      if (at + length > bytes.length) throw new Broken();
      node.bytes = bytes.subarray(at, at + length);
      at += length;
      const inner = shape.messages.get(node.number);
      if (inner !== undefined) node.fields = parse(node.bytes, inner);
    } else throw new Broken();
    nodes.push(node);
  }
  return { shape, nodes };
}

const NOTHING = new Uint8Array(0);

function put(to: number[], value: bigint): void {
  let rest = BigInt.asUintN(64, value);
  for (; rest > 127n; rest >>= 7n) to.push(Number(rest & 127n) | 128);
  to.push(Number(rest));
}

function write(message: Message): number[] {
  const to: number[] = [];
  for (const { number, wire, value, bytes, fields } of message.nodes) {
    put(to, (BigInt(number) << 3n) | BigInt(wire));
    if (wire === 0) put(to, value);
    else if (wire === 1 || wire === 5) {
      for (let i = 0n; i < (wire === 1 ? 8n : 4n); i++) to.push(Number((value >> (8n * i)) & 255n));
    } else if (wire === 2) {
      const content = fields === null ? bytes : write(fields);
      put(to, BigInt(content.length));
      for (const byte of content) to.push(byte);
    }
  }
  return to;
}

function* messagesIn(message: Message): Generator<Message> {
  yield message;
  for (const { fields } of message.nodes) if (fields !== null) yield* messagesIn(fields);
}

function clone(node: Node): Node {
  const fields = node.fields && { shape: node.fields.shape, nodes: node.fields.nodes.map(clone) };
  return { ...node, fields };
}

const NUMBERS = [
  0n,
  1n,
  2n,
  127n,
  128n,
  1n << 20n,
  (1n << 31n) - 1n,
  1n << 31n,
  1n << 32n,
  1n << 63n,
  (1n << 64n) - 1n,
];
const TEXTS = ["", "k", "list", "cpu", "\u0000", "é\u2028", "thread.name", "profile.type", "jfr.event", "span.id"];

function numberNear(value: bigint, random: Random): bigint {
  if (random.one(3)) return random.pick(NUMBERS);
  return value + BigInt(random.below(5) - 2);
}

function scalar(number: number, wire: number, value: bigint): Node {
  return { number, wire, value, bytes: NOTHING, fields: null };
}

function bytesNode(number: number, bytes: Uint8Array): Node {
  return { number, wire: 2, value: 0n, bytes, fields: null };
}

function randomBytes(random: Random): Uint8Array {
  if (random.one(2)) return new TextEncoder().encode(random.pick(TEXTS));
  return Uint8Array.from({ length: random.small(300) }, () => random.next() & 255);
}

function anyNode(number: number, random: Random): Node {
  const wire = random.pick([0, 0, 1, 2, 2, 5]);
  if (wire === 2) return bytesNode(number, randomBytes(random));
  return scalar(number, wire, random.one(2) ? random.pick(NUMBERS) : BigInt(random.below(1 << 16)));
}

type Op = (message: Message, random: Random, root: Message) => void;

const OPS: Record<string, Op> = {
  unknown({ nodes }, random) {
    const number = random.pick([random.below(16), 9, 16 + random.below(100), (1 << 29) - 1]);
    nodes.splice(random.below(nodes.length + 1), 0, anyNode(number, random));
  },
  mistype({ nodes }, random) {
    const i = random.below(nodes.length);
    const node = nodes[i];
    if (node !== undefined) nodes[i] = anyNode(node.number, random);
  },
  renumber({ nodes }, random) {
    const node = nodes[random.below(nodes.length)];
    if (node !== undefined) node.number = random.below(13);
  },
  number({ nodes }, random) {
    const numbers = nodes.filter(({ wire }) => wire !== 2);
    const node = numbers[random.below(numbers.length)];
    if (node !== undefined) node.value = numberNear(node.value, random);
  },
  bytes({ nodes }, random) {
    const leaves = nodes.filter(({ wire, fields }) => wire === 2 && fields === null);
    const node = leaves[random.below(leaves.length)];
    if (node !== undefined) node.bytes = randomBytes(random);
  },
  repeat({ nodes }, random) {
    const node = nodes[random.below(nodes.length)];
    for (let n = random.below(4); n >= 0 && node !== undefined; n--) {
      nodes.splice(random.below(nodes.length + 1), 0, clone(node));
    }
  },
  drop({ nodes }, random) {
    nodes.splice(random.below(nodes.length), 1);
  },
  /** Fields of another message of the same type, or of any. */
  graft(message, random, root) {
    const all = [...messagesIn(root)];
    const same = all.filter(({ shape }) => shape === message.shape);
    const { nodes } = random.pick(random.one(4) ? all : same);
    const node = nodes[random.below(nodes.length)];
    if (node !== undefined) message.nodes.splice(random.below(message.nodes.length + 1), 0, clone(node));
  },
  /** Values inside lists of values, deeper than is read now and then. */
  nest(_, random, root) {
    const values = [...messagesIn(root)].filter(({ shape }) => shape.name === "AnyValue");
    if (values.length === 0) return;
    const value = random.pick(values);
    const levels = random.one(6) ? 20 : 1 + random.below(4);
    for (let level = 0; level < levels; level++) {
      const inner: Message = { shape: value.shape, nodes: value.nodes };
      if (random.one(3)) inner.nodes.push(anyNode(random.below(11), random));
      // Every level multiplies its content.
      const many = level < 2 ? 1 + random.below(3) : 1;
      value.nodes = [random.one(2) ? listOf(inner, many) : pairsOf(inner, many, random)];
    }
  },
};

function messageNode(number: number, shape: Shape, nodes: Node[]): Node {
  return { number, wire: 2, value: 0n, bytes: NOTHING, fields: { shape, nodes } };
}

function listOf(value: Message, many: number): Node {
  const elements = Array.from({ length: many }, () => messageNode(1, value.shape, value.nodes.map(clone)));
  return messageNode(5, leaf("ArrayValue"), elements);
}

function pairsOf(value: Message, many: number, random: Random): Node {
  const pairs = Array.from({ length: many }, () => {
    const key = random.one(4) ? scalar(3, 0, BigInt(random.below(9))) : bytesNode(1, randomBytes(random));
    return messageNode(1, leaf("KeyValue"), [key, messageNode(2, value.shape, value.nodes.map(clone))]);
  });
  if (many > 1) pairs.push(...pairs.map(clone));
  return messageNode(6, leaf("KeyValueList"), pairs);
}

/** A message of more bytes is grown no further: values are cloned into lists, lists into lists. */
const LARGEST = 1 << 16;

/** Changes some fields of a message; other bytes are unchanged. Returns the names of the changes. */
export function damageFields(bytes: Uint8Array, shape: Shape, random: Random): [string, Uint8Array] {
  let root: Message;
  try {
    root = parse(bytes, shape);
  } catch (error) {
    if (error instanceof Broken) return ["no message", bytes];
    throw error;
  }
  const done: string[] = [];
  let written = bytes;
  for (let n = random.below(6); n >= 0; n--) {
    const message = random.pick([...messagesIn(root)]);
    const [name, op] = random.pick(Object.entries(OPS));
    op(message, random, root);
    done.push(`${name} in ${message.shape.name}`);
    written = Uint8Array.from(write(root));
    if (written.length > LARGEST) break;
  }
  return [done.join(", "), written];
}
