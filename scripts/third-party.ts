/**
 * Third-party notices: the licences of the packages whose code is in our builds. They have to be part of every copy.
 */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

export const NOTICES = "THIRD-PARTY-NOTICES.txt";
/** Its runtime and library are compiled into core.wasm, which no bundler sees. */
const OF_THE_CORE = fileURLToPath(new URL("../node_modules/assemblyscript", import.meta.url));
const LICENCE_FILE = /^(licen[cs]e|copying|notice)(\.|$)/i;

/**
 * Folders of packages. Workers and the report are bundled by builds inside a build, before the build around them ends.
 */
const used = new Set([OF_THE_CORE]);

/** Notes the packages that a build takes code from. Belongs into every build whose output is in another. */
export function collectPackages(): Plugin {
  return {
    name: "spanflame:collect-packages",
    apply: "build",
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type !== "chunk") {
          // Paths below the working folder.
          for (const file of output.originalFileNames) addPackageOf(resolve(file));
          continue;
        }
        for (const [id, { renderedLength }] of Object.entries(output.modules)) {
          if (renderedLength > 0) addPackageOf(id);
        }
      }
    },
  };
}

function addPackageOf(path: string): void {
  const folder = packageFolder(path);
  if (folder !== null) used.add(folder);
}

/** Notes packages as well, and writes the notices of all of them into the output. */
export function thirdPartyNotices(fileName: string = NOTICES): Plugin {
  return {
    ...collectPackages(),
    name: "spanflame:third-party-notices",
    // An SSR build drops the assets of plugins before these.
    enforce: "post",
    generateBundle(...args) {
      const collect = collectPackages().generateBundle;
      if (typeof collect === "function") collect.apply(this, args);
      this.emitFile({ type: "asset", fileName, source: noticesOf([...used]) });
    },
  };
}

/** The folder of the package that a module belongs to, or null for our modules. */
export function packageFolder(id: string): string | null {
  const match = /^\0?(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\?]+)/.exec(id);
  return match?.[1] ?? null;
}

/** Throws for a package without a licence text. */
export function noticesOf(folders: readonly string[]): string {
  const notices = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const files = readdirSync(folder).filter((file) => LICENCE_FILE.test(file));
    if (!files.some((file) => !/^notice/i.test(file))) {
      throw new Error(`${NOTICES}: the package ${name} in ${basename(folder)} has no licence file`);
    }
    const texts = files.map((file) => readFileSync(join(folder, file), "utf8").replace(/\r\n?/g, "\n").trim());
    return { title: `${name} ${version} (${license})`, text: texts.join("\n\n") };
  });
  const line = "-".repeat(80);
  const parts = notices
    .sort((a, b) => (a.title < b.title ? -1 : 1))
    .map(({ title, text }) => `${line}\n${title}\n${line}\n\n${text}\n`);
  return `Spanflame contains code of these packages, under their licences.\n\n${parts.join("\n")}`;
}
