/** What samples a recording should give, computed from what `jfr` prints of it. */
import type { EventRow, ValueRule } from "../../../src/core/tables/catalogue-types.ts";
import { attributesText, type Row, type Scalar, type Stacks } from "./rows.ts";
import type { Fields, Json, ToolEvent } from "./tool-events.ts";
import type { Field, Types } from "./tool-types.ts";
import { amountOf, attributeOf, type Clock, hasText, nearest, plainOf, timeOf } from "./tool-values.ts";

/** An event with the values that all its samples share; the sample's rule computes the others. */
interface Event {
  time: bigint;
  thread: string;
  stack: number;
  link: string;
  values: Fields;
}

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
  const frames = (stackTrace.frames as Fields[]).map(({ method, lineNumber }) => {
    const { type, name, descriptor } = method as Fields;
    const owner = String((type as Fields).name).replaceAll("/", ".");
    const line = BigInt(Math.max(0, Number(lineNumber)));
    return frameText(`${owner}.${name}`, line, `${name}${descriptor}`);
  });
  return stackTrace.truncated === true ? [...frames, frameText("[truncated]", 0n, "")] : frames;
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
    const { eventThread, sampledThread, stackTrace, startTime, spanId = 0, ...others } = values;
    const event: Event = {
      time: timeOf(String(startTime)) ?? 0n,
      thread: threadOf(((has("eventThread") ? eventThread : sampledThread) ?? null) as Fields | null),
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

  /** Samples of an event that a user names: of its number `value`, or counted. */
  named(event: string, value?: string): Row[] {
    const fields = this.fieldsOf(event);
    const number = fields.find(({ name }) => name === value);
    const keys = fields.filter((field) => hasText(field, this.types)).concat(this.contextOf(event));
    const attributes = keys.filter((field) => field !== number && !NAMED.has(field.name));
    return this.rows(
      event,
      attributes.map((field) => [field, field.name]),
      ({ values }) => (number === undefined ? 1n : amountOf(number, values[number.name], this.clock)),
    );
  }

  /** Samples of a row of the catalogue, by its value or its second measure. */
  byRow({ event, attributes = [], skip, ...row }: EventRow, rule: ValueRule): Row[] {
    const fields = this.fieldsOf(event);
    const bound = new Set([...attributes.map(([field]) => field), ...(row.known ?? []), ...fieldsOfRules(row)]);
    const context = this.contextOf(event).filter(({ name }) => !bound.has(name) && !NAMED.has(name));
    const chosen = attributes.flatMap(([name, key]) =>
      fields.filter((field) => field.name === name).map((f) => [f, key] as const),
    );
    const keys = [...chosen, ...context.map((field) => [field, field.name] as const)];
    const sound = ({ values }: Event) => skip === undefined || values[skip] !== true;
    return this.rows(event, keys, (each) => this.measure(event, each.values, rule), sound);
  }

  private rows(
    event: string,
    keys: (readonly [Field, string])[],
    measure: (event: Event) => bigint | null,
    sound: (event: Event) => boolean = () => true,
  ): Row[] {
    return (this.events.get(event) ?? []).filter(sound).map((each) => {
      const attributes: Record<string, Scalar> = {};
      for (const [field, key] of keys) {
        const value = attributeOf(field, each.values[field.name], this.types);
        if (value !== undefined) attributes[key] = value;
      }
      const { time, thread, stack, link } = each;
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

function fieldsOfRules({ value, second }: Pick<EventRow, "value" | "second">): string[] {
  return [value, second].flatMap((rule) =>
    Object.entries(rule ?? {}).flatMap(([key, name]) => (key === "rule" ? [] : [name])),
  );
}
