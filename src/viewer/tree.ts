/**
 * A prepared tree as an OTLP message in JSON, which the decoder reads like any other: merging, search, sandwich and the
 * limits for hostile names are those of every file.
 *
 *   {name: "a", value: 5, children: [{name: "b", value: 3}]}     samples  a 2, a → b 3
 */
import { Numbered } from "../bytes/numbered.ts";
import type { FrameColumns, FramesAnswer } from "../core/types.ts";
import { FRAME_TYPES } from "../model/flame/frame-types.ts";
import { Problem } from "./problem.ts";
import type { TreeNode } from "./types.ts";

/** A tree that contains itself has more. */
const MOST_LEVELS = 4096;
const FRAME_TYPE = "profile.frame.type";
const UNSHOWN = "[hidden frames]";
/** Types that a location cannot have: no type, and those of frames that a view adds. */
const NOT_RECORDED = new Set(["", "root", "run"]);

/** The key of no row. */
const NONE = "";

/** Tables of an OTLP dictionary under construction; row 0 of each is the zero value. */
class Dictionary {
  private readonly strings = new Numbered("");
  /** A location for each name and frame type. */
  private readonly locations = new Numbered<string, object>(NONE, {});
  private readonly functionTable: object[] = [{}];
  private readonly attributes = new Numbered<string, object>(NONE, {});
  readonly stackTable: { locationIndices?: number[] }[] = [{}];
  readonly samples: object[] = [];

  text(text: string): number {
    return this.strings.of(text);
  }

  location(name: string, type: string): number {
    return this.locations.of(`${type} ${name}`, () => {
      const functionIndex = this.functionTable.push({ nameStrindex: this.text(name) }) - 1;
      return { lines: [{ functionIndex }], attributeIndices: NOT_RECORDED.has(type) ? [] : [this.frameType(type)] };
    });
  }

  /** A sample of a stack; `frames` are locations, the topmost first. */
  add(frames: readonly number[], value: number): void {
    this.samples.push({ stackIndex: this.stackTable.length, values: [value] });
    this.stackTable.push({ locationIndices: frames.toReversed() });
  }

  private frameType(type: string): number {
    return this.attributes.of(type, () => ({ keyStrindex: this.text(FRAME_TYPE), value: { stringValue: type } }));
  }

  message(unit: string): Blob {
    const sampleType = { typeStrindex: this.text("samples"), unitStrindex: this.text(unit) };
    const dictionary = {
      stringTable: this.strings.list,
      functionTable: this.functionTable,
      locationTable: this.locations.list,
      attributeTable: this.attributes.list,
      stackTable: this.stackTable,
      mappingTable: [{}],
      linkTable: [{}],
    };
    const profiles = [{ sampleType, samples: this.samples }];
    return new Blob([JSON.stringify({ resourceProfiles: [{ scopeProfiles: [{ profiles }] }], dictionary })]);
  }
}

export function treeMessage(root: TreeNode, unit: string): Blob {
  const dictionary = new Dictionary();
  const frames: number[] = [];
  const visit = (node: TreeNode): number => {
    if (frames.length >= MOST_LEVELS) throw new Problem("data.tree", `The tree has more than ${MOST_LEVELS} levels.`);
    if (typeof node?.name !== "string") throw new Problem("data.tree", "A frame of the tree has no name.");
    const { name, children = [] } = node;
    // The root of every graph is drawn anyway: a nameless one, or one called so, would be drawn twice.
    const isShown = frames.length > 0 || !isRootName(name);
    if (isShown) frames.push(dictionary.location(name, ""));
    let below = 0;
    for (const child of children) below += visit(child);
    const value = node.value ?? below;
    if (!Number.isSafeInteger(value) || value < 0) {
      throw new Problem("data.tree", `The value ${value} of the frame ${JSON.stringify(name)} is not a whole number.`);
    }
    if (value > below) dictionary.add(frames, value - below);
    if (isShown) frames.pop();
    return Math.max(value, below);
  };
  visit(root);
  return dictionary.message(unit);
}

function isRootName(name: string): boolean {
  return name === "" || name === "all" || name === "root";
}

/**
 * A message from the library's frames. The value of frames that the answer leaves out becomes the frame `[hidden
 * frames]`.
 */
export function columnsMessage(columns: FrameColumns, unit: string): Blob {
  const { parent, name, names, frameType, total, self } = columns;
  const dictionary = new Dictionary();
  const rows = parent.length;
  const rest = Float64Array.from(total);
  for (let row = 1; row < rows; row++) rest[parent[row]] -= total[row];
  const pathTo = (row: number): number[] => {
    const path: number[] = [];
    for (let at = row; ; at = parent[at]) {
      const text = names[name[at]] ?? "";
      if (at > 0 || text !== "") path.unshift(dictionary.location(text, FRAME_TYPES[frameType[at]] ?? ""));
      if (at === 0) return path;
      if (parent[at] >= at) throw new Problem("data.columns", "A row of the columns is before its parent.");
    }
  };
  for (let row = 0; row < rows; row++) {
    if (self[row] > 0) dictionary.add(pathTo(row), self[row]);
    const hidden = rest[row] - self[row];
    if (hidden > 0) dictionary.add([...pathTo(row), dictionary.location(UNSHOWN, "")], hidden);
  }
  return dictionary.message(unit);
}

export function isColumns(data: object): data is FrameColumns {
  return "parent" in data && "names" in data && "total" in data;
}

export function isAnswer(data: object): data is FramesAnswer {
  return "frames" in data && isColumns((data as FramesAnswer).frames);
}
