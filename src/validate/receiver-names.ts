/** Names of the receivers that have separate rules (rules/receivers.ts), in the order of the documentation. */
export const RECEIVER_NAMES = ["collector", "pyroscope", "parca", "elastic"] as const;

/** A receiver with separate rules (docs/validator.md). */
export type ReceiverName = (typeof RECEIVER_NAMES)[number];
