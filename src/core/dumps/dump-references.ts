/** Large texts of a dump, which are in the streams sql and xml: references of the trace to them, by file and offset. */
import * as ReferenceRow from "../../../assembly/abi/rows/reference-row.ts";
import type { Instance } from "../instance/instance.ts";
import { streamName } from "../tables/dump-streams.ts";

export class DumpReferences {
  private readonly instance: Instance;

  constructor(instance: Instance) {
    this.instance = instance;
  }

  /** Text of a reference, or its place: `sql:1:20`. */
  text(reference: number): string {
    const text = this.instance.wasm.referencedText(reference);
    if (text !== 0) return this.instance.string(text - 1);
    const name = streamName(this.word(reference, ReferenceRow.STREAM));
    return `${name}:${this.word(reference, ReferenceRow.FILE)}:${this.word(reference, ReferenceRow.OFFSET)}`;
  }

  /** References into a file to which no text was found so far, by their offsets. */
  missing(stream: number, file: number): { reference: number; offset: number }[] {
    const references: { reference: number; offset: number }[] = [];
    for (let i = 1; i < this.instance.wasm.referenceEnd(); i++) {
      const isOfFile = this.word(i, ReferenceRow.STREAM) === stream && this.word(i, ReferenceRow.FILE) === file;
      if (isOfFile && !this.isFound(i)) references.push({ reference: i, offset: this.word(i, ReferenceRow.OFFSET) });
    }
    return references.sort((a, b) => a.offset - b.offset);
  }

  isFound(reference: number): boolean {
    return this.word(reference, ReferenceRow.FOUND) !== 0;
  }

  /** Goes on at `offset` in the current file of sql or xml. */
  resume(offset: number): void {
    this.instance.wasm.resumeTexts(offset);
  }

  private word(reference: number, field: number): number {
    return this.instance.memory.u32(this.instance.wasm.referenceRow(reference) + field);
  }
}
