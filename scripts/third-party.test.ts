/** The notices name every package whose code is in a build: source maps and the folders of the library confirm it. */
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildOnce, ROOT } from "../test/kit/build-once.ts";
import { NOTICES, noticesOf, packageFolder } from "./third-party.ts";

let page: string;
beforeAll(async () => {
  page = await mkdtemp(join(tmpdir(), "spanflame-page-"));
  await buildOnce("library", "command line");
}, 120_000);
afterAll(() => rm(page, { recursive: true }));

/** Packages in the source maps below a folder. */
async function packagesIn(folder: string): Promise<Set<string>> {
  const names = new Set<string>();
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith(".map")) continue;
    const { sources }: { sources: string[] } = JSON.parse(await readFile(join(folder, file), "utf8"));
    for (const source of sources) {
      const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? [];
      if (name !== undefined) names.add(name);
    }
  }
  return names;
}

/** Packages that a file of notices has. */
function namesIn(notices: string): string[] {
  const heads = [...notices.matchAll(/^-{80}\n((?:\S+ \S+ \(.+\)\n)+)-{80}$/gm)];
  return heads.flatMap(([, titles = ""]) =>
    titles
      .trimEnd()
      .split("\n")
      .map((title) => title.replace(/ .*/, "")),
  );
}

/** Texts of licences with one blank between words. */
const flat = (text: string) => text.split(/\s+/).join(" ").trim();

/** `unmapped`: packages in no source map. */
async function expectNotices(folder: string, unmapped: string[]): Promise<string[]> {
  const notices = await readFile(join(folder, NOTICES), "utf8");
  const named = namesIn(notices);
  const wanted = new Set([...(await packagesIn(folder)), ...unmapped]);
  expect(named.toSorted()).toEqual([...wanted].toSorted());
  for (const name of wanted) {
    const files = await readdir(join(ROOT, "node_modules", name));
    const licence = files.find((file) => /^licen[cs]e/i.test(file));
    const kept = join(ROOT, "scripts", "licences", `${name}.txt`);
    const text = await readFile(licence === undefined ? kept : join(ROOT, "node_modules", name, licence), "utf8");
    // The owner of a licence that several packages have is before its text, beside the package's name.
    const [owner] = text.match(/^.*Copyright (?:\(c\)|©|\d{4}).*$/m) ?? [""];
    const isWhole = flat(notices).includes(flat(text));
    const isShared = owner !== "" && notices.includes(`\n${name}: ${owner.trim()}\n`);
    expect([name, isWhole || isShared]).toEqual([name, true]);
    for (const part of owner === "" ? [text] : text.split(owner))
      expect([name, flat(notices).includes(flat(part))]).toEqual([name, true]);
  }
  return named;
}

describe("the notices", () => {
  it("of the page name every package in it", async () => {
    const vite = join(ROOT, "node_modules", "vite", "bin", "vite.js");
    const args = ["build", "--outDir", page, "--emptyOutDir", "--logLevel", "warn"];
    // Vitest's own mode would make a build for development.
    const env = { ...process.env, NODE_ENV: "production" };
    execFileSync(process.execPath, [vite, ...args], { cwd: ROOT, stdio: "pipe", env });
    const fonts = ["@fontsource-variable/inter", "@fontsource-variable/jetbrains-mono"];
    const modules = ["assemblyscript", "gecko-profiler-demangle"];
    expect(await expectNotices(page, [...modules, "re2js", ...fonts])).toEqual(
      expect.arrayContaining(["react", "comlink", "d3-flame-graph", "fflate"]),
    );
  });

  it("of the command line name every package in it", async () => {
    expect(await expectNotices(join(ROOT, "dist-node"), ["assemblyscript", "gecko-profiler-demangle"])).toEqual(
      expect.arrayContaining(["fflate", "fzstd"]),
    );
  });

  it("of the library name every package in it", async () => {
    const folder = join(ROOT, "dist-lib");
    const below = (name: string) => readdir(join(folder, "packages", name));
    const scoped = async (name: string) => (await below(name)).map((part) => `${name}/${part}`);
    const names = (await below("")).map((name) => (name.startsWith("@") ? scoped(name) : [name]));
    const packages = (await Promise.all(names)).flat();
    const named = namesIn(await readFile(join(folder, NOTICES), "utf8"));
    expect(named.toSorted()).toEqual([...packages, "assemblyscript", "gecko-profiler-demangle"].toSorted());
  });

  it("of the embedded viewer name the packages that are drawn with", async () => {
    const named = namesIn(await readFile(join(ROOT, "dist-lib", "THIRD-PARTY-NOTICES-viewer.txt"), "utf8"));
    const drawn = ["react", "react-dom", "scheduler", "d3-flame-graph", "d3-selection", "comlink"];
    expect(named).toEqual(expect.arrayContaining([...drawn, "assemblyscript", "lucide-react"]));
  });

  it("of a package without a licence file are an error", async () => {
    const folder = join(page, "package");
    await mkdir(folder);
    await writeFile(join(folder, "package.json"), '{"name":"bare","version":"1.0.0","license":"MIT"}');
    await writeFile(join(folder, "NOTICE"), "a notice");
    expect(() => noticesOf([folder])).toThrow("the package bare");
  });

  it.each([
    ["/a/node_modules/react/index.js", "/a/node_modules/react"],
    ["/a/node_modules/b/node_modules/@c/d/e.js?x", "/a/node_modules/b/node_modules/@c/d"],
    ["\0/a/node_modules/react/index.js?commonjs-module", "/a/node_modules/react"],
    ["C:\\a\\node_modules\\react\\index.js", "C:\\a\\node_modules\\react"],
    ["/a/src/main.ts", null],
    ["\0vite/preload-helper.js", null],
  ])("find the folder of %j", (id, folder) => {
    expect(packageFolder(id)).toBe(folder);
  });
});
