/** What samples a recording should give, computed from what `jfr` prints of it. */
import type { EventRow, ValueRule } from "../../../src/core/tables/catalogue-types.ts";
import { readingOf } from "../../../src/core/tables/readings.ts";
import { attributesText, type Row, type Scalar, type Stacks } from "./rows.ts";
import type { Fields, Json, ToolEvent } from "./tool-events.ts";
import type { Field, Types } from "./tool-types.ts";
import {
  amountOf,
  attributeOf,
  type Clock,
  hasText,
  isNone,
  isState,
  nearest,
  pathOf,
  plainOf,
  timeOf,
} from "./tool-values.ts";

/** An event with the values that all its samples share; the sample's rule computes the others. */
interface Event {
  time: bigint;
  thread: string;
  stack: number;
  link: string;
  values: Fields;
}

/** The attribute of a key, by the event's values. */
type Attribute = [key: string, of: (values: Fields) => Scalar | undefined];

const NAMED = new Set(["startTime", "duration", "eventThread", "stackTrace", "spanId"]);
const ROOTS = ["localRootSpanId", "rootSpanId"];

const hex = (id: Json | undefined) =>
  BigInt.asUintN(64, BigInt((id ?? 0) as number))
    .toString(16)
    .padStart(16, "0");

/** `name id`: Java's where it has them, else those of the operating system. */
export function threadText(name: string | undefined, id: bigint | undefined): string {
  return `${JSON.stringify(name ?? "")} ${id ?? "-"}`;
}

function threadOf(thread: Fields | null): string {
  if (thread === null) return threadText(undefined, undefined);
  const { osName, osThreadId, javaName, javaThreadId } = thread;
  const id = [javaThreadId, osThreadId].map((n) => BigInt(n as number)).find((n) => n > 0n);
  return threadText((javaName || osName) as string, id);
}

/** `class.method:line method(descriptor)`, as names are in OTLP. */
export function frameText(name: string, line: bigint, systemName: string): string {
  return `${name}:${line} ${systemName}`;
}

function framesOf(stackTrace: Fields | null): string[] {
  if (stackTrace === null) return [];
  const frames = (stackTrace.frames as Fields[]).map(({ method, lineNumber }) =>
    methodFrame(method as Fields, BigInt(Math.max(0, Number(lineNumber)))),
  );
  return stackTrace.truncated === true ? [...frames, frameText("[truncated]", 0n, "")] : frames;
}

function methodFrame({ type, name, descriptor }: Fields, line = 0n): string {
  const owner = String((type as Fields).name).replaceAll("/", ".");
  return frameText(`${owner}.${name}`, line, `${name}${descriptor}`);
}

export class Expected {
  readonly types: Types;
  private readonly clock: Clock;
  private readonly stacks: Stacks;
  private readonly events = new Map<string, Event[]>();

  constructor(types: Types, clock: Clock, stacks: Stacks) {
    this.types = types;
    this.clock = clock;
    this.stacks = stacks;
  }

  add({ type, values }: ToolEvent): void {
    const fields = this.fieldsOf(type);
    const has = (name: string) => fields.some((field) => field.name === name);
    const root = ROOTS.find(has);
    const { eventThread: _, sampledThread: _sampled, stackTrace, startTime, spanId = 0, ...others } = values;
    const thread = ["eventThread", "sampledThread"].find(has);
    const other = fields.some((field) => field.name === "thread" && field.type === "Thread") ? values.thread : null;
    const event: Event = {
      time: timeOf(String(startTime)) ?? 0n,
      thread: threadOf(((thread === undefined ? other : values[thread]) ?? null) as Fields | null),
      stack: this.stacks.idOf(framesOf((stackTrace ?? null) as Fields | null)),
      link: `${hex(root && values[root])} ${hex(spanId)}`,
      // Without the stack, which is most of what the tool prints.
      values: { ...others, spanId },
    };
    const list = this.events.get(type);
    if (list === undefined) this.events.set(type, [event]);
    else list.push(event);
  }

  counts(): Record<string, number> {
    return Object.fromEntries([...this.events].map(([type, { length }]) => [type, length]));
  }

  fieldsOf(event: string): Field[] {
    return this.types.events.get(event) ?? [];
  }

  /** Whether the number of an event is a level, which has no samples. How long events took always adds up. */
  isLevel(event: string, field: Field): boolean {
    return isState(field) || (field.name !== "duration" && readingOf(event, field.name) === "level");
  }

  /** Samples of an event that a user names: of its number `value`, or counted. */
  named(event: string, value?: string): Row[] {
    const fields = this.fieldsOf(event);
    const number = fields.find(({ name }) => name === value);
    if (number !== undefined && this.isLevel(event, number)) return [];
    // Without a stack, the method that an event is about is its frame.
    const isStackless = fields.every(({ name }) => name !== "stackTrace");
    const method = isStackless ? fields.find(({ name, type }) => name === "method" && type === "Method") : undefined;
    const keys = fields.filter((field) => hasText(field, this.types)).concat(this.contextOf(event));
    const attributes = keys.filter((field) => field !== number && field !== method && !NAMED.has(field.name));
    const rows = this.rows(
      event,
      attributes.map((field) => this.attribute(field, field.name)),
      ({ values }) => (number === undefined ? 1n : amountOf(number, values[number.name], this.clock)),
      ({ values }) => number === undefined || !isNone(number, values[number.name]),
      ({ values }) => (method && values.method ? [methodFrame(values.method as Fields)] : null),
    );
    return value !== undefined && readingOf(event, value) === "counter" ? growth(rows) : rows;
  }

  /** Samples of a row of the catalogue, by its value or its second measure. */
  byRow({ event, attributes = [], skip, ...row }: EventRow, rule: ValueRule): Row[] {
    const fields = this.fieldsOf(event);
    const bound = new Set([...attributes.map(([field]) => field), ...(row.known ?? []), ...fieldsOfRules(row)]);
    const context = this.contextOf(event).filter(({ name }) => !bound.has(name) && !NAMED.has(name));
    const chosen = attributes.flatMap(([name, key]): Attribute[] => {
      const [holder, part] = name.split(".") as [string, string?];
      const field = fields.find((each) => each.name === holder);
      if (field === undefined) return [];
      return [part === undefined ? this.attribute(field, key) : this.partOf(field, part, key)];
    });
    const keys = [...chosen, ...context.map((field) => this.attribute(field, field.name))];
    const sound = ({ values }: Event) => skip === undefined || values[skip] !== true;
    return this.rows(event, keys, (each) => this.measure(event, each.values, rule), sound);
  }

  private attribute(field: Field, key: string): Attribute {
    return [key, (values) => attributeOf(field, values[field.name], this.types)];
  }

  /** The attribute of a part of what a field refers to. */
  private partOf({ name, type }: Field, part: string, key: string): Attribute {
    const field = this.types.structs.get(type)?.find((each) => each.name === part);
    const partIn = (values: Fields) => (values[name] as Fields | null)?.[part];
    if (field?.type === "Reference") return [key, (values) => pathOf((partIn(values) ?? null) as Fields | null)];
    return [key, (values) => field && attributeOf(field, partIn(values), this.types)];
  }

  private rows(
    event: string,
    keys: Attribute[],
    measure: (event: Event) => bigint | null,
    sound: (event: Event) => boolean = () => true,
    framesIn: (event: Event) => string[] | null = () => null,
  ): Row[] {
    return (this.events.get(event) ?? []).filter(sound).map((each) => {
      const attributes: Record<string, Scalar> = {};
      for (const [key, of] of keys) {
        const value = of(each.values);
        if (value !== undefined) attributes[key] = value;
      }
      const { time, thread, link } = each;
      const frames = framesIn(each);
      const stack = frames === null ? each.stack : this.stacks.idOf(frames);
      return { time, thread, stack, link, value: measure(each), attributes: attributesText(attributes) };
    });
  }

  /** Context attributes: the fields after the local root. */
  private contextOf(event: string): Field[] {
    const fields = this.fieldsOf(event);
    const root = fields.findIndex(({ name }) => ROOTS.includes(name));
    return root < 0 ? [] : fields.slice(root + 1);
  }

  /** The value rules of the catalogue, as its types tell them. */
  private measure(event: string, values: Fields, rule: ValueRule): bigint | null {
    const field = (name: string | undefined) => this.fieldsOf(event).find((each) => each.name === name);
    const plain = (name: string | undefined) => {
      const of = field(name);
      return of && Number(plainOf(of, values[of.name]));
    };
    const whole = (n: number | undefined) => (n === undefined ? undefined : BigInt(Math.trunc(n)));
    const amount = (name: string) => {
      const of = field(name);
      return of === undefined ? 0n : amountOf(of, values[name], this.clock);
    };
    switch (rule.rule) {
      case "count":
        return 1n;
      case "field":
        return whole(plain(rule.field)) ?? 1n;
      case "amount":
        return whole(plain(rule.field)) ?? whole(plain(rule.fallback)) ?? 0n;
      case "rounded":
        return nearest(plain(rule.field) ?? 1);
      case "scaled": {
        const [size, weight] = [plain(rule.size), plain(rule.weight)];
        if (size === undefined || weight === undefined) return whole(plain(rule.fallback)) ?? 0n;
        return nearest(size * weight);
      }
      case "duration":
        return amount(rule.field);
      default:
        throw new Error(`no event of the JDK is measured by ${rule.rule}`);
    }
  }
}

/** Values of counters as the growth since the one before of the same identity, which is all of the first. */
function growth(rows: Row[]): Row[] {
  const latest = new Map<string, bigint>();
  const seen = new Map<string, number>();
  const inOrder = rows.toSorted((a, b) => Number(a.time - b.time));
  return inOrder.map((row) => {
    const { stack, thread, attributes, time } = row;
    const identity = [stack, thread, attributes].join("\u0000");
    // Several of one time are several counters, in the order of the file.
    const nth = seen.get(`${identity} ${time}`) ?? 0;
    seen.set(`${identity} ${time}`, nth + 1);
    const value = row.value ?? 0n;
    const last = latest.get(`${identity} ${nth}`) ?? 0n;
    latest.set(`${identity} ${nth}`, value);
    return { ...row, value: value >= last ? value - last : value };
  });
}

function fieldsOfRules({ value, second }: Pick<EventRow, "value" | "second">): string[] {
  return [value, second].flatMap((rule) =>
    Object.entries(rule ?? {}).flatMap(([key, name]) => (key === "rule" ? [] : [name])),
  );
}
