/** Damaged inputs, one per seed and number, and what of them must be read all the same. */

import { Random } from "../kit/random.ts";
import { damageBlindly, damageChunk, splice } from "./damage.ts";
import { chunksOf, type Framing, framingOf } from "./walk.ts";
import { wrap } from "./wrap.ts";

/** A sound recording. */
export class Sound {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly chunks: Uint8Array[];
  private readonly framings = new Map<number, Framing>();

  constructor(name: string, bytes: Uint8Array) {
    this.name = name;
    this.bytes = bytes;
    this.chunks = chunksOf(bytes);
  }

  framing(chunk: number): Framing {
    let framing = this.framings.get(chunk);
    if (framing === undefined) {
      framing = framingOf(this.chunks[chunk] ?? new Uint8Array(0));
      this.framings.set(chunk, framing);
    }
    return framing;
  }
}

export interface Corpus {
  /** Small ones, which most cases start from. */
  built: Sound[];
  recorded: Sound[];
  packed: { name: string; bytes: Uint8Array }[];
  /** Put beside the damage, to be read whole. */
  sentinel: Uint8Array;
}

export interface Case {
  inputs: { name: string; bytes: Uint8Array }[];
  /** Chunks that must be read whole, each once for every time it is here. */
  whole: Uint8Array[];
  /** What was done, in words. */
  said: string[];
  random: Random;
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  return parts.reduce((all, part) => splice(all, all.length, 0, part), new Uint8Array(0));
}

/** A recorded file takes fifty times as long as a built one. */
const RECORDED_ONE_IN = 12;

function pickSound(corpus: Corpus, random: Random): Sound {
  return random.pick(random.one(RECORDED_ONE_IN) ? corpus.recorded : corpus.built);
}

function damagedChunk(sound: Sound, which: number, random: Random, other: Sound): [string[], Uint8Array] {
  const chunk = sound.chunks[which] ?? sound.bytes;
  return damageChunk(chunk, sound.framing(which), random, random.pick(other.chunks));
}

/** The damaged chunk with magic and version of the sound one and its own true size, so that others may follow it. */
function framed(sound: Uint8Array, damaged: Uint8Array): Uint8Array {
  const out = new Uint8Array(Math.max(68, damaged.length));
  out.set(damaged);
  out.set(sound.subarray(0, 8));
  new DataView(out.buffer).setBigInt64(8, BigInt(out.length));
  return out;
}

function shuffle<T>(list: T[], random: Random): void {
  for (let i = list.length - 1; i > 0; i--) {
    const k = random.below(i + 1);
    const keep = list[i] as T;
    list[i] = list[k] as T;
    list[k] = keep;
  }
}

type Made = Omit<Case, "random">;

/** One chunk damaged, header size true: every other chunk, before and after it, is whole. */
function neighbours(corpus: Corpus, random: Random): Made {
  const sound = pickSound(corpus, random);
  const which = random.below(sound.chunks.length);
  const [said, damaged] = damagedChunk(sound, which, random, random.pick(corpus.built));
  const whole = sound.chunks.filter((_, i) => i !== which);
  if (random.one(3)) whole.push(...random.pick(corpus.built).chunks);
  const chunk = framed(sound.chunks[which] ?? sound.bytes, damaged);
  whole.push(corpus.sentinel);
  const all = [...whole];
  if (random.one(2)) all.push(chunk);
  else all.unshift(chunk);
  if (random.one(3)) shuffle(all, random);
  const bytes = concat(all);
  return { inputs: [{ name: "a.jfr", bytes }], whole, said: [`${sound.name}, chunk ${which}`, ...said] };
}

/** Damage anywhere, headers too: only the data before it is intact. */
function anywhere(corpus: Corpus, random: Random): Made {
  const sound = pickSound(corpus, random);
  const other = pickSound(corpus, random);
  const which = random.below(sound.chunks.length);
  const [said, damaged] = damagedChunk(sound, which, random, other);
  let bytes = concat(sound.chunks.map((chunk, i) => (i === which ? damaged : chunk)));
  for (let n = random.below(3); n > 0; n--) {
    const [what, more] = damageBlindly(bytes, random, other.bytes);
    said.push(what);
    bytes = more;
  }
  const whole = random.one(2) ? [corpus.sentinel] : [];
  bytes = concat([...whole, bytes]);
  return { inputs: [{ name: "a.jfr", bytes }], whole, said: [sound.name, ...said] };
}

/** One or two intact wrappers around a damaged recording: intact parts stay intact. */
function wrapped(corpus: Corpus, random: Random): Made {
  const made = random.one(3) ? anywhere(corpus, random) : neighbours(corpus, random);
  let bytes = made.inputs[0]?.bytes ?? corpus.sentinel;
  for (let n = random.below(2); n >= 0; n--) {
    const [what, packed] = wrap(bytes, corpus.sentinel, random);
    made.said.push(what);
    if (/^(zip|OTLP)/.test(what)) made.whole.push(corpus.sentinel);
    bytes = packed;
  }
  return { ...made, inputs: [{ name: "a.packed", bytes }] };
}

/** A damaged wrapper, and a sound recording as the next input. */
function torn(corpus: Corpus, random: Random): Made {
  const sound = random.pick(corpus.built);
  const [what, packed] = wrap(sound.bytes, corpus.sentinel, random);
  let { name, bytes } = { name: `${sound.name} in ${what}`, bytes: packed };
  if (random.one(5)) ({ name, bytes } = random.pick(corpus.packed));
  const said = [name];
  for (let n = random.below(3); n >= 0; n--) {
    const [done, damaged] = damageBlindly(bytes, random, random.pick(corpus.packed).bytes);
    // Where the wrapper speaks of itself, above all.
    if (random.one(2)) bytes = concat([damageBlindly(bytes.slice(0, 40), random, packed)[1], bytes.subarray(40)]);
    else bytes = damaged;
    said.push(done);
  }
  const inputs = [
    { name: "a.packed", bytes },
    { name: "b.jfr", bytes: corpus.sentinel },
  ];
  return { inputs, whole: [corpus.sentinel], said };
}

/** Several recordings, each damaged, and a sound one after them. */
function several(corpus: Corpus, random: Random): Made {
  const made = [anywhere(corpus, random), neighbours(corpus, random)];
  return {
    inputs: [...made.flatMap(({ inputs }) => inputs), { name: "b.jfr", bytes: corpus.sentinel }],
    whole: [...made.flatMap(({ whole }) => whole), corpus.sentinel],
    said: made.flatMap(({ said }) => said),
  };
}

const KINDS = [neighbours, neighbours, neighbours, anywhere, anywhere, anywhere, wrapped, torn, several];

export function makeCase(corpus: Corpus, seed: number, index: number): Case {
  const random = new Random(seed, index);
  const kind = random.pick(KINDS);
  const made = kind(corpus, random);
  return { ...made, said: [kind.name, ...made.said], random };
}
