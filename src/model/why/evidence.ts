import type { ProfileSummary } from "../../core/types.ts";

/** `cpu` of `cpu:jdk.ExecutionSample`. */
export function baseType({ type }: ProfileSummary): string {
  return type.split(":", 1)[0] ?? type;
}
