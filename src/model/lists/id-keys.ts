/** Keys of attributes whose texts are ids in a form of their own: slots of a profiler's context may hold any text. */
const spellings = (what: string) => [
  ...["_id", "id", "Id", "ID", " id", ".id", "-id"].map((end) => what + end),
  ...["_id", " id", "id"].map((end) => `process.context.label.${what}${end}`),
];

export const ID_KEYS = { "trace-id": spellings("trace"), span: spellings("span") };
