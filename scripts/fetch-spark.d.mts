export const SPARK: string;
export function whyNoJava(): Promise<string | null>;
export function fetchSpark(options?: { log?: (line: string) => void }): Promise<{ skipped?: string }>;
