/**
 * Libraries as attributes of the samples in whose functions they were running: those that uploads list by their files, and
 * the modules and archives that recordings and dumps state.
 */
import { type CodeLibrary, MODULE } from "../core/answers/library-paths.ts";
import type { Core } from "../core/core.ts";
import { Packer } from "../core/instance/packer.ts";

/** Once everything is read, and after frames of other calls. */
export function markLibraries(core: Core): void {
  const { instance, views } = core;
  const { wasm } = instance;
  const stated = new Set(Array.from({ length: wasm.sourceCount() - 1 }, (_, i) => wasm.sourceText(i + 1) >>> 0));
  if (stated.size > 0) noteModules(core, stated);
  for (const source of stated) {
    const text = instance.string(source);
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
    return { kind: /^(java|jdk)\./.test(name) ? "standard library" : MODULE, name, version, paths };
  }
  const [, name = archive, version = ""] = /^(.+)-(\d.*)$/.exec(archive) ?? [];
  return { kind: MODULE, name, version, paths };
}

/**
 * Profilers beside the JDK's recorder write packages without modules. Their functions are from the module that the
 * recorder states for the package, if it is one.
 */
function noteModules({ instance }: Core, stated: ReadonlySet<number>): void {
  const { wasm } = instance;
  // 0: several.
  const modules = new Map<string, number>();
  const others: { fn: number; home: string }[] = [];
  for (let fn = 1; fn < wasm.functionCount(); fn++) {
    const home = packageOf(instance.string(wasm.functionName(fn) >>> 0));
    const source = wasm.functionSource(fn) >>> 0;
    if (source === 0) others.push({ fn, home });
    else if (stated.has(source)) modules.set(home, (modules.get(home) ?? source) === source ? source : 0);
  }
  for (const { fn, home } of others) {
    const module = modules.get(home) ?? 0;
    if (module !== 0 && home !== "") wasm.noteSource(fn, module);
  }
}

/** `java.util` of `java.util.Map.get`. */
function packageOf(name: string): string {
  return name.split(".").slice(0, -2).join(".");
}
