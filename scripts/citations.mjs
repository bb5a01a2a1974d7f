/**
 * Check of citations in comments and documents: files, headings and sections that a text names. The test in this folder
 * requires that each of them exists.
 *
 *   `view/shape.ts`, `core.ts`        a file: relative to the citing one or to the root, or the end of a path that only
 *                                     one file has; a bare name needs a file of that name somewhere, and in the
 *                                     README.md of a directory one below that directory
 *   `src/report/`                     a directory, in the same way
 *   `test/core/hostile/*.test.ts`     at least one file
 *   [text](docs/otlp.md#presets)      a file and a heading's anchor
 *   ARCHITECTURE, "Invariants"        a heading of a document, or the bold words that begin an item of a list
 *   a document with a section sign    a numbered heading of the document; the sign alone is a fault
 *   `npm run docs`                    a script of package.json
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

const GENERATED = [
  ".cache",
  "node_modules",
  "build",
  "dist",
  "dist-lib",
  "dist-node",
  "dist-server",
  "test-results",
  "playwright-report",
];
const CODE = /\.(ts|tsx|mts|mjs|js|css|java|sh|py)$/;
const TEXT = /\.md$/;

/** Paths of all files below the root, without build outputs and installed packages. */
export function filesOf(root, folder = "") {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) {
      const isOurs = !GENERATED.includes(entry.name) && (!entry.name.startsWith(".") || entry.name === ".ci");
      return isOurs ? filesOf(root, path) : [];
    }
    return [path];
  });
}

/** The text of comments, each a paragraph of one line; of a document all of it. */
export function proseOf(path, text) {
  if (TEXT.test(path)) return text;
  const comments = /\.(sh|py)$/.test(path)
    ? text.matchAll(/(?:^[ \t]*#(?!!).*\n?)+/gm)
    : text.matchAll(/\/\*(?:.|\n)*?\*\/|(?:^[ \t]*\/\/.*\n?)+|(?<=[;,{})] )\/\/.*$/gm);
  return Array.from(comments, ([comment]) =>
    comment
      .replace(/^\/\*+|\*+\/$/g, "")
      .split("\n")
      .map((line) => line.replace(/^\s*(\*|\/\/+|#+)? ?/, ""))
      .join(" ")
      .trim(),
  ).join("\n\n");
}

/** A heading as GitHub makes an anchor of it. */
function anchorOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}

const headingsOf = (text) =>
  Array.from(text.replace(/^```(?:.|\n)*?^```/gm, "").matchAll(/^#+ +(.*)$/gm), ([, heading]) =>
    heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", ""),
  );

const ADDRESS = /\bhttps?:\/\/[^\s)>\]]+/g;
const NAME =
  /(?<![\w/.*<>{}$-])(?:\.{0,2}\/)?(?:[\w@.-]+\/)*[\w-][\w.-]*\.(?:tsx?|mts|mjs|css|md|html|java|sh|py)(?![\w/*(-])/g;
/** In code outside of comments: texts for users, and paths that scripts work with. */
const ROOTED =
  /(?<=["'`/(\s]|^)(?<![\w.$}*]\/)(?:\.ci|assembly|bench|docs|e2e|fixtures|public|scripts|src|test)\/[\w./-]*\.(?:tsx?|mjs|md|sh|py|java)\b/g;
const BESIDE = /new URL\(\s*"(\.{0,2}[\w./-]+\w)"\s*,\s*import\.meta\.url/g;
const FOLDER =
  /`((?:[\w@.-]+\/)+)`|(?<![\w./@-])((?:assembly|bench|docs|e2e|fixtures|scripts|src|test)\/(?:[\w-]+\/)*)(?![\w.*{<$])/g;
/** Files by a pattern. */
const GLOB = /`((?:[\w@.-]+\/)+[\w.-]*\*[\w.*-]*)`/g;
const LINK = /\]\(([^)\s]+)\)/g;
const QUOTED = /\b([A-Z]{6,}|[\w./-]+\.md),? "([^"]+)"/g;
const SECTION = /(?:([\w./-]+\.md|[A-Z]{6,}),? ?)?§ ?(\d+(?:\.\d+)*)?/g;
const SCRIPT = /\bnpm run ([\w:]+)/g;

/** All cited files must be among `files` (paths), whose headings `textOf` returns. */
export class Citations {
  constructor(files, textOf, scripts, foreign = []) {
    this.files = new Set(files);
    this.textOf = textOf;
    this.scripts = scripts;
    this.foreign = foreign;
    this.folders = new Set(files.flatMap((file) => parentsOf(file)));
  }

  /** A fault for each citation of a text that leads nowhere. */
  faultsOf(path) {
    const prose = proseOf(path, this.textOf(path));
    const text = prose.replace(ADDRESS, (address) => (address.includes("#") ? "ADDRESS.md" : ""));
    const faults = [];
    const fault = (cited, why) => faults.push(`${path}: ${cited}: ${why}`);
    for (const [name] of text.replace(LINK, "]").matchAll(NAME)) {
      if (name === "ADDRESS.md" || this.isForeign(name)) continue;
      const why = this.whyNot(path, name, this.files);
      if (why !== null) fault(name, why);
    }
    for (const [, glob] of text.matchAll(GLOB)) {
      const parts = glob.split("*").map((part) => part.replaceAll(".", "\\."));
      const expression = new RegExp(`(^|/)${parts.join("[^/]*")}$`);
      if (!this.isForeign(glob) && !Array.from(this.files).some((file) => expression.test(file)))
        fault(glob, "no file");
    }
    const isCode = !TEXT.test(path);
    for (const [, name] of isCode ? this.textOf(path).matchAll(BESIDE) : []) {
      const to = posix.join(posix.dirname(path), name);
      if (!this.files.has(to) && !this.folders.has(to) && !this.isForeign(to)) fault(name, "does not exist");
    }
    // Tests of tables and scripts make up paths.
    for (const [name] of !isCode || /\.test\./.test(path) ? [] : this.textOf(path).matchAll(ROOTED)) {
      if (!this.files.has(name) && !this.isForeign(name)) fault(name, "does not exist");
    }
    for (const [, quoted, rooted] of text.matchAll(FOLDER)) {
      const name = quoted ?? rooted;
      if (this.isForeign(name)) continue;
      const why = this.whyNot(path, name.slice(0, -1), this.folders);
      if (why !== null) fault(name, why);
    }
    for (const [, target] of TEXT.test(path) ? prose.matchAll(LINK) : []) this.checkLink(path, target, fault);
    for (const [, document, heading] of text.matchAll(QUOTED)) this.checkHeading(path, document, heading, fault);
    for (const [cited, document, section] of text.matchAll(SECTION)) {
      if (document === "ADDRESS.md") continue;
      if (document === undefined) fault(cited.trim(), "no document is named");
      else this.checkSection(path, document, section, fault);
    }
    for (const [cited, script] of text.matchAll(SCRIPT)) {
      if (!(script in this.scripts)) fault(cited, "package.json has no such script");
    }
    return faults;
  }

  isForeign(name) {
    return GENERATED.includes(name.split("/")[0]) || this.foreign.some((pattern) => pattern.test(name));
  }

  /** Why a name leads to no entry of `known`, or to more than one; null if it leads to exactly one. */
  whyNot(from, name, known) {
    const near = posix.join(posix.dirname(from), name);
    if (known.has(name) || known.has(near)) return null;
    if (/^\.{0,2}\//.test(name)) return "does not exist";
    const isReadme = known === this.files && posix.basename(from) === "README.md";
    const room = isReadme ? posix.dirname(from) : ".";
    const inRoom = (path) => room === "." || name.includes("/") || path.startsWith(`${room}/`);
    const found = Array.from(known).filter((path) => path.endsWith(`/${name}`) && inRoom(path));
    if (found.length === 0) return "does not exist";
    return found.length > 1 && name.includes("/") ? `could be ${found.join(" or ")}` : null;
  }

  /** The path of a document that is named by its path or, like ARCHITECTURE, by its bare name. */
  documentOf(from, name) {
    const path = name.endsWith(".md") ? name : `${name}.md`;
    if (this.files.has(path)) return path;
    const near = posix.join(posix.dirname(from), path);
    if (this.files.has(near)) return near;
    return Array.from(this.files).find((file) => file.endsWith(`/${path}`));
  }

  checkLink(from, target, fault) {
    if (/^[a-z]+:/.test(target)) return;
    const [path, anchor] = target.split("#");
    const to = path === "" ? from : posix.join(posix.dirname(from), path).replace(/\/$/, "");
    if (!this.files.has(to) && !this.folders.has(to)) fault(target, "does not exist");
    else if (anchor !== undefined && !headingsOf(this.textOf(to)).map(anchorOf).includes(anchor))
      fault(target, "no heading has this anchor");
  }

  checkHeading(from, name, heading, fault) {
    const document = this.documentOf(from, name);
    if (document === undefined) {
      if (name.endsWith(".md")) fault(name, "does not exist");
      return;
    }
    const wanted = heading.replace(/[.,]$/, "").toLowerCase();
    const text = this.textOf(document);
    const items = Array.from(text.matchAll(/^ *[-*] \*\*([^*]+?)[:.]?\*\*/gm), ([, words]) => words);
    const found = [...headingsOf(text), ...items].filter(
      (each) => each.replace(/^[\d.]+ /, "").toLowerCase() === wanted,
    );
    if (found.length !== 1)
      fault(`${name}, "${heading}"`, found.length === 0 ? "no such heading" : "two such headings");
  }

  checkSection(from, name, section, fault) {
    const document = this.documentOf(from, name);
    const cited = `${name} §${section}`;
    if (document === undefined) fault(cited, "does not exist");
    else if (
      !headingsOf(this.textOf(document)).some((heading) => heading.split(/[\s:]/)[0].replace(/\.$/, "") === section)
    )
      fault(cited, "no heading has this number");
  }
}

function parentsOf(file) {
  const folder = posix.dirname(file);
  return folder === "." ? [] : [folder, ...parentsOf(folder)];
}

/** The citations of a checkout, and the paths of the texts that may cite. */
export function citationsOf(root, foreign) {
  const files = filesOf(root);
  const texts = new Map();
  const textOf = (path) => {
    if (!texts.has(path)) texts.set(path, readFileSync(join(root, path), "utf8"));
    return texts.get(path);
  };
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const citing = files.filter((path) => CODE.test(path) || TEXT.test(path));
  return { citations: new Citations(files, textOf, scripts, foreign), citing };
}
