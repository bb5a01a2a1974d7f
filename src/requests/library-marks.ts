/**
 * Libraries as attributes of the samples in whose functions they were running: those that uploads list by their files,
 * and the modules and archives that recordings and dumps state.
 */
import type { CodeLibrary } from "../core/answers/library-paths.ts";
import type { Core } from "../core/core.ts";
import { Packer } from "../core/instance/packer.ts";

/** Of a row of assembly/store/code-sources.ts. */
const SOURCE_WORDS = 4;

/** Packages of functions. */
export type Homes = Map<number, string>;

/** Marks all samples. To be called once everything is read, and again after frames of other calls are read. */
export function markLibraries(core: Core): void {
  noteModules(
    core,
    Array.from({ length: core.instance.wasm.functionCount() - 1 }, (_, i) => i + 1),
  );
  mark(core);
}

/**
 * Marks what was read since the last call: the recording of one process of several. What is read next gets none of its
 * libraries and shares no sample with it. `homes` stays valid until the core is reset.
 */
export function markProcess(core: Core, homes: Homes): void {
  const { instance, views } = core;
  const { wasm } = instance;
  if (views.libraries.size + wasm.sourceCount() > 1) {
    noteModules(core, leavesOf(core), homes);
    mark(core);
    views.libraries.reset();
    wasm.forgetSources();
  }
  wasm.separateSamples();
}

function leavesOf({ instance: { wasm, memory } }: Core): Uint32Array {
  const count = wasm.leafFunctions();
  return memory.u32s(wasm.leavesPointer(), count);
}

function mark(core: Core): void {
  const { instance, views } = core;
  const { wasm } = instance;
  // Many packages are of one module.
  for (const index of new Set(sourcesOf(core).map(({ text }) => text))) {
    const text = instance.string(index);
    if (views.libraries.of(text) === null) views.libraries.add([libraryOf(text)]);
  }
  const setOf = (library: CodeLibrary) => {
    const packer = new Packer();
    packer.text(library.name);
    packer.text(library.version);
    return instance.lend(packer.taken(), (p) => wasm.librarySet(p) >>> 0);
  };
  const sets = new Map<CodeLibrary, number>();
  const bySource = new Map<number, number>([[0, 0]]);
  const ofSource = (source: number) => {
    const library = views.libraries.of(instance.string(source));
    if (library === null) return 0;
    const set = sets.get(library) ?? setOf(library);
    sets.set(library, set);
    return set;
  };
  const leaves = leavesOf(core).map((fn) => {
    const source = wasm.functionSource(fn) >>> 0;
    const set = bySource.get(source) ?? ofSource(source);
    bySource.set(source, set);
    return set;
  });
  instance.lend(new Uint8Array(leaves.buffer), (p) => wasm.markLibraries(p));
  // The page may have asked before: a recording is shown before its end.
  instance.changeSamples();
}

/** The library of a module (`java.base@17.0.15`) or an archive (`lib/guava-31.1-jre.jar`). */
export function libraryOf(text: string): CodeLibrary {
  const paths = [text];
  const [file = ""] = text.split(/[\\/]/).slice(-1);
  const archive = /^(.+)\.(jar|war|ear|zip)$/i.exec(file)?.[1];
  if (archive === undefined) {
    const [name = "", version = ""] = text.split("@", 2);
    return { kind: /^(java|jdk)\./.test(name) ? "standard library" : "module", name, version, paths };
  }
  const [, name = archive, version = ""] = /^(.+)-(\d.*)$/.exec(archive) ?? [];
  return { kind: "module", name, version, paths };
}

/** Gives functions the modules of their packages. */
function noteModules(core: Core, functions: Iterable<number>, homes: Homes = new Map()): void {
  const { instance } = core;
  const { wasm } = instance;
  const modules = modulesOf(core);
  const byPackage = new Map<string, number>();
  const moduleOf = (home: string) => {
    const slashed = new TextEncoder().encode(home.replaceAll(".", "/"));
    return modules.get(instance.lend(slashed, (p, n) => wasm.findString(p, n) >>> 0)) ?? 0;
  };
  if (modules.size === 0) return;
  for (const fn of functions) {
    if (wasm.functionSource(fn) !== 0) continue;
    const home = homes.get(fn) ?? packageOf(instance.string(wasm.functionName(fn) >>> 0));
    homes.set(fn, home);
    const module = byPackage.get(home) ?? moduleOf(home);
    byPackage.set(home, module);
    if (module !== 0) wasm.noteSource(fn, module);
  }
}

/** The sources that recordings state: the package (0 for a source of one function) and the text. */
function sourcesOf({ instance: { wasm, memory } }: Core): { home: number; text: number }[] {
  const rows = memory.u32s(wasm.sourceRows(), wasm.sourceCount() * SOURCE_WORDS);
  const sources = [];
  for (let row = SOURCE_WORDS; row < rows.length; row += SOURCE_WORDS)
    sources.push({ home: rows[row + 1]!, text: rows[row + 2]! });
  return sources;
}

/** Texts of modules by the string of their package; 0 for packages of several modules. */
function modulesOf(core: Core): Map<number, number> {
  const { instance, views } = core;
  const modules = new Map<number, number>();
  for (const { home, text } of sourcesOf(core)) {
    const known = modules.get(home) ?? text;
    if (known !== text) {
      const [module, other] = [libraryOf(instance.string(known)), libraryOf(instance.string(text))];
      // Of processes with several versions.
      if (module.name !== other.name) modules.set(home, 0);
      else views.libraries.add([{ ...module, version: "", paths: [...module.paths, ...other.paths] }]);
    } else if (home !== 0) modules.set(home, text);
  }
  return modules;
}

/** `java.util` of `java.util.Map.get`, and of classes that are made at run time, `java.util.Map$$Lambda.0x12.get`. */
function packageOf(name: string): string {
  const home = /^((?:[^.A-Z][^.]*\.)+)[A-Z]/.exec(name)?.[1];
  return home?.slice(0, -1) ?? name.split(".").slice(0, -2).join(".");
}
