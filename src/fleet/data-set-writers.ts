/** Whether the process that wrote a file of `_spanflame/writers` is alive, on this machine or on another one. */
import { readFileSync } from "node:fs";
import { hostname } from "node:os";

/** A writer of another machine is gone when it was not alive for so long. */
const GONE_AFTER_MS = 10 * 60 * 1000;

export interface WriterFacts {
  host: string;
  pid: number;
  /** Start of the process in ticks, on Linux: another process may get the number. */
  start: string;
}

function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")")).split(" ")[20] ?? "";
  } catch {
    return "";
  }
}

/** Of this process. */
export const ownFacts = (): WriterFacts => ({ host: hostname(), pid: process.pid, start: startOf(process.pid) });

/** A time in the future is no sign of life: a received file may have any time. */
export function isRecent(time: number): boolean {
  return Math.abs(Date.now() - time) < GONE_AFTER_MS;
}

export function isAlive({ host, pid, start }: WriterFacts, lastAlive: number): boolean {
  const isHere = host === hostname() && Number.isSafeInteger(pid) && pid > 0;
  if (!isHere) return isRecent(lastAlive);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  return start === startOf(pid);
}
