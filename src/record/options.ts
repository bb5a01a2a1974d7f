/** Options of a recording, and the environment that states them. */
import { type Check, type Checks, checked, isCount, isText, listOf, oneOf, wrong } from "../library/check.ts";
import { profilesUrl } from "../push/endpoint.ts";

/** What `start` takes. */
export interface RecordOptions {
  /**
   * Path of the OTLP file of each part: `%p` is the process id, `%t` the thread id, `%n` the number of the part.
   * Without them, files of child processes, threads and further parts have `-pP`, `-tT` and `-N` before the ending. Two
   * that are not apart get a `-` between them.
   */
  file?: string;
  /** Address of a receiver of OTLP over HTTP, which gets each part. */
  push?: string;
  /** Seconds of a part; 0: one part, at the end. */
  every?: number;
  /** Samples per second, 1 to 1000. */
  hz?: number;
  profiles?: readonly ("cpu" | "live-heap")[];
  /** Names of attributes of contexts that samples have, 16 at most. */
  attributes?: readonly string[];
  /** Attributes of the Resource, beside those of the process. */
  resource?: Readonly<Record<string, string>>;
}

const MOST_SLOTS = 16;

const isHz: Check = (value, option) => {
  if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > 1000)
    wrong(option, value, "a whole number from 1 to 1000");
};
const isReceiver: Check = (value, option) => {
  isText(value, option);
  try {
    profilesUrl(value as string);
  } catch (error) {
    wrong(option, value, `the address of a receiver: ${(error as Error).message}`);
  }
};
const areSlots: Check = (value, option) => {
  listOf(isText)(value, option);
  if ((value as string[]).length > MOST_SLOTS) wrong(option, value, `a list of at most ${MOST_SLOTS} names`);
};
const areTexts: Check = (value, option) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) wrong(option, value, "an object");
  for (const [key, each] of Object.entries(value)) isText(each, `${option}: ${key}`);
};

const OPTIONS: Checks<RecordOptions> = {
  file: isText,
  push: isReceiver,
  every: isCount,
  hz: isHz,
  profiles: listOf(oneOf(["cpu", "live-heap"])),
  attributes: areSlots,
  resource: areTexts,
};

const FILE = "spanflame-%p.pb";

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the environment or the command line ask for a recording. */
export function isAsked(env: Environment, isPreloaded: boolean): boolean {
  const { SPANFLAME_RECORD: own, SPANFLAME_RECORD_FILE: file, SPANFLAME_RECORD_PUSH: push } = env;
  return own !== "off" && (isPreloaded || !!file || !!push);
}

/** What the environment states; `start` checks it. */
export function optionsOf(env: Environment): RecordOptions {
  const stated = new Map(Object.entries(env));
  const text = (name: string) => stated.get(`SPANFLAME_RECORD_${name}`) || undefined;
  const list = (name: string) =>
    text(name)
      ?.split(",")
      .map((each) => each.trim());
  const number = (name: string) => (text(name) === undefined ? undefined : Number(text(name)));
  const push = text("PUSH");
  const options = {
    file: text("FILE") ?? (push === undefined ? FILE : undefined),
    push,
    every: number("EVERY"),
    hz: number("HZ"),
    profiles: list("PROFILES"),
    attributes: list("ATTRIBUTES"),
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as RecordOptions;
}

/** The options with their defaults; null for no file and no receiver. */
export type Settings = Required<Omit<RecordOptions, "file" | "push">> & { file: string | null; push: string | null };

/** Throws `option.unknown` and `option.value`. */
export function withDefaults(given: RecordOptions | undefined): Settings {
  const {
    file = null,
    push = null,
    every = 60,
    hz = 99,
    profiles = ["cpu"],
    attributes = [],
    resource = {},
  } = checked("start", given, OPTIONS);
  return { file, push, every, hz, profiles, attributes, resource };
}

/** `key1=value1,key2=value2`, percent-encoded, as OpenTelemetry says; what is not such a pair is left out. */
function pairsOf(text: string): [string, string][] {
  return text.split(",").flatMap((each) => {
    const [key = "", value] = each.split("=", 2).map((part) => part.trim());
    if (key === "" || value === undefined) return [];
    try {
      return [[decodeURIComponent(key), decodeURIComponent(value)]];
    } catch {
      return [];
    }
  });
}

type Texts = Readonly<Record<string, string>>;

/** Attributes of the Resource that the tracer, the environment and the options state: the later ones count. */
export function resourceOf(env: Environment, own: Texts, ofTracer: Texts): Record<string, string> {
  const stated = Object.fromEntries(pairsOf(env.OTEL_RESOURCE_ATTRIBUTES ?? ""));
  if (env.OTEL_SERVICE_NAME) stated["service.name"] = env.OTEL_SERVICE_NAME;
  return { "service.name": "unknown_service:node", ...ofTracer, ...stated, ...own };
}

/** The part of a recording that a file is of. `isChild`: of a process that another recorded one started. */
export interface PartOf {
  pid: number;
  thread: number;
  part: number;
  isChild: boolean;
}

/** The path of a part, with a mark for each of process, thread and part that the template does not distinguish. */
export function pathOf(template: string, { pid, thread, part, isChild }: PartOf): string {
  const marks = [
    { mark: "%p", n: pid, isPlain: !isChild, suffix: "-p" },
    { mark: "%t", n: thread, isPlain: thread === 0, suffix: "-t" },
    { mark: "%n", n: part, isPlain: part === 1, suffix: "-" },
  ];
  const left = marks.filter(({ mark, isPlain }) => !isPlain && !template.includes(mark));
  const suffix = left.map((each) => each.suffix + each.n).join("");
  // Without a sign between two numbers, thread 1 and part 11 would be thread 11 and part 1.
  const apart = template.replace(/(%[ptn])(?=\d*%[ptn])/g, "$1-");
  const path = marks.reduce((text, { mark, n }) => text.replaceAll(mark, String(n)), apart);
  return path.replace(/(\.[^./\\]*)?$/, (ending) => suffix + ending);
}
