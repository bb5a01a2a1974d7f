/** Rules of profiles and their resources. */
import { keyOf } from "./references.ts";
import { COLLECTOR, CUSTOM, eachRow, PROTO, type Rule, rule, SEMCONV } from "./rule.ts";

const PROFILE_ID_BYTES = 16;

export const PROFILE_RULES: Rule[] = [
  rule(
    "E12",
    "original_payload and original_payload_format are both present or both absent",
    PROTO,
    eachRow("Profile", (profiles) => {
      const payload = profiles.ints("original_payload");
      const format = profiles.ints("original_payload_format");
      return (row) => {
        const hasPayload = payload.get(row) !== 0;
        if (hasPayload === (format.get(row) !== 0)) return null;
        return hasPayload ? ["original_payload", "has no format"] : ["original_payload_format", "has no payload"];
      };
    }),
  ),
  rule(
    "E13",
    "A profile_id has 16 bytes or is empty",
    `${PROTO}, ${COLLECTOR}`,
    eachRow("Profile", (profiles, { texts }) => {
      const ids = profiles.ints("profile_id");
      return (row) => {
        const { length } = texts.get(ids.get(row));
        return length === 0 || length === PROFILE_ID_BYTES ? null : ["profile_id", `${length} bytes`];
      };
    }),
  ),
  rule(
    "W11",
    "A profile's sample_type has type and unit",
    PROTO,
    eachRow("Profile", (profiles, message) => {
      const types = message.of("ValueType");
      const sampleTypes = profiles.children("sample_type");
      const isSet = (row: number, name: string) => message.stringAt(types.ints(name).get(row)) !== 0;
      return (row) => {
        const type = sampleTypes.first.get(row) - 1;
        if (type < 0) return ["sample_type", "is absent"];
        if (!isSet(type, "type_strindex")) return ["sample_type", "has no type"];
        return isSet(type, "unit_strindex") ? null : ["sample_type", "has no unit"];
      };
    }),
  ),
  rule(
    "W12",
    "A period is not negative, and has a period_type",
    CUSTOM,
    eachRow("Profile", (profiles) => {
      const periods = profiles.pairs("period");
      const types = profiles.children("period_type");
      return (row) => {
        if (periods.isNegative(row)) return ["period", `${periods.signed(row)} is negative`];
        if (periods.isZero(row) || types.first.get(row) > 0) return null;
        return ["period", `${periods.signed(row)} of no period_type`];
      };
    }),
  ),
  rule(
    "W26",
    "A profile_id is not all zero",
    PROTO,
    eachRow("Profile", (profiles, { texts }) => {
      const ids = profiles.ints("profile_id");
      return (row) => (texts.isAllZero(ids.get(row)) ? ["profile_id", "is all zero"] : null);
    }),
  ),
  rule(
    "I16",
    "A resource has a service.name",
    SEMCONV,
    eachRow("ResourceProfiles", (holders, message) => {
      const resources = holders.children("resource");
      const attributes = message.of("Resource").children("attributes");
      const { next } = message.of("KeyValue");
      return (row) => {
        const resource = resources.first.get(row) - 1;
        for (let at = resource < 0 ? 0 : attributes.first.get(resource); at > 0; at = next.get(at - 1)) {
          if (message.texts.text(keyOf(message, at - 1)) === "service.name") return null;
        }
        return ["resource", "no service.name"];
      };
    }),
  ),
];
