/** Libraries that uploads list, as attributes of the samples in whose functions they were running. */
import type { CodeLibrary } from "../core/answers/library-paths.ts";
import type { Core } from "../core/core.ts";
import { Packer } from "../core/instance/packer.ts";

/** Once everything is read. */
export async function markLibraries(core: Core): Promise<void> {
  await core.complete();
  const { instance, views } = core;
  const { wasm } = instance;
  const setOf = (library: CodeLibrary) => {
    const packer = new Packer();
    packer.text(library.name);
    packer.text(library.version);
    return instance.lend(packer.bytes(), (p) => wasm.librarySet(p) >>> 0);
  };
  const sets = new Map<CodeLibrary, number>();
  const byFile = new Map<number, number>();
  const ofFile = (file: number) => {
    const library = views.libraries.of(instance.string(file));
    if (library === null) return 0;
    const set = sets.get(library) ?? setOf(library);
    sets.set(library, set);
    return set;
  };
  const functions = Uint32Array.from({ length: wasm.functionCount() }, (_, i) => {
    const file = i === 0 ? 0 : wasm.functionFile(i) >>> 0;
    if (file === 0) return 0;
    const set = byFile.get(file) ?? ofFile(file);
    byFile.set(file, set);
    return set;
  });
  instance.lend(new Uint8Array(functions.buffer), (p) => wasm.markLibraries(p, functions.length));
}
