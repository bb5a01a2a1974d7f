/**
 * Rules of single receivers, on top of the general rules: `validate --for NAME`. A receiver's rule has the name of the
 * receiver in front of its id (`parca.E01`). `E` is for messages that it refuses, `W` for data that it loses, `I` for
 * data that it ignores by design.
 */
import type { TypeName } from "../../otlp/schema.ts";
import type { Message, Table } from "../message.ts";
import type { ReceiverName } from "../receiver-names.ts";
import { attributeFinder } from "./dictionary.ts";
import { type Check, eachEntry, eachRow, type Fault, type Rule } from "./rule.ts";
import { timesOutside } from "./samples.ts";
import { atMost, MIB } from "./structure.ts";

export interface ReceiverRule extends Rule {
  /** General rules: each violation of them is a violation of this rule. */
  of?: readonly string[];
}

export interface Receiver {
  name: ReceiverName;
  title: string;
  /** How it takes profiles, and what its rules were read from. */
  about: string;
  rules: readonly ReceiverRule[];
}

/** Limit of a gRPC message, by default. */
const GRPC_LIMIT = 4 * MIB;
/** AnyValue.string_value and AnyValue.int_value. */
const STRING_VALUE = 1;
const INT_VALUE = 3;
const HTLHASH = "process.executable.build_id.htlhash";

const VALIDATE = "normalizer/otel.go, ValidateOtelProfile";
const DICTIONARY = "normalizer/otel.go, ValidateOtelDictionary";
const REQUEST = "normalizer/otel.go, ValidateOtelExportProfilesServiceRequest";
const LABELS = "normalizer/otel.go, addOtelAttributes";
const WRITE = "normalizer/otel.go, writeResourceProfiles";
const CONVERT = "ingester/otlp/convert.go";
const HANDLER = "ingester/otlp/ingest_handler.go";
const TRANSFORM = "serializeprofiles/transform.go";
const RUN = "run, v0.165.0";

/** That each message of a type has a field. */
function has(type: TypeName, field: string): Check {
  return eachRow(type, (table) => {
    const { first } = table.children(field);
    return (row) => (first.get(row) > 0 ? null : [field, "is absent"]);
  });
}

/** The member that the AnyValue of a row has; 0 if it has no value. */
function memberOf(table: Table, message: Message): (row: number) => number {
  const { first } = table.children("value");
  const { member } = message.of("AnyValue");
  return (row) => (first.get(row) > 0 ? (member?.get(first.get(row) - 1) ?? 0) : 0);
}

/** That the attributes of samples and profiles have one of these members of AnyValue. */
function valuesOfSamples(members: readonly number[], says: string): Check {
  return eachEntry("KeyValueAndUnit", (attributes, message) => {
    const used = new Uint8Array(attributes.rows);
    for (const owner of ["Sample", "Profile"] as const) {
      const table = message.of(owner);
      const lists = table.lists("attribute_indices");
      for (let row = 0; row < table.rows; row++) for (const i of lists.of(row)) used[i] = 1;
    }
    const member = memberOf(attributes, message);
    return (row) => (used[row] === 1 && !members.includes(member(row)) ? ["value", says] : null);
  });
}

/** That attributes of these owners have their key in place. */
function inlineKeys(...owners: readonly TypeName[]): Check {
  return eachRow("KeyValue", (table) => {
    const keys = table.ints("key");
    return (row) => {
      const owner = table.way(row)?.owner.name;
      return owner !== undefined && owners.includes(owner) && keys.get(row) === 0 ? ["key", "is empty"] : null;
    };
  });
}

/** That the type of a Profile has this type and unit, in any case. */
function typeIs(field: "sample_type" | "period_type", type: string, unit: string): Check {
  return eachRow("Profile", (profiles, message) => {
    const { first } = profiles.children(field);
    const types = message.of("ValueType");
    const textOf = (row: number, name: string) =>
      row < 0 ? "" : message.texts.text(message.stringAt(types.ints(name).get(row)));
    return (row) => {
      const at = first.get(row) - 1;
      const found = `${textOf(at, "type_strindex")}/${textOf(at, "unit_strindex")}`;
      return found.toLowerCase() === `${type}/${unit}` ? null : [field, `is ${found}`];
    };
  });
}

const linkedSamples: Check = eachRow("Sample", (samples) => {
  const links = samples.ints("link_index");
  return (row) => (links.get(row) === 0 ? null : ["link_index", "is ignored"]);
});

/** Samples with several values, beside a period with its type or not. */
function severalValues(besidePeriod: boolean): Check {
  return eachRow("Sample", (samples, message): ((row: number) => Fault) => {
    const values = samples.ranges("values");
    const profiles = message.of("Profile");
    const periods = profiles.pairs("period");
    const types = profiles.children("period_type");
    return (row) => {
      const profile = samples.parent.get(row);
      const hasPeriod = !periods.isZero(profile) && types.first.get(profile) > 0;
      const n = values.count(row);
      return n > 1 && hasPeriod === besidePeriod ? ["values", `${n} values`] : null;
    };
  });
}

const PARCA: Receiver = {
  name: "parca",
  title: "Parca",
  about:
    "Takes gRPC only, which `push` does not send. One Profile that breaks a rule makes Parca refuse the whole request. The rules were read from its source at d618120. It reads the layout of v1.10 since 13 March 2026 (#6239, read in its source, not tried).",
  rules: [
    { id: "parca.E01", text: "A Profile has a period_type", source: VALIDATE, check: has("Profile", "period_type") },
    { id: "parca.E02", text: "A Profile has samples", source: VALIDATE, check: has("Profile", "samples") },
    { id: "parca.E03", text: "A Profile has a sample_type", source: VALIDATE, check: has("Profile", "sample_type") },
    {
      id: "parca.E04",
      text: "There is a resource in each ResourceProfiles, and a scope in each ScopeProfiles",
      source: WRITE,
      check: (message, found) => {
        has("ResourceProfiles", "resource")(message, found);
        has("ScopeProfiles", "scope")(message, found);
      },
    },
    { id: "parca.E05", text: "The first link is empty, not zero bytes", source: DICTIONARY, of: ["I04"] },
    {
      id: "parca.E06",
      text: "Timestamps are in [time_unix_nano, time_unix_nano + duration_nano]",
      source: VALIDATE,
      check: timesOutside(true),
    },
    { id: "parca.E07", text: "A profile_id is not all zero", source: VALIDATE, of: ["W26"] },
    {
      id: "parca.E08",
      text: "A period is not negative",
      source: VALIDATE,
      check: eachRow("Profile", (profiles) => {
        const periods = profiles.pairs("period");
        return (row) => (periods.isNegative(row) ? ["period", `${periods.signed(row)} is negative`] : null);
      }),
    },
    {
      id: "parca.E09",
      text: "The attributes of a resource have key, not key_strindex",
      source: REQUEST,
      check: inlineKeys("Resource"),
    },
    {
      id: "parca.E10",
      text: "The attributes of resources and of the dictionary have a value",
      source: `${REQUEST}; ${DICTIONARY}`,
      check: (message, found) => {
        eachRow("KeyValue", (table) => {
          const member = memberOf(table, message);
          return (row) =>
            table.way(row)?.owner.name === "Resource" && member(row) === 0 ? ["value", "is absent"] : null;
        })(message, found);
        eachEntry("KeyValueAndUnit", (table) => {
          const member = memberOf(table, message);
          return (row) => (member(row) === 0 ? ["value", "is absent"] : null);
        })(message, found);
      },
    },
    {
      id: "parca.W01",
      text: "Attributes of samples and profiles are strings: others do not become labels",
      source: LABELS,
      check: valuesOfSamples([STRING_VALUE], "is not a string"),
    },
    { id: "parca.I01", text: "Links of samples are ignored", source: WRITE, check: linkedSamples },
  ],
};

const PYROSCOPE: Receiver = {
  name: "pyroscope",
  title: "Grafana Pyroscope",
  about:
    "Takes gRPC and HTTP, and makes pprof of a message. Use `--preset pyroscope`. Read from its source, convert.go at 021b8fb and ingest_handler.go at 0212e89.",
  rules: [
    {
      id: "pyroscope.E01",
      text: "A Profile with samples has a sample_type",
      source: CONVERT,
      check: eachRow("Profile", (profiles) => {
        const samples = profiles.children("samples");
        const types = profiles.children("sample_type");
        return (row) =>
          samples.first.get(row) === 0 || types.first.get(row) > 0 ? null : ["sample_type", "is absent"];
      }),
    },
    {
      id: "pyroscope.E02",
      text: "A sample of a Profile with a period has one value, or only timestamps",
      source: CONVERT,
      check: severalValues(true),
    },
    {
      id: "pyroscope.W01",
      text: "A sample has one value: its pprof has one sample type",
      source: CONVERT,
      check: severalValues(false),
    },
    {
      id: "pyroscope.W02",
      text: "The message is protobuf: in JSON the ids are read as base64",
      source: HANDLER,
      check: eachRow(
        "ProfilesData",
        (_, { isJson }) =>
          () =>
            isJson ? ["", "is JSON"] : null,
      ),
    },
    {
      id: "pyroscope.W03",
      text: "Attributes of samples and profiles are strings or integers: others do not become labels (arrays of one do since #4966)",
      source: CONVERT,
      check: valuesOfSamples([STRING_VALUE, INT_VALUE], "is neither a string nor an integer"),
    },
    {
      id: "pyroscope.W04",
      text: "The attributes of resources and scopes have key, not key_strindex",
      source: HANDLER,
      check: inlineKeys("Resource", "Scope"),
    },
    {
      id: "pyroscope.I01",
      text: "A resource or its samples have a service.name, else the service is unknown_service",
      source: HANDLER,
      of: ["I16"],
    },
    {
      id: "pyroscope.I02",
      text: "Timestamps of samples are ignored",
      source: CONVERT,
      check: eachRow("Sample", (samples) => {
        const times = samples.ranges("timestamps_unix_nano");
        return (row) => (times.count(row) === 0 ? null : ["timestamps_unix_nano", "are ignored"]);
      }),
    },
  ],
};

const ELASTIC: Receiver = {
  name: "elastic",
  title: "Elastic (elasticsearchexporter of the Collector)",
  about:
    "Keeps CPU profiles only: use `--preset otel --type cpu`. Read from the exporter's source, transform.go at 01d8b1c; newer versions were not read.",
  rules: [
    {
      id: "elastic.E01",
      text: "The sample_type of a Profile is samples/count",
      source: TRANSFORM,
      check: typeIs("sample_type", "samples", "count"),
    },
    {
      id: "elastic.E02",
      text: "The period_type of a Profile is cpu/nanoseconds",
      source: TRANSFORM,
      check: typeIs("period_type", "cpu", "nanoseconds"),
    },
    {
      id: "elastic.E03",
      text: "Every location has a profile.frame.type, else its Profile is refused",
      source: TRANSFORM,
      of: ["I15"],
    },
    {
      id: "elastic.W01",
      text: "A sample has timestamps: each of them is an event, and a sample without them is lost",
      source: TRANSFORM,
      check: eachRow("Sample", (samples) => {
        const times = samples.ranges("timestamps_unix_nano");
        return (row) => (times.count(row) > 0 ? null : ["timestamps_unix_nano", "are absent"]);
      }),
    },
    {
      id: "elastic.I01",
      text: `A mapping has an attribute ${HTLHASH}`,
      source: TRANSFORM,
      check: eachEntry("Mapping", (mappings, message) => {
        const isThere = attributeFinder(mappings, message, (key) => key === HTLHASH);
        return (row) => (isThere(row) ? null : ["attribute_indices", `no ${HTLHASH}`]);
      }),
    },
    { id: "elastic.I02", text: "Links of samples are ignored", source: TRANSFORM, check: linkedSamples },
  ],
};

const COLLECTOR: Receiver = {
  name: "collector",
  title: "OpenTelemetry Collector",
  about:
    "Takes gRPC and HTTP, with `--feature-gates=service.profilesSupport`. It answers 200 to nearly everything that can be decoded, so its exporter decides. Versions before 0.148 expect the layout of Sample before v1.10.",
  rules: [
    {
      id: "collector.E01",
      text: "At least one Profile has samples: a message without is answered with 200 and dropped",
      source: RUN,
      of: ["W18"],
    },
    {
      id: "collector.E02",
      text: "A body has at most 20 MiB, compressed and decompressed, unless max_request_body_size is raised",
      source: RUN,
      of: ["I19", "W19"],
    },
    {
      id: "collector.E03",
      text: "A body is one message: frames are refused, and of several JSON messages the first one is read",
      source: RUN,
      of: ["I20"],
    },
    { id: "collector.E04", text: "JSON has no byte order mark", source: RUN, of: ["W24"] },
    {
      id: "collector.W01",
      text: "Ids are not all zero: such an id is taken for an absent one",
      source: RUN,
      of: ["W06", "W26"],
    },
    {
      id: "collector.I01",
      text: "A body has at most 4 MiB, the default limit of gRPC",
      source: RUN,
      check: atMost(GRPC_LIMIT),
    },
  ],
};

/** All receivers, in the order of their names. */
export const RECEIVERS: readonly Receiver[] = [COLLECTOR, PYROSCOPE, PARCA, ELASTIC];
