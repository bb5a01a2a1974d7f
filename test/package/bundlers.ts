/**
 * Examples of pages with a worker, built as their documents say. The bundlers are the repository's, the package is the
 * user's.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { type BuildOptions, build as esbuild, type Metafile } from "esbuild";
import { webpack } from "webpack";
import { ROOT } from "../kit/build-once.ts";
import { runNode } from "../kit/installed.ts";

const VITE = join(ROOT, "node_modules", "vite", "bin", "vite.js");

/** `workers` are the entries of the package that are workers of the page. */
type Bundle = (example: string, output: string, ...workers: string[]) => Promise<void>;

export const bundleWithVite: Bundle = async (example, output) => {
  await runNode([VITE, "build", "--base", "./", "--outDir", output, "--logLevel", "warn"], example);
};

/** Vite's development server, which bundles the package's modules and leaves those of the example alone. */
export async function startVite(example: string): Promise<{ address: string; close: () => Promise<void> }> {
  const args = ["--host", "127.0.0.1", "--port", "0", "--clearScreen", "false"];
  const env = { ...process.env, NODE_ENV: "development", NO_COLOR: "1" };
  const child = spawn(process.execPath, [VITE, ...args], { cwd: example, env, stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close");
  const close = async () => {
    child.kill();
    await closed;
  };
  const address = await new Promise<string>((resolve, reject) => {
    let printed = "";
    child.stdout.on("data", (part: Buffer) => {
      printed += part;
      const [found] = /http:\/\/127\.0\.0\.1:\d+\//.exec(printed) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.on("close", () => reject(new Error(`the development server ended: ${printed}`)));
  });
  return { address, close };
}

const withEsbuild: Bundle = async (example, output, ...workers) => {
  await bundleWithEsbuild({
    absWorkingDir: example,
    entryPoints: ["main.js", ...workers, "spanflame/core.wasm"],
    loader: { ".wasm": "copy" },
    entryNames: "[name]",
    outdir: output,
  });
  await copyFile(join(example, "index.html"), join(output, "index.html"));
};

const withWebpack: Bundle = async (example, output) => {
  const compiler = webpack({
    context: example,
    mode: "production",
    entry: "./main.js",
    output: { path: output },
    // It would take half of the time of all these tests.
    optimization: { minimize: false },
    performance: { hints: false },
  });
  await new Promise<void>((resolve, reject) => {
    compiler?.run((error, stats) => {
      if (error) reject(error);
      else if (stats?.hasErrors() || stats?.hasWarnings()) reject(new Error(stats.toString("errors-warnings")));
      else resolve();
    });
  });
  await copyFile(join(example, "index.html"), join(output, "index.html"));
};

export const BUNDLERS = { vite: bundleWithVite, esbuild: withEsbuild, webpack: withWebpack };

export async function bundleWithEsbuild(options: BuildOptions): Promise<Metafile> {
  const how = { bundle: true, minify: true, metafile: true, format: "esm", logLevel: "silent" } as const;
  const { warnings, metafile } = await esbuild({ ...how, ...options });
  if (warnings.length > 0) throw new Error(warnings.map(({ text }) => text).join("\n"));
  if (metafile === undefined) throw new Error("no metafile");
  return metafile;
}
