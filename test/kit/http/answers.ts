/** Bodies of answers, encoded by another implementation of protobuf than the one that reads them. */
import protobuf from "protobufjs";

const root = protobuf.Root.fromJSON({
  nested: {
    Response: { fields: { partialSuccess: { type: "PartialSuccess", id: 1 } } },
    PartialSuccess: { fields: { rejectedProfiles: { type: "int64", id: 1 }, errorMessage: { type: "string", id: 2 } } },
    Any: { fields: { typeUrl: { type: "string", id: 1 }, value: { type: "bytes", id: 2 } } },
    Status: {
      fields: {
        code: { type: "int32", id: 1 },
        message: { type: "string", id: 2 },
        details: { rule: "repeated", type: "Any", id: 3 },
      },
    },
  },
}).resolveAll();

export function partialSuccess(rejectedProfiles: number, errorMessage = ""): Uint8Array {
  return root.lookupType("Response").encode({ partialSuccess: { rejectedProfiles, errorMessage } }).finish();
}

export function status(code: number, message: string): Uint8Array {
  const details = [{ typeUrl: "type.googleapis.com/google.rpc.RetryInfo", value: Uint8Array.of(1, 2, 3) }];
  return root.lookupType("Status").encode({ code, message, details }).finish();
}
