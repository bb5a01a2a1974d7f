export const COLLECTOR: string;
export function whyNot(): Promise<string | null>;
export function buildCollector(options?: { log?: (line: string) => void }): Promise<{ skipped?: string }>;
