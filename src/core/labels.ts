/** Names of frames that are not functions (assembly/view/frame-names.ts): root frames, and runs of frames. */
import type { Access } from "./access.ts";

const ENCODER = new TextEncoder();

export class Labels {
  private readonly core: Access;
  private readonly ids = new Map<string, number>();

  constructor(core: Access) {
    this.core = core;
  }

  /** The core was emptied. */
  reset(): void {
    this.ids.clear();
  }

  id(text: string): number {
    let id = this.ids.get(text);
    if (id === undefined) {
      id = this.core.lend(ENCODER.encode(text), (p, n) => this.core.wasm.labelName(p, n)) >>> 0;
      this.ids.set(text, id);
    }
    return id;
  }

  known(text: string): number | undefined {
    return this.ids.get(text);
  }

  texts(): string[] {
    return [...this.ids.keys()];
  }
}
