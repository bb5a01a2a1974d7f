/**
 * Libraries as attributes of the samples in whose functions they were running: those that uploads list by their files,
 * and the modules and archives that recordings and dumps state.
 */
import type { CodeLibrary } from "../core/answers/library-paths.ts";
import type { Core } from "../core/core.ts";
import { Packer } from "../core/instance/packer.ts";

/** Once everything is read, and after frames of other calls. */
export function markLibraries(core: Core): void {
  const { instance, views } = core;
  const { wasm } = instance;
  noteModules(core);
  // Many packages are of one module.
  const texts = new Set(Array.from({ length: wasm.sourceCount() - 1 }, (_, i) => wasm.sourceText(i + 1) >>> 0));
  for (const index of texts) {
    const text = instance.string(index);
    if (views.libraries.of(text) === null) views.libraries.add([libraryOf(text)]);
  }
  const setOf = (library: CodeLibrary) => {
    const packer = new Packer();
    packer.text(library.name);
    packer.text(library.version);
    return instance.lend(packer.bytes(), (p) => wasm.librarySet(p) >>> 0);
  };
  const sets = new Map<CodeLibrary, number>();
  const bySource = new Map<number, number>();
  const ofSource = (source: number) => {
    const library = views.libraries.of(instance.string(source));
    if (library === null) return 0;
    const set = sets.get(library) ?? setOf(library);
    sets.set(library, set);
    return set;
  };
  const functions = Uint32Array.from({ length: wasm.functionCount() }, (_, i) => {
    const source = i === 0 ? 0 : wasm.functionSource(i) >>> 0;
    if (source === 0) return 0;
    const set = bySource.get(source) ?? ofSource(source);
    bySource.set(source, set);
    return set;
  });
  instance.lend(new Uint8Array(functions.buffer), (p) => wasm.markLibraries(p, functions.length));
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
function noteModules(core: Core): void {
  const { instance } = core;
  const { wasm } = instance;
  const modules = modulesOf(core);
  const byPackage = new Map<string, number>();
  const moduleOf = (home: string) => {
    const slashed = new TextEncoder().encode(home.replaceAll(".", "/"));
    return modules.get(instance.lend(slashed, (p, n) => wasm.findString(p, n) >>> 0)) ?? 0;
  };
  for (let fn = 1; modules.size > 0 && fn < wasm.functionCount(); fn++) {
    if (wasm.functionSource(fn) !== 0) continue;
    const home = packageOf(instance.string(wasm.functionName(fn) >>> 0));
    const module = byPackage.get(home) ?? moduleOf(home);
    byPackage.set(home, module);
    if (module !== 0) wasm.noteSource(fn, module);
  }
}

/** Texts of modules by the string of their package; 0 for packages of several modules. */
function modulesOf({ instance, views }: Core): Map<number, number> {
  const { wasm } = instance;
  const modules = new Map<number, number>();
  for (let row = 1; row < wasm.sourceCount(); row++) {
    const home = wasm.sourcePackage(row) >>> 0;
    const text = wasm.sourceText(row) >>> 0;
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
