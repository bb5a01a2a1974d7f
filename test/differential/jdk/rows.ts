/** One observation as both sides are brought to it, and the first place where they differ. */

export interface Row {
  time: bigint;
  /** Null where the tool does not say: it prints NaN, which is left out, and the infinities as null. */
  value: bigint | null;
  thread: string;
  stack: number;
  /** Sorted `key=value`, numbers and texts distinguished. */
  attributes: string;
  link: string;
}

/** Stacks by number: most events share theirs with others. */
export class Stacks {
  private readonly ids = new Map<string, number>([["", 0]]);
  private readonly texts = [""];

  idOf(frames: string[]): number {
    const text = frames.join("\n");
    let id = this.ids.get(text);
    if (id === undefined) {
      id = this.texts.length;
      this.ids.set(text, id);
      this.texts.push(text);
    }
    return id;
  }

  frames(id: number): string[] {
    return this.texts[id]?.split("\n") ?? [];
  }
}

export type Scalar = string | boolean | bigint | number;

export function attributesText(attributes: Record<string, Scalar>): string {
  const each = Object.entries(attributes).map(
    ([key, value]) => `${key}=${typeof value} ${JSON.stringify(String(value))}`,
  );
  return each.sort().join(", ");
}

/** What two readers of one clock may be apart, in nanoseconds: the tool computes in doubles. */
export interface Slack {
  time: bigint;
  value: bigint;
}

const near = (a: bigint, b: bigint, slack: bigint) => a - b <= slack && b - a <= slack;
const nearValue = (a: bigint | null, b: bigint | null, slack: bigint) => a === null || b === null || near(a, b, slack);
const inOrder = (a: Row, b: Row) => Number(a.time - b.time) || Number((a.value ?? 0n) - (b.value ?? 0n));

/** Takes what agrees out of both lists, which are of one identity. */
function pair(expected: Row[], found: Row[], slack: Slack, lost: Row[], extra: Row[]): void {
  expected.sort(inOrder);
  found.sort(inOrder);
  const used = new Set<Row>();
  let from = 0;
  for (const row of expected) {
    while (from < found.length && found[from]!.time < row.time - slack.time) from++;
    let match: Row | undefined;
    for (let i = from; i < found.length && found[i]!.time <= row.time + slack.time && match === undefined; i++) {
      if (!used.has(found[i]!) && nearValue(row.value, found[i]!.value, slack.value)) match = found[i];
    }
    if (match !== undefined) used.add(match);
    else if (row.value !== null) lost.push(row);
  }
  for (const row of found) if (!used.has(row)) extra.push(row);
}

function byIdentity(rows: Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = [row.stack, row.thread, row.link, row.attributes].join("\u0000");
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}

/** Which parts of two rows differ, and how. */
function differences(a: Row, b: Row, slack: Slack, stacks: Stacks): string[] {
  const parts: string[] = [];
  const part = (name: string, x: unknown, y: unknown) => parts.push(`${name}: jfr ${x}, we ${y}`);
  if (!near(a.time, b.time, slack.time)) part("time", a.time, b.time);
  if (!nearValue(a.value, b.value, slack.value)) part("value", a.value, b.value);
  for (const name of ["thread", "attributes", "link"] as const) if (a[name] !== b[name]) part(name, a[name], b[name]);
  if (a.stack !== b.stack) {
    const x = stacks.frames(a.stack);
    const y = stacks.frames(b.stack);
    const i = x.findIndex((frame, at) => frame !== y[at]);
    const at = i < 0 ? x.length : i;
    part(`stack of ${x.length} frames and ${y.length}, frame ${at}`, x[at], y[at]);
  }
  return parts;
}

/** The first observation that one side lacks, beside the most similar one of the other side; null if both are equal. */
export function firstDifference(expected: Row[], found: Row[], slack: Slack, stacks: Stacks): string | null {
  const lost: Row[] = [];
  const extra: Row[] = [];
  const groups = byIdentity(found);
  for (const [key, rows] of byIdentity(expected)) {
    pair(rows, groups.get(key) ?? [], slack, lost, extra);
    groups.delete(key);
  }
  for (const rows of groups.values()) extra.push(...rows);
  if (lost.length + extra.length === 0) return null;
  const sums = `${lost.length} of jfr's ${expected.length} not with us, ${extra.length} of our ${found.length} not with jfr`;
  const first = lost.sort(inOrder)[0];
  if (first === undefined) return `${sums}; ours at ${extra[0]?.time}: ${extra[0]?.value}, ${extra[0]?.attributes}`;
  const apart = (row: Row) => Number(row.time > first.time ? row.time - first.time : first.time - row.time);
  const like = (row: Row) => differences(first, row, slack, stacks).length * 1e18 + apart(row);
  const closest = extra.map((row) => [like(row), row] as const).sort(([a], [b]) => a - b)[0]?.[1];
  const where = `${sums}; jfr's at ${first.time}`;
  if (closest === undefined) return `${where}: ${first.value}, ${first.thread}, ${first.attributes}`;
  return `${where}: ${differences(first, closest, slack, stacks).join("; ")}`;
}
