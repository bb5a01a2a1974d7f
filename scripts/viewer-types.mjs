/**
 * Types of the viewer's entries, beside those of the library. src/viewer/tsconfig.types.json also emits types of the
 * components that they are made of. The entries do not name these, so they are not copied.
 */
import { cpSync } from "node:fs";

const EMITTED = ".cache/viewer-types/src/viewer";
const NAMED = ["index", "span-flame", "element", "FlameGraph", "start-worker", "types", "worker"];

for (const name of NAMED) cpSync(`${EMITTED}/${name}.d.ts`, `dist-lib/types/src/viewer/${name}.d.ts`);
