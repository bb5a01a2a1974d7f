/**
 * Says while inputs are read that their samples may not fit into the core's memory, and what to ask for instead. At the
 * size where this is first estimated, much can still be read: a reading that fails takes minutes.
 */
import type { ReadProgress } from "../input/open.ts";
import { formatBytes } from "../model/words/format.ts";

const GIB = 2 ** 30;
/** The core's memory, and the part of it that samples may take, so that there is room for an answer or an output. */
const MEMORY = 4 * GIB;
const FOR_SAMPLES = 3 * GIB;
/** Below this there is no estimate: tables double, so little is known about what follows. */
const FIRST = GIB;
/** For inputs whose size is unknown. */
const HALF = MEMORY / 2;

export const INSTEAD =
  "to read less, ask for a profile type, a local root, a span or a range of time (--type, --local-root, --span, --since, " +
  "--until), or divide the recording with `jfr disassemble`";

export class RoomAhead {
  private isSaid = false;
  /** Bytes held when the current input began, and those held and read at the last look. */
  private before = 0;
  private held = 0;
  private bytes = 0;
  private readonly say: (line: string) => void;

  constructor(say: (line: string) => void) {
    this.say = say;
  }

  /** `held`: bytes of the core's memory; the progress is that of one input after the other. To be called often. */
  look(held: number, { bytes, total }: ReadProgress): void {
    if (bytes < this.bytes) this.before = this.held;
    this.held = held;
    this.bytes = bytes;
    if (this.isSaid || held < FIRST) return;
    const all = total > 0 && bytes > 0 ? this.before + ((held - this.before) / bytes) * total : held;
    if (total > 0 ? all <= FOR_SAMPLES : held < HALF) return;
    this.isSaid = true;
    const read = total > 0 ? `${formatBytes(bytes)} of ${formatBytes(total)}` : formatBytes(bytes);
    const end = total > 0 ? `, and all of the input about ${formatBytes(all)}` : "";
    this.say(
      `spanflame: what was read (${read}) takes ${formatBytes(held)} of memory${end}; there are ${formatBytes(MEMORY)}; ${INSTEAD}`,
    );
  }
}
