/**
 * Entry of the worker that validates: a large message takes seconds, and requests about the recording must not wait for
 * it.
 */
import * as Comlink from "comlink";
import { blobSource } from "../bytes/byte-source.ts";
import { ruleText } from "../validate/rules/rules.ts";
import { validate } from "../validate/validate.ts";
import { answered } from "./answered.ts";
import type { OtlpReport, Result } from "./api.ts";

export interface ValidatorWorker {
  validate(file: Blob): Promise<Result<OtlpReport>>;
}

const validator: ValidatorWorker = {
  validate: (file) =>
    answered("validate", async () => {
      const { valid, findings } = await validate(blobSource(file));
      return { valid, findings: findings.map((each) => ({ ...each, holds: ruleText(each.rule) })) };
    }),
};

Comlink.expose(validator);
