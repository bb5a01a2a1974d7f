/** The testing entry of the writers (assembly/testing/write.ts), with a store to fill by hand. */

import * as ProfileRow from "../../../assembly/abi/rows/profile-row.ts";
import * as Segment from "../../../assembly/abi/segment.ts";
import type { Window } from "../../../src/core/instance/file-ranges.ts";
import type { Output } from "../../../src/core/tables/presets.ts";
import type { Resource } from "../../../src/core/types.ts";
import { type PayloadSize, planBytes } from "../../../src/core/writing/write-plan.ts";
import { compileTesting } from "./compile.ts";

interface Exports {
  memory: WebAssembly.Memory;
  resetAll(): void;
  alloc(size: bigint): number;
  arenaBytes(): number;
  internString(p: number, n: number): number;
  internFunction(name: number, systemName: number, fileName: number, startLine: number): number;
  internMapping(start: bigint, limit: bigint, offset: bigint, fileName: number, buildId: number): number;
  internLocation(fn: number, line: number, mapping: number, address: bigint, frameType: number): number;
  internStack(p: number, n: number): number;
  internLink(high: bigint, low: bigint, span: bigint): number;
  internShortTrace(trace: bigint, span: bigint): number;
  internAttribute(key: number, kind: number, value: bigint): number;
  internSet(p: number, n: number): number;
  internThread(name: number, id: number): number;
  addProfile(
    type: number,
    unit: number,
    periodType: number,
    periodUnit: number,
    secondType: number,
    secondUnit: number,
  ): number;
  addEvent(name: number, profile: number, stored: boolean): number;
  observeBoth(event: number, stack: number, time: bigint, value: bigint, second: bigint): void;
  noteRoot(root: bigint, set: number): void;
  setPeriod(profile: number, period: bigint): void;
  coverTime(start: bigint, end: bigint): void;
  observe(e: number, stack: number, link: number, thread: number, set: number, time: bigint, value: bigint): void;
  setVersion(p: number, n: number): void;
  ownRows(): number;
  sampleCount: WebAssembly.Global;
  profileCount: WebAssembly.Global;
  profileAt(i: number): number;
  eventAt(i: number): number;
  stringPointer(i: number): number;
  stringSize(i: number): number;
  writeOtlpProtobuf(mask: number, plan: number): void;
  writeOtlpJson(mask: number, plan: number, pretty: boolean): void;
  writePprof(mask: number, plan: number): void;
  writeCollapsed(mask: number, plan: number): void;
  writeSpeedscope(mask: number, plan: number, pretty: boolean): void;
  writeFirefox(mask: number, plan: number, pretty: boolean): void;
  segments(): number;
  freeOutput(): void;
  segmentCount: WebAssembly.Global;
  writtenProfiles: WebAssembly.Global;
  writtenSamples: WebAssembly.Global;
  writtenObservations: WebAssembly.Global;
}

/** What to write; without a word all profiles as they are, an empty Resource and no payload. */
export interface Plan {
  outputs?: Output[];
  resource?: Resource;
  payload?: PayloadSize | null;
  range?: Window | null;
}

export function compileWriter(): Promise<WebAssembly.Module> {
  return compileTesting("write");
}

export class WriterCore {
  readonly x: Exports;
  private scratch = 0;

  constructor(module: WebAssembly.Module) {
    this.x = new WebAssembly.Instance(module, {}).exports as unknown as Exports;
    this.reset();
  }

  reset(): void {
    this.x.resetAll();
    this.scratch = this.x.alloc(1n << 20n);
    this.x.setVersion(0, 0);
  }

  private put(bytes: Uint8Array): [number, number] {
    new Uint8Array(this.x.memory.buffer).set(bytes, this.scratch);
    return [this.scratch, bytes.length];
  }

  version(text: string): void {
    this.x.setVersion(...this.put(new TextEncoder().encode(text)));
  }

  string(text: string): number {
    return this.x.internString(...this.put(new TextEncoder().encode(text)));
  }

  fn(name: string, systemName = "", fileName = "", startLine = 0): number {
    return this.x.internFunction(this.string(name), this.string(systemName), this.string(fileName), startLine);
  }

  /** Leaf first. */
  stack(locations: number[]): number {
    const bytes: number[] = [];
    for (let v of locations) {
      for (; v > 127; v >>>= 7) bytes.push((v & 127) | 128);
      bytes.push(v);
    }
    return this.x.internStack(...this.put(Uint8Array.from(bytes)));
  }

  attribute(key: string, value: string | bigint | number | boolean): number {
    const at = this.string(key);
    if (typeof value === "string") return this.x.internAttribute(at, 1, BigInt(this.string(value)));
    if (typeof value === "boolean") return this.x.internAttribute(at, 2, value ? 1n : 0n);
    if (typeof value === "bigint") return this.x.internAttribute(at, 3, value);
    return this.x.internAttribute(at, 4, new BigUint64Array(Float64Array.of(value).buffer)[0] ?? 0n);
  }

  set(attributes: number[]): number {
    const rows = Uint32Array.from(attributes).sort();
    return this.x.internSet(...this.put(new Uint8Array(rows.buffer)));
  }

  thread(name: string, id: bigint): number {
    const nameAttribute = name === "" ? 0 : this.attribute("thread.name", name);
    return this.x.internThread(nameAttribute, id === 0n ? 0 : this.attribute("thread.id", id));
  }

  profile(type: string, unit: string, periodType = "", periodUnit = "", secondType = "", secondUnit = ""): number {
    const texts = [type, unit, periodType, periodUnit, secondType, secondUnit].map((s) => this.string(s));
    return this.x.addProfile(...(texts as [number, number, number, number, number, number]));
  }

  /** `stored`: the event's second values are its own, else they are 1 each. */
  event(name: string, profile: number, stored = false): number {
    return this.x.addEvent(this.string(name), profile, stored);
  }

  /** One byte per sample row: 1 for the rows that `take` says. */
  mask(take: (row: number) => boolean): number {
    const bytes = Uint8Array.from({ length: this.x.sampleCount.value }, (_, row) => (row > 0 && take(row) ? 1 : 0));
    const p = this.x.alloc(BigInt(bytes.length));
    new Uint8Array(this.x.memory.buffer).set(bytes, p);
    return p;
  }

  /** The text of a string row. */
  private text(i: number): string {
    const bytes = new Uint8Array(this.x.memory.buffer, this.x.stringPointer(i), this.x.stringSize(i));
    return new TextDecoder().decode(bytes);
  }

  /** One output for each profile, or for its second measure where it has one: the names are those of the store. */
  outputs(second = false): Output[] {
    return Array.from({ length: this.x.profileCount.value }, (_, profile) => {
      const view = new DataView(this.x.memory.buffer, this.x.profileAt(profile), ProfileRow.BYTES);
      const text = (offset: number) => this.text(view.getUint32(offset, true));
      const measure = second && text(ProfileRow.SECOND_TYPE) !== "" ? 1 : 0;
      const type = text(measure === 1 ? ProfileRow.SECOND_TYPE : ProfileRow.TYPE);
      return {
        profile,
        measure,
        type,
        unit: text(measure === 1 ? ProfileRow.SECOND_UNIT : ProfileRow.UNIT),
        periodType: text(ProfileRow.PERIOD_TYPE),
        periodUnit: text(ProfileRow.PERIOD_UNIT),
        period: view.getBigInt64(ProfileRow.PERIOD, true),
        scale: 1n,
        aggregated: false,
        label: type,
        labelled: false,
      };
    });
  }

  protobuf(mask = 0, plan: Plan = {}): Uint8Array {
    this.x.writeOtlpProtobuf(mask, this.plan(plan));
    return this.take();
  }

  /** Writes a message and does not give it back. */
  protobufKept(): void {
    this.x.writeOtlpProtobuf(0, this.plan({}));
  }

  json(mask = 0, pretty = false, plan: Plan = {}): string {
    this.x.writeOtlpJson(mask, this.plan(plan), pretty);
    return new TextDecoder("utf-8", { fatal: true }).decode(this.take());
  }

  pprof(mask = 0, plan: Plan = {}): Uint8Array {
    this.x.writePprof(mask, this.plan(plan));
    return this.take();
  }

  /** One of the formats that are text. */
  shown(format: "collapsed" | "speedscope" | "firefox", mask = 0, plan: Plan = {}, pretty = false): string {
    if (format === "collapsed") this.x.writeCollapsed(mask, this.plan(plan));
    else if (format === "speedscope") this.x.writeSpeedscope(mask, this.plan(plan), pretty);
    else this.x.writeFirefox(mask, this.plan(plan), pretty);
    return new TextDecoder("utf-8", { fatal: true }).decode(this.take());
  }

  private plan({ outputs = this.outputs(), resource = {}, payload = null, range = null }: Plan): number {
    return this.put(planBytes(outputs, { shared: resource, processes: [] }, [], payload, range))[0];
  }

  /** The message; a payload is as many bytes `#`. */
  private take(): Uint8Array {
    const { buffer } = this.x.memory;
    const view = new DataView(buffer);
    const parts = Array.from({ length: this.x.segmentCount.value }, (_, i) => {
      const row = this.x.segments() + Segment.BYTES * i;
      const at = view.getUint32(row + Segment.AT, true);
      const size = view.getUint32(row + Segment.SIZE, true);
      return at === 0 ? new Uint8Array(size).fill(0x23) : new Uint8Array(buffer, at, size);
    });
    const bytes = Uint8Array.from(Buffer.concat(parts));
    this.x.freeOutput();
    return bytes;
  }
}
