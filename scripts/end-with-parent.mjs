/**
 * The end of a server with the npm that started it. A SIGTERM to npm or npx ends npm and its shell, which pass nothing
 * on; without their parent the programs below them would stay for ever.
 */
const EVERY_MS = 500;

/** Ends this process by SIGTERM when its parent is gone, if npm started it. Does not keep the process. */
export function endWithParent() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, "SIGTERM");
  }, EVERY_MS).unref();
}
