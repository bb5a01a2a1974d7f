/**
 * Splits the optimized core into two modules that share one memory: the first load, and the rest (readers of messages,
 * writers), which is instantiated into the same instance when it is first needed. Works on the text format, in which a
 * module is a list of forms:
 *
 *   first   all memory, the table, and the globals and data that its functions use; exports everything that the rest
 *           uses of it, under numbers
 *   rest    imports these; has the other globals and data, and its functions fill their slots of the table
 *
 * The first module calls the rest through the table only: the core chooses readers by function pointers. The rest
 * exports its functions itself.
 */

const NAME = String.raw`\$(?:"[^"]*"|[^\s()]+)`;
const HEAD = new RegExp(String.raw`^ \((\w+)(?: (${NAME}))?`);
const USES = new RegExp(String.raw`\((?:call|return_call|ref\.func|global\.get|global\.set) (${NAME})`, "g");
const ADDRESSES = /(?:i32\.const |offset=)(\d+)/g;
const PARAMS = /^ \(func \S+((?: \(param [^)]*\))*)((?: \(result [^)]*\))?)/;

/** Module name of the rest's imports. */
const FIRST = "first";
/** Names of data segments that the rest brings begin so. */
export const LATE_DATA = "late-";

/**
 * `text`: a module with names. `isLate` decides by name which functions of the table and which exported functions are
 * needed late; functions that only these reach go with them.
 */
export function splitText(text, isLate) {
  const module = parse(text);
  const kept = early(module, isLate);
  const moved = [...module.functions.keys()].filter((name) => !kept.has(name));
  const globals = firstGlobals(module, kept);
  const shared = sharedOf(module, moved, kept, globals);
  return {
    first: firstOf({ ...module, globals }, kept, shared),
    rest: restOf({ ...module, globals: without(module.globals, globals) }, moved, shared),
  };
}

/**
 * The objects of `segments` that only late functions use: of a module that is not optimized, which has a segment for
 * each object, and whose code names an object by an address in it.
 */
export function lateObjects(text, segments, isLate) {
  const module = parse(text);
  const kept = early(module, isLate);
  const forms = [...[...kept].map((name) => module.functions.get(name)), ...firstGlobals(module, kept).values()];
  const addresses = forms.flatMap((form) => [...form.matchAll(ADDRESSES)].map(([, address]) => Number(address)));
  const used = new Set();
  for (let open = new Set(addresses); open.size > 0; ) {
    const found = segments.filter((each) => !used.has(each) && hasOneOf(open, each));
    for (const segment of found) used.add(segment);
    // Objects name others by words that are addresses.
    open = new Set(found.flatMap(({ data }) => [...new Uint32Array(data.slice(0, data.length & ~3).buffer)]));
  }
  return segments.filter((segment) => !used.has(segment));
}

function hasOneOf(addresses, { offset, data }) {
  return Array.from({ length: data.length + 1 }, (_, i) => offset + i).some((address) => addresses.has(address));
}

/** Functions that the late ones are not needed for. */
function early(module, isLate) {
  const isEarly = (name) => !isLate(plain(name));
  return reach(module.functions, [
    ...module.exports.flatMap(({ of, name }) => (of === "func" && isEarly(name) ? [name] : [])),
    ...module.table.flatMap((name) => (name !== null && isEarly(name) ? [name] : [])),
    ...module.start,
  ]);
}

/** The forms of a module: `functions` and `globals` by name, `table` by slot (null for an empty one). */
function parse(text) {
  const module = {
    ...{ functions: new Map(), globals: new Map(), exports: [], table: [], start: [] },
    ...{ lateData: [], kept: [] },
  };
  for (const form of text.split(/\n(?= \()/).slice(1)) {
    const [, kind, name] = HEAD.exec(form) ?? [];
    const body = form.replace(/\n\)\s*$/, "");
    if (kind === "func") module.functions.set(name, body);
    else if (kind === "global") module.globals.set(name, body);
    else if (kind === "export") module.exports.push(exportOf(body));
    else if (kind === "start") module.start.push(name);
    else if (kind === "elem") putInto(module.table, body);
    else if (kind === "data" && plain(name).startsWith(LATE_DATA)) module.lateData.push(body);
    else if (kind !== "table") module.kept.push({ kind, body });
  }
  return module;
}

function exportOf(form) {
  const [, as, of, name] = new RegExp(String.raw`"([^"]*)" \((\w+) (${NAME})`).exec(form);
  return { form, as, of, name };
}

function putInto(table, form) {
  const first = Number(/\(i32\.const (\d+)\)/.exec(form)[1]);
  const names = form.slice(form.indexOf(")")).match(new RegExp(NAME, "g"));
  for (let slot = 0; slot < first; slot++) table[slot] ??= null;
  names.forEach((name, i) => {
    table[first + i] = name;
  });
}

function plain(name) {
  return name.replace(/^\$"?|"$/g, "");
}

function uses(form) {
  return [...form.matchAll(USES)].map(([, name]) => name);
}

function reach(functions, roots) {
  const seen = new Set();
  const open = [...roots];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (seen.has(name) || !functions.has(name)) continue;
    seen.add(name);
    open.push(...uses(functions.get(name)));
  }
  return seen;
}

/** Globals that the first module's functions, its exports, data or other globals name. */
function firstGlobals(module, kept) {
  const forms = [...kept].map((name) => module.functions.get(name));
  const constants = [...module.globals.values(), ...module.kept.map(({ body }) => body)];
  const used = new Set([...forms, ...constants].flatMap(uses));
  for (const { name } of module.exports) used.add(name);
  return new Map([...module.globals].filter(([name]) => used.has(name)));
}

function without(globals, others) {
  return new Map([...globals].filter(([name]) => !others.has(name)));
}

/** Functions and globals of the first module that the rest uses, with their number. */
function sharedOf(module, moved, kept, globals) {
  const used = new Set(moved.flatMap((name) => uses(module.functions.get(name))));
  const names = [...used].filter((name) => kept.has(name) || globals.has(name));
  return names.map((name, number) => ({ name, number, global: globals.get(name) }));
}

function firstOf(module, kept, shared) {
  const functions = [...kept].map((name) => module.functions.get(name));
  return joined([
    ...module.kept.map(({ body }) => body),
    ...module.globals.values(),
    ` (table $slots ${module.table.length} ${module.table.length} funcref)`,
    ...elements(module.table, (name) => kept.has(name)),
    ...module.exports.filter(({ of, name }) => of !== "func" || kept.has(name)).map(({ form }) => form),
    ' (export "table" (table $slots))',
    ...shared.map(({ name, number, global }) => ` (export "${number}" (${global ? "global" : "func"} ${name}))`),
    ...module.start.map((name) => ` (start ${name})`),
    ...functionsInOrder(module, functions),
  ]);
}

/** In the order of the whole module, in which similar functions are neighbours and pack well. */
function functionsInOrder(module, functions) {
  const wanted = new Set(functions);
  return [...module.functions.values()].filter((form) => wanted.has(form));
}

function restOf(module, moved, shared) {
  const inMoved = new Set(moved);
  const imports = shared.map(({ name, number, global }) => {
    const type = global ? /^ \(global \S+ (\(mut \w+\)|\w+)/.exec(global)[1] : signatureOf(module.functions.get(name));
    return ` (import "${FIRST}" "${number}" (${global ? "global" : "func"} ${name} ${type}))`;
  });
  const memory = /\(memory \S+ ([\d ]+)/.exec(module.kept.find(({ kind }) => kind === "memory").body)[1];
  return joined([
    ` (import "${FIRST}" "memory" (memory ${memory.trim()}))`,
    ` (import "${FIRST}" "table" (table $slots ${module.table.length} ${module.table.length} funcref))`,
    ...imports,
    ...module.kept.filter(({ kind }) => kind === "type").map(({ body }) => body),
    ...module.globals.values(),
    ...elements(module.table, (name) => inMoved.has(name)),
    ...module.exports.filter(({ name }) => inMoved.has(name)).map(({ form }) => form),
    ...module.lateData,
    ...moved.map((name) => module.functions.get(name)),
  ]);
}

/** One element segment for each run of slots whose function is wanted. */
function elements(slots, wanted) {
  const runs = [];
  slots.forEach((name, slot) => {
    if (name === null || !wanted(name)) return;
    const last = runs.at(-1);
    if (last !== undefined && last.first + last.names.length === slot) last.names.push(name);
    else runs.push({ first: slot, names: [name] });
  });
  return runs.map(({ first, names }) => ` (elem (table $slots) (i32.const ${first}) func ${names.join(" ")})`);
}

function signatureOf(form) {
  const [, params, result] = PARAMS.exec(form);
  const types = [...params.matchAll(/\(param (?:\S+ )?(\w+)\)/g)].map(([, type]) => `(param ${type})`);
  return `${types.join(" ")}${result}`;
}

function joined(forms) {
  return `(module\n${forms.join("\n")}\n)`;
}
