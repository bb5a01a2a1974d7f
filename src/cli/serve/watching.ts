/**
 * `spanflame DIR --watch`: files that appear or grow while the page is open. A file that has grown is listed again
 * under its name, and its former entry is removed. A recording that is still written has its whole chunks; other files
 * are listed when they did not change between two looks.
 */
import type { NamedInput } from "../../node/inputs.ts";
import { stateOf, wholeChunks } from "../../node/looks.ts";
import { Offers } from "./offers.ts";
import type { OfferedFile } from "./server.ts";

const LOOK_MS = 2_000;
/** Looks without a change after which a recording is taken as it is: a minute. */
const PATIENT_LOOKS = 30;
/** Entries, also removed ones: a page that is loaded again is told all. */
const MOST_ENTRIES = 10_000;

/** What is known of a file. */
interface Seen {
  /** Its size and time. */
  state: string;
  /** Looks since it changed. */
  looks: number;
  /** What of it is listed, and where. */
  part: string;
  entry: OfferedFile | null;
}

export class Watching extends Offers {
  private readonly inputs: () => NamedInput[];
  private readonly onFull: () => void;
  private seen = new Map<string, Seen>();
  private isFirst = true;
  private isFull = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `onFull`: called once, when no more files will be listed. */
  constructor(inputs: () => NamedInput[], onFull: () => void) {
    super();
    this.inputs = inputs;
    this.onFull = onFull;
  }

  /** Looks now, and again two seconds after each look until `end`. */
  start(): void {
    this.look();
    this.timer = setTimeout(() => this.start(), LOOK_MS);
  }

  end(): void {
    clearTimeout(this.timer);
  }

  look(): void {
    const now = new Map<string, Seen>();
    for (const input of this.inputsNow()) {
      const state = stateOf(input.path);
      if (state === "") continue;
      const former = this.seen.get(input.path);
      const looks = former?.state === state ? former.looks + 1 : 0;
      const own: Seen = { state, looks, part: former?.part ?? "", entry: former?.entry ?? null };
      now.set(input.path, own);
      this.offer(input, own);
    }
    // They stay on open pages, and are not there when a page is loaded again.
    for (const [path, { entry }] of this.seen) if (entry !== null && !now.has(path)) entry.isRemoved = true;
    this.seen = now;
    this.isFirst = false;
  }

  /** A folder that cannot be read at the moment has no files. */
  private inputsNow(): NamedInput[] {
    try {
      return this.inputs().filter(({ path, fault }) => fault === undefined && path !== "-");
    } catch {
      return [];
    }
  }

  /** Lists what is there of a file, unless that is listed. What is there at the first look is not waited for. */
  private offer({ name, path, upload }: NamedInput, own: Seen): void {
    const { state, looks, entry } = own;
    const whole = looks < PATIENT_LOOKS ? wholeChunks(path) : null;
    if (whole === null && looks === 0 && !this.isFirst) return;
    const part = whole === null ? state : `the first ${whole}`;
    const bytes = whole ?? Number(state.split(" ")[0]);
    if (part === own.part || bytes === 0 || this.isFull) return;
    if (entry !== null) entry.isRemoved = true;
    own.part = part;
    own.entry = { name: entry?.name ?? name, path, bytes, ...(upload !== undefined && { upload }) };
    this.add(own.entry);
    this.isFull = this.list().length >= MOST_ENTRIES;
    if (this.isFull) this.onFull();
  }
}
