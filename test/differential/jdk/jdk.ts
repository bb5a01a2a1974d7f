/** The JDK of this machine, for tests that record with it and hold us against its `jfr`. */
import { execFileSync, spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { jfrTool } from "../../kit/jfr/jfr-tool.ts";

export interface Jdk {
  home: string;
  version: number;
}

/** An empty environment: the JVM records its own, and the tools write texts and times by it. */
const ENVIRONMENT = { TZ: "UTC", LC_ALL: "C.UTF-8" };
const OLDEST = 17;

/** The JDK that `jfr` belongs to, if it can compile the workload. */
export function findJdk(): Jdk | null {
  const tool = jfrTool();
  if (tool === null) return null;
  try {
    // On PATH are links to the tools.
    const jdk = { home: dirname(dirname(realpathSync(tool))), version: 0 };
    const version = Number(/^javac (\d+)/.exec(run(jdk, "javac", ["-version"]))?.[1]);
    return version >= OLDEST ? { ...jdk, version } : null;
  } catch {
    return null;
  }
}

/** Runs a tool of the JDK to its end, and returns what it printed. */
export function run({ home }: Jdk, tool: string, args: string[], cwd?: string): string {
  const options = { env: ENVIRONMENT, encoding: "utf8", stdio: "pipe", maxBuffer: 1 << 28 } as const;
  return execFileSync(join(home, "bin", tool), args, { ...options, cwd });
}

/** What a tool prints, as it comes; throws when the tool fails. */
export async function* output({ home }: Jdk, tool: string, args: string[]): AsyncGenerator<string> {
  const child = spawn(join(home, "bin", tool), args, { env: ENVIRONMENT, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint += text;
  });
  yield* child.stdout.setEncoding("utf8");
  const code = await ended;
  if (code !== 0) throw new Error(`${tool} ${args[0]}: exit code ${code}: ${complaint.slice(0, 500)}`);
}
