/**
 * The package as a user has it: packed by npm and installed, without a registry, into an empty folder outside of the
 * repository, so that nothing of the repository is found by accident.
 */

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { buildOnce, ROOT } from "./build-once.ts";

const run = promisify(execFile);

export interface Installed {
  /** A folder with the package in its `node_modules`, and the examples. */
  folder: string;
  tarball: string;
  /** Sum of all files, in bytes. */
  unpackedSize: number;
  /** Paths in the package. */
  files: string[];
  /** Copies a folder below `examples/`, and returns where it is. */
  copyExample(name: string): Promise<string>;
  /** Adds packages of the repository to the folder. */
  link(...names: string[]): Promise<void>;
  remove(): Promise<void>;
}

interface Packed {
  filename: string;
  unpackedSize: number;
  files: { path: string }[];
}

export async function installPackage(): Promise<Installed> {
  await buildOnce("page", "library", "command line");
  const folder = await mkdtemp(join(tmpdir(), "spanflame-package-"));
  // Scripts would repeat the build.
  const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const { stdout } = await run("npm", pack, { cwd: ROOT, maxBuffer: 1 << 26 });
  const [{ filename, unpackedSize, files }] = JSON.parse(stdout) as [Packed];
  const tarball = join(folder, filename);
  await writeFile(join(folder, "package.json"), '{ "name": "app", "private": true, "type": "module" }');
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", tarball], { cwd: folder });
  const copyExample = async (name: string) => {
    const copy = join(folder, name);
    await cp(join(ROOT, "examples", name), copy, { recursive: true });
    return copy;
  };
  const link = async (...names: string[]) => {
    for (const name of names) {
      const place = join(folder, "node_modules", name);
      await mkdir(dirname(place), { recursive: true });
      if (existsSync(place)) continue;
      await symlink(join(ROOT, "node_modules", name), place, "junction");
    }
  };
  const remove = () => rm(folder, { recursive: true });
  return { folder, tarball, unpackedSize, files: files.map(({ path }) => path), copyExample, link, remove };
}

/** Runs an installed tool of the repository, or a script of the package's user, and returns its standard output. */
export async function runNode(args: string[], cwd: string): Promise<string> {
  // Vitest's mode would make bundles for development.
  const env = { ...process.env, NODE_ENV: "production", NO_COLOR: "1" };
  try {
    return (await run(process.execPath, args, { cwd, env, maxBuffer: 1 << 26 })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${args.join(" ")} failed\n${stdout ?? ""}${stderr ?? ""}`, { cause: error });
  }
}
