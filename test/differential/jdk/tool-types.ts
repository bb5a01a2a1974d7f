/** What `jfr metadata` says of a recording's types: a reader of the metadata event that is not ours. */

export interface Field {
  name: string;
  /** The simple name of its class; `String`, where a simple type stands for one. */
  type: string;
  array: boolean;
  /** Annotation → its value, "" where it has none. */
  annotations: Record<string, string>;
}

export interface Types {
  /** Fields by the full name of the event. */
  events: Map<string, Field[]>;
  /** Fields by the simple name of the class, of what is no event. */
  structs: Map<string, Field[]>;
}

function fieldsOf(body: string): Field[] {
  const fields: Field[] = [];
  let annotations: Record<string, string> = {};
  for (const line of body.split("\n")) {
    const annotation = /^ {2}@(\w+)(?:\((.*)\))?$/.exec(line);
    const field = /^ {2}([\w.$]+)(\[\])? (\S+);$/.exec(line);
    if (annotation) annotations[annotation[1]!] = (annotation[2] ?? "").replace(/^"|"$/g, "");
    if (!field) continue;
    fields.push({ type: field[1]!, array: field[2] !== undefined, name: field[3]!, annotations });
    annotations = {};
  }
  return fields;
}

export function readTypes(text: string): Types {
  const types: Types = { events: new Map(), structs: new Map() };
  const classes = text.matchAll(
    /(?:^@Name\("([^"]+)"\)\n)?(?:^@.*\n)*^class (\S+)(?: extends (\S+))? \{\n([\s\S]*?)^\}/gm,
  );
  for (const [, name, simple = "", base, body = ""] of classes) {
    if (base === "jdk.jfr.Event") types.events.set(name ?? simple, fieldsOf(body));
    else if (base === undefined) types.structs.set(simple, fieldsOf(body));
  }
  return types;
}
