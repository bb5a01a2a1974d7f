/**
 * One side of the comparison of outputs: a process with the library of the checkout given by its argument. It answers
 * each message of its parent with the hashes of all outputs of an input, or with the bytes of one.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [, , root] = process.argv;
/** Checkouts before the library had a folder have it beside the command line. */
const FOLDER = join(root, existsSync(join(root, "dist-lib", "index.js")) ? "dist-lib" : "dist-node");
/** Modules with the core and what is around it; in older checkouts the entry has all of it. */
const MODULES = [
  "index",
  "core/core",
  "core/formats",
  "core/tables/formats",
  "core/split",
  "input/open",
  "pattern/pattern",
  "validate/validate",
  "core/why",
];
const library = {};
for (const path of MODULES.map((name) => join(FOLDER, `${name}.js`))) {
  if (existsSync(path)) Object.assign(library, await import(pathToFileURL(path).href));
}
const { bytesSource, Core, FORMATS, readInputs, splitByProfile, validate } = library;
const module = await WebAssembly.compile(readFileSync(join(FOLDER, "core.wasm")));
await library.loadPatterns?.();

/** Names as recorded, which is how they are shown where a checkout does not normalise them. */
const RAW = { rawNames: true };
/** Keys the hash tables of every core. */
const SEED = 0x5eedn;
/** A report carries the time at which it was made. */
const CLOCK = `data:text/javascript,${encodeURIComponent(
  "const D=Date;globalThis.Date=class extends D{constructor(...a){super(...(a.length?a:[1.7e12]))}};",
)}`;
const PRESETS = ["default", "otel", "aggregated", "pyroscope"];
/** Inputs with more bytes or samples get fewer filters. */
const LARGE_BYTES = 400_000;
const LARGE_SAMPLES = 20_000;
/** Profiles of an input for views and single-profile formats. */
const MOST_PROFILES = 4;
/**
 * Drawings so wide that no frame is hidden. The budget is for checkouts that drew the widest frames only; they hid
 * frames below a pixel where others hide them below half a pixel.
 */
const COLUMNS = { width: 1e12, budget: 250_000 };

/** Handles of rows of the core, which another order of interning changes. */
const HANDLES = new Set(["nameIds", "thread"]);

function plain(key, value) {
  if (HANDLES.has(key)) return undefined;
  if (typeof value === "bigint") return `${value}n`;
  return ArrayBuffer.isView(value) ? Array.from(value) : value;
}

/** Words for people and fields of answers that were renamed: figures and structure are compared all the same. */
const RENAMED = [
  [/folded(?=Frames|Value)/g, "hidden"],
  [/\bfolded\b/g, "hidden"],
  [/\bby own value\b/g, "by self value"],
  [/\bown code\b/g, "application code"],
];

function renamed(content) {
  return RENAMED.reduce((before, [from, to]) => before.replace(from, to), content);
}

const text = (value) => Buffer.from(renamed(`${JSON.stringify(value, plain, 1)}`));

/** Either the hashes of all outputs, or the bytes of the requested one. */
class Outputs {
  list = [];
  filter = "";
  found = null;

  constructor(wanted) {
    this.wanted = wanted;
  }

  add(name, make) {
    if (this.wanted !== undefined && this.wanted !== name) return;
    const bytes = this.made(make);
    if (this.wanted !== undefined) {
      this.found = bytes;
      return;
    }
    const hash = createHash("sha256").update(bytes).digest("hex");
    this.list.push({ name, size: bytes.length, hash, filter: this.filter });
  }

  made(make) {
    try {
      const made = make();
      return made instanceof Uint8Array ? made : text(made);
    } catch (error) {
      return text({ code: error.code, message: error.message });
    }
  }
}

async function coreOf(paths) {
  const core = await Core.instantiate(module, [], SEED);
  const inputs = paths.map((path) => ({ name: path.split("/").pop(), source: bytesSource(readFileSync(path)) }));
  const summary = await readInputs(core, inputs);
  return { core, summary };
}

/** A question of the views, which are members of the core or of its `views`. */
function ask(core, name, ...args) {
  const owner = core.views !== undefined && name in core.views ? core.views : core;
  return owner[name](...args);
}

const heaviest = (core, by) => ask(core, "rank", by, 0, 1).rows[0];

/** Filters that select something of this input, by name. */
function filtersOf(core, quick) {
  const filters = { none: {} };
  const [profile] = core.profiles().toSorted((a, b) => b.samples - a.samples);
  if (profile === undefined) return filters;
  core.select(profile.id, RAW);
  const span = heaviest(core, { kind: "span" });
  const localRoot = heaviest(core, { kind: "local-root" });
  const thread = heaviest(core, { kind: "attribute", key: "thread.name" });
  const key = core.attributeKeys().find((each) => !each.startsWith("thread."));
  const attribute = key === undefined ? undefined : heaviest(core, { kind: "attribute", key });
  const [top] = ask(core, "top", "self", 0, 1).rows;
  const bounds = ask(core, "timeBounds");
  if (localRoot !== undefined) filters["local root"] = { localRoot: localRoot.id };
  if (thread !== undefined) filters.thread = { attributes: [{ key: "thread.name", value: thread.label }] };
  if (bounds !== null) {
    const quarter = (bounds.to - bounds.from) / 4n;
    filters.time = { time: { from: bounds.from + quarter, to: bounds.to - quarter } };
  }
  if (quick) return filters;
  if (span !== undefined) {
    filters.span = { span: span.id };
    filters["not span"] = { not: { span: span.id } };
  }
  if (attribute !== undefined) {
    filters.attribute = { attributes: [{ key, value: attribute.label }] };
    filters["not attribute"] = { attributes: [{ key, value: attribute.label, exclude: true }] };
  }
  if (top !== undefined) {
    const pattern = top.name.replace(/[^\w]+/g, ".");
    filters.frame = { frames: [{ pattern }] };
    filters["not frame"] = { frames: [{ pattern, exclude: true }] };
  }
  const files = core.files();
  if (files.length > 1) filters.file = { file: files[0].name };
  filters.nothing = { span: 0xdead_beefn };
  return filters;
}

/** Options that each format takes, by name. */
function optionsOf(format, quick) {
  const rows = [];
  const isOtlp = format === "otlp" || format === "otlp-json";
  for (const preset of PRESETS) rows.push([preset, { preset }]);
  if (format === "pprof") rows.push(["timestamps", { timestamps: true }]);
  else if (format !== "otlp" && !quick) rows.push(["pretty", { pretty: true }]);
  if (isOtlp && !quick) rows.push(["resource", { resource: { "service.name": "other", added: 5n, "host.name": "" } }]);
  return quick && !isOtlp && format !== "pprof" ? rows.slice(0, 1) : rows;
}

function addWritten(outputs, core, name, profiles, filter, quick) {
  for (const { name: format, single } of FORMATS) {
    const chosen = single ? profiles.map(({ id }) => id) : [null, ...profiles.slice(0, 1).map(({ id }) => id)];
    for (const profile of chosen) {
      const type = profile === null ? "all" : profiles.find(({ id }) => id === profile).type;
      for (const [option, options] of optionsOf(format, quick)) {
        const write = (more) => core.write(profile, filter, { format, ...options, ...more });
        outputs.add(`${format} ${option} ${type} | ${name}`, () => write({}).bytes);
      }
      if (profile !== null && profiles.find(({ id }) => id === profile).measures.length > 1) {
        outputs.add(
          `${format} second measure ${type} | ${name}`,
          () => core.write(profile, filter, { format, measure: 1 }).bytes,
        );
      }
    }
  }
  outputs.add(`otlp split | ${name}`, () =>
    Array.from(splitByProfile(core, null, filter, { format: "otlp" }, 1000), ({ bytes, type, samples }) => [
      type,
      samples,
      bytes,
    ]),
  );
  outputs.add(`otlp payload | ${name}`, () => {
    const parts = [];
    const payload = { format: "jfr", bytes: 3, put: () => parts.push(Buffer.from([1, 2, 3])) };
    core.writeTo(null, filter, { format: "otlp", payload }, (part) => parts.push(Buffer.from(part)));
    return Buffer.concat(parts);
  });
}

function addViews(outputs, core, name, { id, type }, filter) {
  const add = (view, make) => outputs.add(`${view} ${type} | ${name}`, make);
  const select = () => core.select(id, filter);
  add("selection", select);
  if (select().samples === 0) return;
  const [top] = ask(core, "top", "self", 0, 1).rows;
  const frames = () => ask(core, "frames", { focus: 0, ...COLUMNS });
  add("frames", frames);
  add("top", () => ["self", "total", "name"].map((order) => ask(core, "top", order, 0, 100)));
  add("callers", () => ask(core, "regroup", { grouping: { kind: "callers" }, path: [], ...COLUMNS }));
  if (top !== undefined) {
    for (const kind of ["callers-of", "callees-of"]) {
      add(kind, () => ask(core, "regroup", { grouping: { kind, name: top.name }, path: [], ...COLUMNS }));
    }
    add("search", () => ask(core, "search", top.name.replace(/[^\w]+/g, ".")));
  }
  add("children", () => ask(core, "children", 0));
  for (const by of [{ kind: "span" }, { kind: "local-root" }, { kind: "attribute", key: "thread.name" }]) {
    add(`ranking by ${by.kind}`, () => ask(core, "rank", by, 0, 200, { about: core.attributeKeys() }));
    add(`ranking by ${by.kind}, last first`, () => ask(core, "rank", by, 0, 50, { sort: "duration", reversed: true }));
  }
  add("timeline", () => {
    const threads = ask(core, "threads", id);
    const lanes = threads.rows.slice(0, 3).map(({ thread }) => thread);
    return [threads, ask(core, "timeline", id, 100, lanes, null), ask(core, "heat", id, 30, null)];
  });
  add("marks", () => {
    const marks = ask(core, "marks");
    return [marks, ask(core, "pauseCover", marks)];
  });
  add("difference", () => {
    core.select(id, RAW);
    ask(core, "keepBaseline");
    select();
    return [true, false].map((rest) => [
      ask(core, "diff", { focus: 0, ...COLUMNS, rest, normalised: true }),
      ask(core, "changed", rest, false, 0, 50),
    ]);
  });
  add("shape", () => {
    const merged = top === undefined ? [] : [top.name.replace(/[^\w]+/g, ".")];
    try {
      return [
        { from: "", merged, recursion: "kept", lines: false },
        { from: top?.name ?? "", merged: [], recursion: "all", lines: true },
      ].map((shape) => {
        ask(core, "shape", shape);
        select();
        return [frames(), ask(core, "top", "self", 0, 50)];
      });
    } finally {
      ask(core, "shape", { from: "", merged: [], recursion: "kept", lines: false });
    }
  });
}

/** A report without its program and style: another order of modules changes them, and no data. */
function withoutProgram(page) {
  const program = /<script(?![^>]*json)[^>]*>.*?<\/script>|<style>.*?<\/style>|'sha256-[^']*'/gs;
  return Buffer.from(renamed(page.toString("utf8").replace(program, "")));
}

/** Output, standard error and exit code of a command. */
function commandLine(args) {
  try {
    const how = { stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 30, env: { ...process.env, NO_COLOR: "1" } };
    return execFileSync(process.execPath, ["--import", CLOCK, join(root, "dist-node", "cli.js"), ...args], how);
  } catch (error) {
    return Buffer.concat([Buffer.from(`exit ${error.status}\n${error.stderr}\n`), error.stdout ?? Buffer.alloc(0)]);
  }
}

function addCommands(outputs, paths, profiles, quick) {
  const raw = commandLine(["--help"]).includes("--raw-names") ? ["--raw-names"] : [];
  outputs.add("info --json", () => commandLine(["info", ...paths, "--json"]));
  if (profiles[0] === undefined) return;
  const { type } = profiles[0];
  const report = ["convert", ...paths, "-o", "-", "--format", "html", "--type", type, ...raw];
  outputs.add("report", () => withoutProgram(commandLine(report)));
  if (quick) return;
  outputs.add("info", () => commandLine(["info", ...paths]));
  const picture = ["convert", ...paths, "-o", "-", "--format", "svg", "--type", type, ...raw];
  outputs.add("picture", () => withoutProgram(commandLine(picture)));
  outputs.add("top", () => commandLine(["top", ...paths, "--type", type, ...raw]));
  outputs.add("top --json", () => commandLine(["top", ...paths, "--type", type, "--json", ...raw]));
  outputs.add("spans", () => commandLine(["spans", ...paths, "--type", type]));
  outputs.add("spans --json", () => commandLine(["spans", ...paths, "--type", type, "--by", "span", "--json"]));
  outputs.add("validate --json", () => commandLine(["validate", paths[0], "--json"]));
}

async function allOutputs({ name, paths, cli }, quick, wanted) {
  const outputs = new Outputs(wanted);
  const isCase = /^otlp-cases|\.(pb|json|pprof)$/.test(name);
  if (isCase) {
    const report = await validate(readFileSync(paths[0])).catch((error) => ({ thrown: error.message }));
    // The list's own name is not part of the comparison.
    outputs.add("validator's report", () => Object.values(report));
  }
  const { core, summary } = await coreOf(paths);
  outputs.add("reading", () => summary);
  outputs.add("files", () => core.files());
  outputs.add("diagnostics", () => core.diagnostics());
  outputs.add("profiles", () => [
    // The number of a profile is a handle like those above.
    core.profiles().map(({ id: _, ...profile }) => profile),
    core.eventTypes?.() ?? core.eventKinds(),
    core.settings(),
    core.attributeKeys(),
  ]);
  const profiles = core.profiles().filter(({ samples }) => samples > 0);
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0);
  const isLarge = bytes > LARGE_BYTES || core.samples() > LARGE_SAMPLES;
  const few = quick || isLarge || /^otlp-cases|^recordings.(attacks|cdt|traces)/.test(name);
  for (const [filterName, conditions] of Object.entries(filtersOf(core, few))) {
    const filter = { ...conditions, ...RAW };
    outputs.filter = filterName === "none" ? "" : JSON.stringify(conditions, plain);
    addWritten(outputs, core, filterName, profiles.slice(0, few ? 2 : MOST_PROFILES), filter, few);
    for (const profile of profiles.slice(0, few ? 1 : MOST_PROFILES))
      addViews(outputs, core, filterName, profile, filter);
    outputs.filter = "";
  }
  if (cli) addCommands(outputs, paths, profiles, quick);
  return outputs;
}

async function answer({ input, quick, bytesOf, formats, write, format, options }) {
  if (formats) return FORMATS.map(({ name }) => name);
  if (write !== undefined) {
    const { core } = await coreOf(write);
    return Buffer.from(core.write(null, {}, { format, ...options }).bytes);
  }
  const outputs = await allOutputs(input, quick, bytesOf);
  return bytesOf === undefined ? outputs.list : outputs.found;
}

process.on("message", async (question) => process.send(await answer(question)));
process.on("disconnect", () => process.exit());
