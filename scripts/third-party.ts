/**
 * Third-party notices: the licences of the packages whose code is in our builds. They have to be part of every copy.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

export const NOTICES = "THIRD-PARTY-NOTICES.txt";
/** Its runtime and library are compiled into core.wasm, which no bundler sees. */
const OF_THE_CORE = fileURLToPath(new URL("../node_modules/assemblyscript", import.meta.url));
/** Texts for packages that name a licence and have no file with it. */
const LICENCES = fileURLToPath(new URL("licences", import.meta.url));
const LICENCE_FILE = /^(licen[cs]e|copying|notice)([.-]|$)/i;

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

/** Notes the package that a file is of. */
export function addPackageOf(path: string): void {
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

interface Notice {
  title: string;
  text: string;
}

/** A line with the owner of a licence: "Copyright (c) 2019 Someone", but not the blank form in a licence. */
const OWNER = /^[ \t]*Copyright (?:\(c\)|©|\d{4}).*$/gm;

/** Throws for a package without a licence text. Packages whose licences differ in their owners only have one text. */
export function noticesOf(folders: readonly string[]): string {
  const groups = new Map<string, Notice[]>();
  const notices = folders.map(noticeOf).sort((a, b) => (a.title < b.title ? -1 : 1));
  for (const notice of notices) {
    const words = notice.text.replace(OWNER, "").split(/\s+/).join(" ").trim();
    groups.set(words, [...(groups.get(words) ?? []), notice]);
  }
  const line = "-".repeat(80);
  const parts = [...groups.values()].map((group) => {
    const titles = group.map(({ title }) => title).join("\n");
    return `${line}\n${titles}\n${line}\n\n${textOf(group)}\n`;
  });
  return `Spanflame contains code of these packages, under their licences.\n\n${parts.join("\n")}`;
}

function noticeOf(folder: string): Notice {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const known = join(LICENCES, `${name.replace("/", "-")}.txt`);
  const inPackage = readdirSync(folder).filter((file) => LICENCE_FILE.test(file));
  const hasLicence = inPackage.some((file) => !/^notice/i.test(file));
  const files = inPackage.map((file) => join(folder, file));
  if (!hasLicence && existsSync(known)) files.push(known);
  else if (!hasLicence) {
    throw new Error(`${NOTICES}: the package ${name} in ${basename(folder)} has no licence file`);
  }
  const texts = files.map((file) => readFileSync(file, "utf8").replace(/\r\n?/g, "\n").trim());
  return { title: `${name} ${version} (${license})`, text: texts.join("\n\n") };
}

/** The text of one licence, as it is; of several ones, their owners and then the text. */
function textOf(group: readonly Notice[]): string {
  const [first] = group;
  if (first === undefined || group.every(({ text }) => text === first.text)) return first?.text ?? "";
  const owners = group.flatMap(({ title, text }) => {
    const name = title.replace(/ .*/, "");
    return (text.match(OWNER) ?? []).map((owner) => `${name}: ${owner.trim()}`);
  });
  const text = first.text
    .replace(OWNER, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return `${owners.join("\n")}\n\n${text}`;
}
