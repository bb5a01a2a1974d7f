/**
 * Writing of a selection as a message: the plan of its outputs, the call of the format's writer, and the message as
 * bytes.
 */
import * as ProfileRowAbi from "../../../assembly/abi/rows/profile-row.ts";
import * as Segment from "../../../assembly/abi/segment.ts";
import * as ShownTree from "../../../assembly/abi/shown-tree.ts";
import * as WritePlan from "../../../assembly/abi/write-plan.ts";
import { isEverything, mayBeSkipped } from "../answers/filters.ts";
import type { Views } from "../answers/views.ts";
import { type Capacity, outputTooLarge } from "../instance/capacity.ts";
import { SpanflameError } from "../instance/error.ts";
import { joinFamilies } from "../instance/families.ts";
import { windowOf } from "../instance/file-ranges.ts";
import type { Instance } from "../instance/instance.ts";
import { messageProfile } from "../instance/profile-facts.ts";
import type { FileFacts } from "../instance/resource.ts";
import type { ProfileRow } from "../tables/catalogue.ts";
import { formatRow } from "../tables/formats.ts";
import type { StoredProfile } from "../tables/presets.ts";
import type { Filter, OutputFormat, WriteOptions, WriteResult, WriteTotals } from "../types.ts";
import { divisionBytes, messageResources } from "./processes.ts";
import { type PlanTree, planBytes } from "./write-plan.ts";

/** Attributes of a message beside samples. */
export interface MessageFacts {
  /** Catalogue of the session, by profile id. */
  rows: readonly ProfileRow[];
  /** Resource attributes by file. */
  resources: FileFacts[];
}

/** Samples of a profile, null: of all, that pass the filter. */
interface MessageJob {
  profile: number | null;
  filter: Filter;
  options: WriteOptions;
  facts: MessageFacts;
}

/** A format of viewers, which has one list of samples for each profile. */
const showsStacks = (format: OutputFormat) => formatRow(format).options.includes("root-by");

/** Of the types of another file, or of another service, a filter leaves nothing. */
const keptFlag = (filter: Filter) => (isEverything(filter) ? WritePlan.OUTPUT_KEPT : WritePlan.OUTPUT_STATED);

export class MessageWriting {
  private readonly core: Instance;
  private readonly capacity: Capacity;
  private readonly views: Views;

  constructor(core: Instance, capacity: Capacity, views: Views) {
    this.core = core;
    this.capacity = capacity;
    this.views = views;
  }

  whole({ options: { payload: _, ...options }, ...job }: MessageJob): WriteResult {
    try {
      const parts: Uint8Array[] = [];
      // Views of memory that stays unchanged until the message is freed.
      const totals = this.write({ ...job, options }, (part) => parts.push(part));
      return { ...totals, bytes: this.joined(parts, totals.size, formatRow(options.format).name) };
    } finally {
      this.core.wasm.freeOutput();
    }
  }

  parts(job: MessageJob, sink: (part: Uint8Array) => void): WriteTotals {
    try {
      return this.write(job, sink);
    } finally {
      this.core.wasm.freeOutput();
    }
  }

  private write(job: MessageJob, sink: (part: Uint8Array) => void): WriteTotals {
    const { wasm, memory } = this.core;
    const { options } = job;
    const { single, name } = formatRow(options.format);
    try {
      this.make(job);
    } catch (error) {
      if (!(error instanceof SpanflameError) || error.code !== "core.memory") throw error;
      throw outputTooLarge(name, this.capacity.unmet);
    } finally {
      wasm.joinProcesses();
      this.views.forget();
    }
    if (single && wasm.writtenProfiles.value > 1) {
      throw new SpanflameError("write.profiles", `${name}: contains one profile, but several have samples: choose one`);
    }
    const at = wasm.segments();
    let size = 0;
    for (let i = 0; i < wasm.segmentCount.value; i++) {
      const from = memory.u32(at + Segment.BYTES * i + Segment.AT);
      const length = memory.u32(at + Segment.BYTES * i + Segment.SIZE);
      if (from === 0) options.payload?.put();
      else sink(memory.bytes(from, length));
      size += length;
    }
    return {
      size,
      profiles: wasm.writtenProfiles.value,
      samples: wasm.writtenSamples.value,
      observations: wasm.writtenObservations.value,
    };
  }

  /** Leaves the message in the core's memory. */
  private make({ profile, filter, options, facts }: MessageJob): void {
    const { wasm, memory } = this.core;
    this.views.choose(profile, filter, 0, showsStacks(options.format) ? options.shape : {});
    const tree = this.shownTree(options);
    // OTLP has a Resource for each process and a Profile for each period; every other format one list.
    const isOtlp = options.format === "otlp" || options.format === "otlp-json";
    const overrides = options.resource ?? {};
    const resources = messageResources(facts.resources, overrides, isOtlp);
    const selected = wasm.selectionMask();
    const division = divisionBytes(resources.files, this.core.files);
    const mask =
      division.length === 0 ? selected : this.core.lend(division, (p, n) => wasm.divideProcesses(p, n, selected) >>> 0);
    const keepsTypes = !showsStacks(options.format) && options.sampledOnly !== true;
    const stored = this.storedProfiles(profile, facts.rows, keepsTypes ? keptFlag(filter) : 0);
    const outputs = formatRow(options.format).outputs(options, isOtlp ? stored : joinFamilies(wasm, stored));
    const leftOut = Object.keys(overrides).filter((key) => overrides[key] === "");
    this.core.freeInput();
    const range = windowOf(filter, this.core);
    // Rows of a selection are numbered by their first use, so that samples outside of it leave no trace.
    const byUse = mayBeSkipped(filter) || (profile !== null && options.inStoreOrder !== true);
    const bytes = planBytes(outputs, resources, leftOut, options.payload ?? null, range, tree, byUse);
    const plan = wasm.planRoom(bytes.length);
    memory.bytes(plan, bytes.length).set(bytes);
    WRITERS[options.format](wasm, mask, plan, options.pretty === true);
  }

  /** The call tree of the options' shape, if the format shows stacks and they are not the recorded ones. */
  private shownTree({ format, shape }: WriteOptions): PlanTree | null {
    if (shape === undefined || !showsStacks(format)) return null;
    this.views.shape(shape);
    const { wasm, memory } = this.core;
    const at = wasm.shownTree();
    const made = memory.u32(at + ShownTree.MADE);
    const texts = Array.from({ length: Math.max(0, made - 1) }, (_, i) =>
      this.core.frameName((ShownTree.MADE_NAME | (i + 1)) >>> 0),
    );
    return { row: memory.bytes(at, ShownTree.BYTES).slice(), made: texts };
  }

  /** The outputs of the store's profiles. `kept`: flags of those that messages state. */
  private storedProfiles(only: number | null, rows: readonly ProfileRow[], kept: number): StoredProfile[] {
    const { wasm, memory } = this.core;
    const count = wasm.profileCount.value;
    // The rows of processes are copies, after all others: of the originals, those without samples are not written.
    const isDivided = count > 0 && memory.u32(wasm.profileAt(count - 1) + ProfileRowAbi.PROCESS) !== 0;
    const isWritten = (p: number) => !isDivided || memory.u32(p + ProfileRowAbi.PROCESS) !== 0;
    const stored = Array.from({ length: count }, (_, id) => {
      const p = wasm.profileAt(id);
      const text = (offset: number) => this.core.string(memory.u32(p + offset));
      const names = {
        type: text(ProfileRowAbi.TYPE),
        unit: text(ProfileRowAbi.UNIT),
        periodType: text(ProfileRowAbi.PERIOD_TYPE),
        periodUnit: text(ProfileRowAbi.PERIOD_UNIT),
      };
      const family = memory.u32(p + ProfileRowAbi.FAMILY);
      const row = rows[family] ?? messageProfile(names.type, names.unit);
      const period = memory.i64(p + ProfileRowAbi.PERIOD);
      return { id, family, row, ...names, period, kept: wasm.isStated(id) && isWritten(p) ? kept : 0 };
    });
    return stored.filter(({ family }) => only === null || only === family);
  }

  /** A copy of the parts in one array, for which the host needs memory. */
  private joined(parts: readonly Uint8Array[], size: number, name: string): Uint8Array {
    let bytes: Uint8Array;
    try {
      bytes = new Uint8Array(size);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw outputTooLarge(name, { bytes: size, beside: this.core.wasm.usedBytes() });
    }
    let to = 0;
    for (const part of parts) {
      bytes.set(part, to);
      to += part.length;
    }
    return bytes;
  }
}

/** As in assembly/index.ts: each writes the samples of `mask` by the plan at `plan`. */
interface Writers {
  writeOtlpProtobuf(mask: number, plan: number): void;
  writeOtlpJson(mask: number, plan: number, pretty: boolean): void;
  writePprof(mask: number, plan: number): void;
  writeCollapsed(mask: number, plan: number): void;
  writeSpeedscope(mask: number, plan: number, pretty: boolean): void;
  writeFirefox(mask: number, plan: number, pretty: boolean): void;
}

type Write = (wasm: Writers, mask: number, plan: number, pretty: boolean) => void;

/** Functions of the wasm module by output format. */
const WRITERS: Record<OutputFormat, Write> = {
  otlp: (wasm, mask, plan) => wasm.writeOtlpProtobuf(mask, plan),
  "otlp-json": (wasm, mask, plan, pretty) => wasm.writeOtlpJson(mask, plan, pretty),
  pprof: (wasm, mask, plan) => wasm.writePprof(mask, plan),
  collapsed: (wasm, mask, plan) => wasm.writeCollapsed(mask, plan),
  speedscope: (wasm, mask, plan, pretty) => wasm.writeSpeedscope(mask, plan, pretty),
  firefox: (wasm, mask, plan, pretty) => wasm.writeFirefox(mask, plan, pretty),
};
