/** Validation of OTLP profiles, with checked options. */
import { type Report, validate as validateFile } from "../validate/validate.ts";
import { checked } from "./check.ts";
import type { OpenData } from "./inputs.ts";
import { sourceOf } from "./inputs.ts";
import { VALIDATE } from "./option-checks.ts";
import type { ValidateOptions } from "./options.ts";

/**
 * Checks a message of OTLP profiles, in protobuf or JSON, compressed or not, by the rules of docs/validator.md. It
 * never throws for the bytes: the report has their problems with positions.
 *
 * @throws `input.unknown`, `option.unknown`, `option.value`
 */
export async function validate(data: OpenData, options?: ValidateOptions): Promise<Report> {
  const { for: receivers } = checked("validate", options, VALIDATE);
  // Bytes as they are: the validator reads them without copies.
  const from = data instanceof Uint8Array ? data : sourceOf(data, "validate");
  return validateFile(from, receivers === undefined ? {} : { for: receivers });
}
