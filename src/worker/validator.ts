/**
 * Entry of the worker that validates: a large message takes seconds, and requests about the recording must not wait for
 * it.
 */
import * as Comlink from "comlink";
import { blobSource } from "../bytes/byte-source.ts";
import { ruleText } from "../validate/rules/rules.ts";
import { validate } from "../validate/validate.ts";
import type { OtlpReport, Result } from "./api.ts";

export interface ValidatorWorker {
  validate(file: Blob): Promise<Result<OtlpReport>>;
}

const validator: ValidatorWorker = {
  async validate(file) {
    try {
      const { valid, findings } = await validate(blobSource(file));
      return {
        ok: true,
        value: { valid, findings: findings.map((each) => ({ ...each, holds: ruleText(each.rule) })) },
      };
    } catch (error) {
      return {
        ok: false,
        error: { code: "validate", message: error instanceof Error ? error.message : String(error) },
      };
    }
  },
};

Comlink.expose(validator);
