/** Repeated looks at files that grow or appear: `--watch`. */
import { statSync } from "node:fs";

const LOOK_MS = 2_000;

/** Size and time of a file; "" if it is none. */
export function stateOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats?.isFile() === true ? `${stats.size} ${stats.mtimeNs}` : "";
}

/** Calls `look` with its number, again two seconds after each, until SIGINT or SIGTERM. */
export async function untilEnded(look: (number: number) => Promise<void>): Promise<void> {
  let isEnded = false;
  let wake = () => {};
  const end = () => {
    isEnded = true;
    wake();
  };
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.once(signal, end);
  try {
    for (let number = 0; !isEnded; number++) {
      await look(number);
      if (isEnded) break;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LOOK_MS);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
}
