/**
 * Rules of single receivers, on top of the general rules: `validate --for NAME`. A receiver's rule has the name of the
 * receiver in front of its id (`parca.E01`). `E` is for messages that it refuses, `W` for data that it loses, `I` for
 * data that it ignores by design.
 */
import type { TypeName } from "../../otlp/schema.ts";
import type { Message, Table } from "../message.ts";
import type { ReceiverName } from "../receiver-names.ts";
import { attributeFinder } from "./dictionary.ts";
import { type Check, eachEntry, eachRow, type Fault, type Rule, rule } from "./rule.ts";
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

function sameAs(id: string, text: string, source: string, of: readonly string[]): ReceiverRule {
  return { id, text, source, of };
}

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
    rule("parca.E01", "A Profile has a period_type", VALIDATE, has("Profile", "period_type")),
    rule("parca.E02", "A Profile has samples", VALIDATE, has("Profile", "samples")),
    rule("parca.E03", "A Profile has a sample_type", VALIDATE, has("Profile", "sample_type")),
    rule(
      "parca.E04",
      "There is a resource in each ResourceProfiles, and a scope in each ScopeProfiles",
      WRITE,
      (message, found) => {
        has("ResourceProfiles", "resource")(message, found);
        has("ScopeProfiles", "scope")(message, found);
      },
    ),
    sameAs("parca.E05", "The first link is empty, not zero bytes", DICTIONARY, ["I04"]),
    rule(
      "parca.E06",
      "Timestamps are in [time_unix_nano, time_unix_nano + duration_nano]",
      VALIDATE,
      timesOutside(true),
    ),
    sameAs("parca.E07", "A profile_id is not all zero", VALIDATE, ["W26"]),
    rule(
      "parca.E08",
      "A period is not negative",
      VALIDATE,
      eachRow("Profile", (profiles) => {
        const periods = profiles.pairs("period");
        return (row) => (periods.isNegative(row) ? ["period", `${periods.signed(row)} is negative`] : null);
      }),
    ),
    rule("parca.E09", "The attributes of a resource have key, not key_strindex", REQUEST, inlineKeys("Resource")),
    rule(
      "parca.E10",
      "The attributes of resources and of the dictionary have a value",
      `${REQUEST}; ${DICTIONARY}`,
      (message, found) => {
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
    ),
    rule(
      "parca.W01",
      "Attributes of samples and profiles are strings: others do not become labels",
      LABELS,
      valuesOfSamples([STRING_VALUE], "is not a string"),
    ),
    rule("parca.I01", "Links of samples are ignored", WRITE, linkedSamples),
  ],
};

const PYROSCOPE: Receiver = {
  name: "pyroscope",
  title: "Grafana Pyroscope",
  about:
    "Takes gRPC and HTTP, and makes pprof of a message. Use `--preset pyroscope`. Read from its source, convert.go at 021b8fb and ingest_handler.go at 0212e89.",
  rules: [
    rule(
      "pyroscope.E01",
      "A Profile with samples has a sample_type",
      CONVERT,
      eachRow("Profile", (profiles) => {
        const samples = profiles.children("samples");
        const types = profiles.children("sample_type");
        return (row) =>
          samples.first.get(row) === 0 || types.first.get(row) > 0 ? null : ["sample_type", "is absent"];
      }),
    ),
    rule(
      "pyroscope.E02",
      "A sample of a Profile with a period has one value, or only timestamps",
      CONVERT,
      severalValues(true),
    ),
    rule("pyroscope.W01", "A sample has one value: its pprof has one sample type", CONVERT, severalValues(false)),
    rule(
      "pyroscope.W02",
      "The message is protobuf: in JSON the ids are read as base64",
      HANDLER,
      eachRow(
        "ProfilesData",
        (_, { isJson }) =>
          () =>
            isJson ? ["", "is JSON"] : null,
      ),
    ),
    rule(
      "pyroscope.W03",
      "Attributes of samples and profiles are strings or integers: others do not become labels (arrays of one do since #4966)",
      CONVERT,
      valuesOfSamples([STRING_VALUE, INT_VALUE], "is neither a string nor an integer"),
    ),
    rule(
      "pyroscope.W04",
      "The attributes of resources and scopes have key, not key_strindex",
      HANDLER,
      inlineKeys("Resource", "Scope"),
    ),
    sameAs(
      "pyroscope.I01",
      "A resource or its samples have a service.name, else the service is unknown_service",
      HANDLER,
      ["I16"],
    ),
    rule(
      "pyroscope.I02",
      "Timestamps of samples are ignored",
      CONVERT,
      eachRow("Sample", (samples) => {
        const times = samples.ranges("timestamps_unix_nano");
        return (row) => (times.count(row) === 0 ? null : ["timestamps_unix_nano", "are ignored"]);
      }),
    ),
  ],
};

const ELASTIC: Receiver = {
  name: "elastic",
  title: "Elastic (elasticsearchexporter of the Collector)",
  about:
    "Keeps CPU profiles only: use `--preset otel --type cpu`. Read from the exporter's source, transform.go at 01d8b1c; newer versions were not read.",
  rules: [
    rule(
      "elastic.E01",
      "The sample_type of a Profile is samples/count",
      TRANSFORM,
      typeIs("sample_type", "samples", "count"),
    ),
    rule(
      "elastic.E02",
      "The period_type of a Profile is cpu/nanoseconds",
      TRANSFORM,
      typeIs("period_type", "cpu", "nanoseconds"),
    ),
    sameAs("elastic.E03", "Every location has a profile.frame.type, else its Profile is refused", TRANSFORM, ["I15"]),
    rule(
      "elastic.W01",
      "A sample has timestamps: each of them is an event, and a sample without them is lost",
      TRANSFORM,
      eachRow("Sample", (samples) => {
        const times = samples.ranges("timestamps_unix_nano");
        return (row) => (times.count(row) > 0 ? null : ["timestamps_unix_nano", "are absent"]);
      }),
    ),
    rule(
      "elastic.I01",
      `A mapping has an attribute ${HTLHASH}`,
      TRANSFORM,
      eachEntry("Mapping", (mappings, message) => {
        const isThere = attributeFinder(mappings, message, (key) => key === HTLHASH);
        return (row) => (isThere(row) ? null : ["attribute_indices", `no ${HTLHASH}`]);
      }),
    ),
    rule("elastic.I02", "Links of samples are ignored", TRANSFORM, linkedSamples),
  ],
};

const COLLECTOR: Receiver = {
  name: "collector",
  title: "OpenTelemetry Collector",
  about:
    "Takes gRPC and HTTP, with `--feature-gates=service.profilesSupport`. It answers 200 to nearly everything that can be decoded, so its exporter decides. Versions before 0.148 expect the layout of Sample before v1.10.",
  rules: [
    sameAs(
      "collector.E01",
      "At least one Profile has samples: a message without is answered with 200 and dropped",
      RUN,
      ["W18"],
    ),
    sameAs(
      "collector.E02",
      "A body has at most 20 MiB, compressed and decompressed, unless max_request_body_size is raised",
      RUN,
      ["I19", "W19"],
    ),
    sameAs(
      "collector.E03",
      "A body is one message: frames are refused, and of several JSON messages the first one is read",
      RUN,
      ["I20"],
    ),
    sameAs("collector.E04", "JSON has no byte order mark", RUN, ["W24"]),
    sameAs("collector.W01", "Ids are not all zero: such an id is taken for an absent one", RUN, ["W06", "W26"]),
    rule("collector.I01", "A body has at most 4 MiB, the default limit of gRPC", RUN, atMost(GRPC_LIMIT)),
  ],
};

/** All receivers, in the order of their names. */
export const RECEIVERS: readonly Receiver[] = [COLLECTOR, PYROSCOPE, PARCA, ELASTIC];
