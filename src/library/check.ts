/**
 * Checks of the options of the library's functions. Callers may be JavaScript, so that types alone do not keep a wrong
 * key or value away. Every fault is a SpanflameError with the option's name and the value given.
 */
import { type ErrorCode, SpanflameError } from "../core/instance/error.ts";

/** Throws if the value is not one that the option may have. */
export type Check = (value: unknown, option: string) => void;

/** A check for each option; an option without one does not compile. */
export type Checks<T> = { readonly [Name in keyof T]-?: Check };

const QUOTED = 60;

/** A value as a message shows it. */
export function shown(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "string") {
    return JSON.stringify(value.length > QUOTED ? `${value.slice(0, QUOTED)}…` : value);
  }
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}

export function wrong(option: string, value: unknown, wanted: string, code: ErrorCode = "option.value"): never {
  throw new SpanflameError(code, `${option} is ${wanted}, not ${shown(value)}`);
}

/**
 * Checks the options of a call: each key is known, each value passes its check. `undefined` is an absent option, as a
 * value and as the whole.
 */
export function checked<T extends object>(call: string, given: T | undefined, checks: Checks<T>): T {
  if (given === undefined) return {} as T;
  if (typeof given !== "object" || given === null || Array.isArray(given))
    wrong(`the options of ${call}`, given, "an object");
  // Without a list of entries: contexts are checked at each request.
  for (const key of Object.keys(given)) {
    const value = given[key as keyof T];
    const check: Check | undefined = Object.hasOwn(checks, key) ? checks[key as keyof T] : undefined;
    if (check === undefined) {
      const known = Object.keys(checks).join(", ");
      throw new SpanflameError("option.unknown", `${call} has no option ${shown(key)}; its options are ${known}`);
    }
    if (value !== undefined) check(value, `${call}: ${key}`);
  }
  return given;
}

export const isText: Check = (value, option) => {
  if (typeof value !== "string") wrong(option, value, "a string");
};

export const isBoolean: Check = (value, option) => {
  if (typeof value !== "boolean") wrong(option, value, "a boolean");
};

export const isFunction: Check = (value, option) => {
  if (typeof value !== "function") wrong(option, value, "a function");
};

/** A whole number of at least 0. */
export const isCount: Check = (value, option) => {
  if (!Number.isSafeInteger(value) || (value as number) < 0) wrong(option, value, "a whole number of at least 0");
};

/** A number of rows to return: also Infinity. */
export const isLimit: Check = (value, option) => {
  if (value !== Number.POSITIVE_INFINITY) isCount(value, option);
};

/** A whole number of at least 1. */
export const isSize: Check = (value, option) => {
  if (!Number.isSafeInteger(value) || (value as number) < 1) wrong(option, value, "a whole number of at least 1");
};

const LARGEST_TIME = (1n << 64n) - 1n;
const LARGEST_TRACE = (1n << 128n) - 1n;

export const isTime: Check = (value, option) => {
  if (typeof value !== "bigint" || value < 0n || value > LARGEST_TIME)
    wrong(option, value, "a bigint of nanoseconds since 1970");
};

/** An id of 64 bits, or with `trace` of 128. */
function idCheck(largest: bigint, words: string): Check {
  return (value, option) => {
    if (typeof value !== "bigint") wrong(option, value, "a bigint; `parseId` reads ids from texts", "option.id");
    if (value < 1n || value > largest) wrong(option, value, words, "option.id");
  };
}

export const isSpanId = idCheck(LARGEST_TIME, "an id from 1 to 2^64 - 1");
export const isRootId = idCheck(LARGEST_TRACE, "an id from 1 to 2^64 - 1, or a trace id of 128 bits");

export function oneOf(values: readonly string[]): Check {
  return (value, option) => {
    if (!values.includes(value as string)) wrong(option, value, `one of ${values.map(shown).join(", ")}`);
  };
}

export function listOf(check: Check): Check {
  return (value, option) => {
    if (!Array.isArray(value)) return wrong(option, value, "an array");
    for (const [i, each] of value.entries()) check(each, `${option}[${i}]`);
  };
}

export function oneOrMore(check: Check): Check {
  const all = listOf(check);
  return (value, option) => (Array.isArray(value) ? all(value, option) : check(value, option));
}

/** An object with these properties. */
export function recordOf<T extends object>(checks: Checks<T>, required: readonly (keyof T & string)[] = []): Check {
  return (value, option) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) wrong(option, value, "an object");
    checked(option, value as T, checks);
    for (const key of required) {
      if ((value as T)[key] === undefined) throw new SpanflameError("option.value", `${option}: ${key} is missing`);
    }
  };
}
