/** Types of a recording by `jfr metadata`, an independent reader of the metadata event. */

export interface Field {
  name: string;
  /** The simple name of its class; `String` for a simple type that represents strings. */
  type: string;
  array: boolean;
  /** Values of annotations by name; "" for an annotation without a value. */
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
